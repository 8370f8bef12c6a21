// Joints and forces in space by what a user sees of them: coordinates, reactions, laws with a known answer.
#include <array>
#include <cmath>
#include <numbers>

#include "tests/fmu_src/spatial_run.h"

namespace mbfmu::test {
namespace {

void expectOutputs(const Simulation& simulation, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(simulation.outputs().size(), static_cast<Eigen::Index>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(simulation.outputs()[static_cast<Eigen::Index>(i)], expected[i], tolerance) << i;
  }
}

const char* const rotor = R"x("inputs": {"u": {"start": 3}}, "bodies": {
    "ground": {"markers": {"O": {"position": [1, 2, 3], "orientation": {"quaternion": [1, 2, -1, 0.5]}}}},
    "rotor": {"mass": 1, "inertia": [0.3, 0.4, 0.5]}},
    "joints": {"hinge": {"type": "revolute", "between": ["ground.O", "rotor"], "axis": [0, 0, 2],
               "start": {"angle": "-700*deg", "rate": 1}}},
    "forces": {"motor": {"type": "torque", "joint": "hinge", "value": {"input": "u"}}},
    "outputs": {"angle": "hinge.angle", "rate": "hinge.rate", "acceleration": "hinge.acceleration"})x";
double rotorAngle(double t) { return -700 * std::numbers::pi / 180 + t + 3 * t * t; }

TEST(SpatialJoints, AHingeCountsItsTurns) {
  const auto simulation = spatialRun(rotor);
  EXPECT_NEAR(simulation->outputs()[0], rotorAngle(0), 1e-12);
  for (int t = 1; t <= 10; ++t) {
    ASSERT_EQ(simulation->advanceTo(t), "");
    expectOutputs(*simulation, {rotorAngle(t), 1 + 6.0 * t, 6}, 1e-8 * rotorAngle(10));
  }
  EXPECT_GT(simulation->outputs()[0], 40 * 2 * std::numbers::pi);
}

TEST(SpatialJoints, TurnsSurviveCopiesRollBackAndSerialisation) {
  const auto simulation = spatialRun(rotor);
  ASSERT_EQ(simulation->advanceTo(4.03), "");
  Simulation copy(*simulation);
  ASSERT_EQ(simulation->advanceTo(9), "");
  ASSERT_EQ(copy.advanceTo(9), "");
  EXPECT_EQ(copy.outputs(), simulation->outputs());
  EXPECT_NEAR(copy.outputs()[0], rotorAngle(9), 1e-5);
}

// A beam that is welded to the wall: the reaction holds its weight and what bends it.
TEST(SpatialJoints, ReactionsAreThoseOfABeam) {
  const auto simulation = spatialRun(R"x("gravity": [0, 0, -10], "bodies": {
      "ground": {"markers": {"W": {"position": [0, 0, 1], "orientation": {"roll_pitch_yaw": [1, 2, 3]}}}},
      "beam": {"mass": 2, "inertia": [0.1, 0.2, 0.2], "centre_of_mass": [0.5, 0, 0], "pose": {"position": [0, 0, 1]},
               "markers": {"W": {"position": [0, 0, 0], "orientation": {"roll_pitch_yaw": [1, 2, 3]}}, "E": [1, 0, 0]}}},
      "joints": {"weld": {"type": "weld", "between": ["ground.W", "beam.W"]}},
      "forces": {"pull": {"type": "force", "at": "beam.E", "frame": "body", "value": [0, 3, 0]},
                 "twist": {"type": "torque", "body": "beam", "value": [7, 0, 0]}},
      "outputs": {"force": "weld.force", "torque": "weld.torque", "x": "beam.E.x", "z": "beam.E.z", "q": "beam.quaternion"})x");
  expectOutputs(*simulation, {0, -3, 20, -7, -10, -3, 1, 1, 1, 0, 0, 0}, 1e-9);
}

