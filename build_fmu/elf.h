// The binary of an FMU from outside, without loading it.
#pragma once

#include <string>
#include <vector>

namespace mbfmu {

// Why a file is not a shared object for x86-64 that defines the 75 functions of FMI 3.0, shows nothing else, and needs
// the C library alone.
std::vector<std::string> binaryProblems(const std::string& file);

}  // namespace mbfmu
