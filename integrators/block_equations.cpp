#include "integrators/block_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/runge_kutta_tables.h"

namespace mbfmu {
namespace {
constexpr int kNewJacobians = 20;  // within one step of fixed size
constexpr double kLeastError = 1e-10;
constexpr int kProjections = 3;

BlockCoefficients coefficientsOf(const BlockOptions& options) {
  if (options.formula == Formula::radauIA) return radauIA(options.r);
  if (options.formula == Formula::lobattoIIIC) return lobattoIIIC(options.r);
  return blockCoefficients(options.nodes, options.r, options.k);
}

}  // namespace

BlockEquations::BlockEquations(const BlockOptions& options)
    : level_(options.level),
      stabilised_(options.stabilised && options.level == Level::velocity),
      kernel_(options.kernel),
      looseness_(options.looseness),
      k_(coefficientsOf(options)),
      toRoundOff_(options.toRoundOff),
      maxIterations_(10 + std::max(0, 2 * (options.r - 3))),
      solver_(StageSolver::make(k_, options.kernel)) {}

BlockEquations& BlockEquations::operator=(const BlockEquations& other) {
  if (this == &other) return *this;
  const bool sameSizes = stages.W.rows() == other.stages.W.rows() && stages.W.cols() == other.stages.W.cols() &&
                         stages.V.rows() == other.stages.V.rows() && n_.nq == other.n_.nq &&
                         p_.p0.size() == other.p_.p0.size();
  if (!sameSizes) return *this = BlockEquations(other);
  accepted = other.accepted;
  newton = other.newton;
  scale_ = other.scale_;
  kappa_ = other.kappa_;
  solver_ = other.solver_;
  return *this;
}

void BlockEquations::setUp(const System& system) {
  n_ = system.dimensions();
  solver_->setPattern(n_, system.pattern());
  newton.reset();
  for (auto* p : {&p_.p0, &p_.p1, &p_.p2}) p->assign(system.pattern().size(), 0.0);
  nodeState_ = {Vector::Zero(n_.nq), Vector::Zero(n_.nv), Vector::Zero(n_.nx)};
  nodeRates_ = {Vector::Zero(n_.nv), Vector::Zero(n_.nx), Vector::Zero(n_.m)};
  stages.setUp(n_, k_, kernel_);
  stages.start = nodeState_;
  stages.startRates = nodeRates_;
  accepted = stages;
  nodeResidual_ = re_ = im_ = z_ = Vector::Zero(n_.unknowns());
  residual_.setZero(n_.unknowns(), k_.r);
  correction_ = residual_;
  oldV_ = oldTheta_ = Eigen::MatrixXd::Zero(n_.nv, k_.points());
  oldX_ = Eigen::MatrixXd::Zero(n_.nx, k_.points());
  errorQ_ = errorV_ = tangent_ = Vector::Zero(n_.nv);
  errorX_ = Vector::Zero(n_.nx);
  constraint_ = Vector::Zero(n_.m);
}

// The estimate is of order r, the solution of order p: an internal tolerance 0.1 rtol^((r+1)/(p+1)) makes the error
// follow the user's (as RADAU5 does).
void BlockEquations::setTolerance(double rtol) {
  const int p = level_ == Level::position ? std::min(k_.order, k_.errorOrder) : k_.order;
  const double internal = 0.1 * std::pow(rtol, k_.errorOrder / (p + 1.0));
  scale_ = internal / rtol;
  kappa_ = std::max(1e-14 / internal, std::min(0.03, looseness_ * std::sqrt(internal)));
}

void BlockEquations::mark() {
  markedNewton_ = newton;
  solver_->mark();
}

void BlockEquations::rollBack() {
  newton = markedNewton_;
  solver_->rollBack();
}

bool BlockEquations::solve(const System& system, const ErrorNorm& norm, double stalled, const Linearisation* jacobian,
                           Statistics& statistics) {
  stalled_ = stalled;
  if (jacobian) p_ = *jacobian;
  if (!jacobian) linearise(system, statistics);
  return factor(statistics) && iterate(system, norm, statistics);
}

bool BlockEquations::solveStubbornly(const System& system, const ErrorNorm& norm, Statistics& statistics) {
  for (int i = 0; i < kNewJacobians && stages.W.allFinite(); ++i) {
    newton.reset();
    linearise(system, statistics);
    if (!factor(statistics)) return false;
    if (iterate(system, norm, statistics)) return true;
  }
  return false;
}

// The Jacobian at the predicted node nearest to the middle of the step fits all nodes best. A factorisation costs less
// than the iterations an older one would add.
void BlockEquations::linearise(const System& system, Statistics& statistics) {
  stages.node(system, k_.middle, nodeState_, nodeRates_);
  system.linearise(stages.time(k_.middle), nodeState_, nodeRates_, level_, p_);
  ++statistics.jacobianEvaluations;
}

bool BlockEquations::factor(Statistics& statistics) {
  ++statistics.factorizations;
  if (solver_->factor(k_, p_, stages.h, level_)) return true;
  reason_ = Failure::Reason::singularMatrix;
  return false;
}

bool BlockEquations::iterate(const System& system, const ErrorNorm& norm, Statistics& statistics) {
  if (toRoundOff_) return iterateToRoundOff(system, norm, statistics);
  newton.begin(kappa_, maxIterations_, stalled_);
  for (;;) {
    const double size = correct(system, norm, statistics);
    switch (newton.update(size)) {
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

bool BlockEquations::iterateToRoundOff(const System& system, const ErrorNorm& norm, Statistics& statistics) {
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < maxIterations_; ++i) {
    const double size = correct(system, norm, statistics);
    if (!(size < 0.5 * last)) break;
    last = size;
  }
  if (last < stalled_) return true;
  ++statistics.newtonFailures;
  reason_ = Failure::Reason::newtonDivergence;
  return false;
}

// One Newton correction of all nodes; returns its weighted size.
double BlockEquations::correct(const System& system, const ErrorNorm& norm, Statistics& statistics) {
  for (int i = 0; i < k_.r; ++i) {
    stages.node(system, i, nodeState_, nodeRates_);
    system.residual(stages.time(i), nodeState_, nodeRates_, level_, nodeResidual_);
    residual_.col(i) = nodeResidual_;
  }
  statistics.residualEvaluations += k_.r;
  solver_->solve(k_, residual_, correction_);
  ++statistics.solves;
  ++statistics.newtonIterations;
  if (!std::isfinite(correction_.sum())) return std::numeric_limits<double>::quiet_NaN();
  oldV_ = stages.V;
  oldX_ = stages.X;
  oldTheta_ = stages.Theta;
  stages.W.leftCols(k_.r) += correction_;
  stages.update(system);
  if (stabilised_) stabilise(system, statistics);
  double size = 0;
  for (int i = 0; i < k_.r; ++i) {
    size = std::max({size, norm.position(stages.Theta.col(i) - oldTheta_.col(i)),
                     norm.velocity(stages.V.col(i) - oldV_.col(i)), norm.state(stages.X.col(i) - oldX_.col(i))});
  }
  return size;
}

// Gear, Gupta & Leimkuhler 1985: the positions move along M^-1 Phi_q^T, corrected in turn with the other unknowns.
void BlockEquations::stabilise(const System& system, Statistics& statistics) {
  for (int i = 0; i < k_.r && n_.m > 0; ++i) {
    solveForConstraint(system, i, Level::position, statistics);
    stages.shift(system, i, tangent_);
  }
}

// tangent_ = the displacement (or change of velocity) that makes node i meet its constraints, by the factors at hand.
void BlockEquations::solveForConstraint(const System& system, int i, Level level, Statistics& statistics) {
  stages.node(system, i, nodeState_, nodeRates_);
  system.constraints(stages.time(i), nodeState_, level, constraint_);
  re_.setZero();
  im_.setZero();
  re_.tail(n_.m) = -constraint_;
  solver_->solveFirst(re_, im_, z_);
  ++statistics.solves;
  tangent_ = z_.head(n_.nv);
}

// Start rates against the nodes' polynomial, filtered by the Newton matrix as in RADAU5: with raw errors (eq, ev, ex),
//   dq = eq + mu dv,   (P0 + mu P1 + mu^2 P2) dv = P0 (ev, ex) - mu P2 eq,
// where constraint rows read (P0 + mu P1) dv = -P1 eq at velocity level and P0 dv = 0 at position level.
double BlockEquations::estimateError(const ErrorNorm& norm, Statistics& statistics) {
  const double g = k_.errorScale * stages.h;
  errorV_ = stages.startRates.a;
  errorX_ = stages.startRates.xdot;
  errorQ_ = stages.start.v;
  for (int j = 0; j < k_.r; ++j) {
    errorV_ -= k_.errorWeight[j] * stages.W.col(j).head(n_.nv);
    errorX_ -= k_.errorWeight[j] * stages.W.col(j).segment(n_.nv, n_.nx);
    errorQ_ -= k_.errorWeight[j] * stages.ThetaRate.col(j);
  }
  errorV_ *= g;
  errorX_ *= g;
  errorQ_ *= g;
  return filterError(norm, statistics);
}

// Replaces the raw errors by the filtered ones.
double BlockEquations::filterError(const ErrorNorm& norm, Statistics& statistics) {
  const std::complex<double> mu = solver_->firstShift();
  const Pattern& pattern = solver_->pattern();
  const int regular = n_.nv + n_.nx;
  re_.setZero();
  im_.setZero();
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    const int row = pattern.row[e], col = pattern.col[e];
    if (col >= regular) continue;
    if (row < regular || level_ == Level::acceleration) {
      re_[row] += p_.p0[e] * (col < n_.nv ? errorV_[col] : errorX_[col - n_.nv]);
      if (col < n_.nv) re_[row] -= mu.real() * p_.p2[e] * errorQ_[col];
      if (col < n_.nv) im_[row] -= mu.imag() * p_.p2[e] * errorQ_[col];
    } else if (level_ == Level::velocity && col < n_.nv) {
      re_[row] -= p_.p1[e] * errorQ_[col];
    }
  }
  solver_->solveFirst(re_, im_, z_);
  ++statistics.solves;
  errorV_ = z_.head(n_.nv);
  errorX_ = z_.segment(n_.nv, n_.nx);
  errorQ_ += mu.real() * errorV_;
  const double weightV = level_ == Level::position ? stages.h : 1.0;  // index 3: v is one order less accurate
  const double error = std::max({norm.position(errorQ_), weightV * norm.velocity(errorV_), norm.state(errorX_)});
  return std::isfinite(z_.sum()) ? std::max(error, kLeastError) : std::numeric_limits<double>::infinity();
}

double BlockEquations::projectEnd(const System& system, const ErrorNorm& norm, Statistics& statistics) {
  if (n_.m == 0) return 0;
  const int end = stages.end();
  double moved = 0;
  for (int i = 0; i < kProjections; ++i) {
    solveForConstraint(system, end, Level::position, statistics);
    const double size = norm.position(tangent_);
    if (!(size > 1e-3 * kappa_)) break;
    stages.shift(system, end, tangent_);
    moved += size;
    if (size < 0.1 * kappa_) break;
  }
  // An end that is no node is further away from the constraints than one solve reaches.
  const bool endIsNode = end < k_.r;
  const int passes = !endIsNode ? kProjections : moved > 0 || level_ != Level::velocity ? 1 : 0;
  for (int i = 0; i < passes; ++i) {
    solveForConstraint(system, end, Level::velocity, statistics);
    stages.V.col(end) += tangent_;
  }
  return moved;
}

int BlockEquations::worstConstraint() const {
  if (reason_ == Failure::Reason::singularMatrix) return std::max(solver_->deficientRow() - n_.nv - n_.nx, -1);
  int worst = -1;
  if (n_.m > 0) residual_.bottomRows(n_.m).cwiseAbs().rowwise().maxCoeff().maxCoeff(&worst);
  return worst;
}

}  // namespace mbfmu
