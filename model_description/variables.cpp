#include "model_description/variables.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace mbfmu {
namespace {

constexpr std::uint32_t kindStride = 1'000'000;

struct SettingText {
  const char *name, *unit, *description;
};
constexpr SettingText settings[] = {
    {"solver.relativeTolerance", "", "relative error tolerance of the integrator"},
    {"solver.absoluteTolerance", "", "absolute error tolerance of the integrator, in SI units"},
    {"solver.maxStep", "s", "largest step of the integrator; 0: no limit"},
};
constexpr SettingText statistics[] = {
    {"solver.steps", "", "accepted steps since initialization"},
    {"solver.rejectedSteps", "", "rejected steps since initialization"},
    {"solver.newtonIterations", "", "Newton iterations since initialization"},
    {"solver.jacobians", "", "Jacobian evaluations since initialization"},
    {"solver.factorizations", "", "matrix factorizations since initialization"},
    {"solver.restarts", "", "cold starts since initialization"},
    {"solver.warmRestarts", "", "starts after a jump of an input or parameter that kept step size and factorization"},
    {"solver.stepSize", "s", "size of the last accepted step"},
};

// 0, which stands for "no limit", if the model file does not say.
double maxStepOf(const Model& model) {
  const auto found = model.solver.options.find("maxStep");
  if (found == model.solver.options.end()) return 0;
  const std::string& digits = found->second;
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return std::isfinite(value) && value > 0 ? value : 0;
}

Variable parameterVariable(std::string name, std::string description, std::string unit, double start, bool tunable,
                           Source source) {
  Variable result;
  result.name = std::move(name);
  result.description = std::move(description);
  result.unit = std::move(unit);
  result.causality = Causality::parameter;
  result.variability = tunable ? Variability::tunable : Variability::fixed;
  result.initial = Initial::exact;
  result.hasStart = true;
  result.start = start;
  result.source = source;
  return result;
}

void addInputsAndOutputs(const Model& model, VariableTable& table) {
  std::vector<std::uint32_t> inputs;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    Variable input;
    input.name = model.inputs[i].name;
    input.description = model.inputs[i].description;
    input.unit = model.inputs[i].unit;
    input.causality = Causality::input;
    input.hasStart = true;
    input.start = model.inputs[i].start;
    input.source = {SourceKind::input, static_cast<int>(i)};
    table.add(std::move(input));
    inputs.push_back(table.variables().back().valueReference);
  }
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    Variable output;
    output.name = model.outputs[i].name;
    output.description = model.outputs[i].description;
    output.unit = model.outputs[i].unit;
    output.causality = Causality::output;
    output.initial = Initial::calculated;
    output.source = {SourceKind::output, static_cast<int>(i)};
    output.dependencies = inputs;
    table.add(std::move(output));
  }
}

void addSolver(const Model& model, VariableTable& table) {
  const double starts[] = {model.solver.rtol, model.solver.atol, maxStepOf(model)};
  for (int i = 0; i < 3; ++i) {
    const SettingText& t = settings[i];
    table.add(parameterVariable(t.name, t.description, t.unit, starts[i], true, {SourceKind::setting, i}));
  }
  int index = 0;
  for (const SettingText& t : statistics) {
    Variable statistic;
    statistic.name = t.name;
    statistic.description = t.description;
    statistic.unit = t.unit;
    const bool real = static_cast<Statistic>(index) == Statistic::stepSize;
    statistic.type = real ? VariableType::float64 : VariableType::int64;
    statistic.causality = Causality::output;
    // Counters are whole numbers, which FMI does not let be continuous.
    statistic.variability = Variability::discrete;
    statistic.initial = Initial::calculated;
    statistic.source = {SourceKind::statistic, index++};
    table.add(std::move(statistic));
  }
}

}  // namespace

const char* text(VariableType type) { return type == VariableType::float64 ? "Float64" : "Int64"; }

const char* text(Causality causality) {
  constexpr const char* words[] = {"independent", "input", "output", "parameter"};
  return words[static_cast<std::size_t>(causality)];
}

const char* text(Variability variability) {
  constexpr const char* words[] = {"continuous", "discrete", "tunable", "fixed"};
  return words[static_cast<std::size_t>(variability)];
}

const char* text(Initial initial) {
  constexpr const char* words[] = {"", "exact", "calculated"};
  return words[static_cast<std::size_t>(initial)];
}

void VariableTable::add(Variable variable) {
  const auto kind = static_cast<std::size_t>(variable.source.kind);
  if (count_[kind] == 0) first_[kind] = variables_.size();
  variable.valueReference = static_cast<std::uint32_t>(kind * kindStride + count_[kind]++);
  variables_.push_back(std::move(variable));
}

const Variable* VariableTable::find(std::uint32_t valueReference) const {
  const std::size_t kind = valueReference / kindStride, index = valueReference % kindStride;
  if (kind >= kKinds || index >= count_[kind]) return nullptr;
  return &variables_[first_[kind] + index];
}

VariableTable describeVariables(const Model& model) {
  VariableTable table;
  Variable time;
  time.name = "time";
  time.description = "simulation time";
  time.unit = "s";
  table.add(std::move(time));
  addInputsAndOutputs(model, table);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Parameter& p = model.parameters[i];
    table.add(parameterVariable(p.name, p.description, p.unit, p.value, p.tunable,
                                {SourceKind::parameter, static_cast<int>(i)}));
  }
  addSolver(model, table);
  return table;
}

std::string instantiationToken(const Model& model, const VariableTable& table) {
  // FNV-1a (Fowler, Noll, Vo), 64 bits, run twice from different offsets.
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash[] = {0xcbf29ce484222325, 0x9ae16a3b2f90404f};
  const auto feed = [&](const std::string& data) {
    for (std::uint64_t& h : hash) {
      for (const char c : data) h = (h ^ static_cast<unsigned char>(c)) * prime;
      h = (h ^ 0xff) * prime;  // no UTF-8 text contains it: ends the string
    }
  };
  feed(model.text);
  for (const Variable& v : table.variables()) {
    feed(v.name);
    feed(std::to_string(v.valueReference));
    feed(v.unit);
    for (const char* word : {text(v.type), text(v.causality), text(v.variability), text(v.initial)}) feed(word);
  }
  constexpr char digits[] = "0123456789abcdef";
  std::string token = "{";
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) token += '-';
    token += digits[(hash[i / 16] >> (60 - 4 * (i % 16))) & 15];
  }
  return token + "}";
}

}  // namespace mbfmu
