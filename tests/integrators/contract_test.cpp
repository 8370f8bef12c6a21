// What integrator.h promises, of every integrator and option: a value, no heap once running, failures that change
// nothing, steps that end where they should, warm restarts.
#include <gtest/gtest.h>

#include <limits>

#include "tests/integrators/allocation_count.h"
#include "tests/integrators/every_integrator.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

class Contract : public testing::TestWithParam<Choice> {
 protected:
  static std::unique_ptr<Integrator> started(const System& system, const State& y, double rtol) {
    auto integrator = GetParam().make();
    integrator->setTolerances({rtol, rtol, rtol, rtol});
    integrator->start(system, 0, y, consistentRates(system, 0, y));
    return integrator;
  }
  // Methods of order 1 need their own step size to be as accurate as the others.
  static double accuracy() { return GetParam().label == "bdf_order1" ? 0.3 : 1e-2; }
};

void run(Integrator& integrator, const System& system, double end) {
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    ASSERT_FALSE(failure) << describe(failure, system);
  }
}

TEST_P(Contract, ACloneGivesTheSameBitsAndReadingChangesNothing) {
  const TwoLink system;
  const auto original = started(system, TwoLink::initial(), 1e-6);
  run(*original, system, 0.3);
  const std::unique_ptr<Integrator> copy = original->clone(), assigned = GetParam().make();
  assigned->assign(*original);
  State y = original->state();
  Rates w = original->rates();
  while (original->time() < 0.8) {
    ASSERT_FALSE(original->step(system, 0.8));
    original->interpolate(system, 0.5 * (original->time() + original->lastStepStart()), y, w);
  }
  for (Integrator* other : {copy.get(), assigned.get()}) {
    run(*other, system, 0.8);
    EXPECT_EQ(original->state().q, other->state().q);
    EXPECT_EQ(original->state().v, other->state().v);
    EXPECT_EQ(original->rates().lambda, other->rates().lambda);
  }
}

TEST_P(Contract, NoAllocationOnceRunning) {
  const TwoLink system;
  const auto integrator = started(system, TwoLink::initial(), 1e-5);
  State y = integrator->state();
  Rates w = integrator->rates();
  const auto round = [&](int i) {
    Failure failure = integrator->step(system, 1e9);
    integrator->interpolate(system, 0.5 * (integrator->time() + integrator->lastStepStart()), y, w);
    if (!failure && i % 7 == 3)
      failure = integrator->cutBack(system, 0.5 * (integrator->time() + integrator->lastStepStart()));
    if (!failure && i % 5 == 2) failure = integrator->jump(system);
    return static_cast<bool>(failure);
  };
  for (int i = 0; i < 20; ++i) ASSERT_FALSE(round(i));
  const long before = allocationCount();
  ASSERT_GT(before, 0);
  for (int i = 0; i < 60; ++i) ASSERT_FALSE(round(i));
  EXPECT_EQ(allocationCount(), before);
}

// A mechanism that loses its force in the middle: Newton's iteration meets numbers that are none.
class Broken : public Pendulum {
 public:
  bool broken = false;

 protected:
  void evaluate(double t, const State& y, const Rates& w, Terms& k) const override {
    Pendulum::evaluate(t, y, w, k);
    if (broken) k.Q.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
};

TEST_P(Contract, AFailureLeavesEverythingAsItWas) {
  Broken system;
  const auto integrator = started(system, Pendulum::initial(), 1e-5), other = integrator->clone();
  for (int i = 0; i < 8; ++i) ASSERT_FALSE(integrator->step(system, 1e9) || other->step(system, 1e9));
  system.broken = true;
  const Failure failure = integrator->step(system, 1e9);
  EXPECT_TRUE(failure);
  EXPECT_EQ(failure.t, other->time());
  EXPECT_EQ(integrator->time(), other->time());
  EXPECT_EQ(integrator->state().q, other->state().q);
  EXPECT_EQ(integrator->rates().lambda, other->rates().lambda);
  EXPECT_TRUE(integrator->jump(system));
  EXPECT_EQ(integrator->rates().lambda, other->rates().lambda);
  system.broken = false;
  const double end = other->time() + 0.2;
  run(*integrator, system, end);
  run(*other, system, end);
  EXPECT_LT((integrator->state().q - other->state().q).norm(), 0.1 * accuracy());
}

TEST_P(Contract, StepLimitIsAFailure) {
  const TwoLink system;
  const auto integrator = started(system, TwoLink::initial(), 1e-5);
  integrator->setLimits({.maxSteps = 2});
  EXPECT_FALSE(integrator->step(system, 10) || integrator->step(system, 10));
  EXPECT_EQ(integrator->step(system, 10).reason, Failure::Reason::tooManySteps);
  EXPECT_EQ(integrator->statistics().steps, 2);
}

TEST_P(Contract, EndsExactlyAtTheLimit) {
  const TwoLink system;
  const auto integrator = started(system, TwoLink::initial(), 1e-5);
  for (const double end : {0.1, 0.10001, 0.17, 0.4}) {
    run(*integrator, system, end);
    EXPECT_EQ(integrator->time(), end);
  }
}

// Cut back to points of a grid, with a force that jumps at each, against cold restarts of the flagship.
TEST_P(Contract, CutBackAndJump) {
  Pendulum system;
  const auto warm = started(system, Pendulum::initial(), 1e-6);
  std::string problem;
  const auto cold = makeIntegrator("lstable", {}, problem);
  cold->setTolerances({1e-11, 1e-11, 1e-11, 1e-11});
  cold->start(system, 0, Pendulum::initial(), consistentRates(system, 0, Pendulum::initial()));
  for (int i = 1; i <= 10; ++i) {
    while (warm->time() < 0.1 * i) ASSERT_FALSE(warm->step(system, 1e9));
    ASSERT_FALSE(warm->cutBack(system, 0.1 * i));
    EXPECT_EQ(warm->time(), 0.1 * i);
    run(*cold, system, 0.1 * i);
    system.force = i % 2 == 0 ? -2 : 2;
    ASSERT_FALSE(warm->jump(system));
    cold->start(system, cold->time(), cold->state(), consistentRates(system, cold->time(), cold->state()));
  }
  EXPECT_LT((warm->state().q - cold->state().q).norm(), accuracy());
  EXPECT_LT((warm->state().x - cold->state().x).norm(), accuracy());
  EXPECT_EQ(warm->statistics().warmRestarts, 10);
  EXPECT_EQ(warm->statistics().restarts, 1);
}

std::string label(const testing::TestParamInfo<Choice>& info) { return info.param.label; }
INSTANTIATE_TEST_SUITE_P(Every, Contract, testing::ValuesIn(everyIntegrator()), label);

}  // namespace
}  // namespace mbfmu
