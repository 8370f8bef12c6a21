// What an FMU does with the integrator besides stepping: copies, cuts, jumps, failures, and no allocation on the way.
#include <gtest/gtest.h>

#include "integrators/block_integrator.h"
#include "tests/integrators/allocation_count.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

BlockIntegrator started(const System& system, double t, const State& y, double rtol = 1e-8) {
  BlockIntegrator integrator{BlockOptions{}};
  integrator.setTolerances({rtol, rtol, rtol, rtol});
  integrator.start(system, t, y, consistentRates(system, t, y));
  return integrator;
}

void run(Integrator& integrator, const System& system, double end) {
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    ASSERT_FALSE(failure) << describe(failure, system);
  }
}

TEST(BlockContinuation, CloneGivesTheSameBits) {
  const TwoLink system;
  BlockIntegrator original = started(system, 0, TwoLink::initial());
  run(original, system, 0.7);
  const std::unique_ptr<Integrator> copy = original.clone();
  run(original, system, 3);
  run(*copy, system, 3);
  EXPECT_EQ(original.state().q, copy->state().q);
  EXPECT_EQ(original.state().v, copy->state().v);
  EXPECT_EQ(original.rates().lambda, copy->rates().lambda);
  EXPECT_EQ(original.statistics().newtonIterations, copy->statistics().newtonIterations);
}

TEST(BlockContinuation, CutBackAndGoOn) {
  const TwoLink system;
  BlockIntegrator whole = started(system, 0, TwoLink::initial(), 1e-10);
  run(whole, system, 2);
  BlockIntegrator cut = started(system, 0, TwoLink::initial());
  for (int i = 1; i < 20; ++i) {
    const double t = 0.1 * i;
    while (cut.time() < t) ASSERT_FALSE(cut.step(system, 1e9));
    ASSERT_FALSE(cut.cutBack(system, t));
    EXPECT_EQ(cut.time(), t);
    Vector c(4);
    system.constraints(t, cut.state(), Level::velocity, c);
    EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-12);
  }
  run(cut, system, 2);
  EXPECT_LT((cut.state().q - whole.state().q).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(BlockContinuation, JumpIsAsGoodAsARestart) {
  Pendulum system;
  BlockIntegrator warm = started(system, 0, Pendulum::initial());
  BlockIntegrator cold = started(system, 0, Pendulum::initial(), 1e-11);
  for (int i = 1; i <= 20; ++i) {
    run(warm, system, 0.1 * i);
    run(cold, system, 0.1 * i);
    system.force = i % 2 == 0 ? -2 : 2;
    ASSERT_FALSE(warm.jump(system));
    cold.start(system, cold.time(), cold.state(), consistentRates(system, cold.time(), cold.state()));
    EXPECT_LT((warm.rates().a - cold.rates().a).norm(), 1e-4);
  }
  EXPECT_LT((warm.state().q - cold.state().q).norm(), 1e-6);
  EXPECT_LT((warm.state().x - cold.state().x).norm(), 1e-6);
  EXPECT_EQ(warm.statistics().warmRestarts, 20);
  EXPECT_EQ(warm.statistics().restarts, 1);
}

TEST(BlockContinuation, FailureLeavesEverythingAsItWas) {
  const Pendulum system(2);
  State y = Pendulum::initial();
  BlockIntegrator integrator = started(system, 0, y);
  const Failure failure = integrator.step(system, 1);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure.reason, Failure::Reason::singularMatrix);
  EXPECT_GE(failure.worstConstraint, 0);
  EXPECT_NE(describe(failure, system).find("row "), std::string::npos);
  EXPECT_EQ(integrator.time(), 0);
  EXPECT_EQ(integrator.state().q, y.q);
  EXPECT_EQ(integrator.state().v, y.v);
  EXPECT_EQ(integrator.statistics().steps, 0);
  EXPECT_TRUE(integrator.jump(system));
}

// The equations give no numbers for a while: the step fails, and done again later it gives the same bits as if it had
// been tried once.
TEST(BlockContinuation, AFailedStepCanBeDoneAgain) {
  Pendulum system;
  BlockIntegrator failing = started(system, 0, Pendulum::initial()), other = failing;
  for (int i = 0; i < 10; ++i) {
    system.force = std::numeric_limits<double>::quiet_NaN();
    const Failure failure = failing.step(system, 1e9);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure.reason, Failure::Reason::notFinite);
    system.force = 0;
    ASSERT_FALSE(failing.step(system, 1e9));
    ASSERT_FALSE(other.step(system, 1e9));
    EXPECT_EQ(failing.time(), other.time());
    EXPECT_EQ(failing.state().q, other.state().q);
    EXPECT_EQ(failing.rates().lambda, other.rates().lambda);
  }
}

