#include "integrators/block_integrator.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {

constexpr double kReuseContraction = 0.05;               // factors are kept while Newton contracts at least this well
constexpr double kReuseShrink = 0.8, kReuseGrow = 1.25;  // and h stays in this window around theirs
constexpr int kMaxFailures = 40;
constexpr int kForgetPredictor = 3;  // failures after which the last step's polynomial is no longer trusted
constexpr int kNewJacobians = 20;    // within one step of fixed size
constexpr double kLeastError = 1e-10;

}  // namespace

BlockIntegrator::BlockIntegrator(const BlockOptions& options)
    : options_(options), k_(blockCoefficients(options.nodes, options.r, options.k)), solver_(StageSolver::make(k_)) {
  maxIterations_ = 10 + std::max(0, 2 * (options.r - 3));
  statistics_.order = k_.order;
  setTolerances(tolerances_);
}

// The estimate is of order r, the solution of order p: an internal tolerance 0.1 rtol^((r+1)/(p+1)) makes the error
// follow the user's (as RADAU5 does).
void BlockIntegrator::setTolerances(const Tolerances& tolerances) {
  tolerances_ = tolerances;
  const int p = options_.level == Level::position ? std::min(k_.order, options_.r + 1) : k_.order;
  const double internal = 0.1 * std::pow(tolerances.rtol, (options_.r + 1.0) / (p + 1.0));
  scale_ = internal / tolerances.rtol;
  kappa_ = std::max(1e-14 / internal, std::min(0.03, std::sqrt(internal)));
}

void BlockIntegrator::start(const System& system, double t, const State& y, const Rates& w) {
  t_ = lastStart_ = t;
  y_ = y;
  w_ = w;
  setUp(system);
  stepsSinceStart_ = 0;
  needsInitialStep_ = true;
  havePolynomial_ = haveFactors_ = false;
  newton_.reset();
  ++statistics_.restarts;
}

// All but state and rates to their sizes.
void BlockIntegrator::setUp(const System& system) {
  n_ = system.dimensions();
  nodeState_ = y_;
  nodeRates_ = w_;
  solver_->setPattern(n_, system.pattern());
  consistency_.setUp(system);
  for (auto* p : {&p_.p0, &p_.p1, &p_.p2}) p->assign(system.pattern().size(), 0.0);
  last_.setUp(n_, k_);
  current_.setUp(n_, k_);
  current_.start = last_.start = y_;
  current_.startRates = last_.startRates = w_;
  predictorShift_.setZero(n_.unknowns());
  nodeResidual_ = re_ = im_ = z_ = predictorShift_;
  residual_.setZero(n_.unknowns(), k_.r);
  correction_ = residual_;
  oldV_ = oldTheta_ = Eigen::MatrixXd::Zero(n_.nv, k_.r);
  oldX_ = Eigen::MatrixXd::Zero(n_.nx, k_.r);
  errorQ_ = errorV_ = tangent_ = Vector::Zero(n_.nv);
  errorX_ = Vector::Zero(n_.nx);
  constraint_ = Vector::Zero(n_.m);
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
    h = rate > 0 ? std::min(size / rate, std::pow(0.01 / rate, 1.0 / (k_.r + 1))) : 1e-3;
  }
  controller_.start(h, k_.r + 1);
}

double BlockIntegrator::leastStep() const {
  return std::max({limits_.minStep, 4 * std::numeric_limits<double>::epsilon() * std::abs(t_), 1e-15});
}

