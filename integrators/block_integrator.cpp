#include "integrators/block_integrator.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {
constexpr int kMaxFailures = 40;
constexpr int kNodesForJumps = 3;
constexpr double kLooseness = 3;  // steps that jumps keep short are far more accurate than asked for
constexpr double kShort = 0.3,
                 kShortForFew = 0.8;  // stretches between jumps, relative to the step of many or few nodes
constexpr int kForgetPredictor = 3;   // failures after which the last step's polynomial is no longer trusted
constexpr double kNearStart = 0.5;    // steps so much shorter than proposed do with the Jacobian at their start
constexpr double kStalled = 0.03, kStalledAgain = 0.1;  // corrections that may stall, at first and after a failure
constexpr double kHugeError = 1e10;                     // for the controller, in place of one that is not a number
}  // namespace

BlockIntegrator::BlockIntegrator(const BlockOptions& options) : options_(options), methods_{BlockEquations(options)} {
  consistency_.setKernel(options.kernel);
  statistics_.order = equations().coefficients().order;
  setTolerances(tolerances_);
}

void BlockIntegrator::setTolerances(const Tolerances& tolerances) {
  tolerances_ = tolerances;
  for (BlockEquations& method : methods_) method.setTolerance(tolerances.rtol);
}

void BlockIntegrator::start(const System& system, double t, const State& y, const Rates& w) {
  t_ = lastStart_ = t;
  y_ = y;
  w_ = w;
  setUp(system);
  stepsSinceStart_ = 0;
  needsInitialStep_ = true;
  havePolynomial_ = jumpsExpected_ = haveStartJacobian_ = false;
  watch_.reset();
  ++statistics_.restarts;
}

// All but state and rates to their sizes.
void BlockIntegrator::setUp(const System& system) {
  n_ = system.dimensions();
  for (BlockEquations& method : methods_) method.setUp(system);
  inUse_ = lastUsed_ = 0;
  statistics_.order = equations().coefficients().order;
  consistency_.setUp(system);
  predictorShift_.setZero(n_.unknowns());
  for (auto* p : {&startJacobian_.p0, &startJacobian_.p1, &startJacobian_.p2}) p->assign(system.pattern().size(), 0.0);
  newState_ = y_;
  newRates_ = w_;
}

bool BlockIntegrator::canTakeFewNodes() const { return options_.r > kNodesForJumps && options_.fixedStep == 0; }

// The second of the methods, made when it is first needed.
void BlockIntegrator::haveFewNodes(const System& system) {
  if (methods_.size() > 1) return;
  BlockOptions few = options_;
  few.r = kNodesForJumps;
  few.k = kNodesForJumps - (options_.r - options_.k);
  few.looseness = kLooseness;
  methods_.emplace_back(few).setUp(system);
  setTolerances(tolerances_);
}

// Between steps. The last step's polynomial gives the starting values of the first one with another number of nodes.
void BlockIntegrator::chooseNodes(const System& system, double room) {
  const bool isShort = room < (inUse_ == 0 ? kShort : kShortForFew) * controller_.proposal();
  const std::size_t wanted = jumpsExpected_ && isShort && canTakeFewNodes() ? 1 : 0;
  if (wanted == inUse_) return;
  haveFewNodes(system);
  inUse_ = wanted;
  statistics_.order = equations().coefficients().order;
  controller_.changeOrder(equations().coefficients().r + 1);
}

// Hairer, Norsett & Wanner, Solving ODEs I, section II.4, with q'' = a as second derivative.
void BlockIntegrator::initialStep(const System& system) {
  needsInitialStep_ = false;
  double h = options_.fixedStep > 0 ? options_.fixedStep : limits_.initialStep;
  if (!(h > 0)) {
    norm_.update(system, tolerances_, 1, y_);
    Vector scale(n_.nv);
    system.positionScale(y_.q, scale);
    const double size = std::max({norm_.position(scale), norm_.velocity(y_.v), norm_.state(y_.x), 1.0});
    const double rate = std::max({norm_.position(y_.v), norm_.velocity(w_.a), norm_.state(w_.xdot)});
    h = rate > 0 ? std::min(size / rate, std::pow(0.01 / rate, 1.0 / (options_.r + 1))) : 1e-3;
  }
  controller_.start(h, options_.r + 1);
}

double BlockIntegrator::leastStep() const {
  return std::max({limits_.minStep, 4 * std::numeric_limits<double>::epsilon() * std::abs(t_), 1e-15});
}

