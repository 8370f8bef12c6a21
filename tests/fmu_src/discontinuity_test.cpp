// Jumps in the equations that nobody announces: found, located, and counted.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "integrators/discontinuity_watch.h"
#include "tests/problems/communication.h"

namespace mbfmu {
namespace {

constexpr double kSwitch = 0.0137;

// Andrews' mechanism whose drive torque vanishes at kSwitch, by an expression.
std::shared_ptr<const Model> withHiddenStep() {
  std::ifstream file(std::string(MBFMU_SOURCE_DIR) + "/examples/andrews.json");
  std::stringstream text;
  text << file.rdbuf();
  std::string model = text.str();
  const std::string value = R"({ "input": "torque" })";
  model.replace(model.find(value), value.size(), R"("torque*max(0, min(1, (0.0137 - time)*1e12))")");
  Diagnostics diagnostics("andrews.json");
  auto result = readModel(model, diagnostics);
  EXPECT_TRUE(result) << diagnostics.text();
  return result;
}

TEST(Discontinuity, AHiddenStepIsFoundAndCrossed) {
  const Course exact = exactCourse(andrewsModel(), {{0, kSwitch, kCommunicationEnd}, {kNominalTorque, 0}}, "lstable",
                                   {{"r", "7"}});
  for (const char* method : {"lstable", "bdf", "generalized-alpha"}) {
    const auto hidden = simulationOf(withHiddenStep(), method, 1e-8), smooth = simulationOf(andrewsModel(), method, 1e-8);
    Course course = follow(*hidden, constantDrive(1));
    const Course without = follow(*smooth, constantDrive(1));
    ASSERT_EQ(course.problem, "") << method;
    const Vector end = exact.angles.rightCols(1);
    EXPECT_LT(((course.angles.col(0) - end).array() / end.array()).abs().maxCoeff(), 1e-6) << method;
    EXPECT_EQ(course.statistics.discontinuities, 1) << method;
    EXPECT_EQ(without.statistics.discontinuities, 0) << method;
  }
}

TEST(Discontinuity, SmoothErrorsAreNotSuspected) {
  DiscontinuityWatch watch;
  watch.begin();
  watch.rejected(0, 1, 1e6);
  watch.rejected(0, 0.2, 1e6 * 0.04);  // order 1
  EXPECT_FALSE(watch.suspects());
}

TEST(Discontinuity, BisectionEndsJustBehindTheJump) {
  constexpr double place = 0.7123;
  DiscontinuityWatch watch;
  double t = 0, proposal = 1;
  int attempts = 0;
  for (; t < 2 && attempts < 60; ++attempts) {
    watch.begin();
    double h = watch.clip(t, proposal);
    // The error of a step across the jump goes with h.
    while (t < place && t + h > place && h > 1e-5 && attempts++ < 60) {
      watch.rejected(t, h, 1e5 * h);
      h = watch.clip(t, h / 5);
    }
    t += h;
    if (watch.crossed(t)) {
      EXPECT_GE(t, place);
      EXPECT_LT(t, place + 1e-3);
      EXPECT_EQ(watch.resume(), 1);
      EXPECT_FALSE(watch.suspects());
      return;
    }
  }
  FAIL() << "not crossed";
}

}  // namespace
}  // namespace mbfmu
