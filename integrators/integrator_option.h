// The options of integrators as data: the command line lists them, the reader checks against them, and an FMU shows
// each as a variable of its own type.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace mbfmu {

struct OptionValues {
  enum class Kind { choice, whole, number };
  Kind kind = Kind::number;
  std::vector<std::string> choices;  // of a choice
  double least = 0, most = std::numeric_limits<double>::infinity();
};

inline OptionValues oneOf(std::vector<std::string> choices) {
  return {OptionValues::Kind::choice, std::move(choices), 0, 0};
}
inline OptionValues wholeNumber(int least, int most) {
  return {OptionValues::Kind::whole, {}, static_cast<double>(least), static_cast<double>(most)};
}
// Infinity itself is never a value.
inline OptionValues realNumber(double least, double most = std::numeric_limits<double>::infinity()) {
  return {OptionValues::Kind::number, {}, least, most};
}

// "2 to 8", "radau, legendre", "at least 0".
std::string describe(const OptionValues& values);

struct IntegratorOption {
  std::string name, description, defaultValue;
  OptionValues values;
};

}  // namespace mbfmu
