// The sections "bodies", "joints" and "forces" of the model file.
#pragma once

#include "multibody/json_object.h"
#include "multibody/paths.h"

namespace mbfmu {

void readElements(const JsonObject& top, Model& model, Diagnostics& diagnostics);

}  // namespace mbfmu
