#include "integrators/explicit_integrator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mbfmu {
namespace {

constexpr int kMaxFailures = 40;
constexpr int kMaxProjections = 10;
constexpr double kProjected = 1e-4;  // a projection ends when it moves less, in the norm of the error test
constexpr double kLeastError = 1e-10;
constexpr double kSingularShrink = 0.25;
constexpr double kThirdOrderWeight = 0.01;

const ExplicitTableau& tableau(int order) {
  if (order == 4) return classicalRungeKutta();
  return order == 5 ? dormandPrince5() : dormandPrince8();
}

}  // namespace

ExplicitIntegrator::ExplicitIntegrator(const ExplicitOptions& options)
    : options_(options), k_(&tableau(options.order)) {
  statistics_.order = k_->order;
}

void ExplicitIntegrator::start(const System& system, double t, const State& y, const Rates& w) {
  t_ = lastStart_ = t;
  y_ = y;
  w_ = w;
  setUp(system);
  stepsSinceStart_ = 0;
  needsInitialStep_ = true;
  haveDense_ = false;
  ++statistics_.restarts;
}

void ExplicitIntegrator::setUp(const System& system) {
  n_ = system.dimensions();
  const double baumgarteTime = options_.stabilisation == Stabilisation::baumgarte ? options_.baumgarteTime : 0;
  rates_.setUp(system, baumgarteTime);
  denseRates_.setUp(system, baumgarteTime);
  current_.setUp(n_, *k_);
  last_.setUp(n_, *k_);
  newState_ = y_;
  newRates_ = w_;
  moved_ = y_.q;
  errorQ_ = errorV_ = Vector::Zero(n_.nv);
  errorX_ = Vector::Zero(n_.nx);
}

// Hairer, Norsett & Wanner, Solving ODEs I, section II.4.
double ExplicitIntegrator::initialStep(const System& system) {
  if (options_.fixedStep > 0) return options_.fixedStep;
  if (limits_.initialStep > 0) return limits_.initialStep;
  system.positionScale(y_.q, errorQ_);
  const double size = std::max({norm_.position(errorQ_), norm_.velocity(y_.v), norm_.state(y_.x), 1.0});
  const double rate = std::max({norm_.position(y_.v), norm_.velocity(w_.a), norm_.state(w_.xdot)});
  return rate > 0 ? std::min(0.01 * size / rate, std::pow(0.01 / rate, 1.0 / k_->errorOrder)) : 1e-3;
}

double ExplicitIntegrator::leastStep() const {
  return std::max({limits_.minStep, 4 * std::numeric_limits<double>::epsilon() * std::abs(t_), 1e-15});
}

Failure ExplicitIntegrator::step(const System& system, double tLimit) {
  if (stepsSinceStart_ >= limits_.maxSteps) return failure(Failure::Reason::tooManySteps, controller_.proposal());
  const bool fixed = options_.fixedStep > 0;
  norm_.update(system, tolerances_, 1, y_);
  if (needsInitialStep_) controller_.start(initialStep(system), std::max(k_->errorOrder, 1));
  needsInitialStep_ = false;
  StepController controller = controller_;
  controller.setProposal(std::max(controller.proposal(), limits_.minStep));
  for (int failures = 0;;) {
    bool reachesLimit = false;
    const double h = controller.clip(tLimit - t_, limits_.maxStep, reachesLimit);
    const double t1 = reachesLimit ? tLimit : t_ + h;
    Failure::Reason reason = Failure::Reason::singularMatrix;
    double error = 0;
    const bool solved = attempt(system, h, t1, error);
    rates_.count(statistics_);
    if (solved && error < 1) {
      if (!fixed) controller.accepted(h, error, 1, h < controller.proposal());
      controller_ = controller;
      accept(h, t1);
      return {};
    }
    if (solved) {
      reason = std::isfinite(error) ? Failure::Reason::errorTest : Failure::Reason::notFinite;
      ++statistics_.rejectedSteps;
      controller.rejected(h, std::isfinite(error) ? error : 1e10, 1);
    } else {
      rates_.distrustPivots();
      controller.failed(kSingularShrink * h);
    }
    const double next = controller.proposal();
    if (fixed) return failure(reason, h);
    if (++failures > kMaxFailures || next < leastStep())
      return failure(limits_.minStep > 0 && next < limits_.minStep ? Failure::Reason::stepFloor : reason, next);
  }
}

bool ExplicitIntegrator::attempt(const System& system, double h, double t1, double& error) {
  if (!current_.run(system, *k_, rates_, t_, h, y_, w_)) return false;
  error = std::numeric_limits<double>::infinity();
  if (!current_.end.q.allFinite() || !current_.end.v.allFinite() || !current_.end.x.allFinite()) return true;
  if (!finishEnd(system, t1)) return false;
  error = estimateError();
  return true;
}

