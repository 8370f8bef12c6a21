// Variable-step L-stable block integrator, the flagship. Constraints enter at velocity level (index 2) by default, and
// the end point of every step is projected onto positions and velocities; stabilised index 2, position (index 3) and
// acceleration level (index 1) are selectable.
//
// Order for q and v (index 2, Radau nodes): 2r - 1, for lambda: r; L-stable. Cost of an iteration: r residuals and one
// sparse solve with one SIMD lane per eigenvalue of B. A failed step leaves everything as it was. While inputs are
// expected to jump again soon it goes on with three nodes, which cost less per short step.
//
// Li, Ding, Li: L-stable block method for multibody equations of motion, 2019. Hairer & Wanner, Solving ODEs II, IV.8.
#pragma once

#include "integrators/block_equations.h"
#include "integrators/consistency.h"
#include "integrators/discontinuity_watch.h"
#include "integrators/step_controller.h"

namespace mbfmu {

class BlockIntegrator final : public Integrator {
 public:
  explicit BlockIntegrator(const BlockOptions& options);

  std::unique_ptr<Integrator> clone() const override { return std::make_unique<BlockIntegrator>(*this); }
  void assign(const Integrator& other) override { *this = static_cast<const BlockIntegrator&>(other); }
  void expectJumps(bool expected) override { jumpsExpected_ = expected; }
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
  void setTolerances(const Tolerances& tolerances) override;
  void setLimits(const Limits& limits) override { limits_ = limits; }
  void transfer(const System& system, Archive& archive) override;

 private:
  // One attempt at a step, from proposal to acceptance.
  struct Attempt {
    StepController controller;
    DiscontinuityWatch watch;
    double h = 0, error = 0;
    bool reachesLimit = false;
    int failures = 0;
    Failure::Reason reason = Failure::Reason::none;
  };

  void setUp(const System& system);
  bool canTakeFewNodes() const;
  void haveFewNodes(const System& system);
  void chooseNodes(const System& system, double room);
  void transferMethods(const System& system, Archive& archive);
  BlockEquations& equations() { return methods_[inUse_]; }
  const BlockEquations& equations() const { return methods_[inUse_]; }
  // The last accepted step.
  const BlockStages& last() const { return methods_[lastUsed_].accepted; }
  void initialStep(const System& system);
  void predict(const System& system, const Attempt& attempt);
  bool solve(const System& system, Attempt& attempt);
  bool accurate(const System& system, Attempt& attempt);
  void accept(const System& system, const Attempt& attempt, double tLimit);
  void forgetPast();
  double leastStep() const;
  Failure failure(const Attempt& attempt) const;
  Failure inconsistent(Failure::Reason reason, int row) const;

  BlockOptions options_;
  Tolerances tolerances_;
  Limits limits_;
  Statistics statistics_;

  Dimensions n_;
  double t_ = 0, lastStart_ = 0;
  State y_;
  Rates w_;
  long stepsSinceStart_ = 0;
  bool needsInitialStep_ = true;
  StepController controller_;
  DiscontinuityWatch watch_;
  ErrorNorm norm_;

  // The method asked for, and once jumps have been expected the one with few nodes.
  std::vector<BlockEquations> methods_;
  std::size_t inUse_ = 0, lastUsed_ = 0;
  bool jumpsExpected_ = false;
  bool havePolynomial_ = false, usePolynomial_ = false;  // as dense output; as starting values too
  Vector predictorShift_;        // what a jump added to the rates since the last step
  Linearisation startJacobian_;  // at the present point, after a jump
  bool haveStartJacobian_ = false;

  ConsistencySolver consistency_;
  State newState_;
  Rates newRates_;
};

}  // namespace mbfmu
