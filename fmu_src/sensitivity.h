// Derivatives of a simulation's outputs at its present time.
#pragma once

#include <array>
#include <vector>

#include "fmu_src/simulation.h"
#include "integrators/consistency.h"

namespace mbfmu {

class Sensitivity {
 public:
  // d outputs / d (one input or parameter) at fixed time, positions, velocities and states. Differentiating
  //   M a + Phi_q^T lambda = Q,  Phi_q a = gamma    by the known p gives    P0 dw/dp = -dR/dp
  // with the matrix P0 of system.h. The explicit derivatives of the residual R and of the outputs by one number are
  // five-point differences, exact where the known enters by a polynomial up to degree four. False if P0 is singular or
  // a value is not finite.
  bool byKnown(const Simulation& simulation, Source known, Vector& derivative);

  // d initial outputs / d (one input or parameter), which the assembled pose follows as well: five-point differences of
  // initial values, each of which solves the constraints.
  bool ofInitialValues(const Simulation& simulation, double startTime, Source known, Vector& derivative);

  // First and second time derivative of the outputs along the motion, with the inputs held: five-point differences of
  // the outputs on the Taylor expansion of the motion, with consistent accelerations and multipliers at each point.
  bool byTime(const Simulation& simulation, Vector& first, Vector& second);

 private:
  // rates_ from the equations. Within a long step the dense output's are less accurate than positions and velocities.
  bool solveRates(const Simulation& simulation);
  bool along(const Simulation& simulation, double offset, Vector& outputs);

  ConsistencySolver solver_;
  SparseLu<double> lu_;
  Linearisation p_;
  std::unique_ptr<Mechanism> moved_;
  State y_;
  Rates w_, rates_;
  Vector theta_, jerk_;
  std::array<Vector, 5> samples_;
};

}  // namespace mbfmu
