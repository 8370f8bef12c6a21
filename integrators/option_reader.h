// Reads the options of an integrator from their texts, and remembers the first one that is wrong.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "integrators/integrator_option.h"

namespace mbfmu {

using OptionTexts = std::map<std::string, std::string>;

class OptionReader {
 public:
  // Every option has a text.
  OptionReader(const std::vector<IntegratorOption>& options, const OptionTexts& texts)
      : options_(options), texts_(texts) {}

  // The number if the option may have it, else the least one.
  int whole(const std::string& name);
  double number(const std::string& name);
  // The place of the text among the choices, else 0.
  int choice(const std::string& name);

  void refuse(const std::string& problem);
  // Empty if all is well so far.
  const std::string& problem() const { return problem_; }

 private:
  const OptionValues& valuesOf(const std::string& name) const;

  const std::vector<IntegratorOption>& options_;
  const OptionTexts& texts_;
  std::string problem_;
};

// "a, b, c"
std::string commaSeparated(const std::vector<std::string>& names);

}  // namespace mbfmu
