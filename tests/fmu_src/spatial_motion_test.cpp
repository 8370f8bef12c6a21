// Motion in space against exact solutions and independent models.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "integrators/integrator_registry.h"
#include "multibody/rotation.h"
#include "tests/fmu_src/spatial_run.h"

namespace mbfmu::test {
namespace {

// Jacobi's elliptic functions of parameter m by the arithmetic-geometric mean (Abramowitz & Stegun 16.4).
struct Elliptic {
  double sn, cn, dn;
  Elliptic(double u, double m) {
    std::array<double, 16> a{1}, c{};
    double b = std::sqrt(1 - m);
    int n = 0;
    for (; n < 15 && std::abs(n == 0 ? 1 : c[static_cast<std::size_t>(n)]) > 1e-17; ++n) {
      const auto k = static_cast<std::size_t>(n);
      a[k + 1] = (a[k] + b) / 2;
      c[k + 1] = (a[k] - b) / 2;
      b = std::sqrt(a[k] * b);
    }
    double phi = std::ldexp(a[static_cast<std::size_t>(n)] * u, n);
    for (; n > 0; --n) {
      const auto k = static_cast<std::size_t>(n);
      phi = (phi + std::asin(c[k] / a[k] * std::sin(phi))) / 2;
    }
    sn = std::sin(phi);
    cn = std::cos(phi);
    dn = std::sqrt(1 - m * sn * sn);
  }
};

double integral(const std::function<double(double)>& f, double end) {
  const int n = 4000;  // Simpson; smooth integrands: far below 1e-10
  const double h = end / n;
  double sum = f(0) + f(end);
  for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(i * h);
  return sum * h / 3;
}

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

Matrix3 orientation(const Simulation& simulation) { return rotationMatrix(simulation.state().q.segment<4>(3)); }

// Landau & Lifshitz, Mechanics, section 37: I1 < I2 < I3, M^2 > 2 E I2, at t = 0 no rotation about the middle axis.
TEST(SpatialMotion, FreeAsymmetricBodyFollowsItsEllipticFunctions) {
  const double I1 = 1, I2 = 2, I3 = 3, w1 = 1, w3 = 1.5;
  const auto simulation = spatialRun(
      R"x("bodies": {"b": {"mass": 1, "inertia": [1, 2, 3], "velocity": {"angular": [1, 0, 1.5], "linear": [0.1, 0, 0]}}})x");
  const double E2 = I1 * w1 * w1 + I3 * w3 * w3, M2 = I1 * I1 * w1 * w1 + I3 * I3 * w3 * w3, M = std::sqrt(M2);
  const double p = std::sqrt((I3 - I2) * (M2 - E2 * I1) / (I1 * I2 * I3));
  const double k2 = (I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1));
  const auto omega = [&](double t) {
    const Elliptic e(p * t, k2);
    return Vector3(std::sqrt((E2 * I3 - M2) / (I1 * (I3 - I1))) * e.cn,
                   std::sqrt((E2 * I3 - M2) / (I2 * (I3 - I2))) * e.sn,
                   std::sqrt((M2 - E2 * I1) / (I3 * (I3 - I1))) * e.dn);
  };
  ASSERT_LE((omega(0) - Vector3(w1, 0, w3)).norm(), 1e-14);
  const auto precession = [&](double t) {
    const Vector3 w = omega(t), l(I1 * w[0], I2 * w[1], I3 * w[2]);
    return M * (l[0] * w[0] + l[1] * w[1]) / (l[0] * l[0] + l[1] * l[1]);
  };
  const Vector3 L = Vector3(I1 * w1, 0, I3 * w3) / M, e1 = Vector3::UnitY(), e2 = L.cross(e1);
  const auto azimuth = [&](const Matrix3& r) { return std::atan2(e2.dot(r.col(2)), e1.dot(r.col(2))); };
  const double start = azimuth(orientation(*simulation));
  for (int t = 1; t <= 10; ++t) {
    ASSERT_EQ(simulation->advanceTo(t), "");
    const Vector3 w = simulation->state().v.segment<3>(3);
    const Matrix3 r = orientation(*simulation);
    EXPECT_LE((w - omega(t)).norm(), 1e-8) << t;
    EXPECT_LE((r * Vector3(I1 * w[0], I2 * w[1], I3 * w[2]) / M - L).norm(), 1e-8) << t;
    EXPECT_NEAR(wrapped(azimuth(r) - start - integral(precession, t)), 0, 1e-8) << t;
    EXPECT_NEAR(simulation->state().q[0], 0.1 * t, 1e-12) << t;
  }
}

// Goldstein, Classical Mechanics, section 5.7: a top let go at rest but for its spin; u is the cosine of its tilt.
TEST(SpatialMotion, HeavySymmetricTopFollowsItsEllipticFunctions) {
  const double m = 2, g = 9.81, l = 0.3, A = 0.05, C = 0.02, spin = 80, u0 = std::cos(0.7);
  const auto simulation = spatialRun(R"x("gravity": [0, 0, -9.81], "bodies": {"top": {"mass": 2,
      "inertia": [0.05, 0.05, 0.02], "centre_of_mass": [0, 0, 0.3], "pose": {"position": [0, 0, 0],
      "orientation": {"roll_pitch_yaw": [0, 0.7, 0]}, "fixed": true},
      "velocity": {"angular": ["80*sin(0.7)", 0, "80*cos(0.7)"]}}},
      "joints": {"tip": {"type": "spherical", "between": ["ground", "top"]}})x");
  const double about = A + m * l * l, a = C * spin / about, beta = 2 * m * g * l / about;
  const double root = std::sqrt(a * a * a * a - 4 * beta * (a * a * u0 - beta));
  const double u1 = (a * a - root) / (2 * beta), u3 = (a * a + root) / (2 * beta);
  const double k2 = (u0 - u1) / (u3 - u1), p = std::sqrt(beta * (u3 - u1)) / 2;
  const auto u = [&](double t) {
    const Elliptic e(p * t, k2);
    const double cd = e.cn / e.dn;
    return u1 + (u0 - u1) * cd * cd;
  };
  const auto precession = [&](double t) { return a * (u0 - u(t)) / (1 - u(t) * u(t)); };
  for (int t = 1; t <= 10; ++t) {
    ASSERT_EQ(simulation->advanceTo(t), "");
    const Vector3 z = orientation(*simulation).col(2);
    EXPECT_NEAR(z[2], u(t), 1e-8) << t;
    EXPECT_NEAR(wrapped(std::atan2(z[1], z[0]) - integral(precession, t)), 0, 1e-8) << t;
    EXPECT_NEAR(simulation->state().v[5], spin, 1e-8 * spin) << t;
  }
}

