// The model file held to its JSON Schema, mbfmu.schema.json, which is the only place that says what keys there are,
// which must be there, and what kind of value each takes. What a value means is the reader's part.
#pragma once

#include <string>

#include "multibody/diagnostics.h"
#include "multibody/json_text.h"

namespace mbfmu {

// The schema as it is in the source tree, built into every program.
const std::string& schemaText();

void checkStructure(const Json& document, Diagnostics& diagnostics);

}  // namespace mbfmu
