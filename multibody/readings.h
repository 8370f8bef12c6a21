// The values of the paths that outputs use (paths.h).
#pragma once

#include "multibody/assembly.h"

namespace mbfmu {

// The k-th name of an output. `at` has state and rates.
double readingOf(const Assembly& parts, const Evaluation& at, const Assembly::Output& output, std::size_t k);

double energyOf(const Assembly& parts, const Evaluation& at, bool kinetic, bool potential);

}  // namespace mbfmu
