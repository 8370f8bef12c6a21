// The files of an FMU, made from a model.
#pragma once

#include <string>

#include "build_fmu/package.h"
#include "model_description/variables.h"
#include "multibody/model.h"

namespace mbfmu {

inline constexpr const char* kDescription = "modelDescription.xml";
inline constexpr const char* kModel = "resources/model.json";
inline constexpr const char* kTerminals = "terminalsAndIcons/terminalsAndIcons.xml";
// Where others add to an FMU (FMI 3.0, section 2.5); nothing of ours is there.
inline constexpr const char* kExtra = "extra/";

std::string binaryName(const std::string& modelIdentifier);

// Throws Failed if the model cannot be described.
Entries fmuContents(const std::string& source, const Model& model, const std::string& runtime, Vectors vectors);

}  // namespace mbfmu