// Positions go onto the constraints with the factors of the last stage, which is near; velocities with those of the
// end, where the rates need them anyway.
bool ExplicitIntegrator::finishEnd(const System& system, double t1) {
  const bool project = options_.stabilisation == Stabilisation::projection && n_.m > 0;
  for (int i = 0; project && i < kMaxProjections; ++i) {
    const Vector& dq = rates_.project(system, t1, current_.end, Level::position);
    if (!dq.allFinite()) break;
    const double size = norm_.position(dq);
    current_.moveEnd(system, dq);
    if (size < kProjected) break;
  }
  if (!rates_.factor(system, t1, current_.end, current_.endRates)) return false;
  if (project) current_.end.v += rates_.project(system, t1, current_.end, Level::velocity);
  rates_.solve(system, t1, current_.end, current_.endRates);
  current_.finish(system, *k_);
  return true;
}

double ExplicitIntegrator::estimateError() {
  if (!std::isfinite(current_.endRates.a.sum() + current_.endRates.xdot.sum())) return HUGE_VAL;
  if (options_.fixedStep > 0) return 0;
  const auto size = [this](int row) {
    current_.error(*k_, row, errorQ_, errorV_, errorX_);
    return std::max({norm_.position(errorQ_), norm_.velocity(errorV_), norm_.state(errorX_)});
  };
  double error = size(0);
  if (k_->error.rows() > 1 && error > 0) error *= error / std::hypot(error, std::sqrt(kThirdOrderWeight) * size(1));
  return std::isfinite(error) ? std::max(error, kLeastError) : HUGE_VAL;
}

void ExplicitIntegrator::accept(double h, double t1) {
  std::swap(last_, current_);
  haveDense_ = true;
  y_ = last_.end;
  w_ = last_.endRates;
  lastStart_ = t_;
  t_ = t1;
  ++stepsSinceStart_;
  ++statistics_.steps;
  statistics_.lastStepSize = h;
  statistics_.minStepSize = std::min(statistics_.minStepSize, h);
  statistics_.maxStepSize = std::max(statistics_.maxStepSize, h);
}

// Rates are solved for at the interpolated state: as accurate as that, and consistent with it.
void ExplicitIntegrator::interpolate(const System& system, double t, State& y, Rates& w) const {
  y = y_;
  w = w_;
  if (t == t_ || !haveDense_) return;
  if (last_.interpolate(system, *k_, denseRates_, t, y) && denseRates_.factor(system, t, y, w))
    denseRates_.solve(system, t, y, w);
}

Failure ExplicitIntegrator::cutBack(const System& system, double t) {
  if (t == t_) return {};
  interpolate(system, t, newState_, newRates_);
  norm_.update(system, tolerances_, 1, newState_);
  if (!rates_.factor(system, t, newState_, newRates_)) return failure(Failure::Reason::singularMatrix, 0);
  if (options_.stabilisation == Stabilisation::projection && n_.m > 0) {
    double size = HUGE_VAL;
    for (int i = 0; i < kMaxProjections && !(size < kProjected); ++i) {
      const Vector& dq = rates_.project(system, t, newState_, Level::position);
      size = norm_.position(dq);
      system.advance(newState_.q, dq, moved_);
      newState_.q = moved_;
    }
    if (!(size < kProjected)) return failure(Failure::Reason::newtonDivergence, 0);
    if (!rates_.factor(system, t, newState_, newRates_)) return failure(Failure::Reason::singularMatrix, 0);
    newState_.v += rates_.project(system, t, newState_, Level::velocity);
  }
  rates_.solve(system, t, newState_, newRates_);
  rates_.count(statistics_);
  t_ = t;
  y_ = newState_;
  w_ = newRates_;
  return {};
}

Failure ExplicitIntegrator::jump(const System& system) {
  newRates_ = w_;
  if (!rates_.factor(system, t_, y_, newRates_)) return failure(Failure::Reason::singularMatrix, 0);
  rates_.solve(system, t_, y_, newRates_);
  rates_.count(statistics_);
  if (!newRates_.a.allFinite()) return failure(Failure::Reason::notFinite, 0);
  w_ = newRates_;
  ++statistics_.warmRestarts;
  return {};
}

void ExplicitIntegrator::transfer(const System& system, Archive& archive) {
  if (archive.reading()) {
    const Dimensions n = system.dimensions();
    y_ = {Vector::Zero(n.nq), Vector::Zero(n.nv), Vector::Zero(n.nx)};
    w_ = {Vector::Zero(n.nv), Vector::Zero(n.nx), Vector::Zero(n.m)};
    setUp(system);
  }
  archive(tolerances_, limits_, statistics_, t_, lastStart_, y_, w_, stepsSinceStart_, needsInitialStep_, haveDense_,
          controller_, rates_, last_, denseRates_);
  if (archive.reading() && !archive.ok()) setUp(system);
}

Failure ExplicitIntegrator::failure(Failure::Reason reason, double h) const {
  const bool singular = reason == Failure::Reason::singularMatrix;
  return {.reason = reason,
          .t = t_,
          .h = h,
          .iteration = 0,
          .worstConstraint = singular ? std::max(rates_.deficientRow() - n_.nv - n_.nx, -1) : -1};
}

}  // namespace mbfmu
