// Every block of the linearisation against central differences of the residual, for every element.
#include <gtest/gtest.h>

#include <random>

#include "multibody/mechanism.h"
#include "multibody/reader.h"

using namespace mbfmu;

namespace {

struct Case {
  std::string name, rest;  // further sections beside the bodies
  bool spatial = false;
};

std::string spatialText(const Case& c) {
  return R"({"name": "t", "space": "spatial", "gravity": [0.3, -1, -9.81], "parameters": {"k": 2},
    "inputs": {"u": {"start": 0.4}},
    "bodies": {"ground": {"markers": {"O": {"position": [0.1, 0.2, -0.3], "orientation": {"rotation_vector": [0.3, "k/4", 1]}}}},
      "one": {"mass": 1.5, "inertia": [0.3, 0.4, 0.5, 0.02, -0.03, "0.02*k"], "centre_of_mass": [0.1, -0.05, "0.1*k"],
              "markers": {"A": [-0.5, 0.1, 0.2],
                          "B": {"position": [0.6, 0.2, -0.1], "orientation": {"roll_pitch_yaw": [0.3, "0.2*k", -1]}}}},
      "two": {"mass": 0.7, "inertia": [[0.2, 0.01, 0], [0.01, 0.3, 0.02], [0, 0.02, 0.25]],
              "markers": {"B": {"position": [-0.4, 0.3, 0.1], "orientation": {"quaternion": [1, 0.2, "k", -0.3]}},
                          "C": [0.5, -0.1, 0.3]}},
      "dot": {"type": "point", "mass": 0.4, "pose": {"position": [1, 2, 0.5]}}}, )" +
         c.rest + "}";
}

std::string modelText(const Case& c) {
  if (c.spatial) return spatialText(c);
  return R"({"name": "t", "space": "planar", "gravity": [0.3, -9.81], "parameters": {"k": 2},
    "inputs": {"u": {"start": 0.4}},
    "bodies": {"ground": {"markers": {"O": [0.1, 0.2]}},
      "one": {"mass": 1.5, "inertia": 0.3, "markers": {"A": [-0.5, 0.1], "B": [0.6, 0.2]}},
      "two": {"mass": 0.7, "inertia": 0.2, "markers": {"B": [-0.4, 0.3], "C": [0.5, -0.1]}},
      "dot": {"type": "point", "mass": 0.4, "pose": {"position": [1, 2]}}}, )" +
         c.rest + "}";
}

