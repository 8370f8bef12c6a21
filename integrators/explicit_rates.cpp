#include "integrators/explicit_rates.h"

namespace mbfmu {

void ExplicitRates::setUp(const System& system, double baumgarteTime) {
  n_ = system.dimensions();
  baumgarteTime_ = baumgarteTime;
  lu_.setPattern(n_.unknowns(), system.pattern());
  for (auto* p : {&p_.p0, &p_.p1, &p_.p2}) p->assign(system.pattern().size(), 0.0);
  residual_.setZero(n_.unknowns());
  solution_ = residual_;
  constraint_.setZero(n_.m);
  displacement_.setZero(n_.nv);
  factorizations_ = residuals_ = solves_ = 0;
}

bool ExplicitRates::factor(const System& system, double t, const State& y, const Rates& w) {
  system.linearise(t, y, w, Level::position, p_);  // P0 is the same at every level
  lu_.entries = p_.p0;
  ++factorizations_;
  return lu_.factor();
}

void ExplicitRates::substitute() {
  for (Eigen::Index i = 0; i < residual_.size(); ++i) lu_.rhs[static_cast<std::size_t>(i)] = -residual_[i];
  lu_.solve();
  for (Eigen::Index i = 0; i < residual_.size(); ++i) solution_[i] = lu_.solution[static_cast<std::size_t>(i)];
  ++solves_;
}

void ExplicitRates::solve(const System& system, double t, const State& y, Rates& w) {
  system.residual(t, y, w, Level::acceleration, residual_);
  ++residuals_;
  if (baumgarteTime_ > 0) {
    system.constraints(t, y, Level::velocity, constraint_);
    residual_.tail(n_.m) += 2 / baumgarteTime_ * constraint_;
    system.constraints(t, y, Level::position, constraint_);
    residual_.tail(n_.m) += constraint_ / (baumgarteTime_ * baumgarteTime_);
  }
  substitute();
  w.a += solution_.head(n_.nv);
  w.xdot += solution_.segment(n_.nv, n_.nx);
  w.lambda += solution_.tail(n_.m);
}

const Vector& ExplicitRates::project(const System& system, double t, const State& y, Level level) {
  system.constraints(t, y, level, constraint_);
  residual_.setZero();
  residual_.tail(n_.m) = constraint_;
  substitute();
  displacement_ = solution_.head(n_.nv);
  return displacement_;
}

void ExplicitRates::count(Statistics& statistics) {
  statistics.jacobianEvaluations += factorizations_;
  statistics.factorizations += factorizations_;
  statistics.residualEvaluations += residuals_;
  statistics.solves += solves_;
  factorizations_ = residuals_ = solves_ = 0;
}

}  // namespace mbfmu
