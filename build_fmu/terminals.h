// terminalsAndIcons/terminalsAndIcons.xml: a mechanical terminal for every joint that inputs drive or outputs show.
#pragma once

#include <string>
#include <vector>

#include "build_fmu/drawing.h"
#include "model_description/description.h"

namespace mbfmu {

// `joints`: where each joint of the model is in an icon of the given size.
std::string terminalsXml(const FmiDescription& description, const Model& model, const std::vector<Point>& joints,
                         double size);

}  // namespace mbfmu
