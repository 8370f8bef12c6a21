// Getting and setting variables of an Instance.
#include <algorithm>
#include <cmath>
#include <utility>

#include "fmu_src/instance.h"

namespace mbfmu {
namespace {

double statisticValue(const Statistics& s, Statistic statistic) {
  switch (statistic) {
    case Statistic::steps:
      return static_cast<double>(s.steps);
    case Statistic::rejectedSteps:
      return static_cast<double>(s.rejectedSteps);
    case Statistic::newtonIterations:
      return static_cast<double>(s.newtonIterations);
    case Statistic::jacobians:
      return static_cast<double>(s.jacobianEvaluations);
    case Statistic::factorizations:
      return static_cast<double>(s.factorizations);
    case Statistic::restarts:
      return static_cast<double>(s.restarts);
    case Statistic::warmRestarts:
      return static_cast<double>(s.warmRestarts);
    case Statistic::events:
      return static_cast<double>(s.events);
    case Statistic::order:
      return s.order;
    case Statistic::stepSize:
      return s.lastStepSize;
    case Statistic::lastEventTime:
      break;
  }
  return 0;
}

bool isFloat64(VariableType type) { return type == VariableType::float64; }
// Enumerations are accessed by the functions for Int64.
bool isInt64(VariableType type) { return type == VariableType::int64 || type == VariableType::enumeration; }
bool isBoolean(VariableType type) { return type == VariableType::boolean; }

// A counter beyond 2^53 would lose digits as a double; no run comes near.
constexpr double largestInteger = 9007199254740992.0;

std::size_t sizeOf(const Variable& variable) { return static_cast<std::size_t>(variable.size); }

}  // namespace

const Variable* Instance::find(const char* function, fmi3ValueReference reference) {
  const Variable* variable = table_.find(reference);
  if (!variable) fail(std::string(function) + ": value reference " + std::to_string(reference) + " does not exist");
  return variable;
}

bool Instance::intermediate(fmi3ValueReference reference) const {
  return std::binary_search(options_.intermediateVariables.begin(), options_.intermediateVariables.end(), reference);
}

const Variable* Instance::gettable(const char* function, fmi3ValueReference reference, bool rightType(VariableType)) {
  const Variable* variable = find(function, reference);
  if (!variable) return nullptr;
  std::string problem;
  if (!rightType(variable->type)) {
    problem = std::string("is of type ") + text(variable->type);
  } else if (part_.mode == Mode::intermediate && !intermediate(reference)) {
    problem = "is not among the requiredIntermediateVariables";
  } else if (part_.mode == Mode::intermediate && setInUpdate_) {
    problem = "cannot be read after a variable was set in this intermediate update";
  } else if (part_.mode == Mode::instantiated && !variable->hasStart) {
    problem = "has no value in Instantiated, where start values alone can be read";
  } else {
    problem = prepare(variable->source.kind);
  }
  if (problem.empty()) return variable;
  fail(std::string(function) + ": \"" + variable->name + "\": " + problem);
  return nullptr;
}

// Inputs and tunable parameters may change while the simulation runs; with event mode, parameters only there.
bool Instance::mayChange(const Variable& variable) const {
  if (part_.mode == Mode::intermediate) {
    return variable.causality == Causality::input && intermediate(variable.valueReference);
  }
  if (variable.causality == Causality::input) {
    return variable.variability != Variability::discrete || part_.mode != Mode::step || !options_.eventModeUsed;
  }
  if (variable.causality != Causality::parameter) return false;
  if (part_.mode == Mode::instantiated || part_.mode == Mode::initialization) return true;
  if (variable.variability != Variability::tunable) return false;
  return part_.mode == Mode::event || !options_.eventModeUsed;
}

const Variable* Instance::settable(const char* function, fmi3ValueReference reference, bool rightType(VariableType)) {
  const Variable* variable = find(function, reference);
  if (!variable) return nullptr;
  if (rightType(variable->type) && mayChange(*variable)) return variable;
  fail(std::string(function) + ": \"" + variable->name + "\" (" + text(variable->type) + ", " +
       text(variable->causality) + ", " + text(variable->variability) + ") cannot be set by this function in " +
       text(part_.mode));
  return nullptr;
}

// Everything that follows from the equations is computed when it is first asked for.
std::string Instance::prepare(SourceKind kind) {
  const bool follows = kind == SourceKind::output || kind == SourceKind::local;
  if (!follows && kind != SourceKind::statistic) return "";
  if (part_.mode == Mode::initialization) return initialise();
  if (!part_.initialised) return "there is no value before initialization";
  return follows ? part_.simulation->settle() : "";
}

double Instance::number(Source source) const {
  const Simulation& simulation = *part_.simulation;
  switch (source.kind) {
    case SourceKind::time:
      return part_.initialised ? simulation.time() : part_.startTime;
    case SourceKind::output:
      return simulation.outputs()[source.index];
    case SourceKind::statistic:
      if (static_cast<Statistic>(source.index) == Statistic::lastEventTime) return simulation.lastEventTime();
      return statisticValue(simulation.statistics(), static_cast<Statistic>(source.index));
    case SourceKind::local:
      return static_cast<Local>(source.index) == Local::energy ? simulation.energy() : simulation.constraintResidual();
    default:
      return simulation.value(source);
  }
}

bool Instance::sizesFit(const char* function, const void* references, std::size_t count, const void* values,
                        std::size_t nValues) {
  std::string problem;
  if ((count > 0 && !references) || (nValues > 0 && !values)) {
    problem = "an array is NULL";
  } else {
    std::size_t needed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Variable* variable = find(function, static_cast<const fmi3ValueReference*>(references)[i]);
      if (!variable) return false;
      needed += sizeOf(*variable);
    }
    if (needed == nValues) return true;
    problem = std::to_string(nValues) + " values for " + std::to_string(needed) + " numbers";
  }
  fail(std::string(function) + ": " + problem);
  return false;
}