const Case kCases[] = {
    {"bodies", R"("joints": {})"},
    {"revolute", R"("joints": {"j": {"type": "revolute", "between": ["one.B", "two.B"], "friction": {"viscous": 0.3}},
                 "g": {"type": "revolute", "between": ["ground.O", "one.A"]}})"},
    {"prismatic", R"("joints": {"j": {"type": "prismatic", "between": ["one.B", "two.B"], "axis": [1, "k"],
                  "friction": {"viscous": 0.3}}})"},
    {"weld", R"("joints": {"j": {"type": "weld", "between": ["one.B", "two.B"], "angle": 0.2}})"},
    {"rod", R"("joints": {"j": {"type": "rod", "between": ["one.B", "two.C"], "length": 1.2},
            "d": {"type": "rod", "between": ["two", "dot"], "length": 1}})"},
    {"slot", R"("joints": {"j": {"type": "slot", "between": ["one.A", "two.C"], "axis": [0, 1]},
             "d": {"type": "slot", "between": ["two", "dot"]}})"},
    {"gear", R"("joints": {"a": {"type": "revolute", "between": ["ground.O", "one.A"]},
             "b": {"type": "revolute", "between": ["one.B", "two.B"]},
             "j": {"type": "gear", "joints": ["a", "b"], "ratio": "-k"}})"},
    {"motion",
     R"("joints": {"j": {"type": "revolute", "between": ["ground.O", "one.A"], "motion": "sin(k*time)+time^2"},
               "s": {"type": "prismatic", "between": ["one.B", "two.B"], "motion": "cos(time)*0.1"}})"},
    {"motion_from_input", R"("joints": {
       "j": {"type": "revolute", "between": ["ground.O", "one.A"], "motion": {"input": "u", "time_constant": "0.1*k"}},
       "d": {"type": "driven_point", "between": ["one.B", "two.C"], "y": {"input": "u", "time_constant": 0.3}}})"},
    {"springs", R"("joints": {"j": {"type": "revolute", "between": ["ground.O", "one.A"]}}, "forces": {
                "s": {"type": "spring", "between": ["one.B", "two.C"], "stiffness": 40, "damping": 3, "length": 0.8},
                "d": {"type": "spring", "between": ["ground.O", "dot"], "stiffness": 9, "damping": 1},
                "r": {"type": "torsion_spring", "joint": "j", "stiffness": 5, "damping": 0.4, "angle": 0.1}})"},
    {"friction", R"("joints": {"j": {"type": "revolute", "between": ["one.B", "two.B"],
                 "friction": {"viscous": 0.1, "coulomb": "k", "speed": 0.3}},
                 "p": {"type": "prismatic", "between": ["ground.O", "one.A"], "axis": [2, 1],
                       "friction": {"coulomb": 1.5, "speed": 0.4}}})"},
    {"laws", R"("joints": {"j": {"type": "revolute", "between": ["ground.O", "one.A"]}}, "forces": {
             "s": {"type": "spring", "between": ["one.B", "two.C"], "force": "-k*(s.length - 0.8)^3 - 0.2*s.rate*s.length"},
             "t": {"type": "spring", "between": ["one.A", "dot"], "table": [[0.5, 3], [1, 0.1], [1.7, -1], [2.5, -4]]},
             "r": {"type": "torsion_spring", "joint": "j", "table": [[-1, 3], [0.2, 0], [1.5, -2]]}})"},
    {"actuators", R"("joints": {"j": {"type": "revolute", "between": ["ground.O", "one.A"]},
                  "p": {"type": "slot", "between": ["one.B", "two.C"]}}, "forces": {
                  "m": {"type": "actuator", "joint": "j", "time_constant": 0.3, "value": "u - 2*j.rate + p2.state"},
                  "p2": {"type": "actuator", "joint": "p", "time_constant": "k", "limit": 50, "value": "3*dot.x*m.state"},
                  "q": {"type": "actuator", "joint": "p", "time_constant": "k", "limit": 1e-3, "value": "3 + dot.x"}})"},
    {"contact", R"("forces": {
                "c": {"type": "contact", "between": ["ground.O", "one.B"], "radius": 4, "normal": [0.3, 1], "stiffness": 3,
                      "damping": 0.1, "friction": 0.4, "speed": 0.5},
                "p": {"type": "contact", "between": ["one.A", "dot"], "radius": 5, "stiffness": 2, "exponent": 2.2,
                      "damping": 0.05, "friction": 0.3, "speed": 0.4}})"},
    {"driven_point", R"x("joints": {"d": {"type": "driven_point", "between": ["ground.O", "one.B"], "x": "sin(k*time)",
                     "y": "time^3"}, "e": {"type": "driven_point", "between": ["one.A", "two.C"], "y": "cos(time)"}})x"},
    {"forces", R"("joints": {"j": {"type": "revolute", "between": ["one.B", "two.B"]},
               "p": {"type": "prismatic", "between": ["ground.O", "one.A"]}}, "forces": {
               "a": {"type": "torque", "joint": "j", "value": "-3*j.angle - 0.4*j.rate*one.vx + sin(time)*u"},
               "b": {"type": "force", "joint": "p", "value": {"input": "u"}},
               "c": {"type": "force", "at": "two.C", "value": ["two.C.x^2", "-dot.vy*k"]},
               "d": {"type": "force", "at": "one.B", "frame": "body", "value": ["3*one.rate", "two.angle*x"]},
               "e": {
  "type" : "torque", "body" : "two", "value" : "x*one.A.vy"
}
},
               "states": {"x": {"derivative": "u - k*x + two.B.vx*j.angle"}})"},
    // In space.
    {"spatial_bodies", R"x("joints": {})x", true},
    {"spherical", R"x("joints": {"j": {"type": "spherical", "between": ["one.B", "two.B"]},
                  "d": {"type": "spherical", "between": ["two.C", "dot"]}})x",
     true},
    {"hinge", R"x("joints": {"j": {"type": "revolute", "between": ["one.B", "two.B"], "axis": [1, "k", 0.3],
              "friction": {"viscous": 0.3, "coulomb": 0.2, "speed": 0.4}},
              "g": {"type": "revolute", "between": ["ground.O", "one.A"], "axis": [0, 0, 1], "motion": "sin(k*time)"}})x",
     true},
    {"slide", R"x("joints": {"j": {"type": "prismatic", "between": ["one.B", "two.B"], "axis": [1, "k", -1],
              "friction": {"viscous": 0.3}},
              "g": {"type": "prismatic", "between": ["ground.O", "one.B"], "axis": [0, 1, 1], "motion": "cos(time)"}})x",
     true},
    {"cylindrical", R"x("joints": {"j": {"type": "cylindrical", "between": ["one.B", "two.B"], "axis": [1, 0, "k"],
                    "friction": {"viscous": 0.2}}}, "forces": {
                    "t": {"type": "torque", "joint": "j", "value": "u*j.position - j.rate"},
                    "f": {"type": "force", "joint": "j", "value": "-j.position - 0.3*j.position_rate*j.angle"}})x",
     true},
    {"universal", R"x("joints": {"j": {"type": "universal", "between": ["one.B", "two.B"], "axis": [1, 0, 0.2],
                  "axis2": [0, "k", 1]}})x",
     true},
    {"planar", R"x("joints": {"j": {"type": "planar", "between": ["ground.O", "two.B"], "normal": [0.1, 0.3, 1],
               "motion": "k*time"}})x",
     true},
    {"screw",
     R"x("joints": {"j": {"type": "screw", "between": ["one.B", "two.B"], "axis": [0, 1, 0.4], "pitch": "0.1*k",
              "offset": 0.1, "friction": {"viscous": 0.1}}})x",
     true},
    {"spatial_weld", R"x("joints": {"j": {"type": "weld", "between": ["one.B", "two.B"]}})x", true},
    {"spatial_rod", R"x("joints": {"j": {"type": "rod", "between": ["one.B", "two.C"], "length": 1.2},
                    "d": {"type": "rod", "between": ["two", "dot"], "length": 1},
                    "p": {"type": "point_on_plane", "between": ["one.B", "dot"], "normal": [0, "k", 1]},
                    "m": {"type": "driven_point", "between": ["ground.O", "one.A"], "x": "sin(k*time)", "z": "time^3"}})x",
     true},
    {"gears", R"x("joints": {"a": {"type": "revolute", "between": ["ground.O", "one.A"], "axis": [0, 0, 1]},
              "b": {"type": "revolute", "between": ["one.B", "two.B"], "axis": [0, 1, 1]},
              "c": {"type": "prismatic", "between": ["ground.O", "two.B"], "axis": [1, 0, 0]},
              "g": {"type": "gear", "joints": ["a", "b"], "ratio": "-k", "offset": 0.2},
              "r": {"type": "rack_and_pinion", "joints": ["a", "c"], "radius": "0.3*k"}})x",
     true},
    {"spatial_springs",
     R"x("joints": {"j": {"type": "revolute", "between": ["ground.O", "one.A"], "axis": [0, 1, 2]}}, "forces": {
                "s": {"type": "spring", "between": ["one.B", "two.C"], "stiffness": 40, "damping": 3, "length": 0.8},
                "d": {"type": "spring", "between": ["ground.O", "dot"], "stiffness": 9, "damping": 1},
                "r": {"type": "torsion_spring", "joint": "j", "stiffness": 5, "damping": 0.4, "angle": 0.1},
                "m": {"type": "actuator", "joint": "j", "time_constant": 0.3, "value": "u - 2*j.rate"}})x",
     true},
    {"bushing",
     R"x("forces": {"b": {"type": "bushing", "between": ["one.B", "two.B"], "stiffness": [3, 4, 5, "k", 1, 2],
                "damping": [0.1, 0.2, 0.3, 0.4, 0.5, "0.1*k"]}})x",
     true},
    {"spatial_contact", R"x("forces": {
                "c": {"type": "contact", "between": ["ground.O", "one.B"], "radius": 4, "normal": [0.3, 1, 2], "stiffness": 3,
                      "damping": 0.1, "friction": 0.4, "speed": 0.5},
                "p": {"type": "contact", "between": ["one.B", "two.C"], "radius": 5, "stiffness": 2, "exponent": 2.2,
                      "damping": 0.05, "friction": 0.3, "speed": 0.4}})x",
     true},
    {"spatial_forces", R"x("forces": {
               "a": {"type": "force", "at": "two.C", "value": ["two.C.x^2", "-dot.vz*k", "sin(time)*u"]},
               "b": {"type": "force", "at": "one.B", "frame": "body", "value": ["3*one.omega.x", "two.body_omega.y*x", {"input": "u"}]},
               "c": {"type": "torque", "body": "two", "value": ["x*one.A.vy", "one.z", 2]},
               "d": {"type": "torque", "body": "one", "frame": "body", "value": [0.3, "one.body_omega.x", "-one.omega.z"]}},
               "states": {"x": {"derivative": "u - k*x + two.B.vz*one.x"}})x",
     true},
};

