// Implicit Runge-Kutta methods of the literature as block coefficients, for comparisons: s = 2 to 4 stages. Both have a
// node at the start, where the stage differs from y_0, and stage order s - 1.
//   Radau IA:     order 2s - 1, L-stable; the end is no node.
//   Lobatto IIIC: order 2s - 2, L-stable; the last node is the end.
// Radau IIA are the Radau nodes of the block method with k = r - 1.
//
// Ehle 1969, Axelsson 1972, Chipman 1971; Hairer & Wanner, Solving ODEs II, section IV.5.
#pragma once

#include "integrators/block_coefficients.h"

namespace mbfmu {

BlockCoefficients radauIA(int stages);
BlockCoefficients lobattoIIIC(int stages);

}  // namespace mbfmu
