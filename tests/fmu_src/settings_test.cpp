// Settings of the integrator through the FMU: chosen before the run, tuned in it.
#include <gtest/gtest.h>

#include <cmath>

#include "integrators/integrator_registry.h"
#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

long count(Fmu& fmu, fmi3ValueReference reference) { return std::lround(fmu.get(reference)); }

constexpr fmi3ValueReference restarts = 5000005, warmRestarts = 5000006, stepSize = 5000009;

// Steps in [1, 2] after a run to 1, with the settings changed between.
long stepsAfter(const Variant& variant, double rtolBefore, double rtolAfter, double maxStepAfter = 0) {
  Fmu fmu;
  choose(fmu, variant);
  EXPECT_EQ(fmu.set(relativeTolerance, rtolBefore), fmi3OK);
  EXPECT_EQ(fmu.set(absoluteTolerance, rtolBefore), fmi3OK);
  fmu.toStepMode();
  EXPECT_EQ(fmu.step(0, 1), fmi3OK);
  const long before = count(fmu, steps);
  EXPECT_EQ(fmu.set(relativeTolerance, rtolAfter), fmi3OK);
  EXPECT_EQ(fmu.set(absoluteTolerance, rtolAfter), fmi3OK);
  EXPECT_EQ(fmu.set(maxStep, maxStepAfter), fmi3OK);
  EXPECT_EQ(fmu.step(1, 1), fmi3OK);
  EXPECT_EQ(count(fmu, restarts), 1) << variant.name;
  EXPECT_EQ(count(fmu, warmRestarts), 0) << variant.name;
  EXPECT_TRUE(maxStepAfter == 0 || fmu.get(stepSize) <= maxStepAfter);
  return count(fmu, steps) - before;
}

TEST(Settings, TunableOnesTakeEffectAtTheNextStepWithoutARestart) {
  for (const Variant& variant : integratorVariants()) {
    if (variant.fixedStep()) continue;
    const long loose = stepsAfter(variant, 1e-4, 1e-4), tight = stepsAfter(variant, 1e-4, 1e-9);
    EXPECT_GT(2 * tight, 3 * loose) << variant.name;
    EXPECT_LT(3 * stepsAfter(variant, 1e-9, 1e-4), 2 * tight) << variant.name;
    // The step under way may be one that was begun before.
    const long short1 = stepsAfter(variant, 1e-4, 1e-4, 0.004);
    EXPECT_GT(short1, 150) << variant.name;
    EXPECT_LT(short1, 300) << variant.name;
  }
}

TEST(Settings, TheIntegratorCanBeSwitchedInInitializationMode) {
  Fmu fmu;
  fmu.initialise();
  fmu.get(angle);
  fmi3Int64 choice = 2, none = 99;
  const fmi3ValueReference orderReference = 5000008;
  ASSERT_EQ(FMI(fmi3SetInt64)(fmu, &integratorChoice, 1, &choice, 1), fmi3OK) << fmu.messages.front();
  ASSERT_EQ(FMI(fmi3ExitInitializationMode)(fmu), fmi3OK);
  ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
  EXPECT_LE(fmu.get(orderReference), 6);                                           // not the block method's nine
  EXPECT_EQ(FMI(fmi3SetInt64)(fmu, &integratorChoice, 1, &choice, 1), fmi3Error);  // fixed
  Fmu wrong;
  EXPECT_EQ(FMI(fmi3SetInt64)(wrong, &integratorChoice, 1, &none, 1), fmi3Error);
}

// Of the block method: the kind of nodes (choices count from 1) and the numerator; of generalized-alpha: rho.
constexpr fmi3ValueReference blockKind = 7000001, blockPade = 7000002, alphaRho = 7000011;

TEST(Settings, OptionsOfAnIntegratorHaveTypes) {
  const fmi3ValueReference both[] = {blockNodes, blockKind};
  const fmi3Int64 values[] = {3, 2};
  fmi3Int64 got[2] = {};
  Fmu fmu;
  ASSERT_EQ(FMI(fmi3SetInt64)(fmu, both, 2, values, 2), fmi3OK) << fmu.messages.front();
  ASSERT_EQ(fmu.set(alphaRho, 0.25), fmi3OK);
  fmu.toStepMode();
  ASSERT_EQ(FMI(fmi3GetInt64)(fmu, both, 2, got, 2), fmi3OK);
  EXPECT_EQ(got[0], 3);
  EXPECT_EQ(got[1], 2);
  EXPECT_EQ(fmu.get(alphaRho), 0.25);
  EXPECT_EQ(FMI(fmi3SetInt64)(fmu, both, 2, values, 2), fmi3Error);  // fixed

  const std::pair<fmi3ValueReference, fmi3Int64> wrong[] = {{blockNodes, 30}, {blockKind, 0}, {blockKind, 5}};
  for (const auto& [reference, value] : wrong) {
    Fmu other;
    EXPECT_EQ(FMI(fmi3SetInt64)(other, &reference, 1, &value, 1), fmi3Error) << reference << ' ' << value;
    EXPECT_FALSE(other.messages.empty());
  }
  Fmu other;
  EXPECT_EQ(other.set(alphaRho, 1.5), fmi3Error);
}

// Two nodes with a numerator of degree r-2 make no integrator, whichever comes first.
TEST(Settings, OptionsHaveToMakeSenseTogether) {
  const fmi3ValueReference both[] = {blockPade, blockNodes};
  const fmi3Int64 good[] = {3, 4}, bad[] = {3, 2};
  Fmu fmu;
  EXPECT_EQ(FMI(fmi3SetInt64)(fmu, both, 2, good, 2), fmi3OK);
  EXPECT_EQ(FMI(fmi3SetInt64)(fmu, both, 2, bad, 2), fmi3Error);
}

}  // namespace
}  // namespace mbfmu::test
