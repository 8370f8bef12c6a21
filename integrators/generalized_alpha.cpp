#include "integrators/generalized_alpha.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {
constexpr int kMaxFailures = 40;
constexpr int kForgetSlopes = 3;  // failures after which rates are no longer extrapolated
constexpr double kWorthwhileGrowth = 1.2;
constexpr int kErrorOrder = 3;
constexpr double kKappa = 0.02;  // Newton's tolerance relative to the step's
constexpr double kLeastError = 1e-10;
constexpr double kLoosening = 5;  // global errors then are a few rtol
constexpr double kWork = 20;      // in iterations: how little an expensive iteration matters for the step size
}  // namespace

GeneralizedAlpha::GeneralizedAlpha(const GeneralizedAlphaOptions& options)
    : options_(options), k_(alphaParameters(options.variant, options.rho)) {
  statistics_.order = options.variant == AlphaVariant::newmark && options.rho < 1 ? 1 : 2;
  GeneralizedAlpha::setTolerances(tolerances_);
}

// Local errors are of order 3, global ones of order 2: an internal tolerance going like rtol^(3/2) makes the latter
// follow rtol.
void GeneralizedAlpha::setTolerances(const Tolerances& tolerances) {
  tolerances_ = tolerances;
  scale_ = std::min(1.0, (options_.level == Level::position ? 1 : kLoosening) * std::sqrt(tolerances.rtol));
}

void GeneralizedAlpha::start(const System& system, double t, const State& y, const Rates& w) {
  begin(system, t, y, w, options_.level, ImplicitStep::Kinematics::accelerations);
  dense_.setUp(n_);
  haveDense_ = false;
  needsInitialStep_ = true;
  lastStep_ = 0;
  A_ = startA_ = newA_ = w.a;
  Xi_ = startXi_ = newXi_ = w.xdot;
  slopeA_ = errorQ_ = errorV_ = Vector::Zero(n_.nv);
  slopeXi_ = errorX_ = unused_ = Vector::Zero(n_.nx);
  slopeLambda_ = Vector::Zero(n_.m);
}

Failure GeneralizedAlpha::step(const System& system, double tLimit) {
  if (stepsSinceStart_ >= limits_.maxSteps) return stepFailure(Failure::Reason::tooManySteps, lastStep_);
  norm_.update(system, tolerances_, scale_, y_);
  const bool fixed = options_.fixedStep > 0;
  if (needsInitialStep_) controller_.start(fixed ? options_.fixedStep : initialStep(system, kErrorOrder), kErrorOrder);
  needsInitialStep_ = false;
  StepController controller = controller_;
  controller.setProposal(std::max(controller.proposal(), limits_.minStep));
  DiscontinuityWatch watch = watch_;
  watch.begin();
  for (int failures = 0;;) {
    bool reachesLimit = false;
    const double unwatched = controller.clip(tLimit - t_, limits_.maxStep, reachesLimit);
    const double h = watch.clip(t_, unwatched);
    reachesLimit = reachesLimit && h == unwatched;
    const double t1 = reachesLimit ? tLimit : t_ + h;
    Failure::Reason reason = Failure::Reason::errorTest;
    predict(h, failures <= kForgetSlopes);
    implicit_.t1 = t1;
    if (options_.level == Level::position && !fixed) implicit_.forgetFactors();  // its filter must know Phi_q here
    bool solved = implicit_.solve(system, norm_, kKappa, statistics_);
    if (!solved && fixed) {
      predict(h, false);
      solved = implicit_.solveStubbornly(system, norm_, kKappa, statistics_);
      if (!solved) return stepFailure(implicit_.reason(), h);
    }
    if (solved) {
      algorithmicRates();
      const double error = fixed ? 0 : estimateError(h);
      const double work = (1 + kWork) / (implicit_.newton().iterations() + kWork);
      if (error < watch.limit(h, kErrorOrder)) {
        if (!fixed) controller.accepted(h, error, work, h < controller.proposal());
        // An unchanged step size keeps the factors, and lets the multipliers of index 3 settle.
        if (!fixed && controller.proposal() >= h && controller.proposal() <= kWorthwhileGrowth * h)
          controller.setProposal(h);
        controller_ = controller;
        accept(system, h, t1);
        watch_ = watch;
        if (watch_.crossed(t_, error)) forgetPast();
        return {};
      }
      ++statistics_.rejectedSteps;
      if (!std::isfinite(error)) reason = Failure::Reason::notFinite;
      watch.rejected(t_, h, error, kErrorOrder);
      controller.rejected(h, std::isfinite(error) ? error : 1e10, work);
    } else {
      reason = implicit_.reason();
      if (failures > 0) implicit_.distrustPivots();
      controller.failed(h * std::min(implicit_.newton().shorten(), 0.8));
      implicit_.forgetContraction();
    }
    if (++failures > kMaxFailures || controller.proposal() < leastStep()) {
      implicit_.forgetFactors();
      return stepFailure(reason, controller.proposal());
    }
  }
}