template <typename Number>
fmi3Status Instance::getNumbers(const char* function, bool rightType(VariableType),
                                const fmi3ValueReference references[], std::size_t count, Number values[],
                                std::size_t nValues) {
  if (!sizesFit(function, references, count, values, nValues)) return fmi3Error;
  for (std::size_t i = 0; i < count; ++i) {
    const Variable* variable = gettable(function, references[i], rightType);
    if (!variable) return fmi3Error;
    for (int k = 0; k < variable->size; ++k) {
      *values++ = static_cast<Number>(number({variable->source.kind, variable->source.index + k}));
    }
  }
  return fmi3OK;
}

template <typename Number>
fmi3Status Instance::setNumbers(const char* function, bool rightType(VariableType),
                                const fmi3ValueReference references[], std::size_t count, const Number values[],
                                std::size_t nValues) {
  if (!sizesFit(function, references, count, values, nValues)) return fmi3Error;
  changes_.clear();
  bool tolerance = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Variable* variable = settable(function, references[i], rightType);
    if (!variable) return fmi3Error;
    for (int k = 0; k < variable->size; ++k) {
      changes_.push_back({{variable->source.kind, variable->source.index + k}, static_cast<double>(*values++)});
      if (!(std::abs(changes_.back().value) <= largestInteger) && isInt64(variable->type)) {
        return fail(std::string(function) + ": \"" + variable->name + "\": the value is too large");
      }
    }
    tolerance = tolerance || (variable->source.kind == SourceKind::setting &&
                              variable->source.index == static_cast<int>(Setting::relativeTolerance));
  }
  const std::string problem = part_.simulation->change(changes_);
  if (!problem.empty()) {
    const std::string name = count == 1 ? "\"" + table_.find(references[0])->name + "\": " : "";
    return fail(std::string(function) + ": " + name + problem);
  }
  part_.toleranceSet = part_.toleranceSet || tolerance;
  setInUpdate_ = setInUpdate_ || part_.mode == Mode::intermediate;
  // Before and in Initialization Mode the initial values have to be found again.
  const bool starting = part_.mode == Mode::instantiated || part_.mode == Mode::initialization;
  if (count > 0 && starting) part_.initialised = false;
  return fmi3OK;
}

fmi3Status Instance::getFloat64(const fmi3ValueReference references[], std::size_t count, double values[],
                                std::size_t nValues) {
  return getNumbers("fmi3GetFloat64", isFloat64, references, count, values, nValues);
}

fmi3Status Instance::setFloat64(const fmi3ValueReference references[], std::size_t count, const double values[],
                                std::size_t nValues) {
  return setNumbers("fmi3SetFloat64", isFloat64, references, count, values, nValues);
}

fmi3Status Instance::getInt64(const fmi3ValueReference references[], std::size_t count, fmi3Int64 values[],
                              std::size_t nValues) {
  return getNumbers("fmi3GetInt64", isInt64, references, count, values, nValues);
}

fmi3Status Instance::setInt64(const fmi3ValueReference references[], std::size_t count, const fmi3Int64 values[],
                              std::size_t nValues) {
  return setNumbers("fmi3SetInt64", isInt64, references, count, values, nValues);
}

fmi3Status Instance::getBoolean(const fmi3ValueReference references[], std::size_t count, fmi3Boolean values[],
                                std::size_t nValues) {
  return getNumbers("fmi3GetBoolean", isBoolean, references, count, values, nValues);
}

fmi3Status Instance::setBoolean(const fmi3ValueReference references[], std::size_t count, const fmi3Boolean values[],
                                std::size_t nValues) {
  return setNumbers("fmi3SetBoolean", isBoolean, references, count, values, nValues);
}

fmi3Status Instance::refuseType(const char* type, const fmi3ValueReference references[], std::size_t count) {
  if (count == 0) return fmi3OK;
  if (!references) return fail("valueReferences is NULL");
  const Variable* variable = find(type, references[0]);
  if (!variable) return fmi3Error;
  return fail("variable \"" + variable->name + "\" (" + text(variable->type) +
              ") cannot be accessed by a function for " + type);
}

}  // namespace mbfmu
