#include "integrators/option_reader.h"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace mbfmu {
namespace {

// The whole text as a number, whatever the program's locale.
template <class Number>
bool parse(const std::string& text, Number& value) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  char rest = 0;
  return (in >> value) && !(in >> rest);
}

}  // namespace

const OptionValues& OptionReader::valuesOf(const std::string& name) const {
  const auto same = [&](const IntegratorOption& option) { return option.name == name; };
  const auto found = std::find_if(options_.begin(), options_.end(), same);
  if (found == options_.end()) throw std::logic_error("no option " + name);
  return found->values;
}

int OptionReader::whole(const std::string& name) {
  const OptionValues& may = valuesOf(name);
  const std::string& text = texts_.at(name);
  int value = 0;
  if (parse(text, value) && value >= may.least && value <= may.most) return value;
  refuse(name + ": must be a whole number, " + describe(may) + ", not \"" + text + "\"");
  return static_cast<int>(may.least);
}

double OptionReader::number(const std::string& name) {
  const OptionValues& may = valuesOf(name);
  const std::string& text = texts_.at(name);
  double value = 0;
  if (parse(text, value) && std::isfinite(value) && value >= may.least && value <= may.most) return value;
  refuse(name + ": must be a number, " + describe(may) + ", not \"" + text + "\"");
  return may.least;
}

int OptionReader::choice(const std::string& name) {
  const std::vector<std::string>& choices = valuesOf(name).choices;
  const std::string& text = texts_.at(name);
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i] == text) return static_cast<int>(i);
  refuse(name + ": unknown value \"" + text + "\"; known: " + describe(valuesOf(name)));
  return 0;
}

void OptionReader::refuse(const std::string& problem) {
  if (problem_.empty()) problem_ = problem;
}

std::string commaSeparated(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace mbfmu
