#include "model_description/variables.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model_description/dependencies.h"
#include "model_description/output_description.h"
#include "model_description/solver_variables.h"
#include "multibody/paths.h"

namespace mbfmu {
namespace {

constexpr std::uint32_t kindStride = 1'000'000;

// "force" and true for "force[k]".
bool isElement(const std::string& name, std::size_t k, std::string& base) {
  const std::string suffix = "[" + std::to_string(k) + "]";
  if (!name.ends_with(suffix)) return false;
  base = name.substr(0, name.size() - suffix.size());
  return !base.empty();
}

// How many of the list from `first` on are the elements of one vector; 1 if it is none.
template <class List>
std::size_t vectorSize(const List& list, std::size_t first, Vectors vectors, std::string& base) {
  base = list[first].name;
  if (vectors == Vectors::scalars || !isElement(list[first].name, 1, base)) return 1;
  std::size_t size = 1;
  std::string other;
  const auto sameType = [&](std::size_t i) {
    if constexpr (requires { list[i].type; }) return list[i].type == list[first].type;
    return true;
  };
  while (first + size < list.size() && sameType(first + size) && isElement(list[first + size].name, size + 1, other) &&
         other == base && list[first + size].unit == list[first].unit) {
    ++size;
  }
  if (size == 1) base = list[first].name;
  return size;
}

// Booleans and integers change at events only.
void setType(ValueType type, Variable& variable) {
  if (type == ValueType::real) return;
  variable.type = type == ValueType::boolean ? VariableType::boolean : VariableType::int64;
  variable.variability = Variability::discrete;
}

// The type of an output that is a discrete state or a mode as it is, none of the others.
std::optional<ValueType> discreteType(const Model& model, const std::vector<NamedPath>& paths, const Output& output) {
  const std::string name = output.expression.expression.singleName();
  const auto found = std::find_if(paths.begin(), paths.end(), [&](const NamedPath& path) { return path.name == name; });
  if (name.empty() || found == paths.end()) return std::nullopt;
  if (found->what == NamedPath::What::discrete) return model.discrete[static_cast<std::size_t>(found->index)].type;
  if (found->what == NamedPath::What::closed || found->what == NamedPath::What::sticking) return ValueType::boolean;
  return std::nullopt;
}

template <class List>
void addSignals(const List& list, SourceKind kind, Vectors vectors, VariableTable& table,
                const std::vector<std::string>& descriptions, const std::vector<std::vector<int>>& dependencies,
                const std::vector<std::optional<ValueType>>& discrete) {
  for (std::size_t i = 0, size = 1; i < list.size(); i += size) {
    Variable variable;
    size = vectorSize(list, i, vectors, variable.name);
    variable.size = static_cast<int>(size);
    variable.description = descriptions[i];
    variable.unit = list[i].unit;
    variable.source = {kind, static_cast<int>(i)};
    if constexpr (requires { list[i].start; }) {
      variable.causality = Causality::input;
      setType(list[i].type, variable);
      variable.hasStart = true;
      variable.start = list[i].start;
      for (std::size_t k = 0; k < size; ++k) variable.startValues.push_back(list[i + k].start);
    } else {
      variable.causality = Causality::output;
      variable.initial = Initial::calculated;
      if (discrete[i] && size == 1) {
        variable.variability = Variability::discrete;
        setType(*discrete[i], variable);
      }
      for (std::size_t k = 0; k < size; ++k) {
        for (const int input : dependencies[i + k]) {
          const std::uint32_t reference = table.find(SourceKind::input, input)->valueReference;
          if (std::find(variable.dependencies.begin(), variable.dependencies.end(), reference) ==
              variable.dependencies.end()) {
            variable.dependencies.push_back(reference);
          }
        }
      }
      std::sort(variable.dependencies.begin(), variable.dependencies.end());
    }
    table.add(std::move(variable));
  }
}

}  // namespace

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

const char* text(VariableType type) {
  constexpr const char* words[] = {"Float64", "Int64", "Enumeration", "Boolean"};
  return words[static_cast<std::size_t>(type)];
}

const char* text(Causality causality) {
  constexpr const char* words[] = {"independent", "input", "output", "parameter", "local"};
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
  const auto index = static_cast<std::size_t>(variable.source.index);
  variable.valueReference = static_cast<std::uint32_t>(kind * kindStride + index);
  // The further elements of an array have no value reference of their own.
  places_[kind].resize(index + static_cast<std::size_t>(variable.size), kNone);
  places_[kind][index] = variables_.size();
  variables_.push_back(std::move(variable));
}

const Variable* VariableTable::find(std::uint32_t valueReference) const {
  const std::size_t kind = valueReference / kindStride, index = valueReference % kindStride;
  if (kind >= kKinds || index >= places_[kind].size() || places_[kind][index] == kNone) return nullptr;
  return &variables_[places_[kind][index]];
}

const Variable* VariableTable::find(SourceKind kind, int index) const {
  const auto& places = places_[static_cast<std::size_t>(kind)];
  auto i = static_cast<std::size_t>(index);
  if (i >= places.size()) return nullptr;
  while (places[i] == kNone) --i;
  return &variables_[places[i]];
}

VariableTable describeVariables(const Model& model, Vectors vectors) {
  VariableTable table;
  Variable time;
  time.name = "time";
  time.description = "simulation time";
  time.unit = "s";
  table.add(std::move(time));
  std::vector<std::string> descriptions;
  for (const Input& input : model.inputs) descriptions.push_back(input.description);
  addSignals(model.inputs, SourceKind::input, vectors, table, descriptions, {}, {});
  const OutputDescriptions words(model);
  descriptions.clear();
  const std::vector<NamedPath> paths = namedPaths(model);
  std::vector<std::optional<ValueType>> discrete;
  for (const Output& output : model.outputs) {
    descriptions.push_back(words.of(output));
    discrete.push_back(discreteType(model, paths, output));
  }
  addSignals(model.outputs, SourceKind::output, vectors, table, descriptions, inputsBehindOutputs(model), discrete);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Parameter& p = model.parameters[i];
    table.add(parameterVariable(p.name, p.description, p.unit, p.value, p.tunable,
                                {SourceKind::parameter, static_cast<int>(i)}));
  }
  addSolverVariables(model, table);
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
    feed(std::to_string(v.size));
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