TEST(BlockContinuation, CutsOnlyWithinTheLastStep) {
  const TwoLink system;
  BlockIntegrator integrator = started(system, 0, TwoLink::initial());
  ASSERT_FALSE(integrator.step(system, 1e9));
  ASSERT_FALSE(integrator.step(system, 1e9));
  const double start = integrator.lastStepStart(), end = integrator.time();
  for (const double t : {0.9 * start, 1.1 * end, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(integrator.cutBack(system, t).reason, Failure::Reason::outOfRange);
    EXPECT_EQ(integrator.time(), end);
  }
  EXPECT_FALSE(integrator.cutBack(system, start));
  EXPECT_EQ(integrator.time(), start);
}

TEST(BlockContinuation, StepLimitIsAFailure) {
  const TwoLink system;
  BlockIntegrator integrator = started(system, 0, TwoLink::initial());
  integrator.setLimits({.maxSteps = 2});
  EXPECT_FALSE(integrator.step(system, 10));
  EXPECT_FALSE(integrator.step(system, 10));
  EXPECT_EQ(integrator.step(system, 10).reason, Failure::Reason::tooManySteps);
}

TEST(BlockContinuation, EndsExactlyAtTheLimitAndKeepsTheStepSize) {
  const TwoLink system;
  BlockIntegrator integrator = started(system, 0, TwoLink::initial(), 1e-6);
  run(integrator, system, 1);
  const long before = integrator.statistics().steps;
  for (int i = 1; i <= 10; ++i) run(integrator, system, 1 + 1e-4 * i);
  EXPECT_EQ(integrator.time(), 1 + 1e-4 * 10);
  EXPECT_EQ(integrator.statistics().steps, before + 10);
  ASSERT_FALSE(integrator.step(system, 10));
  EXPECT_GT(integrator.statistics().lastStepSize, 0.005);
}

// A pendulum pushed another way every 10 ms.
Statistics pushed(bool expectJumps, Vector& q) {
  Pendulum system;
  BlockIntegrator integrator = started(system, 0, Pendulum::initial(), 1e-6);
  integrator.expectJumps(expectJumps);
  for (int i = 1; i <= 100; ++i) {
    system.force = std::sin(1.7 * i);
    EXPECT_FALSE(integrator.jump(system));
    run(integrator, system, 0.01 * i);
  }
  q = integrator.state().q;
  return integrator.statistics();
}

TEST(BlockContinuation, FewerNodesWhileJumpsAreExpected) {
  Vector q3(2), q5(2);
  const Statistics few = pushed(true, q3), many = pushed(false, q5);
  EXPECT_LT((q3 - q5).norm(), 1e-7);
  EXPECT_EQ(few.order, 5);
  EXPECT_EQ(many.order, 9);
  EXPECT_LT(few.residualEvaluations, 0.7 * static_cast<double>(many.residualEvaluations));
}

TEST(BlockContinuation, NodesMayChangeBetweenSteps) {
  const TwoLink system;
  BlockIntegrator fine = started(system, 0, TwoLink::initial(), 1e-11);
  run(fine, system, 2);
  BlockIntegrator changing = started(system, 0, TwoLink::initial(), 1e-8);
  State y = changing.state();
  Rates w = changing.rates();
  bool few = false, many = false;
  for (int i = 1; i <= 200; ++i) {
    changing.expectJumps(i % 20 < 10);
    run(changing, system, 0.01 * i);
    (changing.statistics().order == 5 ? few : many) = true;
    const double t = 0.5 * (changing.lastStepStart() + changing.time());
    changing.interpolate(system, t, y, w);
    Vector c(4);
    system.constraints(t, y, Level::position, c);
    EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-6);
  }
  EXPECT_LT((changing.state().q - fine.state().q).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_TRUE(few && many);

  // The choice is part of what is copied and stored.
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  changing.expectJumps(true);
  changing.transfer(system, writer);
  BlockIntegrator restored{BlockOptions{}};
  Archive reader = Archive::reader(bytes.data(), bytes.size());
  restored.transfer(system, reader);
  ASSERT_TRUE(reader.finished());
  const std::unique_ptr<Integrator> copy = changing.clone();
  for (int i = 1; i <= 20; ++i)
    for (Integrator* integrator :
         {static_cast<Integrator*>(&changing), static_cast<Integrator*>(&restored), copy.get()})
      run(*integrator, system, 2 + 0.005 * i);
  EXPECT_EQ(changing.state().q, restored.state().q);
  EXPECT_EQ(changing.state().q, copy->state().q);
  EXPECT_EQ(changing.statistics().order, 5);
}

TEST(BlockContinuation, NoAllocationOnceRunning) {
  if (!countsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  const TwoLink system;
  BlockIntegrator integrator = started(system, 0, TwoLink::initial(), 1e-6);
  for (int i = 0; i < 5; ++i) ASSERT_FALSE(integrator.step(system, 1e9));
  State y = integrator.state();
  Rates w = integrator.rates();
  ASSERT_FALSE(integrator.jump(system));
  const long before = allocationCount();
  ASSERT_GT(before, 0);
  for (int i = 0; i < 100; ++i) {
    const Failure failure = integrator.step(system, 1e9);
    integrator.interpolate(system, integrator.time() - 1e-3, y, w);
    const Failure jumped = integrator.jump(system);
    ASSERT_FALSE(failure || jumped);
  }
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace mbfmu
