// The model file. All errors of a file are collected in diagnostics; nullptr if there is any.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "multibody/diagnostics.h"
#include "multibody/model.h"

namespace mbfmu {

std::shared_ptr<const Model> readModel(const std::string& jsonText, Diagnostics& diagnostics);
std::shared_ptr<const Model> readModelFile(const std::string& path, Diagnostics& diagnostics);

// The text with values replaced: "solver.rtol" = "1e-8", "experiment.stop" = "5", "parameters.m1" = "2*m0". Keys of
// the solver may be new; everything else must exist. The text unchanged if there is an error.
std::string overrideModel(const std::string& jsonText,
                          const std::vector<std::pair<std::string, std::string>>& assignments,
                          Diagnostics& diagnostics);

}  // namespace mbfmu
