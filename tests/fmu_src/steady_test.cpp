// Many steps: no heap in a steady one, no growth; many instances in threads, with roll-backs.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <thread>

#include "fmu_src/instance.h"
#include "integrators/integrator_registry.h"
#include "tests/fmu_src/runtime.h"
#include "tests/integrators/allocation_count.h"

namespace mbfmu::test {
namespace {

// Steps of an instance in this program, where allocations are counted. Every second one with a changed input.
class Driver {
 public:
  explicit Driver(int integrator) {
    instance_ = Instance::create(pendulumToken(), resources_.path().c_str(), {}, Log(nullptr, nullptr, false));
    const fmi3Int64 choice = integrator;
    EXPECT_EQ(instance_->setInt64(&integratorChoice, 1, &choice, 1), fmi3OK);
    EXPECT_EQ(instance_->enterInitialization(false, 0, 0, false, 0), fmi3OK);
    EXPECT_EQ(instance_->exitInitialization(), fmi3OK);
  }
  void steps(int count, bool inputs) {
    constexpr double h = 1e-3;
    for (int k = 0; k < count; ++k, ++k_) {
      const double value = inputs && k_ % 2 == 0 ? 0.1 * std::sin(1e-3 * k_) : 0.05;
      double out[2] = {};
      const fmi3ValueReference references[] = {angle, acceleration};
      StepResult result;
      ASSERT_EQ(instance_->setFloat64(&torque, 1, &value, 1), fmi3OK);
      ASSERT_EQ(instance_->doStep(k_ * h, h, result), fmi3OK);
      ASSERT_EQ(instance_->getFloat64(references, 2, out, 2), fmi3OK);
    }
  }

 private:
  Resources resources_;
  std::unique_ptr<Instance> instance_;
  int k_ = 0;
};

TEST(Steady, NoHeapInAStep) {
  for (int integrator = 1; integrator <= static_cast<int>(integrators().size()); ++integrator) {
    for (const bool inputs : {false, true}) {
      Driver driver(integrator);
      driver.steps(500, inputs);
      const long before = allocationCount();
      driver.steps(2000, inputs);
      EXPECT_EQ(allocationCount() - before, 0)
          << integrators()[static_cast<std::size_t>(integrator) - 1].name << (inputs ? " with inputs" : "");
    }
  }
}

// What the program has taken from the C library and not given back; the runtime uses the same one.
std::size_t memoryInUse() {
#if MBFMU_COUNTS_ALLOCATIONS
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

TEST(Steady, HundredThousandStepsTakeNoMemory) {
  Fmu fmu(Wishes{.intermediateVariables = {angle}, .intermediateUpdate = [](auto...) {}}), plain;
  for (Fmu* f : {&fmu, &plain}) {
    f->toStepMode();
    constexpr double h = 1e-3;
    std::size_t before = 0;
    fmi3FMUState state = nullptr;
    for (int k = 0; k < 100'000; ++k) {
      if (k == 20'000) before = memoryInUse();  // by then every buffer has had its largest contents
      ASSERT_EQ(f->set(torque, 0.1 * (k / 50 % 2)), fmi3OK);
      if (k % 100 == 0) {
        ASSERT_EQ(FMI(fmi3GetFMUState)(*f, &state), fmi3OK);
      }
      ASSERT_EQ(f->step(k * h, h), fmi3OK);
      if (k % 100 == 0) {
        ASSERT_EQ(FMI(fmi3SetFMUState)(*f, state), fmi3OK);
        ASSERT_EQ(f->step(k * h, h), fmi3OK);
        ASSERT_EQ(FMI(fmi3FreeFMUState)(*f, &state), fmi3OK);
      }
    }
    EXPECT_LE(memoryInUse(), before + 4096) << "after " << before;
  }
}

void useInstances(int seed, std::vector<double>& results) {
  std::vector<std::unique_ptr<Fmu>> fmus;
  for (int i = 0; i < 4; ++i) {
    fmus.push_back(std::make_unique<Fmu>());
    fmus.back()->toStepMode();
  }
  for (int k = 0; k < 30; ++k) {
    for (auto& fmu : fmus) {
      fmi3FMUState state = nullptr;
      FMI(fmi3GetFMUState)(*fmu, &state);
      fmu->set(torque, 0.1 * ((k + seed) % 5));
      fmu->step(0.01 * k, 0.01);
      FMI(fmi3SetFMUState)(*fmu, state);
      fmu->set(torque, 0.2);
      fmu->step(0.01 * k, 0.01);
      FMI(fmi3FreeFMUState)(*fmu, &state);
    }
  }
  for (auto& fmu : fmus) results.push_back(fmu->get(angle));
}

TEST(Threads, SixteenInstancesWithRollBacks) {
  std::vector<std::vector<double>> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&results, i] { useInstances(i, results[static_cast<std::size_t>(i)]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& part : results) {
    ASSERT_EQ(part.size(), 4u);
    for (const double value : part) EXPECT_EQ(value, results[0][0]);
  }
}

}  // namespace
}  // namespace mbfmu::test
