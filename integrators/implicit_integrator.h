// What the integrators with one implicit stage per step share: time, state, rates, limits, and the ways to begin, to
// repair a state and to report a failure.
#pragma once

#include "integrators/consistency.h"
#include "integrators/discontinuity_watch.h"
#include "integrators/error_norm.h"
#include "integrators/implicit_step.h"
#include "integrators/integrator.h"

namespace mbfmu {

class ImplicitIntegrator : public Integrator {
 public:
  double time() const override { return t_; }
  double lastStepStart() const override { return lastStart_; }
  const State& state() const override { return y_; }
  const Rates& rates() const override { return w_; }
  const Statistics& statistics() const override { return statistics_; }
  void setTolerances(const Tolerances& tolerances) override { tolerances_ = tolerances; }
  void setLimits(const Limits& limits) override { limits_ = limits; }

 protected:
  void begin(const System& system, double t, const State& y, const Rates& w, Level level,
             ImplicitStep::Kinematics kinematics);
  // A first step whose error, going like h^errorOrder, is safely small.
  double initialStep(const System& system, int errorOrder);
  double leastStep() const;

  // newState_ onto the constraints at time t, with newRates_ consistent.
  Failure makeConsistent(const System& system, double t);
  // newRates_ for the present state and the System as it is now.
  Failure recomputeRates(const System& system);

  // The members shared by all; when reading, begin() has set their sizes.
  void transferShared(Archive& archive);

  void countStep(double h);
  Failure stepFailure(Failure::Reason reason, double h) const;

  Tolerances tolerances_;
  Limits limits_;
  Statistics statistics_;
  Dimensions n_;
  double t_ = 0, lastStart_ = 0;
  State y_;
  Rates w_;
  long stepsSinceStart_ = 0;
  ErrorNorm norm_;
  DiscontinuityWatch watch_;
  ImplicitStep implicit_;
  ConsistencySolver consistency_;
  State newState_;
  Rates newRates_;
  Vector scaleQ_;

 private:
  Failure inconsistent(Failure::Reason reason, int row) const;
};

}  // namespace mbfmu
