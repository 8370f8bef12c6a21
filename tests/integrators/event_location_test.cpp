// Events found in an interval: at their time, in their order, also when they come in pairs.
#include "integrators/event_location.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbfmu {
namespace {

using Function = std::function<double(double)>;

// The first event of some functions over [t0, t1]; which is empty if there is none.
Event first(const std::vector<Function>& functions, double t0, double t1, double tolerance = 1e-12,
            int* evaluations = nullptr) {
  EventLocator locator;
  locator.setUp(static_cast<int>(functions.size()));
  Event event;
  locator.first(
      [&](double t, Vector& g) {
        if (evaluations) ++*evaluations;
        for (std::size_t i = 0; i < functions.size(); ++i) g[static_cast<Eigen::Index>(i)] = functions[i](t);
      },
      t0, t1, tolerance, event);
  return event;
}

TEST(EventLocation, FindsTheTimeAndStaysBeforeIt) {
  int evaluations = 0;
  const auto g = [](double t) { return std::cos(t); };
  const Event event = first({g}, 0, 2, 1e-12, &evaluations);
  EXPECT_EQ(event.which, std::vector<int>{0});
  EXPECT_NEAR(event.t, std::acos(0.0), 1.1e-12);
  EXPECT_GE(g(event.t), 0);
  EXPECT_LE(evaluations, 40);
}

TEST(EventLocation, NoneWhileTheModeLasts) {
  EXPECT_TRUE(first({[](double) { return 1; }, [](double t) { return 2 - t; }}, 0, 1).which.empty());
  EXPECT_TRUE(first({[](double t) { return 0.1 + std::sin(t); }}, 0, 3).which.empty());
  EXPECT_TRUE(first({}, 0, 1).which.empty());
}

TEST(EventLocation, TheEarliestOfSeveral) {
  const Event event = first({[](double t) { return 0.7 - t; }, [](double t) { return 0.3 - t; }}, 0, 1);
  EXPECT_EQ(event.which, std::vector<int>{1});
  EXPECT_NEAR(event.t, 0.3, 1e-12);
}

TEST(EventLocation, SimultaneousOnesTogether) {
  const Event event = first(
      {[](double t) { return 0.3 - t; }, [](double t) { return 1 + t; }, [](double t) { return 0.6 - 2 * t; }}, 0, 1);
  EXPECT_EQ(event.which, (std::vector<int>{0, 2}));
}

TEST(EventLocation, APairOfCrossingsBetweenTwoSamples) {
  for (const double depth : {1e-3, 1e-6, 1e-9}) {
    for (const double at : {0.011, 0.2, 0.5, 0.77, 0.993}) {
      const Event event = first({[=](double t) { return (t - at) * (t - at) - depth * depth; }}, 0, 1);
      ASSERT_EQ(event.which.size(), 1u) << "depth " << depth << " at " << at;
      EXPECT_NEAR(event.t, at - depth, 1e-11);
    }
  }
}

TEST(EventLocation, FromZeroUpAndDown) {
  for (const double duration : {1e-5, 1e-2, 0.5}) {
    const Event event = first({[=](double t) { return t * (duration - t); }}, 0, 1);
    ASSERT_EQ(event.which.size(), 1u);
    EXPECT_NEAR(event.t, duration, 1e-11) << duration;
  }
}

TEST(EventLocation, RoundOffAtTheStartIsNoEvent) {
  EXPECT_TRUE(first({[](double t) { return t - 1e-18; }}, 0, 1).which.empty());
  EXPECT_TRUE(first({[](double) { return 0.0; }}, 0, 1).which.empty());
}

TEST(EventLocation, AWrongModeEndsAtOnce) {
  for (const double start : {0.0, 0.5}) {
    const Event event = first({[](double t) { return -t; }}, start, 1);
    ASSERT_EQ(event.which.size(), 1u);
    EXPECT_EQ(event.t, start);
  }
}

}  // namespace
}  // namespace mbfmu
