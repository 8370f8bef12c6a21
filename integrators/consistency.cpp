#include "integrators/consistency.h"

#include <limits>

namespace mbfmu {
namespace {
constexpr int kMaxIterations = 12;
constexpr double kConverged = 1e-14;  // relative to 1 + |value|
constexpr double kGoodEnough = 1e-9;  // accepted if round-off stops the iteration here
}  // namespace

void ConsistencySolver::setUp(const System& system) {
  n_ = system.dimensions();
  lu_.setPattern(n_.unknowns(), system.pattern());
  for (auto* p : {&p_.p0, &p_.p1, &p_.p2}) p->assign(system.pattern().size(), 0.0);
  rhs_.setZero(n_.unknowns());
  residual_ = solution_ = rhs_;
  constraint_.setZero(n_.m);
  step_.setZero(n_.nv);
  moved_.setZero(n_.nq);
}

bool ConsistencySolver::factor(const System& system, double t, const State& y, const Rates& w) {
  system.linearise(t, y, w, Level::acceleration, p_);
  lu_.entries = p_.p0;
  return lu_.factor();
}

void ConsistencySolver::solve() {
  const auto apply = [this](const Vector& b) {
    for (Eigen::Index i = 0; i < b.size(); ++i) lu_.rhs[static_cast<std::size_t>(i)] = b[i];
    lu_.solve();
  };
  apply(rhs_);
  residual_ = rhs_;
  for (Eigen::Index i = 0; i < rhs_.size(); ++i) solution_[i] = lu_.solution[static_cast<std::size_t>(i)];
  for (std::size_t e = 0; e < lu_.entries.size(); ++e)
    residual_[lu_.pattern().row[e]] -= lu_.entries[e] * solution_[lu_.pattern().col[e]];
  apply(residual_);
  for (Eigen::Index i = 0; i < rhs_.size(); ++i) solution_[i] += lu_.solution[static_cast<std::size_t>(i)];
}

const Vector& ConsistencySolver::solve(const Vector& rhs) {
  rhs_ = rhs;
  solve();
  return solution_;
}

bool ConsistencySolver::projectPosition(const System& system, double t, State& y) {
  if (n_.m == 0) return true;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaxIterations; ++i) {
    system.constraints(t, y, Level::position, constraint_);
    rhs_.setZero();
    rhs_.tail(n_.m) = -constraint_;
    solve();
    step_ = solution_.head(n_.nv);
    const double size = step_.cwiseAbs().maxCoeff() / (1 + y.q.cwiseAbs().maxCoeff());
    if (!(size < last)) return last < kGoodEnough;
    system.advance(y.q, step_, moved_);
    y.q = moved_;
    if (size < kConverged) return true;
    last = size;
  }
  return last < kGoodEnough;
}

bool ConsistencySolver::projectVelocity(const System& system, double t, State& y) {
  if (n_.m == 0) return true;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaxIterations; ++i) {
    system.constraints(t, y, Level::velocity, constraint_);
    rhs_.setZero();
    rhs_.tail(n_.m) = -constraint_;
    solve();
    const double size = solution_.head(n_.nv).cwiseAbs().maxCoeff() / (1 + y.v.cwiseAbs().maxCoeff());
    if (!(size < last)) return last < kGoodEnough;
    y.v += solution_.head(n_.nv);
    if (size < kConverged) return true;
    last = size;
  }
  return last < kGoodEnough;
}

bool ConsistencySolver::solveRates(const System& system, double t, const State& y, Rates& w) {
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaxIterations; ++i) {
    system.residual(t, y, w, Level::acceleration, rhs_);
    rhs_ = -rhs_;
    solve();
    const double size = solution_.cwiseAbs().maxCoeff();
    if (!(size < last)) return last < kGoodEnough * (1 + w.a.norm() + w.lambda.norm());
    w.a += solution_.head(n_.nv);
    w.xdot += solution_.segment(n_.nv, n_.nx);
    w.lambda += solution_.tail(n_.m);
    if (size < kConverged * (1 + w.a.norm() + w.lambda.norm())) return true;
    last = size;
  }
  return last < kGoodEnough * (1 + w.a.norm() + w.lambda.norm());
}

}  // namespace mbfmu
