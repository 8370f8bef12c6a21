// Every derivative of every coordinate of bodies in space against central differences, at random poses and velocities.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "multibody/spatial_coordinates.h"

using namespace mbfmu;

namespace {

constexpr int kBodies = 4;  // ground and three
constexpr double kStep = 1e-6;

// Constants: three numbers of each point or axis, from index 3 on.
constexpr std::array<int, 3> at(int i) { return {3 * i, 3 * i + 1, 3 * i + 2}; }

struct Case {
  std::string name;
  Coordinate coordinate;
  bool scalar = true;
};

std::vector<Case> cases() {
  const BodyPoint onGround{0, false, at(1)}, one{1, false, at(2)}, two{2, false, at(3)}, centre{3};
  const BodyAxis fixed{0, at(4)}, x{1, at(5)}, y{1, at(6)}, z{1, at(7)}, turned{2, at(8)}, third{3, at(4)};
  return {{"component", spatial::component(one, two, 1)},
          {"component_of_ground", spatial::component(onGround, two, 2)},
          {"component_of_centre", spatial::component(one, centre, 0)},
          {"length", spatial::length(one, two)},
          {"length_to_centre", spatial::length(centre, onGround)},
          {"along_first", spatial::along(one, two, x)},
          {"along_second", spatial::along(one, two, turned)},
          {"along_third", spatial::along(one, two, third)},
          {"along_ground", spatial::along(onGround, centre, fixed)},
          {"dot", spatial::dot(x, turned)},
          {"dot_of_ground", spatial::dot(fixed, turned)},
          {"turn", spatial::turn({x, y, z, turned, 0})},
          {"spin_about_world", spatial::spin(0, 2, fixed), false},
          {"spin_about_first", spatial::spin(1, 2, x), false},
          {"spin_about_second", spatial::spin(1, 2, turned), false},
          {"spin_about_third", spatial::spin(1, 2, third), false},
          {"push_along_world", spatial::push(onGround, two, fixed), false},
          {"push_along_first", spatial::push(one, two, x), false},
          {"push_along_second", spatial::push(onGround, two, turned), false},
          {"push_along_third", spatial::push(one, two, third), false}};
}

class SpatialCoordinates : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random = [&] { return Vector3(uniform(generator_), uniform(generator_), uniform(generator_)); };
    at_.constants = {0, 1, -1};
    for (int i = 0; i < 4; ++i) append(random());
    const Matrix3 frame = rotationMatrix(exponential(random()));
    for (int k = 0; k < 3; ++k) append(frame.col(k));
    append(random().normalized());
    at_.spatialBodies.resize(kBodies);
    for (int b = 1; b < kBodies; ++b) {
      SpatialPose& pose = at_.spatialBodies[static_cast<std::size_t>(b)];
      pose.position = random();
      pose.rotation = rotationMatrix(exponential(2 * random()));
      pose.velocity = random();
      pose.omega = random();
    }
    state_.q = Vector::Constant(1, 20);  // an angle of three turns and a bit
    at_.state = &state_;
  }
  void append(const Vector3& v) { at_.constants.insert(at_.constants.end(), v.data(), v.data() + 3); }

  const Coordinate& s() const { return GetParam().coordinate; }
  CoordinateValue value(const Evaluation& at) const {
    CoordinateValue c;
    s().evaluate(at, 3, c);
    return c;
  }
  static Vector3 direction(int i) { return Vector3::Unit(i % 3); }
  SpatialPose& pose(Evaluation& at, int i) const { return at.spatialBodies[static_cast<std::size_t>(s().body(i / 6))]; }
  // Moved along the local tangent direction i, or its velocity changed.
  Evaluation moved(int i, double by) const {
    Evaluation at = at_;
    if (s().body(i / 6) == 0) return at;
    if (i % 6 < 3) pose(at, i).position += by * direction(i);
    if (i % 6 >= 3) pose(at, i).rotation *= rotationMatrix(exponential(by * direction(i)));
    return at;
  }
  Evaluation faster(int i, double by) const {
    Evaluation at = at_;
    if (s().body(i / 6) != 0) (i % 6 < 3 ? pose(at, i).velocity : pose(at, i).omega) += by * direction(i);
    return at;
  }
  // Moved on at constant v.
  Evaluation later(double by) const {
    Evaluation at = at_;
    for (SpatialPose& pose : at.spatialBodies) {
      pose.position += by * pose.velocity;
      pose.rotation *= rotationMatrix(exponential(by * pose.omega));
    }
    return at;
  }
  static double slope(const std::function<double(double)>& f) { return (f(kStep) - f(-kStep)) / (2 * kStep); }

  std::mt19937 generator_{11};
  Evaluation at_;
  State state_;
};

