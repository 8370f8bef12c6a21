// documentation/index.html of an FMU: what the model is and which variables it has.
#pragma once

#include <string>

#include "model_description/description.h"

namespace mbfmu {

std::string documentationHtml(const FmiDescription& description, const Model& model);

}  // namespace mbfmu