TEST(SpatialJoints, AMotionNeedsTheTorqueThatItsDriveShows) {
  const auto simulation = spatialRun(R"x("bodies": {"b": {"mass": 1, "inertia": [0.3, 0.4, 0.5]}},
      "joints": {"hinge": {"type": "revolute", "between": ["ground", "b"], "axis": [0, 1, 0], "motion": "time^3"}},
      "outputs": {"angle": "hinge.angle", "drive": "hinge.drive", "rate": "b.omega.y", "a": "b.alpha.y"})x");
  for (const double t : {0.0, 1.0, 2.5}) {
    ASSERT_EQ(simulation->advanceTo(t), "");
    expectOutputs(*simulation, {t * t * t, 0.4 * 6 * t, 3 * t * t, 6 * t}, 1e-7);
  }
}

TEST(SpatialJoints, GearRackAndScrewKeepTheirRatio) {
  const auto simulation = spatialRun(R"x("bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]},
      "b": {"mass": 1, "inertia": [1, 1, 1]}, "rack": {"mass": 2, "inertia": [1, 1, 1]},
      "nut": {"mass": 3, "inertia": [1, 1, 1]}},
      "joints": {"ja": {"type": "revolute", "between": ["ground", "a"], "axis": [0, 0, 1], "start": {"angle": 0}},
        "jb": {"type": "revolute", "between": ["ground", "b"], "axis": [1, 0, 0]},
        "jr": {"type": "prismatic", "between": ["ground", "rack"], "axis": [0, 1, 0]},
        "js": {"type": "screw", "between": ["ground", "nut"], "axis": [0, 0, 1], "pitch": 0.5, "offset": 0.1, "start": {"angle": 0}},
        "gear": {"type": "gear", "joints": ["ja", "jb"], "ratio": -3},
        "pinion": {"type": "rack_and_pinion", "joints": ["ja", "jr"], "radius": 0.5, "offset": 0.2}},
      "forces": {"motor": {"type": "torque", "joint": "ja", "value": 2.1}, "push": {"type": "force", "joint": "js", "value": 1}},
      "outputs": {"ja": "ja.angle", "jb": "jb.angle", "jr": "jr.position", "js": "js.angle", "jp": "js.position",
                  "x": "rack.y"})x");
  // (1 + 9 + 2/4) a'' = 2.1;  (1 (2 pi/0.5)^2 + 3) p'' = 1.
  for (const double t : {0.0, 5.0, 20.0}) {
    ASSERT_EQ(simulation->advanceTo(t), "");
    const double a = 0.1 * t * t, p = t * t / 2 / (16 * std::numbers::pi * std::numbers::pi + 3);
    expectOutputs(*simulation, {a, -3 * a, 0.2 + 0.5 * a, p * 4 * std::numbers::pi, 0.1 + p, 0.2 + 0.5 * a}, 1e-7);
  }
}

// Shafts at an angle beta, the axis of the first shaft's fork being across both at the start: tan(out) = tan(in)
// cos(beta).
TEST(SpatialJoints, AUniversalJointIsNotUniform) {
  const auto simulation = spatialRun(R"x("bodies": {"ground": {"markers": {"T": {"position": [0, 0, 0],
        "orientation": {"rotation_vector": [0, 0.5, 0]}}}},
      "a": {"mass": 1, "inertia": [1, 1, 1], "velocity": {"angular": [0, 0, 1]}},
      "b": {"mass": 1, "inertia": [1, 1, 1], "pose": {"position": [0, 0, 0], "orientation": {"rotation_vector": [0, 0.5, 0]}}}},
      "joints": {"in": {"type": "revolute", "between": ["ground", "a"], "axis": [0, 0, 1], "motion": "time"},
        "out": {"type": "cylindrical", "between": ["ground.T", "b"], "axis": [0, 0, 1]},
        "cross": {"type": "universal", "between": ["a", "b"], "axis": [0, 1, 0], "axis2": [1, 0, 0]}},
      "outputs": {"in": "in.angle", "out": "out.angle", "slip": "out.position"})x");
  for (const double t : {0.3, 1.0, 1.4, 3.0, 9.0}) {
    ASSERT_EQ(simulation->advanceTo(t), "");
    const double out = std::atan2(std::sin(t) * std::cos(0.5), std::cos(t));
    EXPECT_NEAR(std::remainder(simulation->outputs()[1] - out, 2 * std::numbers::pi), 0, 1e-8) << t;
    EXPECT_NEAR(simulation->outputs()[1], t, 0.3) << t;
    EXPECT_NEAR(simulation->outputs()[2], 0, 1e-9) << t;
  }
}

