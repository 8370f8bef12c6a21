// The equations in the modes that events lead to, against central differences; impacts against hand calculations; bad
// rules in model files.
#include <gtest/gtest.h>

#include <random>

#include "multibody/initial_conditions.h"
#include "multibody/mechanism.h"
#include "multibody/reader.h"

using namespace mbfmu;

namespace {

std::unique_ptr<Mechanism> build(const std::string& text) {
  Diagnostics diagnostics("test");
  const auto model = readModel(text, diagnostics);
  EXPECT_TRUE(model) << diagnostics.text();
  return model ? Mechanism::build(model, diagnostics) : nullptr;
}

// Consistent, with all modes known.
InitialConditions begin(Mechanism& mechanism) {
  InitialConditions initial = findInitialConditions(mechanism, 0);
  EXPECT_TRUE(initial.ok) << initial.problem;
  EXPECT_EQ(mechanism.startEvents(0, initial.y, initial.w), "");
  return initial;
}

// A disc that slides on a slope, a slider that sticks, a locked brake.
const char* kModes = R"({"name": "modes", "space": "planar", "gravity": [0, -9.81],
  "bodies": {"ground": {},
    "plate": {"mass": 3, "inertia": 0.4, "markers": {"P": [0.2, 0.1]}, "pose": {"angle": 0, "position": [0, 0]}},
    "disc": {"mass": 1, "inertia": 0.05, "pose": {"position": [0.5, 0.3]}, "velocity": {"linear": [2, 0], "rate": 0}},
    "rider": {"mass": 0.5, "inertia": 0.01}},
  "joints": {"pin": {"type": "revolute", "between": ["ground", "plate"], "start": {"angle": 0, "rate": 0}},
    "rail": {"type": "prismatic", "between": ["plate", "rider"], "axis": [1, 0.2], "start": {"position": 1, "rate": 0},
             "friction": {"coulomb": 5, "stiction": 50}}},
  "inputs": {"on": {"type": "boolean", "start": true}},
  "forces": {"contact": {"type": "rigid_contact", "between": ["plate.P", "disc"], "radius": 0.2, "friction": 0.3},
    "brake": {"type": "clutch", "joint": "pin", "engaged": {"input": "on"}}},
  "outputs": {"closed": "contact.closed", "sticks": "contact.sticking", "rail": "rail.sticking", "brake": "brake.locked",
    "friction": "contact.friction", "normal": "contact.value"}})";

TEST(Events, LinearisationMatchesFiniteDifferencesInEveryMode) {
  const auto mechanism = build(kModes);
  const InitialConditions initial = begin(*mechanism);
  Vector outputs;
  mechanism->outputs(0, initial.y, initial.w, outputs);
  // Slides: friction against the motion of 0.3 times the weight.
  EXPECT_EQ(outputs[0], 1);
  EXPECT_EQ(outputs[1], 0);
  EXPECT_EQ(outputs[2], 1);
  EXPECT_EQ(outputs[3], 1);
  EXPECT_NEAR(std::abs(outputs[4]), 0.3 * outputs[5], 1e-12);
  EXPECT_GT(outputs[5], 1);

  const Dimensions d = mechanism->dimensions();
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](int n) { return Vector(Vector::NullaryExpr(n, [&] { return uniform(generator); })); };
  const State y{random(d.nq), random(d.nv), random(d.nx)};
  const Rates w{random(d.nv), random(d.nx), random(d.m)};
  Linearisation p;
  mechanism->linearise(0, y, w, Level::acceleration, p);
  const std::vector<double>* values[3] = {&p.p0, &p.p1, &p.p2};
  for (int block = 0; block < 3; ++block) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(d.unknowns(), d.unknowns());
    for (std::size_t i = 0; i < mechanism->pattern().size(); ++i) {
      m(mechanism->pattern().row[i], mechanism->pattern().col[i]) += (*values[block])[i];
    }
    for (int j = 0; j < (block == 0 ? d.unknowns() : d.nv); ++j) {
      Vector r[2];
      const double h = 1e-6;
      for (int side = 0; side < 2; ++side) {
        State ys = y;
        Rates ws = w;
        const double step = side == 0 ? h : -h;
        if (block == 2) ys.q[j] += step;
        if (block == 1) ys.v[j] += step;
        if (block == 0) (j < d.nv ? ws.a[j] : ws.lambda[j - d.nv - d.nx]) += step;
        mechanism->residual(0, ys, ws, Level::acceleration, r[side]);
      }
      const Vector expected = (r[0] - r[1]) / (2 * h);
      EXPECT_LT((m.col(j) - expected).cwiseAbs().maxCoeff(), 1e-7) << block << " " << j;
    }
  }
}

