// What fmi3DoStep costs on top of the integrator: steps so small that nearly all of them lie within a step that the
// integrator has already done, through the C functions of the runtime.
#include <benchmark/benchmark.h>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

// With the outputs read after each step, and an input set that has not changed.
void smallSteps(benchmark::State& state, const std::string& model) {
  Fmu fmu(true, model);
  fmu.toStepMode();
  const auto doStep = FMI(fmi3DoStep);
  const auto getFloat64 = FMI(fmi3GetFloat64);
  const auto setFloat64 = FMI(fmi3SetFloat64);
  const fmi3ValueReference outputs[] = {angle, acceleration};
  constexpr double h = 1e-7;
  double t = 0, values[2] = {}, input = 0, last = 0;
  bool event = false, terminate = false, early = false;
  const bool exchange = state.range(0) != 0;
  for (auto _ : state) {
    if (exchange) setFloat64(fmu, &torque, 1, &input, 1);
    if (doStep(fmu, t, h, true, &event, &terminate, &early, &last) != fmi3OK) state.SkipWithError("step failed");
    if (exchange) getFloat64(fmu, outputs, 2, values, 2);
    benchmark::DoNotOptimize(values);
    t = last;
  }
}
BENCHMARK_CAPTURE(smallSteps, pendulum, pendulumText)->ArgName("exchange")->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(smallSteps, two_link, example("two_link"))->ArgName("exchange")->Arg(0)->Arg(1);

void saveAndRestore(benchmark::State& state, const std::string& model) {
  Fmu fmu(true, model);
  fmu.toStepMode();
  if (fmu.step(0, 0.5) != fmi3OK) state.SkipWithError("step failed");
  fmi3FMUState saved = nullptr;
  for (auto _ : state) {
    FMI(fmi3GetFMUState)(fmu, &saved);
    FMI(fmi3SetFMUState)(fmu, saved);
  }
}
BENCHMARK_CAPTURE(saveAndRestore, pendulum, pendulumText);
BENCHMARK_CAPTURE(saveAndRestore, two_link, example("two_link"));

}  // namespace
}  // namespace mbfmu::test

BENCHMARK_MAIN();
