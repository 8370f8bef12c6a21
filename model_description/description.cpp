#include "model_description/description.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "integrators/integrator_registry.h"
#include "model_description/solver_variables.h"

namespace mbfmu {
namespace {

// A file name and C identifier: what FMI allows for modelIdentifier.
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
  const UnitUse use = useOf(variable.unit);
  UnitDefinition unit{variable.unit, {}, use.displays};
  const std::string problem = parseUnit(unit.name, unit.base);
  if (problem.empty()) {
    if (!use.quantity.empty()) {
      description.types.push_back(
          {"SI." + use.quantity, use.quantity, unit.name, use.displayed ? use.displays[0].name : ""});
    }
    description.units.push_back(std::move(unit));
  } else {
    description.problems.push_back(variable.name + ": " + problem);
  }
}

std::vector<EnumerationType> solverEnumerations() {
  std::vector<EnumerationType> types = {{integratorType, "method of integration", {}}};
  for (const IntegratorInfo& info : integrators()) types[0].items.push_back({info.name, info.summary});
  for (const IntegratorOwnOption& option : integratorOwnOptions()) {
    if (option.values.kind != OptionValues::Kind::choice) continue;
    types.push_back({option.typeName(), "choices of the integrator " + option.integrator, {}});
    for (const std::string& choice : option.values.choices) types.back().items.push_back({choice, ""});
  }
  return types;
}

}  // namespace

std::vector<LogCategory> logCategories() {
  return {{"logStatusWarning", "what is unusual but does no harm"},
          {"logStatusDiscard", "steps that the integrator could not do"},
          {"logStatusError", "illegal calls, refused values and failures"},
          {"logEvents", "events: when they happen and what they are"},
          {"logSolver", "what the integrator does"}};
}

std::string FmiDescription::typeOf(const Variable& variable) const {
  if (variable.type == VariableType::enumeration) return variable.enumeration;
  for (const QuantityType& type : types) {
    if (variable.type == VariableType::float64 && type.unit == variable.unit) return type.name;
  }
  return "";
}

FmiDescription describeModel(const Model& model, Vectors vectors) {
  FmiDescription result;
  result.modelName = model.name;
  result.modelIdentifier = identifier(model.name);
  result.description = model.description;
  result.variables = describeVariables(model, vectors);
  result.token = instantiationToken(model, result.variables);
  result.experiment = {model.experiment.start, model.experiment.stop, model.solver.rtol, model.experiment.step};
  result.logCategories = logCategories();
  result.enumerations = solverEnumerations();
  // Initial values follow parameters too, through the assembly, and inputs that a setpoint starts at.
  std::set<std::uint32_t> initially;
  for (const Variable& variable : result.variables.variables()) {
    if (variable.source.kind == SourceKind::parameter) initially.insert(variable.valueReference);
  }
  for (const StateVariable& state : model.states) {
    if (state.input >= 0) initially.insert(result.variables.find(SourceKind::input, state.input)->valueReference);
  }
  for (const Variable& variable : result.variables.variables()) {
    collectUnit(variable, result);
    if (variable.causality != Causality::output) continue;
    result.outputs.push_back({variable.valueReference, variable.dependencies});
    // Statistics follow nothing.
    Unknown initial = result.outputs.back();
    if (variable.source.kind == SourceKind::output) {
      std::set<std::uint32_t> all(initial.dependencies.begin(), initial.dependencies.end());
      all.insert(initially.begin(), initially.end());
      initial.dependencies.assign(all.begin(), all.end());
    }
    result.initialUnknowns.push_back(std::move(initial));
  }
  return result;
}

}  // namespace mbfmu