Failure BlockIntegrator::step(const System& system, double tLimit) {
  if (stepsSinceStart_ >= limits_.maxSteps) return failure(Failure::Reason::tooManySteps, -1);
  if (needsInitialStep_) initialStep(system);
  norm_.update(system, tolerances_, scale_, y_);
  Attempt attempt{.controller = controller_, .newton = newton_};
  attempt.controller.setProposal(std::max(attempt.controller.proposal(), limits_.minStep));
  for (;;) {
    attempt.h = attempt.controller.clip(tLimit - t_, limits_.maxStep, attempt.reachesLimit);
    attempt.clipped = attempt.h < attempt.controller.proposal();
    if (attempt.failures > 0 && (attempt.failures > kMaxFailures || attempt.h < leastStep())) {
      haveFactors_ = false;
      Failure why = failure(attempt);
      if (limits_.minStep > 0 && attempt.h < limits_.minStep) why.reason = Failure::Reason::stepFloor;
      return why;
    }
    if (!solveStages(system, attempt)) {
      ++attempt.failures;
      haveFactors_ = false;
      if (options_.fixedStep > 0) {
        if (solveStubbornly(system, attempt)) break;
        haveFactors_ = false;
        return failure(attempt);
      }
      if (attempt.failures > 1) solver_->distrustPivots();
      attempt.controller.failed(attempt.h * std::min(attempt.newton.shorten(), 0.8));
      attempt.newton.reset();
      continue;
    }
    if (options_.fixedStep > 0) break;
    const double error = estimateError();
    const double work = (1 + 2.0 * maxIterations_) / (attempt.newton.iterations() + 2.0 * maxIterations_);
    if (error < 1) {
      attempt.controller.accepted(attempt.h, error, work, attempt.clipped);
      break;
    }
    ++attempt.failures;
    ++statistics_.rejectedSteps;
    attempt.reason = std::isfinite(error) ? Failure::Reason::errorTest : Failure::Reason::notFinite;
    attempt.controller.rejected(attempt.h, std::isfinite(error) ? error : 1e10, work);
  }
  projectEnd(system);
  accept(system, attempt, tLimit);
  return {};
}

void BlockIntegrator::predict(const System& system, const Attempt& attempt) {
  current_.begin(t_, attempt.h, y_, w_, k_);
  const bool extrapolate = havePolynomial_ && attempt.failures <= kForgetPredictor;
  for (int i = 0; i < k_.r; ++i) {
    auto column = current_.W.col(i);
    if (extrapolate) {
      last_.extrapolate(k_, t_ + k_.c[i] * attempt.h, column);
      column += predictorShift_;
    } else {
      column << w_.a, w_.xdot, w_.lambda;
    }
  }
  current_.update(system, k_);
}

// The Jacobian at the predicted node nearest to the middle of the step fits all nodes best.
bool BlockIntegrator::factor(const System& system, Attempt& attempt) {
  const int i = k_.middle;
  current_.node(system, i, nodeState_, nodeRates_);
  system.linearise(t_ + k_.c[i] * attempt.h, nodeState_, nodeRates_, options_.level, p_);
  ++statistics_.jacobianEvaluations;
  ++statistics_.factorizations;
  attempt.fresh = true;
  haveFactors_ = solver_->factor(k_, p_, attempt.h, options_.level);
  factoredStep_ = attempt.h;
  if (!haveFactors_) attempt.reason = Failure::Reason::singularMatrix;
  return haveFactors_;
}

bool BlockIntegrator::solveStages(const System& system, Attempt& attempt) {
  predict(system, attempt);
  attempt.fresh = false;
  const bool keep = haveFactors_ && attempt.newton.contraction() <= kReuseContraction &&
                    attempt.h >= kReuseShrink * factoredStep_ && attempt.h <= kReuseGrow * factoredStep_;
  if (!keep && !factor(system, attempt)) return false;
  if (iterate(system, attempt)) return true;
  if (attempt.fresh) return false;
  predict(system, attempt);  // old factors were to blame: new ones, same step
  return factor(system, attempt) && iterate(system, attempt);
}

// A step that may not be shortened: from constant rates, with a new Jacobian whenever the iteration stalls.
bool BlockIntegrator::solveStubbornly(const System& system, Attempt& attempt) {
  attempt.failures = kForgetPredictor + 1;
  predict(system, attempt);
  for (int i = 0; i < kNewJacobians && current_.W.allFinite(); ++i) {
    attempt.newton.reset();
    if (!factor(system, attempt)) return false;
    if (iterate(system, attempt)) return true;
  }
  return false;
}

bool BlockIntegrator::iterate(const System& system, Attempt& attempt) {
  attempt.newton.begin(kappa_, maxIterations_);
  for (;;) {
    const double size = correct(system);
    switch (attempt.newton.update(size)) {
      case NewtonMonitor::Verdict::converged:
        return true;
      case NewtonMonitor::Verdict::failed:
        ++statistics_.newtonFailures;
        attempt.reason = std::isfinite(size) ? Failure::Reason::newtonDivergence : Failure::Reason::notFinite;
        return false;
      case NewtonMonitor::Verdict::proceed:
        break;
    }
  }
}

