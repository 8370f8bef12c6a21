// Where bodies are before assembly: as the file says, and by walking the joints from ground to the others.
#pragma once

#include "multibody/evaluation.h"
#include "multibody/model.h"

namespace mbfmu {

struct Placement {
  std::vector<BodyPose> bodies;                // positions and velocities
  std::vector<std::array<double, 3>> weights;  // of x, y, angle in the assembly of positions
  std::vector<std::array<double, 3>> velocityWeights;
};

// Weights: 1 for a guess; 100 for a value the file gives; 1e12 for the coordinate of a joint with ground that the file
// gives, which is as good as kept; infinite for values of a body marked "fixed".
Placement placeBodies(const Model& model, const std::vector<double>& parameters);

}  // namespace mbfmu
