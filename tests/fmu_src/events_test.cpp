// Events inside steps, against exact solutions. Every test runs with the integrators that restart in different ways.
#include <gtest/gtest.h>

#include <cmath>

#include "fmu_src/simulation.h"
#include "multibody/reader.h"

namespace mbfmu::test {
namespace {

std::unique_ptr<Simulation> start(const std::string& text, const std::string& integrator, const char* rtol) {
  Diagnostics diagnostics("test");
  const auto model = readModel(text, diagnostics);
  EXPECT_TRUE(model) << diagnostics.text();
  if (!model) return nullptr;
  auto simulation = Simulation::create(model, diagnostics);
  EXPECT_TRUE(simulation) << diagnostics.text();
  EXPECT_EQ(simulation->setSolverOption("integrator", integrator), "");
  EXPECT_EQ(simulation->setSolverOption("rtol", rtol), "");
  EXPECT_EQ(simulation->setSolverOption("atol", rtol), "");
  EXPECT_EQ(simulation->initialise(0), "");
  return simulation;
}

class Events : public testing::TestWithParam<std::string> {
 protected:
  // The second-order method would need very many steps.
  bool rough() const { return GetParam() == "generalized-alpha"; }
};
INSTANTIATE_TEST_SUITE_P(Integrators, Events, testing::Values("lstable", "bdf", "generalized-alpha", "explicit"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

std::string ball(const std::string& restitution) {
  return R"({"name": "ball", "space": "planar", "gravity": [0, -9.81],
    "bodies": {"ground": {"markers": {"O": [0, 0]}},
               "ball": {"type": "point", "mass": 0.3, "pose": {"position": [0, 1]}}},
    "forces": {"floor": {"type": "rigid_contact", "between": ["ground.O", "ball"], "restitution": )" +
         restitution + R"(, "resting_speed": 0.02}},
    "outputs": {"y": "ball.y", "vy": "ball.vy", "force": "floor.value", "closed": "floor.closed"}})";
}

TEST_P(Events, BallBouncesAtTheExactTimesAndComesToRest) {
  const auto simulation = start(ball("0.8"), GetParam(), "1e-6");
  const double g = 9.81, e = 0.8;
  double speed = std::sqrt(2 * g), time = speed / g;
  long before = 0, steps = 0, bounces = 0;
  const bool counted = GetParam() == "lstable" || GetParam() == "bdf";
  while (speed > 0.02) {
    while (simulation->statistics().events == before) {
      ASSERT_EQ(simulation->stepTowards(20), "");
      ASSERT_LT(simulation->time(), 10);
      EXPECT_GE(simulation->outputs()[0], -1e-9);
    }
    before = simulation->statistics().events;
    ASSERT_EQ(before, ++bounces);
    EXPECT_NEAR(simulation->lastEventTime(), time, 1e-9) << bounces;
    if (counted && bounces > 1) {  // the first fall begins cold
      EXPECT_LE(simulation->statistics().steps - steps, 6) << bounces;
    }
    steps = simulation->statistics().steps;
    speed *= e;
    time += 2 * speed / g;
  }
  EXPECT_GE(bounces, 24);
  // The next one does not bounce: at rest for good, with the weight as contact force, and no further events.
  ASSERT_EQ(simulation->advanceTo(20), "");
  EXPECT_EQ(simulation->statistics().events, bounces + 1);
  EXPECT_NEAR(simulation->outputs()[0], 0, 1e-12);
  EXPECT_NEAR(simulation->outputs()[1], 0, 1e-12);
  EXPECT_NEAR(simulation->outputs()[2], 0.3 * g, 1e-10);
  EXPECT_EQ(simulation->outputs()[3], 1);
  EXPECT_LE(simulation->statistics().steps - steps, 40);
}

// A mass on a belt that moves at v0, held by a spring k: it sticks until the spring pulls with c0, then slides against
// c and swings about c/k until it is as fast as the belt again.
struct Belt {
  double m = 0.7, k = 30, v0 = 0.4, c = 2, c0 = 3;
  double slip() const {
    const double omega = std::sqrt(k / m), d = (c0 - c) / k;
    return 2 * (M_PI - std::atan(d * omega / v0)) / omega;
  }
  double stick() const { return 2 * (c0 - c) / k / v0; }
};

const char* beltText = R"({"name": "belt", "space": "planar",
  "bodies": {"ground": {}, "belt": {"mass": 1, "inertia": 1},
             "mass": {"mass": 0.7, "inertia": 0.1, "velocity": {"linear": [0.4, 0]}}},
  "joints": {"roller": {"type": "prismatic", "between": ["ground", "belt"], "motion": "0.4*time"},
             "track": {"type": "prismatic", "between": ["belt", "mass"], "friction": {"coulomb": 2, "stiction": 3}}},
  "forces": {"spring": {"type": "force", "at": "mass", "value": ["-30*mass.x", 0]}},
  "outputs": {"x": "mass.x", "v": "mass.vx", "sticking": "track.sticking", "friction": "track.friction"}})";

TEST_P(Events, MassOnABeltSticksAndSlips) {
  const auto simulation = start(beltText, GetParam(), rough() ? "1e-6" : "1e-10");
  const Belt belt;
  const double tolerance = rough() ? 1e-3 : 1e-7;
  EXPECT_EQ(simulation->outputs()[2], 1);
  double time = belt.c0 / belt.k / belt.v0;
  std::vector<double> times;
  for (long before = 0; times.size() < 11;) {
    ASSERT_EQ(simulation->stepTowards(100), "");
    ASSERT_LT(simulation->time(), 50);
    if (simulation->statistics().events == before) continue;
    ASSERT_EQ(simulation->statistics().events, before + 1);
    before = simulation->statistics().events;
    times.push_back(simulation->lastEventTime());
  }
  EXPECT_NEAR(times[0], time, tolerance);
  EXPECT_NEAR(times[1] - times[0], belt.slip(), tolerance);
  EXPECT_NEAR(times[2] - times[1], belt.stick(), tolerance);
  for (std::size_t i = 2; i < times.size(); ++i)
    EXPECT_NEAR(times[i] - times[i - 2], belt.slip() + belt.stick(), tolerance) << i;
}

const char* clutchText = R"({"name": "clutch", "space": "planar",
  "bodies": {"ground": {}, "one": {"mass": 1, "inertia": 0.5, "velocity": {"rate": 10}},
             "two": {"mass": 1, "inertia": 0.2, "velocity": {"rate": 0}}},
  "joints": {"bearing": {"type": "revolute", "between": ["ground", "one"]},
             "shaft": {"type": "revolute", "between": ["one", "two"]}},
  "inputs": {"on": {"type": "boolean", "start": false}, "torque": {}},
  "forces": {"clutch": {"type": "clutch", "joint": "shaft", "engaged": {"input": "on"}},
             "motor": {"type": "torque", "joint": "bearing", "value": {"input": "torque"}}},
  "outputs": {"w1": "one.rate", "w2": "two.rate", "locked": "clutch.locked", "transmitted": "clutch.value"}})";

