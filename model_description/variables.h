// The FMI variables of a model. The exporter writes them into modelDescription.xml and the FMU answers by them, from
// this one table, so that the two cannot disagree.
//
// Value references are kind * 1'000'000 + index within the kind, so that a further input or output renumbers nothing
// of another kind:
//         0  time
//   1000000  inputs, in file order          4000000  solver settings
//   2000000  outputs, in file order         5000000  solver statistics
//   3000000  parameters, in file order
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "multibody/model.h"

namespace mbfmu {

enum class VariableType { float64, int64 };
enum class Causality { independent, input, output, parameter };
enum class Variability { continuous, discrete, tunable, fixed };
enum class Initial { none, exact, calculated };  // none: FMI forbids the attribute (inputs, time)

// The same words as in modelDescription.xml.
const char* text(VariableType type);
const char* text(Causality causality);
const char* text(Variability variability);
const char* text(Initial initial);

enum class SourceKind { time, input, output, parameter, setting, statistic };
enum class Setting { relativeTolerance, absoluteTolerance, maxStep };
enum class Statistic {
  steps,
  rejectedSteps,
  newtonIterations,
  jacobians,
  factorizations,
  restarts,
  warmRestarts,
  stepSize
};

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
  Source source;
  std::vector<std::uint32_t> dependencies;  // of an output: the inputs that it may follow without delay
};

class VariableTable {
 public:
  void add(Variable variable);  // gives it its value reference; kinds come in the order of SourceKind
  const std::vector<Variable>& variables() const { return variables_; }
  // nullptr if there is none.
  const Variable* find(std::uint32_t valueReference) const;

 private:
  static constexpr std::size_t kKinds = 6;
  std::vector<Variable> variables_;
  std::array<std::size_t, kKinds> first_{}, count_{};  // by kind, positions in variables_
};

VariableTable describeVariables(const Model& model);

// Differs whenever the model or the table does, and looks like a UUID. Not for security.
std::string instantiationToken(const Model& model, const VariableTable& table);

}  // namespace mbfmu
