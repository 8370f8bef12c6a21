#include <gtest/gtest.h>

#include <cmath>

#include "integrators/newton_monitor.h"
#include "integrators/step_controller.h"

namespace mbfmu {
namespace {

constexpr double kFar = 1e9;

TEST(StepController, NeverLeavesASliver) {
  StepController control;
  control.start(1, 4);
  bool ends = false;
  EXPECT_EQ(control.clip(1.005, kFar, ends), 1.005);
  EXPECT_TRUE(ends);
  EXPECT_EQ(control.clip(1.1, kFar, ends), 0.55);
  EXPECT_FALSE(ends);
  EXPECT_EQ(control.clip(3, kFar, ends), 1);
  EXPECT_FALSE(ends);
  EXPECT_EQ(control.clip(0.2, kFar, ends), 0.2);
  EXPECT_TRUE(ends);
  EXPECT_LE(control.clip(1.005, 1, ends), 1);
}

TEST(StepController, RemembersTheUnclippedProposal) {
  StepController control;
  control.start(1, 4);
  control.accepted(1, 0.5, 1, false);
  const double before = control.proposal();
  control.accepted(0.01, 1e-10, 1, true);
  EXPECT_NEAR(control.proposal(), before, 0.5 * before);
}

TEST(StepController, ShrinksAfterRejectionAndDoesNotGrowAtOnce) {
  StepController control;
  control.start(1, 4);
  control.accepted(1, 0.5, 1, false);
  const double h = control.rejected(1, 16, 1);
  EXPECT_NEAR(h, 0.45, 0.01);
  control.accepted(h, 1e-6, 1, false);
  EXPECT_LE(control.proposal(), h);
}

TEST(NewtonMonitor, StopsWhenTheRestIsSmallAndGivesUpOnDivergence) {
  NewtonMonitor newton;
  newton.begin(0.01, 10);
  EXPECT_EQ(newton.update(1), NewtonMonitor::Verdict::proceed);
  EXPECT_EQ(newton.update(0.1), NewtonMonitor::Verdict::proceed);
  EXPECT_EQ(newton.update(0.01), NewtonMonitor::Verdict::converged);
  EXPECT_NEAR(newton.contraction(), 0.1, 1e-12);
  newton.begin(0.01, 10);
  newton.update(1);
  EXPECT_EQ(newton.update(2), NewtonMonitor::Verdict::failed);
  newton.begin(0.01, 10);
  EXPECT_EQ(newton.update(std::nan("")), NewtonMonitor::Verdict::failed);
}

}  // namespace
}  // namespace mbfmu
