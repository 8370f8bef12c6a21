// Accuracy of the block integrator: measured orders, reference solutions, invariants, dense output, work.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "integrators/block_integrator.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

Tolerances tolerance(double rtol) { return {rtol, rtol, rtol, rtol}; }

BlockIntegrator started(const System& system, const State& y, const BlockOptions& options, double rtol) {
  BlockIntegrator integrator(options);
  integrator.setTolerances(tolerance(rtol));
  integrator.start(system, 0, y, consistentRates(system, 0, y));
  return integrator;
}

void run(BlockIntegrator& integrator, const System& system, double end) {
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    ASSERT_FALSE(failure) << describe(failure, system);
  }
}

BlockOptions radau(int r, double fixedStep = 0, Level level = Level::velocity) {
  return {.r = r, .nodes = Nodes::radau, .k = r - 1, .level = level, .fixedStep = fixedStep};
}

// Slope of log(error) over log(h) between successive step sizes, the last of them.
double measuredOrder(const System& system, const State& y0, const std::function<BlockOptions(double)>& options,
                     const std::vector<double>& steps, const std::function<double(const BlockIntegrator&)>& error) {
  double last = 0, order = 0;
  for (const double h : steps) {
    BlockIntegrator integrator = started(system, y0, options(h), 1e-12);
    run(integrator, system, 1);
    const double now = error(integrator);
    if (last > 0) order = std::log2(last / now);
    last = now;
  }
  return order;
}

Vector twoLinkAt1() {
  Vector q(6);
  q << -0.410713150699204142939, -0.285157338749562655249, -2.53470376259002433119, -0.855455335269664788866,
      -1.43567126576421090640, -1.61009978882828570452;
  return q;
}
Vector twoLinkAt2() {
  Vector q(6);
  q << -0.482714965717540941653, -0.130331354141331906185, -2.87788407571755047892, -0.106180468509465579284,
      -0.152540737980417041645, -6.15801017489294767867;
  return q;
}

TEST(BlockOrder, RadauIndex2) {
  const auto error = [](const BlockIntegrator& i) { return (i.state().q - twoLinkAt1()).cwiseAbs().maxCoeff(); };
  const double order3 = measuredOrder(
      TwoLink(), TwoLink::initial(), [](double h) { return radau(3, h); }, {1. / 32, 1. / 64, 1. / 128}, error);
  EXPECT_GT(order3, 4.3);
  EXPECT_LT(order3, 6);
  const double order5 = measuredOrder(
      TwoLink(), TwoLink::initial(), [](double h) { return radau(5, h); }, {1. / 16, 1. / 32, 1. / 64}, error);
  EXPECT_GT(order5, 7.5);
}

TEST(BlockOrder, OtherLevelsConverge) {
  const auto error = [](const BlockIntegrator& i) { return (i.state().q - twoLinkAt1()).cwiseAbs().maxCoeff(); };
  for (const Level level : {Level::position, Level::acceleration}) {
    const double order = measuredOrder(
        TwoLink(), TwoLink::initial(), [&](double h) { return radau(3, h, level); }, {1. / 32, 1. / 64, 1. / 128},
        error);
    EXPECT_GT(order, 2.7) << static_cast<int>(level);
  }
}

TEST(BlockOrder, ChartKeepsTheOrder) {
  const AsymmetricTop system;
  const Eigen::Vector3d exact = AsymmetricTop::momentum(AsymmetricTop::initial());
  const double order = measuredOrder(
      system, AsymmetricTop::initial(), [](double h) { return radau(3, h); }, {1. / 4, 1. / 8, 1. / 16},
      [&](const BlockIntegrator& i) { return (AsymmetricTop::momentum(i.state()) - exact).norm(); });
  EXPECT_GT(order, 4.3);
}

TEST(BlockAccuracy, TwoLinkReachesTheReference) {
  const TwoLink system;
  BlockIntegrator integrator = started(system, TwoLink::initial(), radau(5), 1e-8);
  run(integrator, system, 1);
  EXPECT_LT((integrator.state().q - twoLinkAt1()).cwiseAbs().maxCoeff(), 1e-6);
  run(integrator, system, 2);
  EXPECT_LT((integrator.state().q - twoLinkAt2()).cwiseAbs().maxCoeff(), 1e-5);
  const double energy = TwoLink::energy(TwoLink::initial());
  double drift = 0;
  while (integrator.time() < 10) {
    ASSERT_FALSE(integrator.step(system, 10));
    drift = std::max(drift, std::abs(TwoLink::energy(integrator.state()) - energy));
  }
  EXPECT_LT(drift, 1e-5);
  RecordProperty("drift", std::to_string(drift));
  Vector c(4);
  system.constraints(10, integrator.state(), Level::position, c);
  EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-10);
  system.constraints(10, integrator.state(), Level::velocity, c);
  EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-9);
}

