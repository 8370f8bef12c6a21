#include <gtest/gtest.h>

#include <numbers>

#include "multibody/initial_conditions.h"
#include "multibody/reader.h"

using namespace mbfmu;

namespace {

std::unique_ptr<Mechanism> build(const std::string& text) {
  Diagnostics diagnostics("test");
  const auto model = readModel(text, diagnostics);
  EXPECT_TRUE(model) << diagnostics.text();
  return model ? Mechanism::build(model, diagnostics) : nullptr;
}

// The reference values were computed in quadruple precision from an independent set of minimal coordinates.
TEST(InitialConditions, TwoLink) {
  Diagnostics diagnostics("two_link.json");
  const auto model = readModelFile(MBFMU_SOURCE_DIR "/examples/two_link.json", diagnostics);
  ASSERT_TRUE(model) << diagnostics.text();
  auto mechanism = Mechanism::build(model, diagnostics);
  const auto ic = findInitialConditions(*mechanism, 0);
  ASSERT_TRUE(ic.ok) << ic.problem;
  EXPECT_EQ(ic.degreesOfFreedom, 2);
  EXPECT_TRUE(ic.redundant.empty());
  EXPECT_LT(ic.moved, 1e-14);
  const double a[6] = {2.2756363958371455, -1.3138392857142857, -5.2553571428571429,
                       1.3653818375022873, -8.1458035714285714, -7.3575};
  const double lambda[4] = {-5.0064000708417201, -11.824553571428571, -2.7307636750045746, -3.3283928571428571};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(ic.w.a[i], a[i], 1e-13);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(ic.w.lambda[i], lambda[i], 1e-13);
  Vector outputs;
  mechanism->outputs(0, ic.y, ic.w, outputs);
  EXPECT_NEAR(outputs[6], 12.743564, 1e-6);
  EXPECT_NEAR(outputs[5], -std::numbers::pi / 6, 1e-14);
}

TEST(InitialConditions, CloneIsIndependent) {
  Diagnostics diagnostics("two_link.json");
  auto mechanism =
      Mechanism::build(readModelFile(MBFMU_SOURCE_DIR "/examples/two_link.json", diagnostics), diagnostics);
  auto copy = mechanism->clone();
  copy->setInput(0, 3);
  EXPECT_EQ(copy->setParameter(0, 2), "");
  EXPECT_NE(copy->setParameter(2, -1), "");
  EXPECT_EQ(copy->parameter(2), 1);
  EXPECT_EQ(mechanism->input(0), 0);
  EXPECT_EQ(mechanism->parameter(0), 1);
  mechanism.reset();
  const auto ic = findInitialConditions(*copy, 0);
  EXPECT_TRUE(ic.ok) << ic.problem;
  EXPECT_NEAR(ic.y.q[0], 0.5, 1e-14);  // half of twice the length at 60 degrees
}

// A parallelogram with a third crank: one redundant row.
const char* const kParallelogram = R"({"name": "p", "space": "planar", "gravity": [0, -9.81],
  "bodies": {"ground": {"markers": {"A": [0, 0], "B": [1, 0], "C": [2, 0]}},
    "a": {"mass": 1, "inertia": 0.1, "markers": {"l": [-0.5, 0], "u": [0.5, 0]}},
    "b": {"mass": 1, "inertia": 0.1, "markers": {"l": [-0.5, 0], "u": [0.5, 0]}},
    "c": {"mass": 1, "inertia": 0.1, "markers": {"l": [-0.5, 0], "u": [0.5, 0]}},
    "bar": {"mass": 1, "inertia": 0.3, "markers": {"A": [-1, 0], "B": [0, 0], "C": [MIDDLE, 0]}}},
  "joints": {"A": {"type": "revolute", "between": ["ground.A", "a.l"], "start": {"angle": 1, "rate": 2}},
    "B": {"type": "revolute", "between": ["ground.B", "b.l"], "start": {"angle": 1.02}},
    "C": {"type": "revolute", "between": ["ground.C", "c.l"], "start": {"angle": 0.97}},
    "Au": {"type": "revolute", "between": ["a.u", "bar.A"], "start": {"angle": -1}},
    "Bu": {"type": "revolute", "between": ["b.u", "bar.B"]}, "Cu": {"type": "revolute", "between": ["c.u", "bar.C"]}}})";

std::string parallelogram(const std::string& middle) {
  std::string text = kParallelogram;
  return text.replace(text.find("MIDDLE"), 6, middle);
}

