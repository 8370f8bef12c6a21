// A model file with the changes of the command line, the same for every command.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "multibody/model.h"

namespace mbfmu {

struct ModelOptions {
  std::string file, integrator;
  std::vector<std::string> assignments;  // key=value
};

// The options that every command with a model has.
void addModelOptions(CLI::App& command, ModelOptions& options);

// Throws Failed with everything that is wrong. `model->text` is the model with the changes written into it.
std::shared_ptr<const Model> loadModel(const ModelOptions& options);

}  // namespace mbfmu
