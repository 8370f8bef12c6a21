// The sections "bodies", "joints" and "forces" of the model file. What cannot be used is left out of the model,
// reported and spoilt (diagnostics.h).
#pragma once

#include "multibody/json_object.h"
#include "multibody/names.h"

namespace mbfmu {

// False if there are no bodies at all, so that nothing further can be said.
bool readElements(const JsonObject& top, Model& model, Names& names, Diagnostics& diagnostics);

}  // namespace mbfmu