TEST(InitialConditions, RedundantRowIsFoundAndSwitchedOff) {
  auto mechanism = build(parallelogram("1"));
  const auto ic = findInitialConditions(*mechanism, 0);
  ASSERT_TRUE(ic.ok) << ic.problem;
  EXPECT_EQ(ic.degreesOfFreedom, 1);
  ASSERT_EQ(ic.redundant.size(), 1u);
  EXPECT_FALSE(mechanism->rowActive(ic.redundant[0]));
  EXPECT_LT(ic.positionResidual, 1e-12);
  EXPECT_LT(ic.velocityResidual, 1e-12);
  EXPECT_GT(ic.moved, 1e-3);
}

TEST(InitialConditions, UnassemblableNamesTheConstraint) {
  auto mechanism =
      build(R"({"name": "r", "space": "planar", "bodies": {"ground": {"markers": {"A": [0, 0], "B": [5, 0]}},
    "a": {"mass": 1, "inertia": 1, "markers": {"l": [-0.5, 0], "r": [0.5, 0]}}},
    "joints": {"left": {"type": "revolute", "between": ["ground.A", "a.l"]},
               "right": {"type": "revolute", "between": ["ground.B", "a.r"]}}})");
  const auto ic = findInitialConditions(*mechanism, 0);
  EXPECT_FALSE(ic.ok);
  EXPECT_NE(ic.problem.find(": x is violated by"), std::string::npos) << ic.problem;
}

TEST(InitialConditions, RedundantRowIsNamedWithWhatItFollowsFrom) {
  auto mechanism = build(parallelogram("1"));
  const auto ic = findInitialConditions(*mechanism, 0);
  ASSERT_EQ(ic.notes.size(), 1u);
  EXPECT_EQ(ic.notes[0].find("redundant constraint left out: " + mechanism->constraintName(ic.redundant[0])), 0u);
  EXPECT_NE(ic.notes[0].find(", which follows from "), std::string::npos) << ic.notes[0];
  EXPECT_FALSE(ic.singular);
}

// Two rods of different length between the same points.
TEST(InitialConditions, ContradictingConstraintsAreNamed) {
  auto mechanism = build(R"({"name": "c", "space": "planar", "bodies": {
      "p": {"type": "point", "mass": 1, "pose": {"position": [1, 0.2]}}},
    "joints": {"long": {"type": "rod", "between": ["ground", "p"], "length": 1.1},
               "short": {"type": "rod", "between": ["ground", "p"], "length": 0.9}}})");
  const auto ic = findInitialConditions(*mechanism, 0);
  EXPECT_FALSE(ic.ok);
  EXPECT_NE(ic.problem.find("is violated by"), std::string::npos) << ic.problem;
  EXPECT_NE(ic.problem.find("is violated by 0.1; constraints that contradict each other: long: length, short: length"),
            std::string::npos)
      << ic.problem;
}

// The same place and speed at the start, but not the same acceleration.
TEST(InitialConditions, ContradictingMotionsAreNamed) {
  for (const auto& [x, message] : std::vector<std::pair<std::string, std::string>>{
           {"0", "no accelerations fulfil all constraints"}, {"time", "no velocities fulfil all constraints"}}) {
    auto mechanism = build(R"({"name": "c", "space": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}},
      "joints": {"slide": {"type": "prismatic", "between": ["ground", "b"], "motion": "time^2"},
                 "path": {"type": "driven_point", "between": ["ground", "b"], "x": ")" +
                           x + R"("}}})");
    const auto ic = findInitialConditions(*mechanism, 0);
    EXPECT_FALSE(ic.ok);
    EXPECT_NE(ic.problem.find(message), std::string::npos) << ic.problem;
    EXPECT_TRUE(ic.problem.find("slide: motion") != std::string::npos ||
                ic.problem.find("path: x") != std::string::npos);
  }
}