TEST_P(SpatialCoordinates, DerivativesMatchFiniteDifferences) {
  for (int trial = 0; trial < 3; ++trial) {
    SetUp();
    const CoordinateValue c = value(at_);
    const int n = s().size();
    double rate = 0;
    const double curvature = slope([&](double h) { return value(later(h)).rate; });
    EXPECT_NEAR(c.curvature, curvature, 1e-7);
    for (int i = 0; i < n; ++i) {
      if (s().body(i / 6) == 0) continue;
      const auto k = static_cast<std::size_t>(i);
      rate += c.sq[k] * (i % 6 < 3 ? pose(at_, i).velocity : pose(at_, i).omega)[i % 3];
      if (GetParam().scalar) {
        EXPECT_NEAR(c.sq[k], slope([&](double h) { return value(moved(i, h)).s; }), 1e-8) << i;
      }
      EXPECT_NEAR(c.sq[k], slope([&](double h) { return value(faster(i, h)).rate; }), 1e-8) << i;
      EXPECT_NEAR(c.sqv[k], slope([&](double h) { return value(moved(i, h)).rate; }), 1e-7) << i;
      EXPECT_NEAR(c.sqdot[k], slope([&](double h) { return value(later(h)).sq[k]; }), 1e-7) << i;
      EXPECT_NEAR(c.sqvv[k], slope([&](double h) { return value(moved(i, h)).curvature; }), 1e-6) << i;
      EXPECT_NEAR(c.sqv[k] + c.sqdot[k], slope([&](double h) { return value(faster(i, h)).curvature; }), 1e-7) << i;
      for (int j = 0; j < n; ++j) {
        if (s().body(j / 6) == 0) continue;
        const double own = s().couples(i, j) ? c.sqq[k][static_cast<std::size_t>(j)] : 0;
        EXPECT_NEAR(own, slope([&](double h) { return value(moved(j, h)).sq[k]; }), 1e-7) << i << " " << j;
      }
    }
    EXPECT_NEAR(c.rate, rate, 1e-13);
  }
}

TEST_P(SpatialCoordinates, LowOrdersAreTheSame) {
  const CoordinateValue all = value(at_);
  CoordinateValue c;
  s().evaluate(at_, 2, c);
  EXPECT_EQ(c.s, all.s);
  EXPECT_EQ(c.rate, all.rate);
  EXPECT_EQ(c.curvature, all.curvature);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s().size()); ++i) EXPECT_EQ(c.sq[i], all.sq[i]);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SpatialCoordinates, testing::ValuesIn(cases()),
                         [](const auto& i) { return i.param.name; });

TEST(Rotation, MapsAgreeWithFiniteDifferences) {
  for (const double size : {1e-9, 1e-3, 0.149, 0.151, 1.0, 3.0}) {
    const Vector3 theta = size * Vector3(1, -2, 3).normalized(), rate(0.3, 0.5, -0.2);
    // omega of exp(theta(t)): the rotation from one side of t to the other, per time.
    const double h = 1e-5;
    const Vector3 omega =
        logarithm(product(conjugate(exponential(theta - h * rate)), exponential(theta + h * rate))) / (2 * h);
    EXPECT_LE((tangentMap(theta) * rate - omega).norm(), 2e-10) << size;
    EXPECT_LE((inverseTangentMap(theta) * tangentMap(theta) - Matrix3::Identity()).norm(), 1e-14) << size;
    EXPECT_LE((logarithm(exponential(theta)) - theta).norm(), 1e-15 * (1 + size)) << size;
    EXPECT_LE(
        (rotationMatrix(quaternionOf(rotationMatrix(exponential(theta)))) - rotationMatrix(exponential(theta))).norm(),
        1e-15);
    EXPECT_LE((rotationMatrix(fromRollPitchYaw(rollPitchYaw(rotationMatrix(exponential(theta))))) -
               rotationMatrix(exponential(theta)))
                  .norm(),
              1e-14);
  }
}

}  // namespace
