#include "integrators/option_reader.h"

#include <cmath>
#include <locale>
#include <sstream>

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

std::string plain(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

}  // namespace

int OptionReader::whole(const std::string& name, int least, int most) {
  const std::string& text = texts_.at(name);
  int value = 0;
  if (parse(text, value) && value >= least && value <= most) return value;
  refuse(name + ": \"" + text + "\" is not a whole number from " + std::to_string(least) + " to " +
         std::to_string(most));
  return least;
}

double OptionReader::number(const std::string& name, double least, double most) {
  const std::string& text = texts_.at(name);
  double value = 0;
  if (parse(text, value) && value >= least && value <= most) return value;
  refuse(name + ": \"" + text + "\" is not a number from " + plain(least) + " to " + plain(most));
  return least;
}

double OptionReader::notNegative(const std::string& name) {
  const std::string& text = texts_.at(name);
  double value = 0;
  if (parse(text, value) && value >= 0 && std::isfinite(value)) return value;
  refuse(name + ": \"" + text + "\" is not a number of at least 0");
  return 0;
}

int OptionReader::choice(const std::string& name, const std::vector<std::string>& choices) {
  const std::string& text = texts_.at(name);
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i] == text) return static_cast<int>(i);
  refuse(name + ": unknown value \"" + text + "\"; known: " + commaSeparated(choices));
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
