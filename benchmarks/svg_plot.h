// Work-precision diagram as SVG: CPU time over error, both logarithmic.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/curves.h"

namespace mbfmu {

void plot(std::ostream& out, const std::string& title, const std::vector<Curve>& curves);

}  // namespace mbfmu