// One Newton correction of all nodes; returns its weighted size.
double BlockIntegrator::correct(const System& system) {
  for (int i = 0; i < k_.r; ++i) {
    current_.node(system, i, nodeState_, nodeRates_);
    system.residual(t_ + k_.c[i] * current_.h, nodeState_, nodeRates_, options_.level, nodeResidual_);
    residual_.col(i) = nodeResidual_;
  }
  statistics_.residualEvaluations += k_.r;
  solver_->solve(k_, residual_, correction_);
  ++statistics_.solves;
  ++statistics_.newtonIterations;
  if (!std::isfinite(correction_.sum())) return std::numeric_limits<double>::quiet_NaN();
  oldV_ = current_.V;
  oldX_ = current_.X;
  oldTheta_ = current_.Theta;
  current_.W += correction_;
  current_.update(system, k_);
  double size = 0;
  for (int i = 0; i < k_.r; ++i) {
    size = std::max({size, norm_.position(current_.Theta.col(i) - oldTheta_.col(i)),
                     norm_.velocity(current_.V.col(i) - oldV_.col(i)), norm_.state(current_.X.col(i) - oldX_.col(i))});
  }
  return size;
}

// Start rates against the nodes' polynomial, filtered by the Newton matrix as in RADAU5: with raw errors (eq, ev, ex),
//   dq = eq + mu dv,   (P0 + mu P1 + mu^2 P2) dv = P0 (ev, ex) - mu P2 eq,
// where constraint rows read (P0 + mu P1) dv = -P1 eq at velocity level and P0 dv = 0 at position level.
double BlockIntegrator::estimateError() {
  const double g = k_.errorScale * current_.h;
  errorV_ = w_.a;
  errorX_ = w_.xdot;
  errorQ_ = y_.v;
  for (int j = 0; j < k_.r; ++j) {
    errorV_ -= k_.errorWeight[j] * current_.W.col(j).head(n_.nv);
    errorX_ -= k_.errorWeight[j] * current_.W.col(j).segment(n_.nv, n_.nx);
    errorQ_ -= k_.errorWeight[j] * current_.ThetaRate.col(j);
  }
  errorV_ *= g;
  errorX_ *= g;
  errorQ_ *= g;
  const std::complex<double> mu = solver_->firstShift();
  const Pattern& pattern = solver_->pattern();
  const int regular = n_.nv + n_.nx;
  re_.setZero();
  im_.setZero();
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    const int row = pattern.row[e], col = pattern.col[e];
    if (col >= regular) continue;
    if (row < regular || options_.level == Level::acceleration) {
      re_[row] += p_.p0[e] * (col < n_.nv ? errorV_[col] : errorX_[col - n_.nv]);
      if (col < n_.nv) re_[row] -= mu.real() * p_.p2[e] * errorQ_[col];
      if (col < n_.nv) im_[row] -= mu.imag() * p_.p2[e] * errorQ_[col];
    } else if (options_.level == Level::velocity && col < n_.nv) {
      re_[row] -= p_.p1[e] * errorQ_[col];
    }
  }
  solver_->solveFirst(re_, im_, z_);
  ++statistics_.solves;
  errorQ_ += mu.real() * z_.head(n_.nv);
  const double weightV = options_.level == Level::position ? current_.h : 1.0;  // index 3: v is one order less accurate
  const double error = std::max(
      {norm_.position(errorQ_), weightV * norm_.velocity(z_.head(n_.nv)), norm_.state(z_.segment(n_.nv, n_.nx))});
  return std::isfinite(z_.sum()) ? std::max(error, kLeastError) : std::numeric_limits<double>::infinity();
}

// Position, then velocity of the last node back onto the constraints, with the factors at hand.
void BlockIntegrator::projectEnd(const System& system) {
  if (n_.m == 0) return;
  const int end = k_.r - 1;
  const double t1 = t_ + current_.h;
  const auto solveFor = [&](Level level) {
    current_.node(system, end, nodeState_, nodeRates_);
    system.constraints(t1, nodeState_, level, constraint_);
    re_.setZero();
    im_.setZero();
    re_.tail(n_.m) = -constraint_;
    solver_->solveFirst(re_, im_, z_);
    ++statistics_.solves;
    tangent_ = z_.head(n_.nv);
  };
  bool moved = false;
  for (int i = 0; i < 3; ++i) {
    solveFor(Level::position);
    const double size = norm_.position(tangent_);
    if (!(size > 1e-3 * kappa_)) break;
    current_.moveEnd(system, tangent_);
    moved = true;
    if (size < 0.1 * kappa_) break;
  }
  if (moved || options_.level != Level::velocity) {
    solveFor(Level::velocity);
    current_.V.col(end) += tangent_;
  }
}

