// The variables of the integrator: settings, the options of single integrators, statistics, and what tells how well it
// works.
#pragma once

#include <string>
#include <vector>

#include "integrators/integrator_option.h"
#include "model_description/variables.h"

namespace mbfmu {

// An option that only one integrator has.
struct IntegratorOwnOption {
  std::string integrator, key, fallback;
  OptionValues values;
  // Its value as FMI shows it (a choice by its place, from 1), and as a text of the model file ("" if it is none).
  double number(const std::string& text) const;
  std::string text(double number) const;
  // The name of its enumeration: "Solver.Lstable.Nodes".
  std::string typeName() const;
};
const std::vector<IntegratorOwnOption>& integratorOwnOptions();
inline constexpr const char* integratorType = "Solver.Integrator";

void addSolverVariables(const Model& model, VariableTable& table);

}  // namespace mbfmu
