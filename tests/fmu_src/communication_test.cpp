// What communication points cost and what they change: counts of work and errors, on Andrews' mechanism.
#include "tests/problems/communication.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "fmu_src/communication_habits.h"

namespace mbfmu {
namespace {

constexpr double kRtol = 1e-6;
const std::vector<std::string> kMethods = {"lstable", "bdf", "generalized-alpha"};

Course run(const std::string& method, const Drive& drive, double rtol = kRtol) {
  const auto simulation = simulationOf(andrewsModel(), method, rtol);
  EXPECT_TRUE(simulation);
  Course course = follow(*simulation, drive);
  EXPECT_EQ(course.problem, "") << method;
  return course;
}

Course exact(const Drive& drive) { return exactCourse(andrewsModel(), drive, "lstable", {{"r", "7"}}); }

TEST(Communication, ReferencesAgree) {
  const Drive drive = randomDrive(50);
  EXPECT_LT(largestError(exactCourse(andrewsModel(), drive, "explicit", {}), exact(drive)), 1e-9);
}

TEST(Communication, PointsAreFreeWhileNothingChanges) {
  const Drive once = constantDrive(1), often = constantDrive(1000);
  const Course reference = exact(often);
  for (const std::string& method : kMethods) {
    const Course course = run(method, often);
    EXPECT_EQ(course.statistics.steps, run(method, once).statistics.steps) << method;
    EXPECT_LT(largestError(course, reference), 10 * kRtol) << method;
  }
}

TEST(Communication, AJumpAtEveryPointKeepsOrderAndStep) {
  const Drive drive = randomDrive(1000);
  const Course reference = exact(drive);
  std::map<std::string, Course> courses;
  for (const std::string& method : kMethods) {
    courses[method] = run(method, drive);
    EXPECT_LT(largestError(courses[method], reference), 1e-5) << method;
    EXPECT_EQ(courses[method].statistics.warmRestarts, 1000) << method;
    EXPECT_EQ(courses[method].statistics.restarts, 1) << method;
  }
  // One short step of three nodes per point, the Jacobian shared with the jump.
  const Statistics& block = courses["lstable"].statistics;
  EXPECT_LE(block.steps, 1010);
  EXPECT_LE(block.residualEvaluations, 4500);
  EXPECT_LE(block.jacobianEvaluations, 1050);
  EXPECT_LE(courses["bdf"].statistics.steps, 1250);
  EXPECT_LE(courses["bdf"].statistics.newtonIterations, 2000);
}

TEST(Communication, FewJumpsCostAFewSteps) {
  for (const std::string& method : kMethods) {
    const double alone = static_cast<double>(run(method, randomDrive(1)).statistics.steps);
    EXPECT_LE(static_cast<double>(run(method, randomDrive(10)).statistics.steps), 1.1 * alone + 2) << method;
  }
}

TEST(Communication, ResultsDoNotDependOnTheGrid) {
  for (const std::string& method : kMethods) {
    Eigen::MatrixXd ends(7, 5);
    Eigen::Index i = 0;
    for (const int points : {10, 20, 50, 200, 1000})
      ends.col(i++) = run(method, randomDrive(points, points / 10)).angles.rightCols(1);
    const Vector spread = ends.rowwise().maxCoeff() - ends.rowwise().minCoeff();
    EXPECT_LT((spread.array() / ends.rowwise().mean().array()).abs().maxCoeff(), 20 * kRtol) << method;
  }
}

TEST(Communication, ReversalsCostLstableFewSteps) {
  const Drive drive = reversingDrive();
  const Course course = run("lstable", drive);
  EXPECT_LE(static_cast<double>(course.statistics.steps),
            1.3 * static_cast<double>(run("lstable", constantDrive(1)).statistics.steps));
  EXPECT_LT(largestError(course, exact(drive)), 1e-5);
}

// Reading between setting and stepping, single steps as with intermediate updates, copies and stored states: the same
// bits each time.
TEST(Communication, TheWayThereChangesNothing) {
  const Drive drive = randomDrive(60, 4);
  for (const std::string& method : kMethods) {
    const auto plain = simulationOf(andrewsModel(), method, 1e-5);
    std::unique_ptr<Simulation> other = simulationOf(andrewsModel(), method, 1e-5);
    for (int k = 0; k < drive.points(); ++k) {
      const double torque = drive.torque[static_cast<std::size_t>(k)];
      plain->setInput(0, torque);
      ASSERT_EQ(plain->advanceTo(drive.time(k + 1)), "");
      other->setInput(0, torque);
      if (k % 2 == 0) other->outputs();
      if (k % 5 == 0) other = std::make_unique<Simulation>(*other);
      if (k % 7 == 0) {
        Archive::Bytes bytes;
        Archive writer = Archive::writer(bytes);
        other->transfer(writer);
        other = simulationOf(andrewsModel(), method, 1e-5);
        Archive reader = Archive::reader(bytes.data(), bytes.size());
        other->transfer(reader);
        ASSERT_TRUE(reader.finished());
      }
      if (k % 3 == 0) {
        while (other->time() < drive.time(k + 1)) ASSERT_EQ(other->stepTowards(drive.time(k + 1)), "");
      } else {
        ASSERT_EQ(other->advanceTo(drive.time(k + 1)), "");
      }
      ASSERT_EQ(plain->outputs(), other->outputs()) << method << ", point " << k;
    }
    EXPECT_EQ(plain->statistics().steps, other->statistics().steps);
  }
}

TEST(Communication, HabitsAreLearntAndForgotten) {
  CommunicationHabits habits;
  EXPECT_TRUE(habits.stepPast());
  EXPECT_FALSE(habits.expectJumps());
  for (int k = 0; k < 3; ++k) habits.changed(k == 0);
  EXPECT_FALSE(habits.stepPast());
  EXPECT_TRUE(habits.expectJumps());
  habits.quiet();
  EXPECT_FALSE(habits.expectJumps());
  habits.quiet();
  EXPECT_TRUE(habits.stepPast());
  // An input that changes at every third point is not worth it, one that changes at every tenth is.
  const auto misses = [](int every) {
    CommunicationHabits learning;
    int count = 0;
    for (int k = 1; k <= 300; ++k) {
      const bool miss = k % every == 0 && learning.stepPast();
      if (miss) ++count;
      if (k % every == 0) learning.changed(miss);
      if (k % every != 0) learning.quiet();
    }
    return count;
  };
  EXPECT_LE(misses(3), 3);
  EXPECT_EQ(misses(10), 30);
  for (int k = 0; k < 200; ++k) habits.quiet();
  habits.changed(true);
  habits.quiet();
  habits.quiet();
  EXPECT_TRUE(habits.stepPast());
}

}  // namespace
}  // namespace mbfmu