const char* const tumbling = R"x("bodies": {"b": {"mass": 1, "inertia": [1, 2, 3],
    "velocity": {"angular": [0.01, 5, 0.02]}}}, "forces": {"twist": {"type": "torque", "body": "b",
    "value": ["2*cos(1.3*time)", "sin(0.7*time)", "3*sin(0.4*time)"]}})x";

// A turn about the middle axis tips over again and again, and the torque adds the rest.
TEST(SpatialMotion, TumblingMeetsNoSingularOrientation) {
  const auto simulation = spatialRun(tumbling, 1e-9);
  std::set<int> cells;
  double steepest = 0;
  long steps = 0, mostSteps = 0;
  for (int i = 1; i <= 6000; ++i) {
    ASSERT_EQ(simulation->advanceTo(0.01 * i), "");
    const Quaternion p = simulation->state().q.segment<4>(3);
    EXPECT_NEAR(p.norm(), 1, 1e-15);
    // All of p and -p: signs and order of size of its four numbers, 192 cells of the orientations.
    std::array<int, 4> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(), [&](int i1, int i2) { return std::abs(p[i1]) > std::abs(p[i2]); });
    int cell = order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3];
    for (int k = 0; k < 4; ++k) cell = 2 * cell + (p[k] * p[order[0]] > 0 ? 1 : 0);
    cells.insert(cell);
    steepest = std::max(steepest, std::abs(orientation(*simulation)(2, 0)));
    if (i % 100 == 0) {
      mostSteps = std::max(mostSteps, simulation->statistics().steps - steps);
      steps = simulation->statistics().steps;
    }
  }
  EXPECT_EQ(cells.size(), 192u);
  EXPECT_GT(steepest, 0.999);                // roll and yaw are one there
  EXPECT_LT(mostSteps, 3 * steps / 60 + 5);  // nowhere does it have to crawl
}

TEST(SpatialMotion, EveryIntegratorRespectsTheManifold) {
  const auto reference = spatialRun(tumbling, 1e-11);
  ASSERT_EQ(reference->advanceTo(2), "");
  for (const IntegratorInfo& info : integrators()) {
    const std::string& name = info.name;
    const auto simulation = spatialRun(tumbling, 1e-7, name);
    for (int i = 1; i <= 20; ++i) ASSERT_EQ(simulation->advanceTo(0.1 * i), "") << name;
    EXPECT_LE((orientation(*simulation) - orientation(*reference)).norm(), 2e-4) << name;
    EXPECT_NEAR(simulation->state().q.segment<4>(3).norm(), 1, 1e-15) << name;
  }
}

