#include "integrators/consistency.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mbfmu {
namespace {
constexpr int kMaxIterations = 12;
constexpr double kConverged = 1e-14;  // relative to 1 + |value|
constexpr double kGoodEnough = 1e-9;  // accepted if round-off stops the iteration here
constexpr double kRefined = 1e-8;     // a refinement smaller than this share of the solution leaves round-off only
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

ConsistencySolver& ConsistencySolver::operator=(const ConsistencySolver& other) {
  if (this == &other) return *this;
  const bool sameSizes = n_.nv == other.n_.nv && n_.nq == other.n_.nq && n_.m == other.n_.m;
  if (!sameSizes || !lu_.samePattern(other.lu_)) return *this = ConsistencySolver(other);
  lu_.assignPivots(other.lu_);
  return *this;
}

bool ConsistencySolver::factor(const System& system, double t, const State& y, const Rates& w) {
  system.linearise(t, y, w, Level::acceleration, p_);
  return factor(p_);
}

bool ConsistencySolver::factor(const Linearisation& p) {
  lu_.entries = p.p0;
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
  double size = 0;
  refinement_ = 0;
  for (Eigen::Index i = 0; i < rhs_.size(); ++i) {
    const double correction = lu_.solution[static_cast<std::size_t>(i)];
    solution_[i] += correction;
    size = std::max(size, std::abs(solution_[i]));
    refinement_ = std::max(refinement_, std::abs(correction));
  }
  refinement_ = size > 0 ? refinement_ / size : 0;
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
    solveForRates(system, t, y, w);
    const double size = solution_.cwiseAbs().maxCoeff();
    if (!(size < last)) return last < kGoodEnough * (1 + w.a.norm() + w.lambda.norm());
    addToRates(w);
    if (size < kConverged * (1 + w.a.norm() + w.lambda.norm())) return true;
    last = size;
  }
  return last < kGoodEnough * (1 + w.a.norm() + w.lambda.norm());
}

// The equations are linear in the rates.
bool ConsistencySolver::correctRates(const System& system, double t, const State& y, Rates& w) {
  solveForRates(system, t, y, w);
  addToRates(w);
  return refinement_ < kRefined && std::isfinite(solution_.sum());
}

void ConsistencySolver::solveForRates(const System& system, double t, const State& y, const Rates& w) {
  system.residual(t, y, w, Level::acceleration, rhs_);
  rhs_ = -rhs_;
  solve();
}

void ConsistencySolver::addToRates(Rates& w) const {
  w.a += solution_.head(n_.nv);
  w.xdot += solution_.segment(n_.nv, n_.nx);
  w.lambda += solution_.tail(n_.m);
}

}  // namespace mbfmu
