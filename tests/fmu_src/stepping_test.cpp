// Steps of any size, steps that fail, intermediate updates, and values changed on the way.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

std::string with(std::string model, const std::string& old, const std::string& text) {
  model.replace(model.find(old), old.size(), text);
  return model;
}

// The torque has a pole at t = 0.5.
const std::string pole = with(pendulumText, R"("value": { "input": "torque" })", R"x("value": "torque/(0.5-time)")x");
// No torque exists after t = 0.5.
const std::string root =
    with(pendulumText, R"("value": { "input": "torque" })", R"x("value": "torque*sqrt(0.5-time)")x");

// In all, down to the last byte.
TEST(Steps, AnImpossibleOneIsDiscardedAndChangesNothing) {
  for (const Variant& variant : integratorVariants()) {
    for (const std::string& model : {pole, root}) {
      // The pole is narrow enough for a step to jump over it.
      if (model == pole && (variant.option != 0 || variant.fixedStep())) continue;
      Fmu fmu(true, model);
      choose(fmu, variant);
      ASSERT_EQ(fmu.set(torque, 0.1), fmi3OK);
      fmu.toStepMode();
      ASSERT_EQ(fmu.step(0, 0.3), fmi3OK);
      ASSERT_EQ(fmu.set(torque, 0.2), fmi3OK);  // not settled yet
      const Bytes before = save(fmu);
      EXPECT_EQ(fmu.step(0.3, 0.5), fmi3Discard) << variant.name;
      EXPECT_EQ(fmu.lastSuccessfulTime, 0.3);
      EXPECT_FALSE(fmu.earlyReturn);
      EXPECT_EQ(fmu.messages.size(), 1u);
      EXPECT_EQ(save(fmu), before) << variant.name;
      EXPECT_EQ(fmu.get(time), 0.3);
      // A smaller step works, with the bits of an instance that never tried the large one.
      Fmu twin(true, model);
      ASSERT_EQ(load(twin, before), fmi3OK);
      ASSERT_EQ(fmu.step(0.3, 0.1), fmi3OK);
      ASSERT_EQ(twin.step(0.3, 0.1), fmi3OK);
      EXPECT_EQ(save(fmu), save(twin)) << variant.name;
    }
  }
}

TEST(Steps, OfAnySize) {
  Fmu tiny, whole;
  tiny.toStepMode();
  whole.toStepMode();
  double t = 0;
  for (const double h : {1e-9, 1e-9, 1e-6, 0.1, 1e-9, 0.4}) {
    ASSERT_EQ(tiny.step(t, h), fmi3OK);
    t = tiny.lastSuccessfulTime;
  }
  ASSERT_EQ(whole.step(0, t), fmi3OK);
  EXPECT_NEAR(tiny.get(angle), whole.get(angle), 1e-7);
}

TEST(Parameters, ATunableOneActsLikeAnInputJump) {
  Fmu fmu, reference(true, with(pendulumText, R"("kd": { "value": 0.1)", R"("kd": { "value": 0.4)"));
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.5), fmi3OK);
  const double before = fmu.get(acceleration), position = fmu.get(angle);
  ASSERT_EQ(fmu.set(damping, 0.4), fmi3OK);
  EXPECT_GT(std::abs(fmu.get(acceleration) - before), 1e-2);  // at once
  EXPECT_NEAR(fmu.get(angle), position, 1e-8);
  ASSERT_EQ(fmu.step(0.5, 0.1), fmi3OK);
  // The old value again: in all as if it had never changed back and forth at one point.
  EXPECT_EQ(fmu.set(damping, -1), fmi3Error);
  EXPECT_EQ(fmu.get(damping), 0.4);
}

TEST(Parameters, WithEventModeTunableOnesChangeInEventModeOnly) {
  Fmu fmu(Wishes{.eventMode = true});
  fmu.toStepMode();
  ASSERT_EQ(fmu.set(damping, 0.3), fmi3OK);
  ASSERT_EQ(FMI(fmi3EnterStepMode)(fmu), fmi3OK);
  ASSERT_EQ(fmu.set(torque, 0.3), fmi3OK);
  ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
  ASSERT_EQ(FMI(fmi3EnterEventMode)(fmu), fmi3OK);
  ASSERT_EQ(fmu.set(damping, 0.2), fmi3OK);
  bool a = true, b = true, c = true, d = true, e = true;
  double t = 1;
  ASSERT_EQ(FMI(fmi3UpdateDiscreteStates)(fmu, &a, &b, &c, &d, &e, &t), fmi3OK);
  EXPECT_FALSE(a || b || c || d || e);
  ASSERT_EQ(FMI(fmi3EnterStepMode)(fmu), fmi3OK);
  ASSERT_EQ(fmu.step(0.1, 0.1), fmi3OK);
  EXPECT_EQ(fmu.set(damping, 0.3), fmi3Error);
}