TEST_P(Events, ClutchKeepsAngularMomentumAtLock) {
  const auto simulation = start(clutchText, GetParam(), "1e-8");
  ASSERT_EQ(simulation->advanceTo(0.5), "");
  EXPECT_EQ(simulation->outputs()[2], 0);
  const double before = 0.5 * simulation->outputs()[0] + 0.2 * simulation->outputs()[1];
  simulation->setInput(0, 1);
  EXPECT_EQ(simulation->outputs()[2], 1);
  EXPECT_NEAR(0.5 * simulation->outputs()[0] + 0.2 * simulation->outputs()[1], before, 1e-15 * 20);
  EXPECT_NEAR(simulation->outputs()[0], simulation->outputs()[1], 1e-14);
  EXPECT_NEAR(simulation->outputs()[0], 5 / 0.7, 1e-12);
  // Locked, both turn as one; the clutch passes on what the second one needs.
  simulation->setInput(1, 7);
  ASSERT_EQ(simulation->advanceTo(1.5), "");
  EXPECT_NEAR(simulation->outputs()[0], 5 / 0.7 + 10, 1e-5);
  EXPECT_NEAR(simulation->outputs()[1], simulation->outputs()[0], 1e-12);
  EXPECT_NEAR(simulation->outputs()[3], 2, 1e-6);
  simulation->setInput(0, 0);
  ASSERT_EQ(simulation->advanceTo(2), "");
  EXPECT_NEAR(simulation->outputs()[0], 5 / 0.7 + 17, 1e-5);
  EXPECT_NEAR(simulation->outputs()[1], 5 / 0.7 + 10, 1e-5);
  EXPECT_EQ(simulation->outputs()[2], 0);
}

