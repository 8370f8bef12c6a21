// The equations behind each element type of the model file, as HTML.
#pragma once

#include <string>

#include "multibody/model.h"

namespace mbfmu {

// The equations of motion and a table with those of the element types that the model has.
std::string equationsHtml(const Model& model);

}  // namespace mbfmu
