// The block integrator on the mechanisms of the literature: accuracy and work, and poses where constraints lose rank.
#include <gtest/gtest.h>

#include "integrators/block_integrator.h"
#include "tests/integrators/planar_mechanisms.h"
#include "tests/integrators/test_systems.h"
#include "tests/problems/andrews_minimal.h"

namespace mbfmu {
namespace {

BlockIntegrator finished(const System& system, const State& y0, double end, double rtol,
                         const BlockOptions& options = {}) {
  BlockIntegrator integrator(options);
  integrator.setTolerances({rtol, rtol, rtol, rtol});
  integrator.start(system, 0, y0, consistentRates(system, 0, y0));
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    EXPECT_FALSE(failure) << describe(failure, system) << " at rtol " << rtol;
    if (failure) break;
  }
  return integrator;
}

template <class Andrews>
double andrewsError(double rtol, const BlockOptions& options = {}) {
  const Andrews system;
  const BlockIntegrator end = finished(system, Andrews::initial(), 0.03, rtol, options);
  return AndrewsData::relativeError(Andrews::angles(end.state()));
}

TEST(BlockAndrews, ErrorFollowsTheTolerance) {
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    EXPECT_LT(andrewsError<AndrewsAbsolute>(rtol), 100 * rtol) << rtol;
    EXPECT_LT(andrewsError<AndrewsMinimal>(rtol), 100 * rtol) << rtol;
  }
}

TEST(BlockAndrews, EveryIndexAgrees) {
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    EXPECT_LT(andrewsError<AndrewsAbsolute>(rtol, {.level = Level::acceleration}), 100 * rtol) << rtol;
    EXPECT_LT(andrewsError<AndrewsAbsolute>(rtol, {.stabilised = true}), 100 * rtol) << rtol;
    EXPECT_LT(andrewsError<AndrewsAbsolute>(rtol, {.level = Level::position}), 500 * rtol) << rtol;
  }
}

// Counts may differ a little where the processor contracts products and sums.
TEST(BlockAndrews, WorkInAbsoluteCoordinates) {
  const AndrewsAbsolute system;
  const BlockIntegrator end = finished(system, AndrewsAbsolute::initial(), 0.03, 1e-6);
  EXPECT_LT(AndrewsData::relativeError(AndrewsAbsolute::angles(end.state())), 1e-6);
  EXPECT_LE(end.statistics().steps, 60);
  EXPECT_LE(end.statistics().newtonIterations, 350);
  EXPECT_LE(end.statistics().jacobianEvaluations, 75);
}

// Twice per turn the cranks are level with the couplers, and the motion could go on along another branch.
TEST(BlockSingularPoses, FourBarsKeepTheirBranchAtEveryTolerance) {
  const FourBars system(2);
  Vector exact(2);
  exact << 0.32845811154081537865, 0.94451853817860096216;
  for (const double digit : {1.0, 2.0, 5.0}) {
    for (double rtol = 1e-3; rtol > 0.9e-10; rtol /= 10) {
      const BlockIntegrator end = finished(system, system.initial(), 10, rtol / digit);
      EXPECT_EQ(end.time(), 10);
      EXPECT_LT((FourBars::tip(end.state()) - exact).norm(), std::max(1e3 * rtol, 1e-6)) << rtol / digit;
    }
  }
}

TEST(BlockSingularPoses, FortyFourBars) {
  const FourBars system(40);
  Vector exact(2);
  exact << 0.41090115376294522215, 0.91167990097198065163;
  for (const double rtol :
       {1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9, 3e-10, 1e-10}) {
    const BlockIntegrator end = finished(system, system.initial(), 20, rtol);
    EXPECT_EQ(end.time(), 20);
    EXPECT_LT((FourBars::tip(end.state()) - exact).norm(), std::max(1e3 * rtol, 1e-6)) << rtol;
  }
}

// Rows that are switched off take no part: a chain whose last joint is open moves like the shorter chain.
TEST(BlockRowsOff, AnOpenJointIsNoJoint) {
  Chain open(4);
  open.rowOff[6] = open.rowOff[7] = 1;
  const Chain shorter(3);
  const BlockIntegrator a = finished(open, open.initial(), 1, 1e-9), b = finished(shorter, shorter.initial(), 1, 1e-9);
  EXPECT_LT((a.state().q.head(9) - b.state().q).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_EQ(a.rates().lambda[6], 0);
  EXPECT_NEAR(a.state().q[10], -9.81 / 2, 1e-9);  // the last bar falls freely
}

}  // namespace
}  // namespace mbfmu