// A change of the algorithm shows here. Counts may differ a little where the compiler contracts products and sums.
TEST(BlockAccuracy, TwoLinkWork) {
  const TwoLink system;
  BlockIntegrator integrator = started(system, TwoLink::initial(), radau(5), 1e-6);
  run(integrator, system, 10);
  const Statistics& s = integrator.statistics();
  EXPECT_NEAR(static_cast<double>(s.steps), 206, 6);
  EXPECT_NEAR(static_cast<double>(s.newtonIterations), 1279, 39);
  EXPECT_NEAR(static_cast<double>(s.jacobianEvaluations), 242, 6);
  EXPECT_NEAR(static_cast<double>(s.rejectedSteps), 36, 2);
}

TEST(BlockAccuracy, EveryFamilyAndNodeCountSolvesTwoLink) {
  const TwoLink system;
  for (const Nodes nodes : {Nodes::equidistant, Nodes::chebyshev, Nodes::legendre, Nodes::radau}) {
    for (int r = 2; r <= 8; ++r) {
      for (int k = std::max(1, r - 2); k < r; ++k) {
        BlockIntegrator integrator = started(system, TwoLink::initial(), {.r = r, .nodes = nodes, .k = k}, 1e-6);
        run(integrator, system, 1);
        EXPECT_LT((integrator.state().q - twoLinkAt1()).cwiseAbs().maxCoeff(), 1e-4)
            << "family " << static_cast<int>(nodes) << " r " << r << " k " << k;
      }
    }
  }
}

TEST(BlockAccuracy, TopKeepsEnergyAndMomentum) {
  const AsymmetricTop system;
  BlockIntegrator integrator = started(system, AsymmetricTop::initial(), radau(5), 1e-9);
  const auto energy = [](const State& y) {
    return 0.5 * y.v.dot(AsymmetricTop::inertia().cwiseProduct(y.v.head<3>()));
  };
  const double energy0 = energy(integrator.state());
  const Eigen::Vector3d momentum0 = AsymmetricTop::momentum(integrator.state());
  run(integrator, system, 20);
  EXPECT_NEAR(energy(integrator.state()), energy0, 1e-7);
  EXPECT_LT((AsymmetricTop::momentum(integrator.state()) - momentum0).norm(), 1e-6);
}

TEST(BlockAccuracy, FirstOrderStatesConverge) {
  const Pendulum system;
  BlockIntegrator fine = started(system, Pendulum::initial(), radau(5), 1e-11);
  BlockIntegrator coarse = started(system, Pendulum::initial(), radau(5), 1e-6);
  run(fine, system, 3);
  run(coarse, system, 3);
  EXPECT_LT((coarse.state().q - fine.state().q).norm(), 1e-4);
  EXPECT_LT((coarse.state().x - fine.state().x).norm(), 1e-4);
  EXPECT_GT(fine.state().x.norm(), 1e-3);
}

TEST(BlockAccuracy, DenseOutputIsAsGoodAsTheSteps) {
  const TwoLink system;
  BlockIntegrator coarse = started(system, TwoLink::initial(), radau(5), 1e-7);
  BlockIntegrator fine = started(system, TwoLink::initial(), radau(5), 1e-11);
  State y = coarse.state();
  Rates w = coarse.rates();
  double worstQ = 0, worstV = 0, worstA = 0;
  for (int i = 1; i <= 1000; ++i) {
    const double t = i * 1e-3;
    while (coarse.time() < t) ASSERT_FALSE(coarse.step(system, 1e9));
    run(fine, system, t);
    coarse.interpolate(system, t, y, w);
    worstQ = std::max(worstQ, (y.q - fine.state().q).cwiseAbs().maxCoeff());
    worstV = std::max(worstV, (y.v - fine.state().v).cwiseAbs().maxCoeff());
    worstA = std::max(worstA, (w.a - fine.rates().a).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worstQ, 1e-5);
  EXPECT_LT(worstV, 1e-4);
  EXPECT_LT(worstA, 3e-2);
}

}  // namespace
}  // namespace mbfmu