Failure BlockIntegrator::step(const System& system, double tLimit) {
  if (stepsSinceStart_ >= limits_.maxSteps) return inconsistent(Failure::Reason::tooManySteps, -1);
  if (needsInitialStep_) initialStep(system);
  chooseNodes(system, tLimit - t_);
  norm_.update(system, tolerances_, equations().toleranceScale(), y_);
  Attempt attempt{.controller = controller_, .watch = watch_};
  attempt.watch.begin();
  attempt.controller.setProposal(std::max(attempt.controller.proposal(), limits_.minStep));
  equations().mark();
  for (;; ++attempt.failures) {
    const double unwatched = attempt.controller.clip(tLimit - t_, limits_.maxStep, attempt.reachesLimit);
    attempt.h = attempt.watch.clip(t_, unwatched);
    attempt.reachesLimit = attempt.reachesLimit && attempt.h == unwatched;
    const bool hopeless =
        attempt.failures > 0 && (options_.fixedStep > 0 || attempt.failures > kMaxFailures || attempt.h < leastStep());
    if (hopeless) {
      const Failure why = failure(attempt);
      equations().rollBack();
      return why;
    }
    if (solve(system, attempt) && accurate(system, attempt)) break;
  }
  accept(system, attempt, tLimit);
  return {};
}

void BlockIntegrator::predict(const System& system, const Attempt& attempt) {
  BlockStages& stages = equations().stages;
  stages.begin(t_, attempt.h, y_, w_);
  const bool extrapolate = havePolynomial_ && usePolynomial_ && attempt.failures <= kForgetPredictor;
  for (int i = 0; i < stages.k.r; ++i) {
    auto column = stages.W.col(i);
    if (extrapolate) {
      last().extrapolate(t_ + stages.k.c[i] * attempt.h, column);
      column += predictorShift_;
    } else {
      column << w_.a, w_.xdot, w_.lambda;
    }
  }
  stages.update(system);
}

// Whether the nodes' equations could be solved; if not, proposes a shorter step.
bool BlockIntegrator::solve(const System& system, Attempt& attempt) {
  predict(system, attempt);
  const double stalled = attempt.failures == 0 ? kStalled : kStalledAgain;
  const bool nearStart = haveStartJacobian_ && attempt.failures == 0 && attempt.h < kNearStart * controller_.proposal();
  const Linearisation* jacobian = nearStart ? &startJacobian_ : nullptr;
  if (equations().solve(system, norm_, stalled, jacobian, statistics_)) return true;
  if (options_.fixedStep > 0) {
    attempt.failures = kForgetPredictor + 1;
    predict(system, attempt);
    if (equations().solveStubbornly(system, norm_, statistics_)) return true;
  }
  attempt.reason = equations().reason();
  if (attempt.failures > 0) equations().distrustPivots();
  attempt.controller.failed(attempt.h * std::min(equations().newton.shorten(), 0.8));
  equations().newton.reset();
  return false;
}

// Whether the error is small enough; tells the controller. Ends with the end point on the constraints.
bool BlockIntegrator::accurate(const System& system, Attempt& attempt) {
  const double error = options_.fixedStep > 0 ? 0 : equations().estimateError(norm_, statistics_);
  attempt.error = error;
  const double limit = 2.0 * equations().maxIterations();
  const double work = (1 + limit) / (equations().newton.iterations() + limit);
  if (error < attempt.watch.limit(attempt.h, equations().coefficients().r + 1)) {
    if (options_.project) equations().projectEnd(system, norm_, statistics_);
    const bool clipped = attempt.h < attempt.controller.proposal();
    if (options_.fixedStep == 0) attempt.controller.accepted(attempt.h, error, work, clipped);
    return true;
  }
  ++statistics_.rejectedSteps;
  attempt.reason = std::isfinite(error) ? Failure::Reason::errorTest : Failure::Reason::notFinite;
  attempt.watch.rejected(t_, attempt.h, error, equations().coefficients().r + 1);
  attempt.controller.rejected(attempt.h, std::isfinite(error) ? error : kHugeError, work);
  return false;
}

void BlockIntegrator::accept(const System& system, const Attempt& attempt, double tLimit) {
  equations().accept();
  lastUsed_ = inUse_;
  last().node(system, last().k.r - 1, y_, w_);
  lastStart_ = t_;
  t_ = attempt.reachesLimit ? tLimit : t_ + attempt.h;
  controller_ = attempt.controller;
  havePolynomial_ = usePolynomial_ = true;
  haveStartJacobian_ = false;
  watch_ = attempt.watch;
  if (watch_.crossed(t_, attempt.error)) forgetPast();
  predictorShift_.setZero();
  ++stepsSinceStart_;
  ++statistics_.steps;
  statistics_.lastStepSize = attempt.h;
  statistics_.minStepSize = std::min(statistics_.minStepSize, attempt.h);
  statistics_.maxStepSize = std::max(statistics_.maxStepSize, attempt.h);
}

