// Consistent initial values (Ren & Zhou 2020, section 1 and Algorithm 1): redundant constraints, weighted assembly of
// positions, projection of velocities, accelerations and multipliers.
#pragma once

#include <string>
#include <vector>

#include "multibody/mechanism.h"

namespace mbfmu {

struct InitialConditions {
  bool ok = false;
  std::string problem;             // empty if ok: what is violated by how much, and what to do
  std::vector<std::string> notes;  // what is unusual but no error, for the log
  State y;
  Rates w;
  int degreesOfFreedom = 0;
  std::vector<int> redundant;  // rows switched off in the mechanism
  // The constraints depend on each other in this pose, but not in the poses around it.
  bool singular = false;
  double positionResidual = 0, velocityResidual = 0, accelerationResidual = 0, forceResidual = 0;
  double moved = 0;  // largest change of a position by the assembly
};

InitialConditions findInitialConditions(Mechanism& mechanism, double t);

}  // namespace mbfmu
