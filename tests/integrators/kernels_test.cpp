// The kernels for wide registers against those of the baseline.
#include "integrators/kernels.h"

#include <gtest/gtest.h>

#include "integrators/block_integrator.h"
#include "tests/integrators/planar_mechanisms.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

State endOfRun(const System& system, const State& y0, double end, const BlockOptions& options) {
  BlockIntegrator integrator(options);
  integrator.setTolerances({1e-10, 1e-10, 1e-10, 1e-10});
  integrator.start(system, 0, y0, consistentRates(system, 0, y0));
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    EXPECT_FALSE(failure) << describe(failure, system);
    if (failure) break;
  }
  return integrator.state();
}

TEST(Kernels, BaselineIsTheChoiceWhenForced) {
  EXPECT_EQ(&kernels(KernelChoice::baseline), &kernel_baseline::kernels);
  EXPECT_EQ(&kernels(KernelChoice::automatic) != &kernel_baseline::kernels, cpuHasAvx2());
}

TEST(Kernels, BothLevelsAgree) {
  const AndrewsAbsolute system;
  for (const int r : {2, 3, 4, 5, 8}) {
    const BlockOptions wide{.r = r, .k = r - 1, .fixedStep = 1e-4};
    BlockOptions narrow = wide;
    narrow.kernel = KernelChoice::baseline;
    const State a = endOfRun(system, AndrewsAbsolute::initial(), 0.005, wide);
    const State b = endOfRun(system, AndrewsAbsolute::initial(), 0.005, narrow);
    EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-11) << r;
    EXPECT_LT((a.v - b.v).cwiseAbs().maxCoeff() / a.v.cwiseAbs().maxCoeff(), 1e-11) << r;
    if (cpuHasAvx2()) {
      EXPECT_NE(a.v, b.v) << r;  // the wide kernels contract products and sums: the same bits mean the same code
    }
  }
}

}  // namespace
}  // namespace mbfmu
