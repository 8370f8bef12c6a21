#include "model_description/description.h"

#include <algorithm>
#include <cctype>

namespace mbfmu {
namespace {

// A file name and C identifier: what FMI allows for modelIdentifier (FMI 3.0, 2.4.1).
std::string identifier(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result.insert(0, "_");
  return result;
}

void collectUnit(const Variable& variable, FmiDescription& description) {
  if (variable.unit.empty()) return;
  const auto known = [&](const UnitDefinition& unit) { return unit.name == variable.unit; };
  if (std::any_of(description.units.begin(), description.units.end(), known)) return;
  UnitDefinition unit{variable.unit, {}};
  const std::string problem = parseUnit(unit.name, unit.base);
  if (problem.empty()) {
    description.units.push_back(std::move(unit));
  } else {
    description.problems.push_back(variable.name + ": " + problem);
  }
}

}  // namespace

std::vector<LogCategory> logCategories() {
  return {{"logStatusWarning", "what is unusual but does no harm"},
          {"logStatusDiscard", "steps that the integrator could not do"},
          {"logStatusError", "illegal calls, refused values and failures"}};
}

FmiDescription describeModel(const Model& model) {
  FmiDescription result;
  result.modelName = model.name;
  result.modelIdentifier = identifier(model.name);
  result.description = model.description;
  result.variables = describeVariables(model);
  result.token = instantiationToken(model, result.variables);
  result.experiment = {model.experiment.start, model.experiment.stop, model.solver.rtol, model.experiment.step};
  result.logCategories = logCategories();
  for (const Variable& variable : result.variables.variables()) {
    collectUnit(variable, result);
    if (variable.causality != Causality::output) continue;
    result.outputs.push_back({variable.valueReference, true, variable.dependencies});
    // Initial values of the model's outputs follow parameters too, through the assembly; statistics follow nothing.
    result.initialUnknowns.push_back({variable.valueReference, variable.source.kind == SourceKind::statistic, {}});
  }
  return result;
}

}  // namespace mbfmu
