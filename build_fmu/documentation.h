// documentation/index.html of an FMU, complete in one file: a picture of the model, its variables, its equations, and
// how they are integrated.
#pragma once

#include <string>

#include "model_description/description.h"

namespace mbfmu {

std::string documentationHtml(const FmiDescription& description, const Model& model, const std::string& picture);

}  // namespace mbfmu
