#include "integrators/implicit_integrator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mbfmu {

void ImplicitIntegrator::begin(const System& system, double t, const State& y, const Rates& w, Level level,
                               ImplicitStep::Kinematics kinematics) {
  n_ = system.dimensions();
  t_ = lastStart_ = t;
  y_ = newState_ = y;
  w_ = newRates_ = w;
  stepsSinceStart_ = 0;
  watch_.reset();
  ++statistics_.restarts;
  implicit_.setUp(system, level, kinematics);
  consistency_.setUp(system);
  scaleQ_.setZero(n_.nv);
}

// Hairer, Norsett & Wanner, Solving ODEs I, section II.4.
double ImplicitIntegrator::initialStep(const System& system, int errorOrder) {
  if (limits_.initialStep > 0) return limits_.initialStep;
  system.positionScale(y_.q, scaleQ_);
  const double size = std::max({norm_.position(scaleQ_), norm_.velocity(y_.v), norm_.state(y_.x), 1.0});
  const double rate = std::max({norm_.position(y_.v), norm_.velocity(w_.a), norm_.state(w_.xdot)});
  return rate > 0 ? std::min(0.01 * size / rate, std::pow(0.01 / rate, 1.0 / errorOrder)) : 1e-3;
}

double ImplicitIntegrator::leastStep() const {
  return std::max({limits_.minStep, 4 * std::numeric_limits<double>::epsilon() * std::abs(t_), 1e-15});
}

Failure ImplicitIntegrator::makeConsistent(const System& system, double t) {
  if (!consistency_.factor(system, t, newState_, newRates_))
    return inconsistent(Failure::Reason::singularMatrix, consistency_.deficientRow());
  if (!consistency_.projectPosition(system, t, newState_) || !consistency_.projectVelocity(system, t, newState_) ||
      !consistency_.solveRates(system, t, newState_, newRates_))
    return inconsistent(Failure::Reason::newtonDivergence, -1);
  ++statistics_.factorizations;
  watch_.reset();
  return {};
}

Failure ImplicitIntegrator::recomputeRates(const System& system) {
  newRates_ = w_;
  if (!consistency_.factor(system, t_, y_, w_))
    return inconsistent(Failure::Reason::singularMatrix, consistency_.deficientRow());
  if (!consistency_.correctRates(system, t_, y_, newRates_) && !consistency_.solveRates(system, t_, y_, newRates_))
    return inconsistent(Failure::Reason::newtonDivergence, -1);
  implicit_.checkRowsOff(consistency_.linearisation());
  ++statistics_.factorizations;
  ++statistics_.warmRestarts;
  watch_.reset();
  return {};
}

void ImplicitIntegrator::transferShared(Archive& archive) {
  archive(tolerances_, limits_, statistics_, t_, lastStart_, y_, w_, stepsSinceStart_, watch_, implicit_, consistency_);
}

void ImplicitIntegrator::countStep(double h) {
  ++stepsSinceStart_;
  ++statistics_.steps;
  statistics_.lastStepSize = h;
  statistics_.minStepSize = std::min(statistics_.minStepSize, h);
  statistics_.maxStepSize = std::max(statistics_.maxStepSize, h);
}

Failure ImplicitIntegrator::stepFailure(Failure::Reason reason, double h) const {
  const bool early = reason == Failure::Reason::tooManySteps;
  return {.reason = limits_.minStep > 0 && h < limits_.minStep && !early ? Failure::Reason::stepFloor : reason,
          .t = t_,
          .h = h,
          .iteration = early ? 0 : implicit_.newton().iterations(),
          .worstConstraint = early ? -1 : implicit_.worstConstraint()};
}

Failure ImplicitIntegrator::inconsistent(Failure::Reason reason, int row) const {
  return {.reason = reason,
          .t = t_,
          .h = statistics_.lastStepSize,
          .iteration = 0,
          .worstConstraint = std::max(row - n_.nv - n_.nx, -1)};
}

}  // namespace mbfmu
