// Generalized-alpha: measured orders, accuracy, and what an FMU does with it besides stepping.
#include "integrators/generalized_alpha.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/integrators/allocation_count.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

GeneralizedAlpha started(const System& system, const State& y, const GeneralizedAlphaOptions& options, double rtol) {
  GeneralizedAlpha integrator(options);
  integrator.setTolerances({rtol, rtol, rtol, rtol});
  integrator.start(system, 0, y, consistentRates(system, 0, y));
  return integrator;
}

void run(Integrator& integrator, const System& system, double end) {
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    ASSERT_FALSE(failure) << describe(failure, system);
  }
}

State solution(const System& system, const State& y, const GeneralizedAlphaOptions& options, double rtol, double end) {
  GeneralizedAlpha integrator = started(system, y, options, rtol);
  run(integrator, system, end);
  return integrator.state();
}

Vector twoLinkAt1() {
  Vector q(6);
  q << -0.410713150699204142939, -0.285157338749562655249, -2.53470376259002433119, -0.855455335269664788866,
      -1.43567126576421090640, -1.61009978882828570452;
  return q;
}

// Order from three step sizes h, h/2, h/4 by the ratio of differences, so that no reference is needed.
struct Orders {
  double q = 0, v = 0, x = 0;
};
Orders measuredOrders(const System& system, const State& y0, GeneralizedAlphaOptions options, double h) {
  State y[3];
  for (int i = 0; i < 3; ++i) {
    options.fixedStep = h / (1 << i);
    y[i] = solution(system, y0, options, 1e-9, 1);
  }
  const auto order = [&](Vector State::*part) {
    return std::log2((y[0].*part - y[1].*part).norm() / (y[1].*part - y[2].*part).norm());
  };
  return {order(&State::q), order(&State::v), y0.x.size() > 0 ? order(&State::x) : 0};
}

TEST(AlphaParameters, AreTheKnownOnes) {
  const AlphaParameters trapezoidal = alphaParameters(AlphaVariant::newmark, 1);
  EXPECT_DOUBLE_EQ(trapezoidal.gamma, 0.5);
  EXPECT_DOUBLE_EQ(trapezoidal.beta, 0.25);
  EXPECT_NEAR(trapezoidal.errorV, 1.0 / 12, 1e-15);
  const AlphaParameters hht = alphaParameters(AlphaVariant::hht, 0.5);
  EXPECT_DOUBLE_EQ(hht.alphaF, 1.0 / 3);
  EXPECT_DOUBLE_EQ(hht.beta, 4.0 / 9);
  const AlphaParameters k = alphaParameters(AlphaVariant::chungHulbert, 0);
  EXPECT_DOUBLE_EQ(k.alphaM, -1);
  EXPECT_DOUBLE_EQ(k.gamma, 1.5);
  EXPECT_DOUBLE_EQ(k.beta, 1);
}

TEST(GeneralizedAlphaOrder, IsTwoForPositionsAndVelocities) {
  for (const Level level : {Level::velocity, Level::position}) {
    for (const double rho : {0.0, 0.5, 0.8}) {
      const Orders order = measuredOrders(TwoLink(), TwoLink::initial(), {.rho = rho, .level = level}, 1. / 512);
      EXPECT_NEAR(order.q, 2, 0.15) << "rho " << rho << " level " << static_cast<int>(level);
      EXPECT_NEAR(order.v, 2, 0.15) << "rho " << rho << " level " << static_cast<int>(level);
    }
  }
}

TEST(GeneralizedAlphaOrder, OfTheVariants) {
  const Orders hht = measuredOrders(TwoLink(), TwoLink::initial(), {.variant = AlphaVariant::hht}, 1. / 256);
  EXPECT_NEAR(hht.q, 2, 0.15);
  EXPECT_NEAR(hht.v, 2, 0.15);
  const Orders newmark = measuredOrders(TwoLink(), TwoLink::initial(), {.variant = AlphaVariant::newmark}, 1. / 512);
  EXPECT_NEAR(newmark.q, 1, 0.2);
  const Orders trapezoidal =
      measuredOrders(Pendulum(), Pendulum::initial(), {.variant = AlphaVariant::newmark, .rho = 1}, 1. / 64);
  EXPECT_NEAR(trapezoidal.q, 2, 0.15);
}

TEST(GeneralizedAlphaOrder, IsTwoForFirstOrderStates) {
  for (const Level level : {Level::velocity, Level::position}) {
    const Orders order = measuredOrders(Pendulum(), Pendulum::initial(), {.level = level}, 1. / 64);
    EXPECT_NEAR(order.q, 2, 0.15);
    EXPECT_NEAR(order.x, 2, 0.15);
  }
}

TEST(GeneralizedAlphaOrder, IsTwoOnACharts) {
  const Orders order = measuredOrders(AsymmetricTop(), AsymmetricTop::initial(), {}, 1. / 32);
  EXPECT_NEAR(order.q, 2, 0.15);
  EXPECT_NEAR(order.v, 2, 0.15);
}

TEST(GeneralizedAlphaAccuracy, TwoLinkFollowsTheTolerance) {
  const TwoLink system;
  for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    for (const Level level : {Level::velocity, Level::position}) {
      GeneralizedAlpha integrator = started(system, TwoLink::initial(), {.level = level}, rtol);
      run(integrator, system, 1);
      const double error = (integrator.state().q - twoLinkAt1()).cwiseAbs().maxCoeff();
      EXPECT_LT(error, 100 * rtol);
    }
  }
}

}  // namespace
}  // namespace mbfmu