// A slider-crank in a tilted plane: hinges at the ends of the crank, a spherical joint at the piston, whose row out of
// the plane is redundant. One degree of freedom, derived by hand below.
TEST(SpatialMotion, SliderCrankWithARedundantRowFollowsItsOneDegreeOfFreedom) {
  const auto simulation = spatialRun(R"x("gravity": [0, 0, -9.81], "parameters": {"a": 0.4},
    "bodies": {
      "ground": {"markers": {"O": {"position": [0.2, 0.1, 0.3], "orientation": {"roll_pitch_yaw": ["a", 0.3, -0.5]}}}},
      "crank": {"mass": 1.2, "inertia": [0.01, 0.03, 0.035, 0.002, 0.001, -0.003], "centre_of_mass": [0.05, 0, 0],
                "markers": {"O": [0, 0, 0], "P": [0.1, 0, 0]}},
      "rod": {"mass": 0.7, "inertia": [0.005, 0.02, 0.021, 0.001, 0.002, 0.001], "centre_of_mass": [0.15, 0, 0],
              "markers": {"P": [0, 0, 0], "Q": [0.3, 0, 0]}},
      "piston": {"mass": 0.5, "inertia": [0.001, 0.001, 0.001]}},
    "joints": {
      "main": {"type": "revolute", "between": ["ground.O", "crank.O"], "axis": [0, 0, 1], "start": {"angle": 1, "rate": 20}},
      "pin": {"type": "revolute", "between": ["crank.P", "rod.P"], "axis": [0, 0, 1],
              "start": {"angle": "-1 - asin(sin(1)/3)"}},
      "guide": {"type": "prismatic", "between": ["ground.O", "piston"], "axis": [1, 0, 0]},
      "ball": {"type": "spherical", "between": ["rod.Q", "piston"]}},
    "outputs": {"angle": "main.angle", "rate": "main.rate", "energy": "energy.total"})x");
  int off = 0;
  for (int row = 0; row < 18; ++row) off += simulation->mechanism().rowActive(row) ? 0 : 1;
  EXPECT_EQ(off, 1);

  // T = J(angle) angle'^2 / 2 and U(angle): angle'' = -(J' angle'^2 / 2 + U') / J, with J' and U' by differences.
  const double r = 0.1, l = 0.3;
  const Vector3 gravity = rotationMatrix(fromRollPitchYaw({0.4, 0.3, -0.5})).transpose() * Vector3(0, 0, -9.81);
  const auto inertia = [&](double x) {
    const double sine = r * std::sin(x) / l, turn = -r * std::cos(x) / (l * std::sqrt(1 - sine * sine));
    const double beta = -std::asin(sine), slide = -r * std::sin(x) - l * std::sin(beta) * turn;
    const double vx = -r * std::sin(x) - l / 2 * std::sin(beta) * turn,
                 vy = r * std::cos(x) + l / 2 * std::cos(beta) * turn;
    return 0.035 + 1.2 * r * r / 4 + 0.7 * (vx * vx + vy * vy) + 0.021 * turn * turn + 0.5 * slide * slide;
  };
  const auto potential = [&](double x) {
    const double beta = -std::asin(r * std::sin(x) / l);
    const Vector3 crank(r / 2 * std::cos(x), r / 2 * std::sin(x), 0);
    const Vector3 rod(r * std::cos(x) + l / 2 * std::cos(beta), r * std::sin(x) + l / 2 * std::sin(beta), 0);
    const Vector3 piston(r * std::cos(x) + l * std::cos(beta), 0, 0);
    return -gravity.dot(1.2 * crank + 0.7 * rod + 0.5 * piston);
  };
  const auto slope = [](const auto& f, double x) {
    const double h = 1e-3;  // fourth order
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
  };
  const auto rate = [&](const Eigen::Vector2d& y) {
    return Eigen::Vector2d(y[1], -(slope(inertia, y[0]) * y[1] * y[1] / 2 + slope(potential, y[0])) / inertia(y[0]));
  };
  Eigen::Vector2d y(1, 20);
  const double energy = simulation->outputs()[2], h = 1e-4;
  for (int i = 1; i <= 10; ++i) {
    for (int k = 0; k < 1000; ++k) {
      const Eigen::Vector2d k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    ASSERT_EQ(simulation->advanceTo(0.1 * i), "");
    EXPECT_NEAR(simulation->outputs()[0], y[0], 2e-8) << i;  // counts its full turns
    EXPECT_NEAR(simulation->outputs()[1], y[1], 1e-6) << i;
    EXPECT_NEAR(simulation->outputs()[2], energy, 1e-8 * energy) << i;
  }
  EXPECT_GT(y[0], 10);
}

}  // namespace
}  // namespace mbfmu::test