std::string box(const std::string& friction) {
  return R"({"name": "box", "space": "planar", "gravity": [0, -9.81],
    "bodies": {"ground": {}, "box": {"mass": 2, "inertia": 0.15, "markers": {"A": [-0.4, -0.2], "B": [0.4, -0.2]},
               "pose": {"position": [0, 0.8], "angle": 0.3}, "velocity": {"linear": [0.5, 0]}}},
    "forces": {"left": {"type": "rigid_contact", "between": ["ground", "box.A"], "restitution": 0.4)" +
         friction + R"(},
               "right": {"type": "rigid_contact", "between": ["ground", "box.B"], "restitution": 0.4)" +
         friction + R"(}},
    "outputs": {"a": "box.A.y", "b": "box.B.y", "vx": "box.vx", "energy": "energy.total"}})";
}

TEST_P(Events, BoxOnTwoContactsComesToRestWithoutPenetrationOrEnergyGain) {
  for (const char* friction : {"", R"(, "friction": 0.3)"}) {
    const auto simulation = start(box(friction), GetParam(), "1e-8");
    double energy = simulation->energy();
    // Between its steps, the explicit method's output meets the constraints to the tolerance only.
    const double penetration = GetParam() == "explicit" ? 1e-8 : 1e-9;
    for (int i = 1; i <= 300; ++i) {
      ASSERT_EQ(simulation->advanceTo(0.01 * i), "") << friction;
      EXPECT_GE(simulation->outputs()[0], -penetration) << i;
      EXPECT_GE(simulation->outputs()[1], -penetration) << i;
      EXPECT_LE(simulation->energy(), energy + 1e-6) << i;
      energy = simulation->energy();
    }
    EXPECT_NEAR(simulation->outputs()[0], 0, 1e-9);
    EXPECT_NEAR(simulation->outputs()[1], 0, 1e-9);
    if (*friction) {
      EXPECT_NEAR(simulation->outputs()[2], 0, 1e-9);
    }
    EXPECT_LT(simulation->statistics().events, 400);
  }
}

const char* rulesText = R"({"name": "rules", "space": "planar",
  "bodies": {"ground": {}, "dot": {"type": "point", "mass": 1, "pose": {"position": [0, 0]},
             "velocity": {"linear": [1, 0]}}},
  "discrete": {"tops": {"type": "integer"}, "level": {"start": 2}, "ticks": {"type": "integer"}},
  "events": {"top": {"when": "dot.x > 0.9999", "set": {"tops": "tops + 1"}},
             "leave": {"when": "dot.x < 0.9999", "set": {"tops": "tops + 100"}},
             "chain": {"when": "tops > 150", "set": {"level": "level*3"}},
             "tick": {"at": 0.25, "every": 0.5, "set": {"ticks": "ticks + 1", "y": "time"}},
             "end": {"when": "time > 20", "stop": true}},
  "states": {"y": {"derivative": 0, "start": 5}},
  "forces": {"f": {"type": "force", "at": "dot", "value": ["-dot.x", 0]}},
  "outputs": {"n": "tops", "l": "level", "k": "ticks", "at": "y", "x": "dot.x"}})";

