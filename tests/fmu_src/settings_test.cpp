// Settings of the integrator through the FMU: chosen before the run, tuned in it.
#include <gtest/gtest.h>

#include "integrators/integrator_registry.h"
#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

fmi3Int64 count(Fmu& fmu, fmi3ValueReference reference) {
  fmi3Int64 value = -1;
  EXPECT_EQ(FMI(fmi3GetInt64)(fmu, &reference, 1, &value, 1), fmi3OK);
  return value;
}

constexpr fmi3ValueReference restarts = 5000005, warmRestarts = 5000006, stepSize = 5000009;

// Steps in [1, 2] after a run to 1, with the settings changed between.
fmi3Int64 stepsAfter(const Variant& variant, double rtolBefore, double rtolAfter, double maxStepAfter = 0) {
  Fmu fmu;
  choose(fmu, variant);
  EXPECT_EQ(fmu.set(relativeTolerance, rtolBefore), fmi3OK);
  EXPECT_EQ(fmu.set(absoluteTolerance, rtolBefore), fmi3OK);
  fmu.toStepMode();
  EXPECT_EQ(fmu.step(0, 1), fmi3OK);
  const fmi3Int64 before = count(fmu, steps);
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
    const fmi3Int64 loose = stepsAfter(variant, 1e-4, 1e-4), tight = stepsAfter(variant, 1e-4, 1e-9);
    EXPECT_GT(2 * tight, 3 * loose) << variant.name;
    EXPECT_LT(3 * stepsAfter(variant, 1e-9, 1e-4), 2 * tight) << variant.name;
    // The step under way may be one that was begun before.
    const fmi3Int64 short1 = stepsAfter(variant, 1e-4, 1e-4, 0.004);
    EXPECT_GT(short1, 150) << variant.name;
    EXPECT_LT(short1, 300) << variant.name;
  }
}

TEST(Settings, TheIntegratorCanBeSwitchedInInitializationMode) {
  Fmu fmu;
  fmu.initialise();
  fmu.get(angle);
  fmi3Int64 choice = 2, order = 0, none = 99;
  const fmi3ValueReference orderReference = 5000008;
  ASSERT_EQ(FMI(fmi3SetInt64)(fmu, &integratorChoice, 1, &choice, 1), fmi3OK) << fmu.messages.front();
  ASSERT_EQ(FMI(fmi3ExitInitializationMode)(fmu), fmi3OK);
  ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
  ASSERT_EQ(FMI(fmi3GetInt64)(fmu, &orderReference, 1, &order, 1), fmi3OK);
  EXPECT_LE(order, 6);                                                             // not the block method's nine
  EXPECT_EQ(FMI(fmi3SetInt64)(fmu, &integratorChoice, 1, &choice, 1), fmi3Error);  // fixed
  Fmu wrong;
  EXPECT_EQ(FMI(fmi3SetInt64)(wrong, &integratorChoice, 1, &none, 1), fmi3Error);
}

TEST(Settings, OptionsOfAnIntegratorAreTexts) {
  Fmu fmu;
  fmi3String value = "3", got = nullptr, wrong = "30";
  ASSERT_EQ(FMI(fmi3SetString)(fmu, &blockNodes, 1, &value, 1), fmi3OK) << fmu.messages.front();
  fmu.toStepMode();
  ASSERT_EQ(FMI(fmi3GetString)(fmu, &blockNodes, 1, &got, 1), fmi3OK);
  EXPECT_STREQ(got, "3");
  Fmu other;
  EXPECT_EQ(FMI(fmi3SetString)(other, &blockNodes, 1, &wrong, 1), fmi3Error);
}

}  // namespace
}  // namespace mbfmu::test
