// The FMI variables of a model. The exporter writes them into modelDescription.xml and the FMU answers by them, from
// this one table, so that the two cannot disagree.
//
// Value references are kind * 1'000'000 + index within the kind, so that a further input or output renumbers nothing
// of another kind:
//         0  time                         4000000  solver settings
//   1000000  inputs, in file order        5000000  solver statistics
//   2000000  outputs, in file order       6000000  local variables
//   3000000  parameters, in file order    7000000  options of single integrators
// An array has the index of its first element.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "multibody/model.h"

namespace mbfmu {

enum class VariableType { float64, int64, enumeration, boolean };
enum class Causality { independent, input, output, parameter, local };
enum class Variability { continuous, discrete, tunable, fixed };
enum class Initial { none, exact, calculated };  // none: FMI forbids the attribute (inputs, time)

// The same words as in modelDescription.xml.
const char* text(VariableType type);
const char* text(Causality causality);
const char* text(Variability variability);
const char* text(Initial initial);

enum class SourceKind { time, input, output, parameter, setting, statistic, local, option };
enum class Setting { relativeTolerance, absoluteTolerance, maxStep, minStep, initialStep, maxSteps, integrator };
enum class Statistic {
  steps,
  rejectedSteps,
  newtonIterations,
  jacobians,
  factorizations,
  restarts,
  warmRestarts,
  events,
  order,
  stepSize,
  lastEventTime
};
enum class Local { energy, constraintResidual };

// Where a variable's value lives: the index counts within the kind (for settings and statistics the enumeration).
struct Source {
  SourceKind kind = SourceKind::time;
  int index = 0;
};

struct Variable {
  std::string name, description, unit;
  std::uint32_t valueReference = 0;
  VariableType type = VariableType::float64;
  Causality causality = Causality::independent;
  Variability variability = Variability::continuous;
  Initial initial = Initial::none;
  bool hasStart = false;
  double start = 0;
  std::vector<double> startValues;  // of an array
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  std::string enumeration;  // the name of its type
  int size = 1;             // more: an array of that many elements
  Source source;
  std::vector<std::uint32_t> dependencies;  // of an output: the inputs that it may follow without delay
};

class VariableTable {
 public:
  // Gives it its value reference from its source; kinds come in the order of SourceKind, sources in theirs.
  void add(Variable variable);
  const std::vector<Variable>& variables() const { return variables_; }
  // nullptr if there is none.
  const Variable* find(std::uint32_t valueReference) const;
  // The variable that has this source, as a scalar or as an element.
  const Variable* find(SourceKind kind, int index) const;

 private:
  static constexpr std::size_t kKinds = 8, kNone = static_cast<std::size_t>(-1);
  std::vector<Variable> variables_;
  std::array<std::vector<std::size_t>, kKinds> places_;  // by kind and index, positions in variables_
};

// A parameter with the value it starts from.
Variable parameterVariable(std::string name, std::string description, std::string unit, double start, bool tunable,
                           Source source);

// Continuous inputs and outputs of the model can be accessed between communication points.
inline bool hasIntermediateUpdate(const Variable& variable) {
  if (variable.variability == Variability::discrete) return false;
  return variable.source.kind == SourceKind::input || variable.source.kind == SourceKind::output;
}

// Inputs and outputs called name[1], name[2], ... are scalars, or one array called name.
enum class Vectors { scalars, arrays };
VariableTable describeVariables(const Model& model, Vectors vectors = Vectors::scalars);

// Differs whenever the model or the table does, and looks like a UUID. Not for security.
std::string instantiationToken(const Model& model, const VariableTable& table);

}  // namespace mbfmu
