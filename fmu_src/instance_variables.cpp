// Getting and setting variables of an Instance (FMI 3.0, 2.2.6.2).
#include <cmath>
#include <utility>
#include <vector>

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
    case Statistic::stepSize:
      return s.lastStepSize;
  }
  return 0;
}

}  // namespace

std::string Instance::checkArguments(const void* references, std::size_t count, const void* values,
                                     std::size_t nValues) const {
  if (nValues != count) {
    return std::to_string(nValues) + " values for " + std::to_string(count) + " scalar variables";
  }
  if (count > 0 && (!references || !values)) return "an array is NULL";
  return "";
}

const Variable* Instance::find(fmi3ValueReference reference, VariableType type) {
  const Variable* variable = table_.find(reference);
  if (!variable) {
    fail("value reference " + std::to_string(reference) + " does not exist");
  } else if (variable->type != type) {
    fail("variable \"" + variable->name + "\" is of type " + text(variable->type) + ", not " + text(type));
    variable = nullptr;
  }
  return variable;
}

// Everything that follows from the equations is computed when it is first asked for.
std::string Instance::prepare(const Variable& variable) {
  const SourceKind kind = variable.source.kind;
  if (kind != SourceKind::output && kind != SourceKind::statistic) return "";
  if (part_.mode == Mode::initialization) return initialise();
  if (!part_.initialised) return "there is no value before initialization";
  return kind == SourceKind::output ? part_.simulation->settle() : "";
}

double Instance::number(const Variable& variable) const {
  const Simulation& simulation = *part_.simulation;
  const int index = variable.source.index;
  switch (variable.source.kind) {
    case SourceKind::time:
      return part_.initialised ? simulation.time() : part_.startTime;
    case SourceKind::input:
      return simulation.input(index);
    case SourceKind::output:
      return simulation.outputs()[index];
    case SourceKind::parameter:
      return simulation.parameter(index);
    case SourceKind::setting:
      return simulation.setting(static_cast<Setting>(index));
    case SourceKind::statistic:
      return statisticValue(simulation.statistics(), static_cast<Statistic>(index));
  }
  return 0;
}

fmi3Status Instance::getFloat64(const fmi3ValueReference references[], std::size_t count, double values[],
                                std::size_t nValues) {
  const std::string wrong = checkArguments(references, count, values, nValues);
  if (!wrong.empty()) return fail("fmi3GetFloat64: " + wrong);
  for (std::size_t i = 0; i < count; ++i) {
    const Variable* variable = find(references[i], VariableType::float64);
    if (!variable) return fmi3Error;
    const std::string problem = prepare(*variable);
    if (!problem.empty()) return fail("fmi3GetFloat64: \"" + variable->name + "\": " + problem);
    values[i] = number(*variable);
  }
  return fmi3OK;
}

fmi3Status Instance::getInt64(const fmi3ValueReference references[], std::size_t count, fmi3Int64 values[],
                              std::size_t nValues) {
  const std::string wrong = checkArguments(references, count, values, nValues);
  if (!wrong.empty()) return fail("fmi3GetInt64: " + wrong);
  for (std::size_t i = 0; i < count; ++i) {
    const Variable* variable = find(references[i], VariableType::int64);
    if (!variable) return fmi3Error;
    const std::string problem = prepare(*variable);
    if (!problem.empty()) return fail("fmi3GetInt64: \"" + variable->name + "\": " + problem);
    values[i] = static_cast<fmi3Int64>(number(*variable));
  }
  return fmi3OK;
}

bool Instance::settable(const Variable& variable) const {
  if (variable.causality == Causality::input) return true;
  if (variable.causality != Causality::parameter) return false;
  return variable.variability == Variability::tunable || part_.mode != Mode::step;
}

std::string Instance::assign(const Variable& variable, double value) {
  if (!std::isfinite(value)) return "the value must be finite";
  switch (variable.source.kind) {
    case SourceKind::input:
      part_.simulation->setInput(variable.source.index, value);
      return "";
    case SourceKind::parameter:
      return part_.simulation->setParameter(variable.source.index, value);
    case SourceKind::setting:
      return part_.simulation->setSetting(static_cast<Setting>(variable.source.index), value);
    default:
      return "it cannot be set";
  }
}

fmi3Status Instance::setFloat64(const fmi3ValueReference references[], std::size_t count, const double values[],
                                std::size_t nValues) {
  const std::string wrong = checkArguments(references, count, values, nValues);
  if (!wrong.empty()) return fail("fmi3SetFloat64: " + wrong);
  for (std::size_t i = 0; i < count; ++i) {
    const Variable* variable = find(references[i], VariableType::float64);
    if (!variable) return fmi3Error;
    if (!settable(*variable)) {
      return fail("fmi3SetFloat64: \"" + variable->name + "\" (" + text(variable->causality) + ", " +
                  text(variable->variability) + ") cannot be set in " + text(part_.mode));
    }
  }
  std::vector<std::pair<const Variable*, double>> done;
  for (std::size_t i = 0; i < count; ++i) {
    const Variable& variable = *table_.find(references[i]);
    const double old = number(variable);
    const std::string problem = assign(variable, values[i]);
    if (!problem.empty()) {
      // All or nothing: the values before it go back to what they were.
      for (auto undo = done.rbegin(); undo != done.rend(); ++undo) assign(*undo->first, undo->second);
      return fail("fmi3SetFloat64: \"" + variable.name + "\" = " + std::to_string(values[i]) + ": " + problem);
    }
    done.emplace_back(&variable, old);
  }
  for (const auto& [variable, old] : done) {
    const Source source = variable->source;
    if (source.kind == SourceKind::setting && source.index == static_cast<int>(Setting::relativeTolerance)) {
      part_.toleranceSet = true;
    }
  }
  // Outside Step Mode the initial values have to be found again.
  if (count > 0 && part_.mode != Mode::step) part_.initialised = false;
  return fmi3OK;
}

fmi3Status Instance::refuseType(const char* type, const fmi3ValueReference references[], std::size_t count) {
  if (count == 0) return fmi3OK;
  if (!references) return fail("valueReferences is NULL");
  const Variable* variable = table_.find(references[0]);
  if (!variable) return fail("value reference " + std::to_string(references[0]) + " does not exist");
  return fail("variable \"" + variable->name + "\" (" + text(variable->type) + ", " + text(variable->causality) +
              ") cannot be accessed by this function for " + type);
}

}  // namespace mbfmu