// What an importer does in its updates.
struct Updates {
  std::vector<double> times, angles;
  double returnAt = 1e9;
  double (*torqueAt)(double) = nullptr;
};
void update(fmi3InstanceEnvironment environment, double t, bool setRequested, bool getAllowed, bool finished,
            bool canReturnEarly, bool* requested, double* returnTime) {
  Fmu& fmu = fmuOf(environment);
  auto& updates = *static_cast<Updates*>(fmu.data);
  EXPECT_TRUE(getAllowed && finished);
  updates.times.push_back(t);
  updates.angles.push_back(fmu.get(angle));
  if (setRequested && updates.torqueAt) {
    EXPECT_EQ(fmu.set(torque, updates.torqueAt(t)), fmi3OK);
  }
  if (canReturnEarly && t >= updates.returnAt) {
    *requested = true;
    *returnTime = t;
  }
}

TEST(IntermediateUpdate, ComesAtInternalStepsWithTheValuesThere) {
  Fmu fmu(Wishes{.intermediateVariables = {angle, torque}, .intermediateUpdate = update}), plain;
  Updates updates;
  fmu.data = &updates;
  fmu.toStepMode();
  plain.toStepMode();
  ASSERT_EQ(fmu.step(0, 1), fmi3OK);
  ASSERT_GT(updates.times.size(), 3u);
  EXPECT_EQ(updates.times.back(), 1);
  double t = 0;
  for (std::size_t i = 0; i < updates.times.size(); ++i) {
    ASSERT_GT(updates.times[i], t);
    ASSERT_EQ(plain.step(t, updates.times[i] - t), fmi3OK);
    t = plain.lastSuccessfulTime;
    EXPECT_NEAR(plain.get(angle), updates.angles[i], 1e-7);
  }
}

TEST(IntermediateUpdate, InputsSetOnTheWayAct) {
  const auto wave = [](double t) { return std::sin(5 * t); };
  Fmu fmu(Wishes{.intermediateVariables = {angle, torque}, .intermediateUpdate = update}), fine;
  Updates updates;
  updates.torqueAt = wave;
  fmu.data = &updates;
  ASSERT_EQ(fmu.set(maxStep, 1e-3), fmi3OK);
  fmu.toStepMode();
  fine.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.5), fmi3OK);
  for (int k = 0; k < 500; ++k) {
    ASSERT_EQ(fine.set(torque, wave(k * 1e-3)), fmi3OK);
    ASSERT_EQ(fine.step(k * 1e-3, 1e-3), fmi3OK);
  }
  EXPECT_NEAR(fmu.get(angle), fine.get(angle), 1e-4);
}

TEST(IntermediateUpdate, EarlyReturnWhereAskedForAndOnlyIfAllowed) {
  for (const bool allowed : {true, false}) {
    Fmu fmu(Wishes{.earlyReturn = allowed, .intermediateVariables = {angle}, .intermediateUpdate = update});
    Updates updates;
    updates.returnAt = 0.3;
    fmu.data = &updates;
    fmu.toStepMode();
    ASSERT_EQ(fmu.step(0, 1), fmi3OK);
    EXPECT_EQ(fmu.earlyReturn, allowed);
    EXPECT_EQ(fmu.lastSuccessfulTime, updates.times.back());
    if (!allowed) continue;
    EXPECT_LT(fmu.lastSuccessfulTime, 1);
    updates.returnAt = 1e9;
    ASSERT_EQ(fmu.step(fmu.lastSuccessfulTime, 0.2), fmi3OK);
    EXPECT_FALSE(fmu.earlyReturn);
  }
}

TEST(IntermediateUpdate, ADiscardedStepIsUndoneToo) {
  Fmu fmu(Wishes{.intermediateVariables = {angle}, .intermediateUpdate = update}, pole);
  Updates updates;
  fmu.data = &updates;
  ASSERT_EQ(fmu.set(torque, 0.1), fmi3OK);
  fmu.toStepMode();
  const double before = fmu.get(angle);
  EXPECT_EQ(fmu.step(0, 1), fmi3Discard);
  EXPECT_EQ(fmu.get(angle), before);
  EXPECT_EQ(fmu.step(0, 0.1), fmi3OK);
}

TEST(IntermediateUpdate, OtherVariablesAreRefused) {
  Fmu fmu(Wishes{.intermediateVariables = {torque}, .intermediateUpdate = update});
  Updates updates;
  fmu.data = &updates;
  fmu.toStepMode();
  bool a = false, b = false, c = false;
  double t = -1;
  testing::TestPartResultArray failures;
  {
    testing::ScopedFakeTestPartResultReporter reporter(&failures);
    EXPECT_EQ(FMI(fmi3DoStep)(fmu, 0, 0.1, true, &a, &b, &c, &t), fmi3OK);
  }
  EXPECT_GE(failures.size(), 2);  // the get in the update, and the step
}

}  // namespace
}  // namespace mbfmu::test