// The step is kept for dense output, but its polynomial says nothing about what comes.
void BlockIntegrator::forgetPast() {
  if (watch_.foundJump()) ++statistics_.discontinuities;
  usePolynomial_ = false;
  controller_.start(watch_.resume(), equations().coefficients().r + 1);
}

void BlockIntegrator::interpolate(const System& system, double t, State& y, Rates& w) const {
  if (t == t_ || !havePolynomial_) {
    y = y_;
    w = w_;
  } else {
    last().interpolate(system, t, y, w);
  }
}

Failure BlockIntegrator::cutBack(const System& system, double t) {
  if (t == t_) return {};
  if (!(t >= lastStart_ && t < t_)) return inconsistent(Failure::Reason::outOfRange, -1);
  interpolate(system, t, newState_, newRates_);
  if (!consistency_.factor(system, t, newState_, newRates_))
    return inconsistent(Failure::Reason::singularMatrix, consistency_.deficientRow());
  if (!consistency_.projectPosition(system, t, newState_) || !consistency_.projectVelocity(system, t, newState_) ||
      !consistency_.solveRates(system, t, newState_, newRates_))
    return inconsistent(Failure::Reason::newtonDivergence, -1);
  ++statistics_.factorizations;
  t_ = t;
  y_ = newState_;
  w_ = newRates_;
  haveStartJacobian_ = false;
  watch_.reset();
  predictorShift_.setZero();
  return {};
}

Failure BlockIntegrator::jump(const System& system) {
  newRates_ = w_;
  haveStartJacobian_ = false;
  system.linearise(t_, y_, w_, options_.level, startJacobian_);
  ++statistics_.jacobianEvaluations;
  if (!consistency_.factor(startJacobian_))
    return inconsistent(Failure::Reason::singularMatrix, consistency_.deficientRow());
  if (!consistency_.correctRates(system, t_, y_, newRates_) && !consistency_.solveRates(system, t_, y_, newRates_))
    return inconsistent(Failure::Reason::newtonDivergence, -1);
  ++statistics_.factorizations;
  ++statistics_.warmRestarts;
  predictorShift_.head(n_.nv) += newRates_.a - w_.a;
  predictorShift_.segment(n_.nv, n_.nx) += newRates_.xdot - w_.xdot;
  predictorShift_.tail(n_.m) += newRates_.lambda - w_.lambda;
  w_ = newRates_;
  haveStartJacobian_ = true;
  watch_.reset();
  return {};
}

void BlockIntegrator::transfer(const System& system, Archive& archive) {
  if (archive.reading()) {
    const Dimensions n = system.dimensions();
    y_ = {Vector::Zero(n.nq), Vector::Zero(n.nv), Vector::Zero(n.nx)};
    w_ = {Vector::Zero(n.nv), Vector::Zero(n.nx), Vector::Zero(n.m)};
    setUp(system);
  }
  archive(tolerances_, limits_, statistics_, t_, lastStart_, y_, w_, stepsSinceStart_, needsInitialStep_, controller_,
          havePolynomial_, usePolynomial_, jumpsExpected_, haveStartJacobian_, watch_, consistency_);
  archive.sized(predictorShift_, startJacobian_.p0, startJacobian_.p1, startJacobian_.p2);
  transferMethods(system, archive);
  if (archive.reading()) setTolerances(tolerances_);
}

void BlockIntegrator::transferMethods(const System& system, Archive& archive) {
  std::size_t count = methods_.size();
  archive(count, inUse_, lastUsed_);
  if (archive.reading()) {
    if (count < 1 || count > (canTakeFewNodes() ? 2u : 1u) || inUse_ >= count || lastUsed_ >= count) {
      inUse_ = lastUsed_ = 0;
      return archive.refuse();
    }
    if (count == 2) haveFewNodes(system);
    while (methods_.size() > count) methods_.pop_back();
  }
  for (BlockEquations& method : methods_) archive(method);
}

Failure BlockIntegrator::failure(const Attempt& attempt) const {
  const bool floor = limits_.minStep > 0 && attempt.h < limits_.minStep;
  return {.reason = floor ? Failure::Reason::stepFloor : attempt.reason,
          .t = t_,
          .h = attempt.h,
          .iteration = equations().newton.iterations(),
          .worstConstraint = equations().worstConstraint()};
}

Failure BlockIntegrator::inconsistent(Failure::Reason reason, int row) const {
  return {.reason = reason,
          .t = t_,
          .h = controller_.proposal(),
          .iteration = 0,
          .worstConstraint = row >= 0 ? std::max(row - n_.nv - n_.nx, -1) : -1};
}

}  // namespace mbfmu
