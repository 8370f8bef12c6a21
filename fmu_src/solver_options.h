// The settings of the integrator: those the project gives a meaning, and those only an integrator knows.
#pragma once

#include <map>
#include <string>

#include "integrators/archive.h"
#include "integrators/integrator.h"
#include "model_description/solver_variables.h"
#include "multibody/model.h"

namespace mbfmu {

struct SolverOptions {
  std::string integrator;
  Tolerances tolerances;
  Limits limits;
  std::map<std::string, std::map<std::string, std::string>> own;  // by integrator: its options that are set

  // Each returns what is wrong with the value; the old one then stays.
  std::string set(const std::string& key, const std::string& value);
  std::string set(Setting setting, double value);
  double get(Setting setting) const;
  // Options that one integrator has, by their place in integratorOwnOptions.
  std::string setOwn(int index, double value);
  double getOwn(int index) const;

  // The integrator with its options; nullptr if they make no sense together, and why.
  std::unique_ptr<Integrator> make(std::string& problem) const { return make(integrator, problem); }
  std::unique_ptr<Integrator> make(const std::string& name, std::string& problem) const;
  void transfer(Archive& archive);
};

// problem: the first setting of the model that makes no sense, if any.
SolverOptions solverOptions(const Model& model, std::string& problem);

}  // namespace mbfmu