void BlockIntegrator::accept(const System& system, const Attempt& attempt, double tLimit) {
  std::swap(last_, current_);
  last_.node(system, k_.r - 1, y_, w_);
  lastStart_ = t_;
  t_ = attempt.reachesLimit ? tLimit : t_ + attempt.h;
  controller_ = attempt.controller;
  newton_ = attempt.newton;
  havePolynomial_ = true;
  predictorShift_.setZero();
  if (options_.fixedStep == 0 && newton_.contraction() <= kReuseContraction &&
      controller_.proposal() >= factoredStep_ && controller_.proposal() <= 1.2 * factoredStep_)
    controller_.setProposal(factoredStep_);  // an unchanged step size keeps the factors exact
  ++stepsSinceStart_;
  ++statistics_.steps;
  statistics_.lastStepSize = attempt.h;
  statistics_.minStepSize = std::min(statistics_.minStepSize, attempt.h);
  statistics_.maxStepSize = std::max(statistics_.maxStepSize, attempt.h);
}

void BlockIntegrator::interpolate(const System& system, double t, State& y, Rates& w) const {
  if (t == t_ || !havePolynomial_) {
    y = y_;
    w = w_;
  } else {
    last_.interpolate(system, k_, t, y, w);
  }
}

Failure BlockIntegrator::cutBack(const System& system, double t) {
  if (t == t_) return {};
  interpolate(system, t, nodeState_, nodeRates_);
  if (!consistency_.factor(system, t, nodeState_, nodeRates_))
    return failure(Failure::Reason::singularMatrix, consistency_.deficientRow());
  if (!consistency_.projectPosition(system, t, nodeState_) || !consistency_.projectVelocity(system, t, nodeState_) ||
      !consistency_.solveRates(system, t, nodeState_, nodeRates_))
    return failure(Failure::Reason::newtonDivergence, -1);
  ++statistics_.factorizations;
  t_ = t;
  y_ = nodeState_;
  w_ = nodeRates_;
  predictorShift_.setZero();
  return {};
}

Failure BlockIntegrator::jump(const System& system) {
  nodeRates_ = w_;
  if (!consistency_.factor(system, t_, y_, w_))
    return failure(Failure::Reason::singularMatrix, consistency_.deficientRow());
  if (!consistency_.solveRates(system, t_, y_, nodeRates_)) return failure(Failure::Reason::newtonDivergence, -1);
  ++statistics_.factorizations;
  ++statistics_.warmRestarts;
  z_ << nodeRates_.a - w_.a, nodeRates_.xdot - w_.xdot, nodeRates_.lambda - w_.lambda;
  predictorShift_ += z_;
  w_ = nodeRates_;
  if (haveFactors_ && !solver_->sameRowsOff(consistency_.linearisation())) haveFactors_ = false;
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
          newton_, havePolynomial_, last_, *solver_, consistency_, p_, haveFactors_, factoredStep_);
  archive.sized(predictorShift_);
  if (!archive.reading()) return;
  if (!archive.ok()) return setUp(system);
  setTolerances(tolerances_);
  if (haveFactors_ && !solver_->factor(k_, p_, factoredStep_, options_.level)) archive.refuse();
}

Failure BlockIntegrator::failure(const Attempt& attempt) const {
  Failure out{.reason = attempt.reason, .t = t_, .h = attempt.h, .iteration = attempt.newton.iterations()};
  const int deficient = solver_->deficientRow() - n_.nv - n_.nx;
  if (attempt.reason == Failure::Reason::singularMatrix && deficient >= 0) out.worstConstraint = deficient;
  if (attempt.reason != Failure::Reason::singularMatrix && n_.m > 0)
    residual_.bottomRows(n_.m).cwiseAbs().rowwise().maxCoeff().maxCoeff(&out.worstConstraint);
  return out;
}

Failure BlockIntegrator::failure(Failure::Reason reason, int row) const {
  const int constraint = row - n_.nv - n_.nx;
  return {.reason = reason,
          .t = t_,
          .h = controller_.proposal(),
          .iteration = 0,
          .worstConstraint = row >= 0 && constraint >= 0 ? constraint : -1};
}

}  // namespace mbfmu
