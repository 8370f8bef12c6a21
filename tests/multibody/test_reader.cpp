// The reader beyond the content of a file; broken files are in test_broken_models.cpp.
#include <gtest/gtest.h>

#include <numbers>

#include "multibody/reader.h"

using namespace mbfmu;

namespace {

std::string model(const std::string& bodies, const std::string& rest = "") {
  return R"({"name": "t", "space": "planar", "bodies": {)" + bodies + "}" + (rest.empty() ? "" : ", " + rest) + "}";
}
const std::string kBody = R"("a": {"mass": 1, "inertia": 1, "markers": {"p": [0, 0]}})";

TEST(Reader, MissingFile) {
  Diagnostics diagnostics("nowhere.json");
  EXPECT_FALSE(readModelFile("nowhere.json", diagnostics));
  EXPECT_NE(diagnostics.text().find("nowhere.json: cannot be read"), std::string::npos);
}

TEST(Reader, Override) {
  const std::string text = model(kBody, R"("parameters": {"L": {"value": 1, "unit": "m"}}, "solver": {"rtol": 1e-4})");
  Diagnostics diagnostics("x.json");
  const auto changed = readModel(
      overrideModel(text, {{"parameters.L", "2*pi"}, {"solver.rtol", "1e-9"}, {"experiment.stop", "7"}}, diagnostics),
      diagnostics);
  ASSERT_TRUE(changed) << diagnostics.text();
  EXPECT_NEAR(changed->parameters[0].value, 2 * std::numbers::pi, 1e-15);
  EXPECT_EQ(changed->parameters[0].unit, "m");
  EXPECT_EQ(changed->solver.rtol, 1e-9);
  EXPECT_EQ(changed->experiment.stop, 7);
  overrideModel(text, {{"parameters.M", "1"}}, diagnostics);
  EXPECT_FALSE(diagnostics.ok());
}

}  // namespace
