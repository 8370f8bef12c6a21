// Hostile model files: thousands of random changes to the examples. Each ends in a model or in a message, never in a
// crash.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "multibody/initial_conditions.h"
#include "multibody/json_text.h"
#include "multibody/reader.h"

using namespace mbfmu;

namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  Json operator()(Json document) {
    for (int changes = 1 + pick(3); changes > 0; --changes) change(document);
    return document;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // A random place below the node.
  Json& place(Json& node, bool inside = false) {
    if (!node.is_structured() || node.empty() || (inside && pick(4) == 0)) return node;
    auto item = node.begin();
    std::advance(item, pick(static_cast<int>(node.size())));
    return place(*item, true);
  }

  void change(Json& document) {
    static const Json values =
        Json::parse(R"json([null, true, [], {}, "", "x", -1, 0, 1, 1e308, -1e308, 1e-308, "1e999", "1/0",
      "time", "((", "-(-(-1))", [[[[1]]]], {"input": "u"}, "ground", "ground.O", ["ground", "ground"], "\u0000é", "a.b.c",
      "sqrt(-1)", "log(0)", 18446744073709551615, "energy.total", "min(1)", "rigid", "point"])json");
    Json& target = place(document);
    switch (pick(3)) {
      case 0:
        target = values[static_cast<std::size_t>(pick(static_cast<int>(values.size())))];
        break;
      case 1: {
        const Json other = place(document);
        target = other;
        break;
      }
      default:
        if (target.is_object() && !target.empty()) {
          target.erase(target.begin().key());
        } else if (target.is_array()) {
          target.push_back(1);
        } else {
          target = values[static_cast<std::size_t>(pick(static_cast<int>(values.size())))];
        }
    }
  }

  std::mt19937 random_;
};

TEST(Mutations, EndInAModelOrAMessage) {
  int refused = 0, read = 0;
  unsigned seed = 1;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"/examples", "/tests/multibody/models"}) {
    for (const auto& entry : std::filesystem::directory_iterator(MBFMU_SOURCE_DIR + std::string(folder))) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    Diagnostics none("model");
    const Json document = parseJson(text.str(), none);
    Mutator mutate(seed++);
    const int count = text.str().size() > 20000 ? 10 : 100;
    for (int i = 0; i < count; ++i) {
      const std::string mutant = mutate(document).dump();
      Diagnostics diagnostics("model");
      const auto model = readModel(mutant, diagnostics);
      EXPECT_EQ(model == nullptr, !diagnostics.ok()) << mutant;
      if (!model) {
        EXPECT_FALSE(diagnostics.text().empty());
        ++refused;
        continue;
      }
      const auto mechanism = Mechanism::build(model, diagnostics);
      ASSERT_TRUE(mechanism) << mutant;
      const InitialConditions initial = findInitialConditions(*mechanism, model->experiment.start);
      EXPECT_EQ(initial.ok, initial.problem.empty()) << mutant;
      ++read;
    }
  }
  EXPECT_GT(refused, 300);
  EXPECT_GT(read, 50);
}

}  // namespace
