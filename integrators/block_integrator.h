// Variable-step L-stable block integrator, the flagship. Constraints enter at velocity level (index 2) by default, and
// the end point of every step is projected onto positions and velocities; position (index 3) and acceleration level
// (index 1) are selectable.
//
// Order for q and v (index 2, Radau nodes): 2r - 1, for lambda: r; L-stable. Cost of an iteration: r residuals and one
// sparse solve with one SIMD lane per eigenvalue of B. A failed step leaves everything as it was.
//
// Li, Ding, Li: L-stable block method for multibody equations of motion, 2019. Hairer & Wanner, Solving ODEs II, IV.8.
#pragma once

#include "integrators/block_coefficients.h"
#include "integrators/block_stages.h"
#include "integrators/consistency.h"
#include "integrators/error_norm.h"
#include "integrators/integrator.h"
#include "integrators/newton_monitor.h"
#include "integrators/stage_solver.h"
#include "integrators/step_controller.h"

namespace mbfmu {

struct BlockOptions {
  int r = 5;
  Nodes nodes = Nodes::radau;
  int k = 4;  // degree of the Pade numerator
  Level level = Level::velocity;
  double fixedStep = 0;  // > 0: this step size, no error test
};

// A StageSolver that is copied with its owner.
class StageSolverCopy {
 public:
  explicit StageSolverCopy(std::unique_ptr<StageSolver> solver) : solver_(std::move(solver)) {}
  StageSolverCopy(const StageSolverCopy& other) : solver_(other.solver_->clone()) {}
  StageSolverCopy& operator=(const StageSolverCopy& other) {
    if (this != &other) solver_->assign(*other.solver_);
    return *this;
  }
  ~StageSolverCopy() = default;
  StageSolver* operator->() const { return solver_.get(); }
  StageSolver& operator*() const { return *solver_; }

 private:
  std::unique_ptr<StageSolver> solver_;
};

class BlockIntegrator final : public Integrator {
 public:
  explicit BlockIntegrator(const BlockOptions& options);

  std::unique_ptr<Integrator> clone() const override { return std::make_unique<BlockIntegrator>(*this); }
  bool assign(const Integrator& other) override {
    *this = static_cast<const BlockIntegrator&>(other);
    return true;
  }
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
  // One attempt at a step, from proposal to acceptance. Members that outlive it change on acceptance only.
  struct Attempt {
    StepController controller;
    NewtonMonitor newton;
    double h = 0;
    bool reachesLimit = false, clipped = false, fresh = false;
    int failures = 0;
    Failure::Reason reason = Failure::Reason::none;
  };

  void setUp(const System& system);
  void initialStep(const System& system);
  void predict(const System& system, const Attempt& attempt);
  bool factor(const System& system, Attempt& attempt);
  bool iterate(const System& system, Attempt& attempt);
  bool solveStages(const System& system, Attempt& attempt);
  bool solveStubbornly(const System& system, Attempt& attempt);
  double correct(const System& system);
  double estimateError();
  void projectEnd(const System& system);
  void accept(const System& system, const Attempt& attempt, double tLimit);
  double leastStep() const;
  Failure failure(const Attempt& attempt) const;
  Failure failure(Failure::Reason reason, int row) const;

  BlockOptions options_;
  BlockCoefficients k_;
  Tolerances tolerances_;
  Limits limits_;
  Statistics statistics_;
  double scale_ = 1, kappa_ = 0.03;  // internal tolerance relative to the user's, and Newton's relative to that
  int maxIterations_ = 10;

  Dimensions n_;
  double t_ = 0, lastStart_ = 0;
  State y_;
  Rates w_;
  long stepsSinceStart_ = 0;
  bool needsInitialStep_ = true;
  StepController controller_;
  NewtonMonitor newton_;
  ErrorNorm norm_;

  BlockStages last_, current_;  // the accepted step with its dense output, and the one being tried
  bool havePolynomial_ = false;
  Vector predictorShift_;  // what a jump added to the rates since the last step

  StageSolverCopy solver_;
  ConsistencySolver consistency_;
  Linearisation p_;
  bool haveFactors_ = false;
  double factoredStep_ = 0;

  Eigen::MatrixXd residual_, correction_, oldV_, oldX_, oldTheta_;
  Vector nodeResidual_, re_, im_, z_, errorQ_, errorV_, errorX_, constraint_, tangent_;
  State nodeState_;
  Rates nodeRates_;
};

}  // namespace mbfmu
