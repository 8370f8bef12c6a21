// States saved and restored, and instances side by side: the same bits.
#include <gtest/gtest.h>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

double input(int k) { return k % 3 == 0 ? 0.1 * k : 1.0; }

std::vector<double> run(Fmu& fmu, int from, int to) {
  std::vector<double> values;
  for (int k = from; k < to; ++k) {
    EXPECT_EQ(fmu.set(torque, input(k)), fmi3OK);
    EXPECT_EQ(fmu.step(0.01 * k, 0.01), fmi3OK);
    values.push_back(fmu.get(angle));
    values.push_back(fmu.get(acceleration));
  }
  return values;
}

TEST(RollBack, RepeatsBitForBit) {
  Fmu fmu;
  fmu.toStepMode();
  for (int k = 0; k < 60; k += 6) {
    fmi3FMUState state = nullptr;
    ASSERT_EQ(FMI(fmi3GetFMUState)(fmu, &state), fmi3OK);
    const auto first = run(fmu, k, k + 6);
    ASSERT_EQ(FMI(fmi3SetFMUState)(fmu, state), fmi3OK);
    EXPECT_EQ(first, run(fmu, k, k + 6));
    ASSERT_EQ(FMI(fmi3FreeFMUState)(fmu, &state), fmi3OK);
    EXPECT_EQ(state, nullptr);
  }
}

TEST(RollBack, BringsATerminatedInstanceBackAndRefusesForeignStates) {
  Fmu fmu, other;
  fmu.toStepMode();
  fmi3FMUState state = nullptr;
  ASSERT_EQ(FMI(fmi3GetFMUState)(fmu, &state), fmi3OK);
  EXPECT_EQ(fmu.step(7, 1), fmi3Error);
  EXPECT_EQ(FMI(fmi3SetFMUState)(fmu, state), fmi3OK);
  EXPECT_EQ(fmu.step(0, 0.1), fmi3OK);
  EXPECT_EQ(FMI(fmi3SetFMUState)(other, state), fmi3Error);
}

TEST(Reset, StartsOverBitForBit) {
  Fmu fmu;
  fmu.toStepMode();
  const auto first = run(fmu, 0, 20);
  ASSERT_EQ(FMI(fmi3Reset)(fmu), fmi3OK);
  fmu.toStepMode();
  EXPECT_EQ(first, run(fmu, 0, 20));
}

TEST(Instances, InterleavedGiveWhatEachGivesAlone) {
  Fmu alone, a, b;
  alone.toStepMode();
  const auto expected = run(alone, 0, 20);
  a.toStepMode();
  b.toStepMode();
  std::vector<double> fromA, fromB;
  for (int k = 0; k < 20; ++k) {
    for (const double value : run(a, k, k + 1)) fromA.push_back(value);
    for (const double value : run(b, k, k + 1)) fromB.push_back(value);
  }
  EXPECT_EQ(fromA, expected);
  EXPECT_EQ(fromB, expected);
}

}  // namespace
}  // namespace mbfmu::test
