// Explicit Runge-Kutta methods on the index-1 form: classical order 4 with fixed steps, and adaptive methods of order 5
// and 8 (explicit_tableau.h). Every stage solves for (a, x', lambda) once (explicit_rates.h). What the constraints lose
// by discretisation is given back at the end of a step by projection onto Phi = 0 and Phi_q v + Phi_t = 0, nearest in
// the metric of M, which keeps the order (Hairer & Wanner, Solving ODEs II, section VII.2), or pulled back by
// Baumgarte's terms, or left to drift.
//
// Not for stiff systems: the step is bounded by stability, h |eigenvalue| < 3 to 6. Cost per step: one factorisation
// and one residual per stage, no iteration. A failed step leaves everything as it was.
//
// Dense output evaluates the System: read it before the System changes (jump, switched rows).
#pragma once

#include "integrators/error_norm.h"
#include "integrators/explicit_rates.h"
#include "integrators/explicit_stages.h"
#include "integrators/explicit_tableau.h"
#include "integrators/integrator.h"
#include "integrators/step_controller.h"

namespace mbfmu {

enum class Stabilisation { none, baumgarte, projection };

struct ExplicitOptions {
  int order = 8;  // 4, 5 or 8; order 4 has no error estimate and needs a fixed step
  Stabilisation stabilisation = Stabilisation::projection;
  double baumgarteTime = 0.1;
  double fixedStep = 0;  // > 0: this step size, no error test
};

class ExplicitIntegrator final : public Integrator {
 public:
  explicit ExplicitIntegrator(const ExplicitOptions& options);

  std::unique_ptr<Integrator> clone() const override { return std::make_unique<ExplicitIntegrator>(*this); }
  void assign(const Integrator& other) override { *this = static_cast<const ExplicitIntegrator&>(other); }
  void start(const System& system, double t, const State& y, const Rates& w) override;
  Failure step(const System& system, double tLimit) override;
  Failure cutBack(const System& system, double t) override;
  Failure jump(const System& system) override;
  void interpolate(const System& system, double t, State& y, Rates& w) const override;

  double time() const override { return t_; }
  double lastStepStart() const override { return lastStart_; }
  const State& state() const override { return y_; }
  const Rates& rates() const override { return w_; }
  const Statistics& statistics() const override { return statistics_; }
  void setTolerances(const Tolerances& tolerances) override { tolerances_ = tolerances; }
  void setLimits(const Limits& limits) override { limits_ = limits; }
  void transfer(const System& system, Archive& archive) override;

 private:
  void setUp(const System& system);
  double initialStep(const System& system);
  double leastStep() const;
  // The stages, the end on the constraints with its rates, and the weighted error. False if a matrix is singular.
  bool attempt(const System& system, double h, double t1, double& error);
  bool finishEnd(const System& system, double t1);
  double estimateError();
  void accept(double h, double t1);
  Failure failure(Failure::Reason reason, double h) const;

  ExplicitOptions options_;
  const ExplicitTableau* k_;  // one of the constant tables
  Tolerances tolerances_;
  Limits limits_;
  Statistics statistics_;

  Dimensions n_;
  double t_ = 0, lastStart_ = 0;
  State y_;
  Rates w_;
  long stepsSinceStart_ = 0;
  bool needsInitialStep_ = true, haveDense_ = false;
  StepController controller_;
  ErrorNorm norm_;
  ExplicitRates rates_;
  ExplicitStages current_;

  // Reading the dense output completes it, with a factorisation of its own: it never changes how the steps go on.
  mutable ExplicitStages last_;
  mutable ExplicitRates denseRates_;

  State newState_;
  Rates newRates_;
  Vector errorQ_, errorV_, errorX_, moved_;
};

}  // namespace mbfmu
