// The files of an FMU: made from a model, and checked against the model inside.
#pragma once

#include <string>
#include <vector>

#include "build_fmu/package.h"
#include "model_description/variables.h"
#include "multibody/model.h"

namespace mbfmu {

// Throws Failed if the model cannot be described.
Entries fmuContents(const std::string& source, const Model& model, const std::string& runtime, Vectors vectors);

// Everything wrong with an FMU's files, one line each, without the FMU's name.
std::vector<std::string> problemsOf(const Entries& entries);

}  // namespace mbfmu
