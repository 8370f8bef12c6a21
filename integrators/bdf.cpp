#include "integrators/bdf.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {

constexpr int kMaxFailures = 40;
constexpr int kFailuresToRestart = 6;
constexpr double kKappa = 0.03;  // Newton's tolerance relative to the step's
constexpr double kWorthwhileGrowth = 1.1;
constexpr double kStartShare = 0.25;  // first step relative to the block step that gave the history
constexpr double kClose = 0.3;        // points closer than this to the present, in steps, spoil differences
constexpr double kDerivativeStep = 1e-3;
constexpr double kUnknown = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

BlockOptions starterOptions(const BdfOptions& options) {
  const int r = std::max(2, options.maxOrder);
  return {.r = r, .nodes = Nodes::radau, .k = r - 1, .level = Level::velocity, .fixedStep = 0};
}

// What the starter did in one call counts as work of this integrator.
void addWork(const Statistics& before, const Statistics& after, Statistics& sum) {
  for (const auto count : {&Statistics::rejectedSteps, &Statistics::newtonIterations, &Statistics::newtonFailures,
                           &Statistics::jacobianEvaluations, &Statistics::factorizations,
                           &Statistics::residualEvaluations, &Statistics::solves})
    sum.*count += after.*count - before.*count;
}

}  // namespace

Bdf::Bdf(const BdfOptions& options)
    : options_(options),
      starter_(starterOptions(options)),
      starterNodes_(blockCoefficients(Nodes::radau, starterOptions(options).r, starterOptions(options).k)) {}

void Bdf::start(const System& system, double t, const State& y, const Rates& w) {
  begin(system, t, y, w, options_.level, ImplicitStep::Kinematics::velocities);
  history_.setUp(n_);
  resampled_.setUp(n_);
  controller_ = StepController();
  order_ = 1;
  lastStep_ = stepBefore_ = 0;
  lastStepByStarter_ = false;
  const int stacked = 2 * n_.nv + n_.nx + n_.m;
  dense_ = {.order = 0, .t1 = t, .origin = y.q, .D = Eigen::MatrixXd::Zero(stacked, kBdfPast + 1), .tau = {}};
  predicted_ = rate_ = delta_ = value_ = slope_ = Vector::Zero(stacked);
  theta_ = errorQ_ = errorV_ = derivativeJump_ = derivativeJumpChart_ = Vector::Zero(n_.nv);
  errorX_ = Vector::Zero(n_.nx);
  jump_ = w;
}

Failure Bdf::step(const System& system, double tLimit) {
  if (stepsSinceStart_ >= limits_.maxSteps) return stepFailure(Failure::Reason::tooManySteps, lastStep_);
  if (history_.past() < (fixed() ? options_.maxOrder : 1)) return startingStep(system, tLimit);
  norm_.update(system, tolerances_, 1, y_);
  int order = fixed() ? options_.maxOrder : std::min(order_, history_.past());
  const int expanded = std::min(history_.past(), order + 1);
  history_.expand(system, t_, y_, w_.lambda, expanded);
  StepController controller = controller_;
  controller.setProposal(std::max(controller.proposal(), limits_.minStep));
  DiscontinuityWatch watch = watch_;
  watch.begin();
  for (int failures = 0, errorFailures = 0;;) {
    bool reachesLimit = false;
    const double unwatched = controller.clip(tLimit - t_, limits_.maxStep, reachesLimit);
    const double h = watch.clip(t_, unwatched);
    reachesLimit = reachesLimit && h == unwatched;
    const BdfHistory* history = &history_;
    if (options_.form == BdfForm::quasiConstantStep) {
      resampled_ = history_;
      resampled_.resample(system, t_, y_, w_.lambda, std::min(expanded, order + 1), h);
      history = &resampled_;
    }
    const BdfCoefficients k = bdfCoefficients(history->tau(), std::min(expanded, order + 1), h);
    predict(*history, k, order);
    implicit_.t1 = reachesLimit ? tLimit : t_ + h;
    if (options_.level == Level::position && !fixed()) implicit_.forgetFactors();  // its filter must know Phi_q here
    Failure::Reason reason = Failure::Reason::errorTest;
    bool solved = implicit_.solve(system, norm_, kKappa, statistics_);
    if (!solved && fixed()) {
      predict(*history, k, order);
      solved = implicit_.solveStubbornly(system, norm_, kKappa, statistics_);
      if (!solved) return stepFailure(implicit_.reason(), h);
    }
    if (solved) {
      const BdfDifferenceSizes sizes = differenceSizes(*history, k, order);
      const double error = k.error(order) * sizes.e[at(order)];
      if (error <= watch.limit(h, order + 1) || fixed()) {
        BdfChoice next{order, options_.fixedStep};
        if (!fixed()) next = nextStep(options_.criterion, options_.maxOrder, order, k, sizes, controller.proposal());
        // An unchanged step size keeps the factors.
        if (!fixed() && next.order == order && next.h >= h && next.h <= kWorthwhileGrowth * h) next.h = h;
        accept(*history, k, order, implicit_.t1);
        order_ = next.order;
        controller_.setProposal(next.h);
        watch_ = watch;
        if (watch_.crossed(t_, error)) forgetPast();
        return {};
      }
      ++statistics_.rejectedSteps;
      watch.rejected(t_, h, error, order + 1);
      if (!std::isfinite(error)) reason = Failure::Reason::notFinite;
      BdfChoice again{1, h / 4};
      if (std::isfinite(error)) again = retry(options_.criterion, order, k, sizes, ++errorFailures);
      order = again.order;
      controller.setProposal(again.h);
    } else {
      reason = implicit_.reason();
      if (failures > 0) implicit_.distrustPivots();
      if (failures > 1) order = 1;
      controller.setProposal(h * std::min(implicit_.newton().shorten(), 0.5));
      implicit_.forgetContraction();
    }
    ++failures;
    if (failures == kFailuresToRestart && !watch.suspects() && startingStep(system, tLimit).reason == Failure::Reason::none) return {};
    if (failures > kMaxFailures || controller.proposal() < leastStep()) {
      implicit_.forgetFactors();
      return stepFailure(reason, controller.proposal());
    }
  }
}