TEST_P(Events, RulesOfTheModelFileHappenExactlyWhenTheyShould) {
  const auto simulation = start(rulesText, GetParam(), rough() ? "1e-4" : "1e-8");
  ASSERT_EQ(simulation->advanceTo(0.2), "");
  EXPECT_NEAR(simulation->outputs()[3], 5, 1e-12);
  // In the tops of the sine, 0.0283 s wide: fewer than a step of the integrators.
  ASSERT_EQ(simulation->advanceTo(2 * M_PI), "");
  EXPECT_EQ(simulation->outputs()[0], 101);
  EXPECT_EQ(simulation->outputs()[1], 2);
  ASSERT_EQ(simulation->advanceTo(6 * M_PI), "");
  EXPECT_EQ(simulation->outputs()[0], 303);
  EXPECT_EQ(simulation->outputs()[1], 6);
  EXPECT_EQ(simulation->outputs()[2], 38);
  EXPECT_NEAR(simulation->outputs()[3], 18.75, 1e-12);
  EXPECT_FALSE(simulation->stopped());
  ASSERT_EQ(simulation->advanceTo(21), "");
  EXPECT_TRUE(simulation->stopped());
}

// Everything a simulation shows, bit for bit.
std::vector<double> picture(const Simulation& simulation) {
  std::vector<double> all(simulation.outputs().data(), simulation.outputs().data() + simulation.outputs().size());
  all.push_back(simulation.energy());
  all.push_back(static_cast<double>(simulation.statistics().events));
  all.push_back(static_cast<double>(simulation.statistics().steps));
  all.push_back(simulation.lastEventTime());
  return all;
}

TEST_P(Events, RollBackInTheMiddleOfStickingGivesTheSameBits) {
  for (const double point : {0.1, 0.3, 0.45, 1.33}) {
    const auto simulation = start(beltText, GetParam(), rough() ? "1e-4" : "1e-6");
    ASSERT_EQ(simulation->advanceTo(point), "");
    const auto copy = std::make_unique<Simulation>(*simulation);
    Archive::Bytes bytes;
    Archive writer = Archive::writer(bytes);
    simulation->transfer(writer);
    const auto fresh = start(beltText, GetParam(), rough() ? "1e-4" : "1e-6");
    Archive reader = Archive::reader(bytes.data(), bytes.size());
    fresh->transfer(reader);
    ASSERT_TRUE(reader.finished());
    for (int i = 1; i <= 20; ++i) {
      for (Simulation* each : {simulation.get(), copy.get(), fresh.get()})
        ASSERT_EQ(each->advanceTo(point + 0.1 * i), "");
      EXPECT_EQ(picture(*simulation), picture(*copy));
      EXPECT_EQ(picture(*simulation), picture(*fresh));
    }
  }
}

TEST_P(Events, StoppingAtEventsGivesTheSameBits) {
  for (const std::string& text : {ball("0.7"), std::string(beltText), std::string(rulesText)}) {
    const char* rtol = rough() ? "1e-4" : "1e-7";
    const auto inside = start(text, GetParam(), rtol), outside = start(text, GetParam(), rtol);
    long stops = 0;
    for (int i = 1; i <= 30; ++i) {
      ASSERT_EQ(inside->advanceTo(0.1 * i), "");
      while (outside->time() < 0.1 * i || outside->eventPending()) {
        ASSERT_EQ(outside->advanceTo(0.1 * i, Simulation::Stop::atEvents), "");
        if (!outside->eventPending()) continue;
        ASSERT_EQ(outside->handleEvents(), "");
        EXPECT_FALSE(outside->eventPending());
        ++stops;
      }
      EXPECT_EQ(picture(*inside), picture(*outside));
    }
    EXPECT_EQ(stops, inside->statistics().events);
    EXPECT_GT(stops, 3);
  }
}

}  // namespace
}  // namespace mbfmu::test
