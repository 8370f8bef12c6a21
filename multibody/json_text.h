// JSON text to a document that keeps the order of its keys. Comments are accepted, a repeated key is an error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "multibody/diagnostics.h"

namespace mbfmu {

using Json = nlohmann::ordered_json;

// Discarded (is_discarded()) if the text is not JSON; no exception leaves this function.
Json parseJson(const std::string& text, Diagnostics& diagnostics);

}  // namespace mbfmu