// The end of the step as a function of a_1 and x'_1, with A_1 eliminated:
//   A_1 = ((1 - alphaF) a_1 + alphaF a_0 - alphaM A_0) / (1 - alphaM).
// A_0 stands for v' at an offset proportional to the step size, so it moves when that changes.
void GeneralizedAlpha::predict(double h, bool extrapolate) {
  const double ratio = lastStep_ > 0 ? h / lastStep_ : 1;
  startA_ = w_.a + ratio * (A_ - w_.a);
  startXi_ = w_.xdot + ratio * (Xi_ - w_.xdot);
  const double eta = (1 - k_.alphaF) / (1 - k_.alphaM);
  const double fromRate = k_.alphaF / (1 - k_.alphaM), fromA = -k_.alphaM / (1 - k_.alphaM);
  const double c1 = h * k_.gamma, c2 = h * h * k_.beta;
  implicit_.c1 = c1 * eta;
  implicit_.c2 = c2 * eta;
  implicit_.origin = y_.q;
  implicit_.v0 = y_.v + (h - c1 + c1 * fromA) * startA_ + c1 * fromRate * w_.a;
  implicit_.x0 = y_.x + (h - c1 + c1 * fromA) * startXi_ + c1 * fromRate * w_.xdot;
  implicit_.theta0 = h * y_.v + (0.5 * h * h - c2 + c2 * fromA) * startA_ + c2 * fromRate * w_.a;

  const double dt = extrapolate ? h : 0;
  implicit_.w.a = (startA_ + dt * slopeA_ - fromA * startA_ - fromRate * w_.a) / eta;
  implicit_.w.xdot = (startXi_ + dt * slopeXi_ - fromA * startXi_ - fromRate * w_.xdot) / eta;
  implicit_.w.lambda = w_.lambda + dt * slopeLambda_;
}

void GeneralizedAlpha::algorithmicRates() {
  const double scale = 1 / (1 - k_.alphaM);
  newA_ = scale * ((1 - k_.alphaF) * implicit_.w.a + k_.alphaF * w_.a - k_.alphaM * startA_);
  newXi_ = scale * ((1 - k_.alphaF) * implicit_.w.xdot + k_.alphaF * w_.xdot - k_.alphaM * startXi_);
}

// Local errors errorQ h^3 q''' and errorV h^3 v''', the derivatives from differences of A over one and two steps, both
// projected onto the constraints: raw index-3 differences are mostly noise, and those of v remain so, since the past
// ones were normal to other constraints; index 3 goes by positions alone (Ren & Zhou 2020, eq. 34).
double GeneralizedAlpha::estimateError(double h) {
  errorQ_ = k_.errorQ * h * h * (newA_ - startA_);
  unused_.setZero();
  implicit_.filter(errorQ_, unused_, statistics_);
  const double g = k_.errorV * h * 2 * h / (h + std::max(lastStep_, 0.0));
  errorV_ = g * (newA_ - startA_ - h * slopeA_);
  errorX_ = g * (newXi_ - startXi_ - h * slopeXi_);
  implicit_.filter(errorV_, errorX_, statistics_);
  const double sizeV = options_.level == Level::position ? 0 : norm_.velocity(errorV_);
  const double error = std::max({norm_.position(errorQ_), sizeV, norm_.state(errorX_)});
  return std::isfinite(errorV_.sum() + errorQ_.sum()) ? std::max(error, kLeastError) : HUGE_VAL;
}

void GeneralizedAlpha::accept(const System& system, double h, double t1) {
  dense_.store(system, t_, y_, w_, t1, implicit_.y, implicit_.w, implicit_.theta);
  haveDense_ = true;
  slopeA_ = (newA_ - startA_) / h;
  slopeXi_ = (newXi_ - startXi_) / h;
  slopeLambda_ = (implicit_.w.lambda - w_.lambda) / h;
  A_ = newA_;
  Xi_ = newXi_;
  y_ = implicit_.y;
  w_ = implicit_.w;
  lastStart_ = t_;
  t_ = t1;
  lastStep_ = h;
  countStep(h);
}

void GeneralizedAlpha::forgetPast() {
  if (watch_.foundJump()) ++statistics_.discontinuities;
  A_ = w_.a;
  Xi_ = w_.xdot;
  slopeA_.setZero();
  slopeXi_.setZero();
  slopeLambda_.setZero();
  controller_.start(watch_.resume(), kErrorOrder);
}

void GeneralizedAlpha::interpolate(const System& system, double t, State& y, Rates& w) const {
  if (t == t_ || !haveDense_) {
    y = y_;
    w = w_;
  } else {
    dense_.interpolate(system, t, y, w);
  }
}

Failure GeneralizedAlpha::cutBack(const System& system, double t) {
  if (t == t_) return {};
  interpolate(system, t, newState_, newRates_);
  if (const Failure failure = makeConsistent(system, t)) return failure;
  A_ += newRates_.a - w_.a;
  Xi_ += newRates_.xdot - w_.xdot;
  y_ = newState_;
  w_ = newRates_;
  t_ = t;
  return {};
}

Failure GeneralizedAlpha::jump(const System& system) {
  if (const Failure failure = recomputeRates(system)) return failure;
  A_ += newRates_.a - w_.a;
  Xi_ += newRates_.xdot - w_.xdot;
  w_ = newRates_;
  return {};
}

void GeneralizedAlpha::transfer(const System& system, Archive& archive) {
  if (archive.reading()) {
    const Dimensions n = system.dimensions();
    start(system, 0, {Vector::Zero(n.nq), Vector::Zero(n.nv), Vector::Zero(n.nx)},
          {Vector::Zero(n.nv), Vector::Zero(n.nx), Vector::Zero(n.m)});
  }
  transferShared(archive);
  archive(controller_, needsInitialStep_, lastStep_, dense_, haveDense_);
  archive.sized(A_, Xi_, slopeA_, slopeXi_, slopeLambda_);
  if (archive.reading()) setTolerances(tolerances_);
}

}  // namespace mbfmu
