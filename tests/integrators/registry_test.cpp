#include <gtest/gtest.h>

#include "integrators/integrator_registry.h"

namespace mbfmu {
namespace {

TEST(Registry, MakesEveryIntegratorWithItsDefaults) {
  for (const IntegratorInfo& info : integrators()) {
    std::map<std::string, std::string> options;
    for (const IntegratorOption& option : info.options) options[option.name] = option.defaultValue;
    std::string problem;
    EXPECT_TRUE(makeIntegrator(info.name, options, problem)) << problem;
    EXPECT_TRUE(makeIntegrator(info.name, {}, problem)) << problem;
  }
}

TEST(Registry, NamesWhatIsWrongAndWhatIsKnown) {
  std::string problem;
  const auto refuses = [&](const std::string& name, const std::map<std::string, std::string>& options) {
    return !makeIntegrator(name, options, problem);
  };
  EXPECT_TRUE(refuses("euler", {}));
  EXPECT_NE(problem.find("\"euler\"; known: lstable, bdf, generalized-alpha"), std::string::npos) << problem;
  EXPECT_TRUE(refuses("lstable", {{"order", "3"}}));
  EXPECT_NE(problem.find("\"order\"; known: r, nodes"), std::string::npos) << problem;
  EXPECT_TRUE(refuses("lstable", {{"r", "9"}}));
  EXPECT_TRUE(refuses("lstable", {{"r", "3x"}}));
  EXPECT_TRUE(refuses("lstable", {{"nodes", "lobatto"}}));
  EXPECT_NE(problem.find("chebyshev"), std::string::npos) << problem;
  EXPECT_TRUE(refuses("lstable", {{"fixedStep", "-1"}}));
  EXPECT_NE(problem.find("must be a number, at least 0, not \"-1\""), std::string::npos) << problem;
  EXPECT_TRUE(refuses("lstable", {{"fixedStep", "inf"}}));
  EXPECT_TRUE(refuses("lstable", {{"pade", "r"}, {"index", "3"}}));
  EXPECT_TRUE(refuses("lstable", {{"pade", "r-2"}, {"r", "2"}}));
  EXPECT_TRUE(refuses("generalized-alpha", {{"rho", "1.1"}}));
  EXPECT_NE(problem.find("generalized-alpha: rho: must be a number, 0 to 1, not \"1.1\""), std::string::npos)
      << problem;
  EXPECT_TRUE(refuses("generalized-alpha", {{"rho", "-0.1"}}));
  EXPECT_TRUE(refuses("generalized-alpha", {{"rho", "nan"}}));
  EXPECT_TRUE(refuses("generalized-alpha", {{"variant", "hht"}, {"rho", "0.4"}}));
  EXPECT_TRUE(refuses("generalized-alpha", {{"index", "1"}}));
  EXPECT_TRUE(refuses("generalized-alpha", {{"r", "5"}}));
}

TEST(Registry, ChecksTolerancesAndLimits) {
  EXPECT_EQ(check(Tolerances{}), "");
  EXPECT_EQ(check(Limits{}), "");
  EXPECT_NE(check(Tolerances{.rtol = 0}), "");
  EXPECT_NE(check(Tolerances{.atolVelocity = -1}), "");
  EXPECT_NE(check(Limits{.maxStep = 0}), "");
  EXPECT_NE(check(Limits{.maxStep = 1, .minStep = 2}), "");
  EXPECT_NE(check(Limits{.maxSteps = 0}), "");
}

}  // namespace
}  // namespace mbfmu
