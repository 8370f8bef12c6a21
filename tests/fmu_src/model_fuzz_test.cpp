// Damaged model files: refused with a message, or simulated; never a crash, hang or leak. MBFMU_FUZZ_CASES=10000 makes
// the long run.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iostream>

#include "fmu_src/instance.h"
#include "multibody/reader.h"
#include "tests/fmu_src/fuzz.h"
#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

// Where words, numbers and single marks begin and end.
std::vector<std::pair<std::size_t, std::size_t>> tokens(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  const auto part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (part(text[i]) && end < text.size() && part(text[end])) ++end;
    if (!std::isspace(static_cast<unsigned char>(text[i]))) result.emplace_back(i, end - i);
    i = end;
  }
  return result;
}

std::string damage(std::string text, Random& random) {
  static const std::vector<std::string> replacements = {"0",
                                                        "-1",
                                                        "1e308",
                                                        "-1e-308",
                                                        "NaN",
                                                        "null",
                                                        "true",
                                                        "\"\"",
                                                        "[]",
                                                        "{}",
                                                        "[1, 2, 3]",
                                                        "1e999",
                                                        "\"L\"",
                                                        "\"1/0\"",
                                                        "\"sqrt(-1)\"",
                                                        "\"time\"",
                                                        "ground",
                                                        "arm",
                                                        "A",
                                                        "body",
                                                        "pivot",
                                                        "\"pivot.angle\"",
                                                        "\xff\xfe",
                                                        "\\u0000",
                                                        "\"((((((1))))))\"",
                                                        "torque",
                                                        "2",
                                                        "spring",
                                                        "revolute",
                                                        "prismatic",
                                                        "rod",
                                                        "weld"};
  const auto all = tokens(text);
  const auto [at, length] = random.of(all);
  const auto [other, otherLength] = random.of(all);
  switch (random.below(10)) {
    case 0:
      return text.erase(at, length);
    case 1:
      return text.insert(at, text.substr(other, otherLength));
    case 2:
      return text.replace(at, length, text.substr(other, otherLength));
    case 3:
      text[random.below(text.size())] = static_cast<char>(random.below(256));
      return text;
    case 4:
      return text.substr(0, random.below(text.size()));
    case 5:  // a stretch twice
      return text.insert(at, text.substr(other, random.below(200)));
    case 6:
    case 7: {  // another number
      const std::size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos) text[digit] = static_cast<char>('0' + random.below(10));
      return text;
    }
    default:
      return text.replace(at, length, random.of(replacements));
  }
}

// True if the model could be instantiated.
bool use(const std::string& text, const std::string& folder) {
  std::ofstream(folder + "model.json", std::ios::binary) << text;
  Diagnostics diagnostics("model.json");
  const std::shared_ptr<const Model> model = readModel(text, diagnostics);
  EXPECT_EQ(model != nullptr, diagnostics.ok());
  EXPECT_EQ(model == nullptr, !diagnostics.text().empty());
  const std::string token = model ? instantiationToken(*model, describeVariables(*model)) : "{}";
  const auto instance = Instance::create(token, folder.c_str(), {}, Log(nullptr, nullptr, false));
  if (!instance) return false;
  EXPECT_EQ(instance->enterInitialization(false, 0, 0, false, 0), fmi3OK);
  if (instance->exitInitialization() != fmi3OK) return true;
  StepResult result;
  if (instance->doStep(0, 0.01, result) != fmi3OK) return true;
  for (std::size_t i = 0; i < model->outputs.size(); ++i) {
    const auto reference = static_cast<fmi3ValueReference>(2000000 + i);
    double value = 0;
    if (describeVariables(*model).find(reference)) instance->getFloat64(&reference, 1, &value, 1);
  }
  return true;
}

TEST(Fuzz, DamagedModels) {
  const Resources resources;
  std::vector<std::string> models;
  for (const char* name : {"two_link", "slider_crank", "quarter_car", "cart_pole"}) {
    std::string text = example(name);
    text.replace(text.find("\"rtol\""), 6, "\"maxSteps\": 300, \"rtol\"");
    models.push_back(text);
  }
  unsigned long usable = 0;
  const unsigned long cases = fuzzCases(1500);
  for (unsigned seed = 0; seed < cases && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::string text = random.of(models);
    for (std::size_t n = 1 + random.below(3); n > 0 && !text.empty(); --n) text = damage(text, random);
    if (use(text, resources.path())) ++usable;
  }
  // Some of the damage has to get past the reader, or the rest would not be tested.
  EXPECT_GT(usable, cases / 20);
  std::cout << usable << " of " << cases << " could be instantiated\n";
}

}  // namespace
}  // namespace mbfmu::test