class Derivatives : public testing::TestWithParam<Case> {};

TEST_P(Derivatives, MatchFiniteDifferences) {
  Diagnostics diagnostics("test");
  const auto model = readModel(modelText(GetParam()), diagnostics);
  ASSERT_TRUE(model) << diagnostics.text();
  const auto mechanism = Mechanism::build(model, diagnostics);
  const Dimensions d = mechanism->dimensions();
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](int n) { return Vector(Vector::NullaryExpr(n, [&] { return uniform(generator); })); };
  for (int trial = 0; trial < 5; ++trial) {
    State y{2 * random(d.nv), random(d.nv), random(d.nx)};
    if (GetParam().spatial) mechanism->advance(mechanism->guess().q, Vector(y.q), y.q);
    const Rates w{random(d.nv), random(d.nx), random(d.m)};
    const double t = 0.37;
    if (d.m > 0 && trial == 4) mechanism->setRowActive(0, false);
    for (Level level : {Level::position, Level::velocity, Level::acceleration}) {
      Linearisation p;
      mechanism->linearise(t, y, w, level, p);
      const Pattern& pattern = mechanism->pattern();
      const int n = d.unknowns();
      Eigen::MatrixXd m[3];
      const std::vector<double>* values[3] = {&p.p0, &p.p1, &p.p2};
      for (int k = 0; k < 3; ++k) {
        m[k].setZero(n, n);
        for (std::size_t i = 0; i < pattern.size(); ++i) m[k](pattern.row[i], pattern.col[i]) += (*values[k])[i];
      }
      const double h = 1e-6;
      // Moves entry j of w, of (v, x), or of q.
      const auto column = [&](int block, int j) {
        Vector r[2];
        for (int side = 0; side < 2; ++side) {
          State ys = y;
          Rates ws = w;
          const double step = side == 0 ? h : -h;
          if (block == 2) mechanism->advance(y.q, step * Vector::Unit(d.nv, j), ys.q);
          if (block == 1) (j < d.nv ? ys.v[j] : ys.x[j - d.nv]) += step;
          if (block == 0)
            (j < d.nv ? ws.a[j] : j < d.nv + d.nx ? ws.xdot[j - d.nv] : ws.lambda[j - d.nv - d.nx]) += step;
          mechanism->residual(t, ys, ws, level, r[side]);
        }
        return Vector((r[0] - r[1]) / (2 * h));
      };
      // Constraint rows are divided by mu or mu^2 at velocity or position level: Phi_q then comes from the rate or from
      // Phi itself.
      const int shift = level == Level::acceleration ? 0 : level == Level::velocity ? 1 : 2;
      const int motionRows = d.nv + d.nx;
      for (int block = 0; block < 3; ++block) {
        const int columns = block == 0 ? n : block == 1 ? motionRows : d.nv;
        for (int j = 0; j < columns; ++j) {
          const Vector fd = column(block, j);
          for (int i = 0; i < motionRows; ++i)
            EXPECT_NEAR(m[block](i, j), fd[i], 2e-7) << block << " " << i << " " << j;
          for (int i = motionRows; i < n; ++i) {
            if (!mechanism->rowActive(i - motionRows)) {
              EXPECT_NEAR(m[block](i, j), block == 0 && i == j ? 1 : 0, 1e-12);
            } else if (block >= shift) {
              EXPECT_NEAR(m[block - shift](i, j), fd[i], 2e-7) << block << " " << i << " " << j;
            }
          }
        }
      }
      if (level != Level::acceleration) {
        Vector c, r;
        mechanism->constraints(t, y, level, c);
        mechanism->residual(t, y, {w.a, w.xdot, Vector::Zero(d.m)}, level, r);
        EXPECT_LE((c - r.tail(d.m)).norm(), 1e-14);
      }
    }
    // Rates of the constraints: d/dt of each level is the next one, with the states moving as they do.
    for (int row = 0; row < d.m; ++row) mechanism->setRowActive(row, true);
    const double h = 1e-5;
    Vector r;
    mechanism->residual(t, y, w, Level::acceleration, r);
    Rates moving = w;
    moving.xdot -= r.segment(d.nv, d.nx);
    mechanism->residual(t, y, moving, Level::acceleration, r);
    const auto at = [&](double s, Level level) {
      Vector q, c;
      mechanism->advance(y.q, s * y.v + s * s / 2 * w.a, q);
      mechanism->constraints(t + s, {q, y.v + s * w.a, y.x + s * moving.xdot}, level, c);
      return c;
    };
    EXPECT_LE(((at(h, Level::position) - at(-h, Level::position)) / (2 * h) - at(0, Level::velocity)).norm(), 1e-8);
    EXPECT_LE(((at(h, Level::velocity) - at(-h, Level::velocity)) / (2 * h) - r.tail(d.m)).norm(), 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, Derivatives, testing::ValuesIn(kCases), [](const auto& i) { return i.param.name; });

}  // namespace
