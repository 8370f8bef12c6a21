// What is wrong with an FMU: its archive, its files, its binary, and whether they belong to the model inside.
#pragma once

#include <string>
#include <vector>

#include "build_fmu/package.h"

namespace mbfmu {

// One line each, without the FMU's name.
std::vector<std::string> problemsOf(const Entries& entries);

}  // namespace mbfmu
