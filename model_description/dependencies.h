// Which inputs act on which outputs without delay. Positions and velocities follow inputs only through time; so do
// energies and states. Accelerations and reactions follow the inputs of all forces on bodies that constraints connect
// with the one asked about; the value of a force follows the inputs in its expression.
#pragma once

#include <vector>

#include "multibody/model.h"

namespace mbfmu {

// By output: indices of inputs, ascending.
std::vector<std::vector<int>> inputsBehindOutputs(const Model& model);

// Whether any output shows an acceleration or a reaction.
bool outputsFollowRates(const Model& model);

}  // namespace mbfmu
