#include "integrators/implicit_step.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {
constexpr int kMaxIterations = 8;
constexpr int kNewJacobians = 8;     // within one step of fixed size
constexpr int kKinematicPasses = 2;  // of the fixed point for theta per correction; its error counts as one
constexpr double kReuse = 1.0 / 3;   // bound on the contraction expected of old factors
constexpr double kOldFactors = 0.1;  // share of a correction that they leave, as long as nothing is known
// Corrections that no longer shrink but are below these are round-off; a step that may not be shortened takes more.
constexpr double kStalled = 0.03, kStalledFixed = 1;
}  // namespace

void ImplicitStep::setUp(const System& system, Level level, Kinematics kinematics) {
  n_ = system.dimensions();
  level_ = level;
  kinematics_ = kinematics;
  matrix_.setPattern(n_, system.pattern());
  newton_.reset();
  haveFactors_ = false;
  for (auto* p : {&p_.p0, &p_.p1, &p_.p2}) p->assign(system.pattern().size(), 0.0);
  origin.setZero(n_.nq);
  theta0.setZero(n_.nv);
  v0 = theta = predictedTheta_ = shift_ = shiftV_ = rate_ = dq_ = lastTheta_ = lastV_ = theta0;
  x0.setZero(n_.nx);
  lastX_ = x0;
  constraint_.setZero(n_.m);
  residual_.setZero(n_.unknowns());
  dw_ = residual_;
  y = {origin, theta0, x0};
  w = predicted_ = {theta0, x0, constraint_};
}

void ImplicitStep::begin(const System& system) {
  w = predicted_;
  theta = predictedTheta_;
  shift_.setZero();
  shiftV_.setZero();
  place(system);
}

void ImplicitStep::place(const System& system) {
  y.v = v0 + c1 * w.a + shiftV_;
  y.x = x0 + c1 * w.xdot;
  if (kinematics_ == Kinematics::accelerations) theta = theta0 + c2 * w.a + shift_;
  for (int i = 0; i < kKinematicPasses && kinematics_ == Kinematics::velocities; ++i) {
    system.chartRate(theta, y.v, rate_);
    theta = theta0 + c1 * rate_ + shift_;
  }
  system.advance(origin, theta, y.q);
}

bool ImplicitStep::factor(const System& system, Statistics& statistics) {
  system.linearise(t1, y, w, level_, p_);
  ++statistics.jacobianEvaluations;
  ++statistics.factorizations;
  haveFactors_ = matrix_.factor(p_, c1, c2);
  factoredC1_ = c1;
  factoredC2_ = c2;
  if (!haveFactors_) reason_ = Failure::Reason::singularMatrix;
  return haveFactors_;
}

// Old factors are kept while contraction * r + |r - 1| <= 1/3, r = c1 over theirs (Ren & Zhou 2020, Alg. 3).
bool ImplicitStep::solve(const System& system, const ErrorNorm& norm, double kappa, Statistics& statistics) {
  predicted_ = w;
  predictedTheta_ = theta;
  begin(system);
  const double ratio = c1 / factoredC1_;
  const bool keep = haveFactors_ && newton_.contraction() * ratio + std::abs(ratio - 1) <= kReuse;
  if (keep) newton_.expectRemaining(kOldFactors);
  if (keep && iterate(system, norm, kappa, kStalled, statistics)) return true;
  if (keep) {
    newton_.reset();
    begin(system);
  }
  if (factor(system, statistics) && iterate(system, norm, kappa, kStalled, statistics)) return true;
  haveFactors_ = false;
  return false;
}

bool ImplicitStep::solveStubbornly(const System& system, const ErrorNorm& norm, double kappa, Statistics& statistics) {
  predicted_ = w;
  predictedTheta_ = theta;
  begin(system);
  for (int i = 0; i < kNewJacobians && y.q.allFinite() && y.v.allFinite() && w.lambda.allFinite(); ++i) {
    newton_.reset();
    if (!factor(system, statistics)) return false;
    if (iterate(system, norm, kappa, kStalledFixed, statistics)) return true;
  }
  haveFactors_ = false;
  return false;
}

bool ImplicitStep::iterate(const System& system, const ErrorNorm& norm, double kappa, double stalled,
                           Statistics& statistics) {
  newton_.begin(kappa, kMaxIterations, stalled);
  for (;;) {
    const double size = correct(system, norm, statistics);
    switch (newton_.update(size)) {
      case NewtonMonitor::Verdict::converged:
        return true;
      case NewtonMonitor::Verdict::failed:
        ++statistics.newtonFailures;
        reason_ = std::isfinite(size) ? Failure::Reason::newtonDivergence : Failure::Reason::notFinite;
        return false;
      case NewtonMonitor::Verdict::proceed:
        break;
    }
  }
}

// One correction of w, then of the stabilising displacement; returns their weighted size.
double ImplicitStep::correct(const System& system, const ErrorNorm& norm, Statistics& statistics) {
  lastTheta_ = theta;
  lastV_ = y.v;
  lastX_ = y.x;
  system.residual(t1, y, w, level_, residual_);
  const double constraintScale[] = {c2, c1, 1};
  matrix_.correct(residual_, constraintScale[static_cast<int>(level_)], dw_);
  ++statistics.residualEvaluations;
  ++statistics.solves;
  ++statistics.newtonIterations;
  if (!std::isfinite(dw_.sum())) return std::numeric_limits<double>::quiet_NaN();
  w.a += dw_.head(n_.nv);
  w.xdot += dw_.segment(n_.nv, n_.nx);
  w.lambda += dw_.tail(n_.m);
  place(system);
  if (level_ == Level::acceleration) stabilise(system, Level::velocity, shiftV_, statistics);
  if (level_ != Level::position) stabilise(system, Level::position, shift_, statistics);
  lastTheta_ -= theta;
  lastV_ -= y.v;
  lastX_ -= y.x;
  const double sizeX = norm.state(lastX_);
  // Index 3: across the constraints velocities carry round-off of positions over h, and forget it.
  if (level_ == Level::position) filter(lastV_, lastX_, statistics);
  return std::max({norm.position(lastTheta_), norm.velocity(lastV_), sizeX});
}

void ImplicitStep::stabilise(const System& system, Level level, Vector& shift, Statistics& statistics) {
  if (n_.m == 0) return;
  system.constraints(t1, y, level, constraint_);
  matrix_.project(constraint_, dq_);
  ++statistics.solves;
  shift += dq_;
  place(system);
}

void ImplicitStep::filter(Vector& ev, Vector& ex, Statistics& statistics) {
  matrix_.filter(p_, ev, ex);
  ++statistics.solves;
}

void ImplicitStep::transfer(Archive& archive) {
  archive(matrix_, newton_, p_, haveFactors_, factoredC1_, factoredC2_);
  if (archive.reading() && archive.ok() && haveFactors_ && !matrix_.factor(p_, factoredC1_, factoredC2_))
    archive.refuse();
}

void ImplicitStep::checkRowsOff(const Linearisation& p) {
  if (haveFactors_ && !matrix_.sameRowsOff(p)) haveFactors_ = false;
}

int ImplicitStep::worstConstraint() const {
  if (reason_ == Failure::Reason::singularMatrix) return std::max(matrix_.deficientRow() - n_.nv - n_.nx, -1);
  int worst = -1;
  if (n_.m > 0) residual_.tail(n_.m).cwiseAbs().maxCoeff(&worst);
  return worst;
}

}  // namespace mbfmu
