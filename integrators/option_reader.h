// Reads the options of an integrator from their texts, and remembers the first one that is wrong.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mbfmu {

using OptionTexts = std::map<std::string, std::string>;

class OptionReader {
 public:
  // Every option has a text.
  explicit OptionReader(const OptionTexts& texts) : texts_(texts) {}

  // The number if it is in [least, most], else least.
  int whole(const std::string& name, int least, int most);
  double number(const std::string& name, double least, double most);
  double notNegative(const std::string& name);
  // The place of the text among the choices, else 0.
  int choice(const std::string& name, const std::vector<std::string>& choices);

  void refuse(const std::string& problem);
  // Empty if all is well so far.
  const std::string& problem() const { return problem_; }

 private:
  const OptionTexts& texts_;
  std::string problem_;
};

// "a, b, c"
std::string commaSeparated(const std::vector<std::string>& names);

}  // namespace mbfmu