// One step of the block method from the present state. With variable steps its nodes become the history, all as
// accurate as the tolerances ask: the starter's are chosen so that its inner estimate, of order r, meets them. With a
// fixed step it ends on the next grid point, as exactly as possible.
Failure Bdf::startingStep(const System& system, double tLimit) {
  const int r = starterNodes_.r;
  Tolerances tight = tolerances_;
  tight.rtol = fixed() ? 1e-13 : std::max(1e-13, std::pow(tolerances_.rtol, (starterNodes_.order + 1.0) / (r + 1)));
  const double tighter = tight.rtol / tolerances_.rtol;
  tight.atolPosition *= tighter;
  tight.atolVelocity *= tighter;
  tight.atolState *= tighter;
  starter_.setTolerances(tight);
  starter_.setLimits(limits_);
  starter_.start(system, t_, y_, w_);
  const Statistics before = starter_.statistics();
  const double end = fixed() && t_ + 1.01 * options_.fixedStep < tLimit ? t_ + options_.fixedStep : tLimit;
  do {
    if (const Failure failure = starter_.step(system, end)) return failure;
  } while (fixed() && starter_.time() < end);
  addWork(before, starter_.statistics(), statistics_);

  const double h = starter_.time() - t_;
  if (!fixed()) history_.clear();
  history_.push(t_, y_, w_.lambda);
  for (int i = 0; i + 1 < r && !fixed(); ++i) {
    const double t = t_ + starterNodes_.c[i] * h;
    starter_.interpolate(system, t, newState_, newRates_);
    history_.push(t, newState_, newRates_.lambda);
  }
  lastStart_ = t_;
  t_ = starter_.time();
  y_ = starter_.state();
  w_ = starter_.rates();
  order_ = fixed() ? options_.maxOrder : std::max(1, std::min(options_.maxOrder, r - 1));
  controller_.setProposal(fixed() ? options_.fixedStep : kStartShare * h);
  stepBefore_ = lastStep_ = h;
  lastStepByStarter_ = true;
  countStep(h);
  statistics_.order = order_;
  return {};
}

// Ren & Zhou 2020, eqs. 69 and 73; in terms of the rates, x_{n+1} = x^(0) - hHat x'^(0) + hHat x'_{n+1}.
void Bdf::predict(const BdfHistory& history, const BdfCoefficients& k, int order) {
  predicted_ = history.difference(0);
  rate_.setZero();
  for (int j = 1; j <= order; ++j) {
    predicted_ += k.omega[at(j)] * history.difference(j);
    rate_ += (k.c[at(j)] * k.omega[at(j)] / k.h) * history.difference(j);
  }
  const double hHat = k.h / k.c[at(order)];
  implicit_.c1 = hHat;
  implicit_.c2 = hHat * hHat;
  implicit_.origin = y_.q;
  implicit_.theta = predicted_.head(n_.nv);
  implicit_.theta0 = predicted_.head(n_.nv) - hHat * rate_.head(n_.nv);
  implicit_.v0 = predicted_.segment(n_.nv, n_.nv) - hHat * rate_.segment(n_.nv, n_.nv);
  implicit_.x0 = predicted_.segment(2 * n_.nv, n_.nx) - hHat * rate_.segment(2 * n_.nv, n_.nx);
  implicit_.w.a = rate_.segment(n_.nv, n_.nv);
  implicit_.w.xdot = rate_.segment(2 * n_.nv, n_.nx);
  // The multipliers of index 3 are too noisy to be extrapolated.
  if (options_.level == Level::position) predicted_.tail(n_.m) = w_.lambda;
  implicit_.w.lambda = predicted_.tail(n_.m);
}

