// Where bodies are before assembly: as the file says, and by walking the joints from ground to the others.
#pragma once

#include <functional>

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

// The same in space; weights of the tangent directions.
struct SpatialPlacement {
  std::vector<SpatialPose> bodies;
  std::vector<std::array<double, 6>> weights, velocityWeights;
};
SpatialPlacement placeSpatialBodies(const Model& model, const std::vector<double>& parameters);

// Breadth first from the bodies that are placed over the joints to the others: calls place(joint, forward) for each of
// these, forward if the joint leads from its first body to its second. A part of the mechanism in which no body is
// placed begins at the origin.
void walkJoints(const Model& model, std::vector<bool>& placed, const std::function<void(const Joint&, bool)>& place);

}  // namespace mbfmu
