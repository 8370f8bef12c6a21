// What every integrator promises, whatever its method: copies go on with the same bits, steady steps take no memory
// from the heap, limits hold, and a step that cannot be done says why and leaves the last state.
#include <gtest/gtest.h>

#include "integrators/integrator_registry.h"
#include "tests/integrators/allocation_count.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

class EveryIntegrator : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Integrator> started(const System& system, const State& y, double rtol, const Limits& limits = {}) {
    std::string problem;
    std::map<std::string, std::string> options;
    if (GetParam() == "rk4") options["fixedStep"] = "0.01";
    auto integrator = makeIntegrator(GetParam(), options, problem);
    EXPECT_TRUE(integrator) << problem;
    integrator->setTolerances({rtol, rtol, rtol, rtol});
    integrator->setLimits(limits);
    integrator->start(system, 0, y, consistentRates(system, 0, y));
    return integrator;
  }
  static void run(Integrator& integrator, const System& system, double end) {
    while (integrator.time() < end) {
      const Failure failure = integrator.step(system, end);
      ASSERT_FALSE(failure) << describe(failure, system);
    }
  }
};

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const IntegratorInfo& info : integrators()) out.push_back(info.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryIntegrator, ::testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
  return name;
});

TEST_P(EveryIntegrator, IsAValue) {
  const TwoLink system;
  const auto original = started(system, TwoLink::initial(), 1e-6);
  run(*original, system, 0.3);
  const auto copy = original->clone();
  run(*original, system, 0.8);
  run(*copy, system, 0.8);
  EXPECT_EQ(original->state().q, copy->state().q);
  EXPECT_EQ(original->state().v, copy->state().v);
  EXPECT_EQ(original->rates().lambda, copy->rates().lambda);
  EXPECT_EQ(original->statistics().residualEvaluations, copy->statistics().residualEvaluations);
}

TEST_P(EveryIntegrator, TakesNoMemoryOnceRunning) {
  if (!countsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  const TwoLink system;
  const auto integrator = started(system, TwoLink::initial(), 1e-5);
  for (int i = 0; i < 30; ++i) ASSERT_FALSE(integrator->step(system, 1e9));
  const long before = allocationCount();
  ASSERT_GT(before, 0);
  for (int i = 0; i < 200; ++i) {
    const Failure failure = integrator->step(system, 1e9);
    ASSERT_FALSE(failure);
  }
  EXPECT_EQ(allocationCount(), before);
}

TEST_P(EveryIntegrator, KeepsToTheLimits) {
  const TwoLink system;
  if (GetParam() != "rk4") {
    const auto bounded = started(system, TwoLink::initial(), 1e-3, {.maxStep = 0.003});
    run(*bounded, system, 0.1);
    EXPECT_LE(bounded->statistics().maxStepSize, 0.003 * (1 + 1e-12));
  }
  const auto few = started(system, TwoLink::initial(), 1e-6, {.maxSteps = 3});
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(few->step(system, 10));
  EXPECT_EQ(few->step(system, 10).reason, Failure::Reason::tooManySteps);
}

// A rigid rod pulled by a force that is not a number from t = 0.5 on.
class FailingPendulum : public Pendulum {
 protected:
  void evaluate(double t, const State& y, const Rates& w, Terms& k) const override {
    Pendulum::evaluate(t, y, w, k);
    if (t > 0.5) k.Q[0] = std::numeric_limits<double>::quiet_NaN();
  }
};

TEST_P(EveryIntegrator, LeavesTheLastStateWhenAStepFails) {
  const FailingPendulum system;
  const auto integrator = started(system, Pendulum::initial(), 1e-6);
  Failure failure;
  State last = integrator->state();
  double t = 0;
  for (int i = 0; i < 100'000 && !failure; ++i) {
    last = integrator->state();
    t = integrator->time();
    failure = integrator->step(system, 1);
  }
  ASSERT_TRUE(failure);
  EXPECT_LE(t, 0.5);
  EXPECT_GT(t, 0.3);
  EXPECT_EQ(integrator->time(), t);
  EXPECT_EQ(integrator->state().q, last.q);
  EXPECT_EQ(integrator->state().v, last.v);
  EXPECT_TRUE(integrator->state().q.allFinite());
  EXPECT_EQ(failure.t, t);
  const std::string text = describe(failure, system);
  for (const char* part : {"t = ", "h = ", "iteration "}) EXPECT_NE(text.find(part), std::string::npos) << text;
}

// A tolerance that cannot be met with the least step allowed.
TEST_P(EveryIntegrator, NamesTheStepFloor) {
  if (GetParam() == "rk4") return;  // fixed steps
  const TwoLink system;
  const auto integrator = started(system, TwoLink::initial(), 1e-10, {.minStep = 0.2});
  Failure failure;
  for (int i = 0; i < 50 && !failure; ++i) failure = integrator->step(system, 1e9);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure.reason, Failure::Reason::stepFloor) << describe(failure, system);
  EXPECT_NE(describe(failure, system).find("minimum"), std::string::npos);
}

}  // namespace
}  // namespace mbfmu