// A parallelogram whose cranks lie along the ground could leave in two ways; nothing is left out there.
TEST(InitialConditions, SingularPoseIsReportedAndKeepsItsConstraints) {
  auto mechanism = build(R"({"name": "s", "space": "planar", "gravity": [0, -9.81],
    "bodies": {"ground": {"markers": {"A": [0, 0], "B": [1, 0]}},
      "a": {"mass": 1, "inertia": "1/12", "markers": {"l": [-0.5, 0], "u": [0.5, 0]}},
      "b": {"mass": 1, "inertia": "1/12", "markers": {"l": [-0.5, 0], "u": [0.5, 0]}},
      "bar": {"mass": 1, "inertia": "1/12", "markers": {"l": [-0.5, 0], "u": [0.5, 0]}}},
    "joints": {"A": {"type": "revolute", "between": ["ground.A", "a.l"], "start": {"angle": 0, "rate": 2}},
      "B": {"type": "revolute", "between": ["ground.B", "b.l"], "start": {"angle": 0, "rate": 2}},
      "Au": {"type": "revolute", "between": ["a.u", "bar.l"], "start": {"angle": 0, "rate": -2}},
      "Bu": {"type": "revolute", "between": ["bar.u", "b.u"]}},
    "outputs": {"rate": "A.rate", "a": "A.acceleration", "b": "B.acceleration"}})");
  const auto ic = findInitialConditions(*mechanism, 0);
  ASSERT_TRUE(ic.ok) << ic.problem;
  EXPECT_TRUE(ic.singular);
  EXPECT_TRUE(ic.redundant.empty());
  EXPECT_EQ(ic.degreesOfFreedom, 1);
  ASSERT_EQ(ic.notes.size(), 1u);
  EXPECT_NE(ic.notes[0].find("the initial pose is singular"), std::string::npos);
  for (int row = 0; row < mechanism->dimensions().m; ++row) EXPECT_TRUE(mechanism->rowActive(row));
  EXPECT_LT(ic.accelerationResidual, 1e-9);
  EXPECT_LT(ic.forceResidual, 1e-9);
}

// A point between two rods in line is rigid, though its constraints seem to let it go sideways.
TEST(InitialConditions, RigidPoseIsNotTakenForARedundantOne) {
  auto mechanism =
      build(R"({"name": "r", "space": "planar", "bodies": {"ground": {"markers": {"A": [0, 0], "B": [2, 0]}},
      "p": {"type": "point", "mass": 1, "pose": {"position": [1, 0]}}},
    "joints": {"left": {"type": "rod", "between": ["ground.A", "p"], "length": 1},
               "right": {"type": "rod", "between": ["ground.B", "p"], "length": 1}}})");
  const auto ic = findInitialConditions(*mechanism, 0);
  EXPECT_TRUE(ic.singular);
  EXPECT_TRUE(ic.redundant.empty());
  EXPECT_EQ(ic.degreesOfFreedom, 0);
}

TEST(InitialConditions, DrivenMechanismHasItsReaction) {
  auto mechanism = build(R"({"name": "d", "space": "planar", "gravity": [0, -10], "bodies": {
      "a": {"mass": 2, "inertia": 0.5, "markers": {"l": [-1, 0]}}},
    "joints": {"hinge": {"type": "revolute", "between": ["ground", "a.l"], "motion": "3*time"}},
    "outputs": {"f": "hinge.force", "drive": "hinge.drive", "rate": "hinge.rate", "torque": "hinge.torque"}})");
  const auto ic = findInitialConditions(*mechanism, 0);
  ASSERT_TRUE(ic.ok) << ic.problem;
  EXPECT_EQ(ic.degreesOfFreedom, 0);
  Vector out;
  mechanism->outputs(0, ic.y, ic.w, out);
  ASSERT_EQ(out.size(), 5);
  EXPECT_NEAR(out[0], -18, 1e-12);  // centripetal m l w^2
  EXPECT_NEAR(out[1], 20, 1e-12);   // weight
  EXPECT_NEAR(out[2], 20, 1e-12);   // holding torque m g l
  EXPECT_NEAR(out[3], 3, 1e-12);
  EXPECT_NEAR(out[4], 0, 1e-12);
}

// 150 links: beyond the size solved dense.
TEST(InitialConditions, LongChainUsesSparse) {
  std::string bodies = R"("ground": {"markers": {"r": [0, 0]}})", joints;
  std::string previous = "ground";
  for (int i = 0; i < 150; ++i) {
    const std::string name = "b" + std::to_string(i);
    bodies += ", \"" + name + R"(": {"mass": 1, "inertia": 0.1, "markers": {"l": [-0.5, 0], "r": [0.5, 0]}})";
    joints += (i ? ", " : "") + std::string("\"j") + std::to_string(i) + R"(": {"type": "revolute", "between": [")" +
              previous + ".r\", \"" + name + R"(.l"], "start": {"angle": 0.01}})";
    previous = name;
  }
  auto mechanism = build(R"({"name": "chain", "space": "planar", "gravity": [0, -9.81], "bodies": {)" + bodies +
                         "}, \"joints\": {" + joints + "}}");
  const auto ic = findInitialConditions(*mechanism, 0);
  ASSERT_TRUE(ic.ok) << ic.problem;
  EXPECT_EQ(ic.degreesOfFreedom, 150);
  EXPECT_LT(ic.accelerationResidual, 1e-8);
}

}  // namespace