// Two balls in a row on a rail hit a wall: the first reverses, the second, touching it, is hit at the same time.
TEST(Events, SimultaneousImpactsKeepMomentumBetweenFreeBodies) {
  const auto mechanism = build(R"({"name": "row", "space": "planar",
    "bodies": {"ground": {}, "a": {"type": "point", "mass": 1, "pose": {"position": [0, 0]}, "velocity": {"linear": [0, 3]}},
               "b": {"type": "point", "mass": 2, "pose": {"position": [0, 1]}, "velocity": {"linear": [0, 0]}}},
    "forces": {"hit": {"type": "rigid_contact", "between": ["a", "b"], "radius": 1, "restitution": 0.5}},
    "outputs": {"va": "a.vy", "vb": "b.vy"}})");
  const InitialConditions initial = begin(*mechanism);
  Vector outputs;
  mechanism->outputs(0, initial.y, initial.w, outputs);
  EXPECT_NEAR(outputs[0] + 2 * outputs[1], 3, 1e-14);
  EXPECT_NEAR(outputs[1] - outputs[0], 0.5 * 3, 1e-14);
}

TEST(Events, BadRulesAreReportedWithTheirPlace) {
  const auto errors = [](const std::string& rest) {
    Diagnostics diagnostics("m");
    readModel(R"({"name": "m", "space": "planar", "bodies": {"a": {"type": "point", "mass": 1}}, )" + rest + "}",
              diagnostics);
    return diagnostics.text();
  };
  const auto expect = [&](const std::string& rest, const std::string& message) {
    EXPECT_NE(errors(rest).find(message), std::string::npos) << errors(rest);
  };
  expect(R"("events": {"e": {"when": "a.x", "stop": true}})", "/events/e/when: must be a relation");
  expect(R"("events": {"e": {"when": "a.x > 1", "at": 2, "stop": true}})", "either \"when\"");
  expect(R"("events": {"e": {"at": 2}})", "does nothing");
  expect(R"("events": {"e": {"at": 2, "set": {"gear": 1}}})", "/events/e/set/gear: unknown discrete");
  expect(R"("discrete": {"g": {"type": "real", "start": "h"}})", "/discrete/g/start");
  expect(R"("discrete": {"time": {}})", "has a meaning of its own");
  expect(R"("events": {"e": {"at": 0, "every": "-1", "stop": true}})", "/events/e/every");
}

TEST(Events, APoseBeyondAStopIsRefused) {
  const auto mechanism =
      build(R"({"name": "m", "space": "planar", "bodies": {"ground": {}, "a": {"mass": 1, "inertia": 1}},
    "joints": {"j": {"type": "revolute", "between": ["ground", "a"], "start": {"angle": 2}, "stop": {"upper": 1}}}})");
  InitialConditions initial = findInitialConditions(*mechanism, 0);
  ASSERT_TRUE(initial.ok) << initial.problem;
  EXPECT_EQ(initial.degreesOfFreedom, 1);
  EXPECT_TRUE(initial.redundant.empty());
  EXPECT_NE(mechanism->startEvents(0, initial.y, initial.w).find("j: upper stop is violated"), std::string::npos);
}

}  // namespace
