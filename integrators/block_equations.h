// A block method with a given number of nodes, and the nonlinear equations of its steps: simplified Newton for the
// nodes' unknowns with the Jacobian at the node nearest mid-step, the filtered error estimate, and the projection of
// the end point, all by one factorisation.
#pragma once

#include "integrators/block_coefficients.h"
#include "integrators/block_stages.h"
#include "integrators/cloned.h"
#include "integrators/error_norm.h"
#include "integrators/integrator.h"
#include "integrators/newton_monitor.h"
#include "integrators/stage_solver.h"

namespace mbfmu {

enum class Formula { block, radauIA, lobattoIIIC };

struct BlockOptions {
  int r = 5;
  Nodes nodes = Nodes::radau;
  int k = 4;                         // degree of the Pade numerator
  Formula formula = Formula::block;  // else nodes and k do not matter
  Level level = Level::velocity;
  bool stabilised = false;  // velocity level with every node's position on the constraints as well
  bool project = true;      // the end of every step onto positions and velocities
  double fixedStep = 0;     // > 0: this step size, no error test
  bool toRoundOff = false;  // corrections as long as they shrink, whatever the tolerance
  KernelChoice kernel = KernelChoice::automatic;
  double looseness = 1;  // of Newton's tolerance, relative to the usual one
};

class BlockEquations {
 public:
  explicit BlockEquations(const BlockOptions& options);
  BlockEquations(const BlockEquations&) = default;
  BlockEquations(BlockEquations&&) = default;
  BlockEquations& operator=(BlockEquations&&) = default;
  // Copies what outlives a step only, if both belong to one System.
  BlockEquations& operator=(const BlockEquations& other);
  ~BlockEquations() = default;
  void setUp(const System& system);

  BlockStages stages;    // of the step being tried
  BlockStages accepted;  // of the last one accepted: dense output, and starting values for the next
  NewtonMonitor newton;  // what is known about the contraction
  const BlockCoefficients& coefficients() const { return k_; }
  int maxIterations() const { return maxIterations_; }

  void setTolerance(double rtol);
  double toleranceScale() const { return scale_; }

  // The unknowns of the stages, from their starting values. False if they cannot be found: see reason(). Near a
  // singular pose the corrections may stall: fine below `stalled`. A Jacobian may be given.
  bool solve(const System& system, const ErrorNorm& norm, double stalled, const Linearisation* jacobian,
             Statistics& statistics);
  // For steps that may not be shortened: with a new Jacobian whenever the iteration stalls.
  bool solveStubbornly(const System& system, const ErrorNorm& norm, Statistics& statistics);

  // Weighted size of the error, infinite if it is not a number.
  double estimateError(const ErrorNorm& norm, Statistics& statistics);
  // The same with the estimate filtered once more: very stiff components, which the method damps but the estimate does
  // not, no longer count (Hairer & Wanner, Solving ODEs II, eq. IV.8.20).
  double filterError(const ErrorNorm& norm, Statistics& statistics);
  // Position, then velocity of the last node back onto the constraints. Returns the weighted size of the displacement.
  double projectEnd(const System& system, const ErrorNorm& norm, Statistics& statistics);

  void accept() { std::swap(accepted, stages); }

  void distrustPivots() { solver_->distrustPivots(); }
  // rollBack() undoes everything since mark().
  void mark();
  void rollBack();
  Failure::Reason reason() const { return reason_; }
  int worstConstraint() const;

  void transfer(Archive& archive) { archive(newton, *solver_, accepted); }

 private:
  void linearise(const System& system, Statistics& statistics);
  bool factor(Statistics& statistics);
  bool iterate(const System& system, const ErrorNorm& norm, Statistics& statistics);
  bool iterateToRoundOff(const System& system, const ErrorNorm& norm, Statistics& statistics);
  double correct(const System& system, const ErrorNorm& norm, Statistics& statistics);
  void stabilise(const System& system, Statistics& statistics);
  void solveForConstraint(const System& system, int node, Level level, Statistics& statistics);

  Level level_;
  bool stabilised_;
  KernelChoice kernel_;
  double looseness_;
  BlockCoefficients k_;
  bool toRoundOff_;
  int maxIterations_;
  double scale_ = 1, kappa_ = 0.03;  // internal tolerance relative to the user's, and Newton's relative to that
  double stalled_ = 0;
  NewtonMonitor markedNewton_;
  Dimensions n_;
  Cloned<StageSolver> solver_;
  Linearisation p_;
  Failure::Reason reason_ = Failure::Reason::none;

  Eigen::MatrixXd residual_, correction_, oldV_, oldX_, oldTheta_;
  Vector nodeResidual_, re_, im_, z_, errorQ_, errorV_, errorX_, constraint_, tangent_;
  State nodeState_;
  Rates nodeRates_;
};

}  // namespace mbfmu
