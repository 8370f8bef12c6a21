// Functions of a model that are written in C++, made known to the command line.
#pragma once

#include <string>

namespace mbfmu {

// From now on expressions may call the functions of this shared library. Throws Failed.
void loadPlugin(const std::string& file);

}  // namespace mbfmu
