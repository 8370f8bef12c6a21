#include "multibody/constants.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "multibody/json_object.h"

namespace mbfmu {

Constants::Constants() {
  for (double value : {0.0, 1.0, -1.0}) entries_.push_back({{Expression(value), ""}, Check::finite});
}

int Constants::add(const Scalar& scalar, Check check) {
  entries_.push_back({scalar, check});
  return static_cast<int>(entries_.size()) - 1;
}

std::array<int, 3> Constants::addDirection(const Scalar3& v, const std::string& path) {
  directions_.push_back({add(v), path});
  return directions_.back().components;
}

namespace {

std::string shortNumber(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <class T>
bool contains(const std::vector<T>& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const T& item) { return item.name == name; });
}

std::string notAParameter(const Model& model, const std::string& name) {
  const std::string text = "may use parameters only, not \"" + name + "\"";
  if (contains(model.inputs, name)) return text + ", which is an input";
  if (contains(model.states, name)) return text + ", which is a state";
  if (name == "time" || name.find('.') != std::string::npos) return text;
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  return unknownName("parameter", name, known);
}

}  // namespace

void Constants::resolve(const Model& model, Diagnostics& diagnostics) {
  for (Entry& entry : entries_) {
    bool usable = true;
    for (const std::string& name : entry.scalar.expression.names()) {
      const bool spoilt = diagnostics.spoilt(name);
      if (!spoilt && contains(model.parameters, name)) continue;
      if (!spoilt) diagnostics.error(entry.scalar.path, notAParameter(model, name));
      usable = false;
    }
    if (!usable) entry.scalar.expression = Expression(1.0);
  }
}

std::vector<double> Constants::evaluate(const Model& model, const std::vector<double>& parameters,
                                        std::vector<Problem>& problems) const {
  std::vector<double> values;
  values.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    const double value = mbfmu::evaluate(model, entry.scalar.expression, parameters);
    values.push_back(value);
    if (!std::isfinite(value)) {
      problems.push_back({entry.scalar.path, "is not a finite number; check the expression and its parameters"});
    } else if (entry.check == Check::positive && !(value > 0)) {
      problems.push_back({entry.scalar.path, "must be positive, is " + shortNumber(value)});
    } else if (entry.check == Check::nonNegative && value < 0) {
      problems.push_back({entry.scalar.path, "must not be negative, is " + shortNumber(value)});
    }
  }
  for (const Direction& direction : directions_) {
    const auto& c = direction.components;
    if (std::all_of(c.begin(), c.end(), [&](int i) { return values[static_cast<std::size_t>(i)] == 0; })) {
      problems.push_back({direction.path, "must not be zero; give a direction such as [1, 0]"});
    }
  }
  return values;
}

}  // namespace mbfmu