// |nabla^{of+1} x_{n+1}| from delta = nabla^{k+1} x_{n+1} by eq. 59, velocities of index 3 through the filter (eq. 80).
double Bdf::difference(const BdfHistory& history, const BdfCoefficients& k, int order, int of) {
  const int nv = n_.nv;
  errorQ_ = delta_.head(nv);
  errorV_ = delta_.segment(nv, nv);
  errorX_ = delta_.segment(2 * nv, n_.nx);
  const auto add = [&](int j, double sign) {
    const double f = sign * k.omega[at(j)];
    errorQ_ += f * history.difference(j).head(nv);
    errorV_ += f * history.difference(j).segment(nv, nv);
    errorX_ += f * history.difference(j).segment(2 * nv, n_.nx);
  };
  for (int j = order; j > of; --j) add(j, 1);
  if (of > order) add(of, -1);
  const double sizeX = norm_.state(errorX_);
  if (options_.level == Level::position) implicit_.filter(errorV_, errorX_, statistics_);
  return std::max({norm_.position(errorQ_), norm_.velocity(errorV_), sizeX});
}

BdfDifferenceSizes Bdf::differenceSizes(const BdfHistory& history, const BdfCoefficients& k, int order) {
  delta_ << implicit_.theta, implicit_.y.v, implicit_.y.x, implicit_.w.lambda;
  delta_ -= predicted_;
  BdfDifferenceSizes sizes;
  sizes.e.fill(kUnknown);
  sizes.e[at(order)] = std::isfinite(delta_.sum()) ? difference(history, k, order, order) : kUnknown;
  if (!(k.error(order) * sizes.e[at(order)] < kUnknown)) return sizes;
  if (order > 1) sizes.e[at(order - 1)] = difference(history, k, order, order - 1);
  const bool accepted = k.error(order) * sizes.e[at(order)] <= 1;
  if (!accepted) return sizes;
  if (order > 2 && options_.criterion == OrderCriterion::dassl)
    sizes.e[at(order - 2)] = difference(history, k, order, order - 2);
  if (order < options_.maxOrder && history_.past() > order)
    sizes.e[at(order + 1)] = difference(history, k, order, order + 1);
  if (stepBefore_ > 0) sizes.stepRatio = k.h / lastStep_ * (k.h + lastStep_) / (lastStep_ + stepBefore_);
  return sizes;
}

void Bdf::accept(const BdfHistory& history, const BdfCoefficients& k, int order, double t1) {
  dense_.order = order;
  dense_.t1 = t1;
  dense_.origin = y_.q;
  dense_.tau = k.tau;
  dense_.tau[0] = 0;
  dense_.D.col(0) << implicit_.theta, implicit_.y.v, implicit_.y.x, implicit_.w.lambda;
  // eq. 59: the differences at the end of the step.
  for (int j = order; j >= 1; --j) {
    if (j == order) dense_.D.col(j) = delta_;
    if (j < order) dense_.D.col(j) = dense_.D.col(j + 1);
    dense_.D.col(j) += k.omega[at(j)] * history.difference(j);
  }
  if (options_.form == BdfForm::quasiConstantStep) history_ = resampled_;
  history_.push(t_, y_, w_.lambda);
  y_ = implicit_.y;
  w_ = implicit_.w;
  lastStart_ = t_;
  t_ = t1;
  stepBefore_ = lastStep_;
  lastStep_ = k.h;
  lastStepByStarter_ = false;
  countStep(k.h);
  statistics_.order = order;
}

// The next step is one of the block method, about as long as the steps were: a new history of high order at once.
void Bdf::forgetPast() {
  if (watch_.foundJump()) ++statistics_.discontinuities;
  history_.clear();
  order_ = 1;
  controller_.setProposal(watch_.resume());
}

