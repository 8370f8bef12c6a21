// modelDescription.xml of FMI 3.0, written from the description of a model.
#pragma once

#include <string>

#include "model_description/description.h"

namespace mbfmu {

std::string modelDescriptionXml(const FmiDescription& description);

// The instantiationToken and modelIdentifier of a modelDescription.xml; `problem` says why there are none.
struct Identity {
  std::string token, modelIdentifier, problem;
};
Identity readIdentity(const std::string& xml);

}  // namespace mbfmu
