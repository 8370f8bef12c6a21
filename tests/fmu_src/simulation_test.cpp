#include "fmu_src/simulation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

Source source(Setting setting) { return {SourceKind::setting, static_cast<int>(setting)}; }
std::string set(Simulation& simulation, Setting setting, double value) {
  return simulation.change(std::array{Change{source(setting), value}});
}

std::unique_ptr<Simulation> start() {
  Diagnostics diagnostics("pendulum");
  auto simulation = Simulation::create(pendulum(), diagnostics);
  EXPECT_TRUE(simulation) << diagnostics.text();
  EXPECT_EQ(simulation->initialise(0), "");
  return simulation;
}

// The joint's angle at the end of a run in which the torque steps at t = 0.5.
double endAngle(int points) {
  const auto simulation = start();
  for (int k = 0; k < points; ++k) {
    simulation->setInput(0, 2 * k >= points ? 1.0 : 0.0);
    EXPECT_EQ(simulation->advanceTo(static_cast<double>(k + 1) / points), "");
  }
  return simulation->outputs()[0];
}

TEST(Simulation, ResultsDoNotFollowTheCommunicationStep) {
  const double reference = endAngle(2);
  EXPECT_NEAR(endAngle(10), reference, 1e-6);
  EXPECT_NEAR(endAngle(100), reference, 1e-6);
}

TEST(Simulation, CommunicationPointsCostNothingWhileNothingChanges) {
  const auto coarse = start(), fine = start();
  ASSERT_EQ(coarse->advanceTo(1), "");
  for (int k = 1; k <= 1000; ++k) ASSERT_EQ(fine->advanceTo(k / 1000.0), "");
  EXPECT_EQ(coarse->statistics().steps, fine->statistics().steps);
  EXPECT_EQ(coarse->outputs()[0], fine->outputs()[0]);
}

TEST(Simulation, AChangedInputActsAtOnceOnTheRates) {
  const auto simulation = start();
  ASSERT_EQ(simulation->advanceTo(0.35), "");
  const Vector before = simulation->rates().a;
  const Vector position = simulation->state().q;
  simulation->setInput(0, 2);
  EXPECT_GT((simulation->rates().a - before).norm(), 0.1);
  EXPECT_LT((simulation->state().q - position).norm(), 1e-6);
  // Set and set back: no change.
  const long restarts = simulation->statistics().warmRestarts;
  simulation->setInput(0, 3);
  simulation->setInput(0, 2);
  ASSERT_EQ(simulation->advanceTo(0.4), "");
  EXPECT_EQ(simulation->statistics().warmRestarts, restarts);
}

// Between the ends of long steps too, accelerations satisfy the equations: J alpha = -kd omega - m g L cos(theta).
TEST(Simulation, AccelerationsAreThoseOfTheEquations) {
  const auto simulation = start();
  for (int k = 1; k <= 200; ++k) {
    ASSERT_EQ(simulation->advanceTo(k / 100.0), "");
    const double theta = simulation->outputs()[0], omega = simulation->state().v[2], J = 0.25 * (1.0 / 3 + 1);
    EXPECT_NEAR(simulation->rates().a[2], (-0.1 * omega - 9.81 * 0.5 * std::cos(theta)) / J, 1e-9) << k;
  }
}

TEST(Simulation, AFailedAdvanceChangesNothing) {
  Diagnostics diagnostics("pendulum");
  const auto simulation = Simulation::create(pendulum(), diagnostics);
  ASSERT_EQ(simulation->setSolverOption("maxSteps", "20"), "");
  ASSERT_EQ(simulation->initialise(0), "");
  ASSERT_EQ(simulation->advanceTo(0.01), "");
  const double before = simulation->outputs()[0];
  const long steps = simulation->statistics().steps;
  EXPECT_NE(simulation->advanceTo(1000), "");
  EXPECT_EQ(simulation->time(), 0.01);
  EXPECT_EQ(simulation->outputs()[0], before);
  EXPECT_EQ(simulation->statistics().steps, steps);
}

TEST(Simulation, RefusesSettingsThatMakeNoSense) {
  const auto simulation = start();
  EXPECT_NE(set(*simulation, Setting::relativeTolerance, 0), "");
  EXPECT_NE(set(*simulation, Setting::maxStep, -1), "");
  EXPECT_NE(simulation->setSolverOption("integrator", "other"), "");
  EXPECT_NE(simulation->setSolverOption("rtol", "1e-6x"), "");
  EXPECT_EQ(simulation->value(source(Setting::relativeTolerance)), 1e-8);
}

}  // namespace
}  // namespace mbfmu::test
