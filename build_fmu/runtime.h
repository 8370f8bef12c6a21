// Where the prebuilt runtime is that goes into every FMU.
#pragma once

#include <string>

namespace mbfmu {

// Beside the mbfmu binary (build tree) or in ../lib/mbfmu (installed). Throws Failed with both places if in neither.
std::string runtimePath();

}  // namespace mbfmu
