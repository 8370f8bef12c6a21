// Derivatives and dependencies of an Instance's outputs.
#include "fmu_src/instance.h"

namespace mbfmu {

fmi3Status Instance::getOutputDerivatives(const fmi3ValueReference references[], std::size_t count,
                                          const fmi3Int32 orders[], double values[], std::size_t nValues) {
  constexpr const char* name = "fmi3GetOutputDerivatives";
  if (count > 0 && !orders) return fail(std::string(name) + ": orders is NULL");
  if (!sizesFit(name, references, count, values, nValues)) return fmi3Error;
  for (std::size_t i = 0; i < count; ++i) {
    const auto isReal = [](VariableType type) { return type == VariableType::float64; };
    const Variable* variable = gettable(name, references[i], isReal);
    if (!variable) return fmi3Error;
    if (variable->source.kind != SourceKind::output) {
      return fail(std::string(name) + ": \"" + variable->name + "\" is not a continuous output");
    }
    if (orders[i] < 1 || orders[i] > 2) return fail(std::string(name) + ": the order must be 1 or 2");
  }
  if (count == 0) return fmi3OK;
  if (!part_.initialised) return fail(std::string(name) + ": there is no value before initialization");
  Vector first, second;
  if (!sensitivity_.byTime(*part_.simulation, first, second)) {
    log_.write(fmi3Discard, std::string(name) + ": the equations have no finite solution around this time");
    return fmi3Discard;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Variable& variable = *table_.find(references[i]);
    for (int k = 0; k < variable.size; ++k) {
      *values++ = (orders[i] == 1 ? first : second)[variable.source.index + k];
    }
  }
  return fmi3OK;
}

// The numbers behind the variables: continuous outputs, or inputs and parameters.
bool Instance::collect(const char* function, const fmi3ValueReference references[], std::size_t count, bool unknowns,
                       std::vector<Source>& sources) {
  if (count > 0 && !references) {
    fail(std::string(function) + ": an array is NULL");
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Variable* variable = find(function, references[i]);
    if (!variable) return false;
    const SourceKind kind = variable->source.kind;
    const bool fits = unknowns ? kind == SourceKind::output
                               : kind == SourceKind::input || (kind == SourceKind::parameter && mayChange(*variable));
    if (!fits) {
      fail(std::string(function) + ": \"" + variable->name + "\" is not " +
           (unknowns ? "a continuous output" : "an input or parameter of the model that may change now"));
      return false;
    }
    for (int k = 0; k < variable->size; ++k) sources.push_back({kind, variable->source.index + k});
  }
  return true;
}

fmi3Status Instance::getDerivative(bool adjoint, const fmi3ValueReference unknowns[], std::size_t nUnknowns,
                                   const fmi3ValueReference knowns[], std::size_t nKnowns, const double seed[],
                                   std::size_t nSeed, double sensitivity[], std::size_t nSensitivity) {
  const char* name = adjoint ? "fmi3GetAdjointDerivative" : "fmi3GetDirectionalDerivative";
  std::vector<Source> rows, columns;
  if (!collect(name, unknowns, nUnknowns, true, rows) || !collect(name, knowns, nKnowns, false, columns)) {
    return fmi3Error;
  }
  const auto& seeded = adjoint ? rows : columns;
  const auto& asked = adjoint ? columns : rows;
  if (nSeed != seeded.size() || nSensitivity != asked.size() || (nSeed > 0 && !seed) ||
      (nSensitivity > 0 && !sensitivity)) {
    return fail(std::string(name) + ": seed or sensitivity has the wrong size or is NULL");
  }
  const std::string problem = prepare(SourceKind::output);
  if (!problem.empty()) return fail(std::string(name) + ": " + problem);
  for (std::size_t i = 0; i < nSensitivity; ++i) sensitivity[i] = 0;
  // What is known in Initialization Mode acts through the assembly of the mechanism too.
  const bool starting = part_.mode == Mode::initialization;
  Vector column;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!adjoint && seed[c] == 0) continue;
    if (starting ? !sensitivity_.ofInitialValues(*part_.simulation, part_.startTime, columns[c], column)
                 : !sensitivity_.byKnown(*part_.simulation, columns[c], column)) {
      log_.write(fmi3Discard, std::string(name) + ": the derivative does not exist here");
      return fmi3Discard;
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double entry = column[rows[r].index];
      if (adjoint) {
        sensitivity[c] += seed[r] * entry;
      } else {
        sensitivity[r] += seed[c] * entry;
      }
    }
  }
  return fmi3OK;
}

fmi3Status Instance::countDependencies(fmi3ValueReference reference, std::size_t* count) {
  const Variable* variable = find("fmi3GetNumberOfVariableDependencies", reference);
  if (!variable) return fmi3Error;
  if (!count) return fail("fmi3GetNumberOfVariableDependencies: nDependencies is NULL");
  *count = variable->dependencies.size();
  return fmi3OK;
}

// Index 0 means all elements of a variable.
fmi3Status Instance::getDependencies(fmi3ValueReference reference, std::size_t elementsOfDependent[],
                                     fmi3ValueReference independents[], std::size_t elementsOfIndependents[],
                                     fmi3DependencyKind kinds[], std::size_t count) {
  const Variable* variable = find("fmi3GetVariableDependencies", reference);
  if (!variable) return fmi3Error;
  if (count != variable->dependencies.size() ||
      (count > 0 && (!elementsOfDependent || !independents || !elementsOfIndependents || !kinds))) {
    return fail("fmi3GetVariableDependencies: an array is NULL or has not the size " +
                std::to_string(variable->dependencies.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    elementsOfDependent[i] = elementsOfIndependents[i] = 0;
    independents[i] = variable->dependencies[i];
    kinds[i] = fmi3Dependent;
  }
  return fmi3OK;
}

}  // namespace mbfmu
