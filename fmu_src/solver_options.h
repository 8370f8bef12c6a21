// The settings of the integrator: those the project gives a meaning, and those only the chosen integrator knows.
#pragma once

#include <map>
#include <string>

#include "integrators/integrator.h"
#include "model_description/variables.h"
#include "multibody/model.h"

namespace mbfmu {

struct SolverOptions {
  std::string integrator;
  Tolerances tolerances;
  Limits limits;
  std::map<std::string, std::string> further;

  // Each returns what is wrong with the value; the old one then stays.
  std::string set(const std::string& key, const std::string& value);
  std::string set(Setting setting, double value);
  double get(Setting setting) const;
};

// problem: the first setting of the model that makes no sense or that its integrator does not know, if any.
SolverOptions solverOptions(const Model& model, std::string& problem);

// The settings that may change while the simulation runs.
bool settingOf(const std::string& key, Setting& setting);

}  // namespace mbfmu