void Bdf::interpolate(const System& system, double t, State& y, Rates& w) const {
  if (t == t_ || (dense_.order == 0 && !lastStepByStarter_)) {
    y = y_;
    w = w_;
    return;
  }
  if (lastStepByStarter_) return starter_.interpolate(system, t, y, w);
  double value[kBdfPast + 1], derivative[kBdfPast + 1];
  newtonWeights(dense_.tau.data(), dense_.order, t - dense_.t1, value, derivative);
  value_ = dense_.D.col(0);
  slope_.setZero();
  for (int j = 1; j <= dense_.order; ++j) {
    value_ += value[j] * dense_.D.col(j);
    slope_ += derivative[j] * dense_.D.col(j);
  }
  theta_ = value_.head(n_.nv);
  system.advance(dense_.origin, theta_, y.q);
  y.v = value_.segment(n_.nv, n_.nv);
  y.x = value_.segment(2 * n_.nv, n_.nx);
  w.a = slope_.segment(n_.nv, n_.nv);
  w.xdot = slope_.segment(2 * n_.nv, n_.nx);
  w.lambda = value_.tail(n_.m);
}

Failure Bdf::cutBack(const System& system, double t) {
  if (t == t_) return {};
  interpolate(system, t, newState_, newRates_);
  if (const Failure failure = makeConsistent(system, t)) return failure;
  history_.forgetAfter(t - kClose * (fixed() ? options_.fixedStep : std::min(lastStep_, controller_.proposal())));
  order_ = std::max(1, std::min(order_, history_.past()));
  y_ = newState_;
  w_ = newRates_;
  t_ = t;
  return {};
}

Failure Bdf::jump(const System& system) {
  if (const Failure failure = recomputeRates(system)) return failure;
  if (history_.past() > 0) {
    jump_.a = newRates_.a - w_.a;
    jump_.xdot = newRates_.xdot - w_.xdot;
    jump_.lambda = newRates_.lambda - w_.lambda;
    jumpOfDerivative(system);
    history_.addJump(system, t_, y_, jump_, derivativeJump_, derivativeJumpChart_);
  }
  w_ = newRates_;
  return {};
}

// a' of the motion to come by a difference quotient, less that of the past by the second derivative of its polynomial.
void Bdf::jumpOfDerivative(const System& system) {
  derivativeJump_.setZero();
  derivativeJumpChart_.setZero();
  const int order = std::min(order_, history_.past());
  if (options_.level == Level::position || order < 2) return;
  const double eta = kDerivativeStep * lastStep_;
  theta_ = eta * y_.v + (0.5 * eta * eta) * newRates_.a;
  system.advance(y_.q, theta_, newState_.q);
  newState_.v = y_.v + eta * newRates_.a;
  newState_.x = y_.x + eta * newRates_.xdot;
  implicit_.w = newRates_;
  if (!consistency_.correctRates(system, t_ + eta, newState_, implicit_.w)) return;
  derivativeJump_ = (implicit_.w.a - newRates_.a) / eta;
  history_.expand(system, t_, y_, w_.lambda, order);
  const auto& tau = history_.tau();
  double inverse = 0;
  for (int j = 2; j <= order; ++j) {
    inverse += 1 / tau[at(j - 1)];
    derivativeJump_ -= (2 * inverse / tau[at(j)]) * history_.difference(j).segment(n_.nv, n_.nv);
  }
  // The chart's own curvature: theta' = da + (eta/2) v x da + ... at theta = eta v.
  theta_ = eta * y_.v;
  system.chartRate(theta_, jump_.a, derivativeJumpChart_);
  derivativeJumpChart_ = derivativeJump_ + (derivativeJumpChart_ - jump_.a) / eta;
}

void Bdf::Dense::transfer(Archive& archive) {
  archive(order, t1);
  archive.sized(origin, D);
  for (double& value : tau) archive(value);
  if (order < 0 || order > kBdfMaxOrder) archive.refuse();
}

void Bdf::transfer(const System& system, Archive& archive) {
  if (archive.reading()) {
    const Dimensions n = system.dimensions();
    start(system, 0, {Vector::Zero(n.nq), Vector::Zero(n.nv), Vector::Zero(n.nx)},
          {Vector::Zero(n.nv), Vector::Zero(n.nx), Vector::Zero(n.m)});
  }
  transferShared(archive);
  archive(order_, controller_, history_, dense_, lastStep_, stepBefore_, lastStepByStarter_);
  if (order_ < 1 || order_ > kBdfMaxOrder) archive.refuse();
  if (lastStepByStarter_ && archive.ok()) starter_.transfer(system, archive);
}

}  // namespace mbfmu