// A ball that slides at v without spin ends up rolling at 5/7 v, whatever the friction.
TEST(SpatialForces, ABallEndsUpRolling) {
  const auto simulation =
      spatialRun(R"x("gravity": [0, 0, -10], "bodies": {"ball": {"mass": 1, "inertia": [0.004, 0.004, 0.004],
        "pose": {"position": [0, 0, 0.09999]}, "velocity": {"linear": [0.7, -1.4, 0]}}},
      "forces": {"floor": {"type": "contact", "between": ["ground", "ball"], "radius": 0.1, "stiffness": 1e6, "exponent": 1,
                 "damping": 10, "friction": 0.5, "speed": 1e-4}},
      "outputs": {"vx": "ball.vx", "vy": "ball.vy", "wx": "ball.omega.x", "wy": "ball.omega.y", "N": "floor.value",
                  "fx": "floor.friction.x"})x",
                 1e-8);
  EXPECT_LT(simulation->outputs()[5], 0);
  ASSERT_EQ(simulation->advanceTo(1), "");
  expectOutputs(*simulation, {0.5, -1, 10, 5, 10, 0}, 1e-3);
}

TEST(SpatialForces, ABushingGivesWayByItsStiffness) {
  const auto simulation = spatialRun(R"x("gravity": [0, 0, -10], "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}},
      "forces": {"mount": {"type": "bushing", "between": ["ground", "b"], "stiffness": [100, 200, 400, 50, 60, 70],
                 "damping": [20, 30, 40, 15, 15, 15]},
        "pull": {"type": "force", "at": "b", "value": [3, -2, 0]}, "twist": {"type": "torque", "body": "b", "value": [0, 0, 0.7]}},
      "outputs": {"x": "b.x", "y": "b.y", "z": "b.z", "yaw": "b.yaw", "roll": "b.roll", "turn": "b.rotation.z"})x",
                                     1e-9);
  ASSERT_EQ(simulation->advanceTo(60), "");
  expectOutputs(*simulation, {0.03, -0.01, -0.025, 0.01, 0, 0.01}, 1e-6);
}

// One second of a hanging chain; its cost must not grow faster than its length.
std::string chain(int links) {
  std::string bodies = R"x("gravity": [0, 0, -9.81], "bodies": {)x", joints = R"x("joints": {)x";
  for (int i = 0; i < links; ++i) {
    const std::string name = "l" + std::to_string(i), before = i == 0 ? "ground" : "l" + std::to_string(i - 1) + ".b";
    bodies += (i > 0 ? ", \"" : "\"") + name + R"x(": {"mass": 1, "inertia": [0.01, 0.09, 0.09],
        "markers": {"a": [-0.5, 0, 0], "b": [0.5, 0, 0]}, "velocity": {"angular": [0.1, 0, )x" +
              std::to_string(0.2 * (i % 3)) + R"x(]}})x";
    joints += (i > 0 ? ", \"j" : "\"j") + std::to_string(i) + R"x(": {"type": "spherical", "between": [")x" + before +
              "\", \"" + name + ".a\"]}";
  }
  return bodies + "}, " + joints + R"x(}, "outputs": {"energy": "energy.total"})x";
}

TEST(SpatialChains, AThousandBodiesForASecond) {
  const auto simulation = spatialRun(chain(1000), 1e-4);
  const double energy = simulation->energy();
  ASSERT_EQ(simulation->advanceTo(1), "");
  EXPECT_NEAR(simulation->energy(), energy, 1e-2 * 1000);
  EXPECT_LE(simulation->constraintResidual(), 1e-6);
}

}  // namespace
}  // namespace mbfmu::test
