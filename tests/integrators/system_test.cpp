// The hand-written derivatives of the test systems against finite differences, at every level.
#include <gtest/gtest.h>

#include <random>

#include "tests/integrators/test_systems.h"
#include "tests/problems/andrews_minimal.h"

namespace mbfmu {
namespace {

void checkDerivatives(const System& system, State y) {
  const Dimensions n = system.dimensions();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto fill = [&](Vector& v, int size) { v = Vector::NullaryExpr(size, [&] { return uniform(random); }); };
  Rates w;
  fill(w.a, n.nv);
  fill(w.xdot, n.nx);
  fill(w.lambda, n.m);
  fill(y.v, n.nv);
  fill(y.x, n.nx);
  constexpr double mu = 0.3, eps = 1e-6;
  for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
    Linearisation p;
    system.linearise(0, y, w, level, p);
    Eigen::MatrixXd exact = Eigen::MatrixXd::Zero(n.unknowns(), n.unknowns()), difference = exact;
    for (std::size_t e = 0; e < system.pattern().size(); ++e)
      exact(system.pattern().row[e], system.pattern().col[e]) = p.p0[e] + mu * p.p1[e] + mu * mu * p.p2[e];
    const auto moved = [&](int k, double by) {
      Vector d = Vector::Zero(n.unknowns()), r(n.unknowns());
      d[k] = by;
      State z = y;
      Rates u = w;
      const Vector theta = mu * mu * d.head(n.nv);
      system.advance(y.q, theta, z.q);
      z.v += mu * d.head(n.nv);
      z.x += mu * d.segment(n.nv, n.nx);
      u.a += d.head(n.nv);
      u.xdot += d.segment(n.nv, n.nx);
      u.lambda += d.tail(n.m);
      system.residual(0, z, u, level, r);
      return r;
    };
    for (int k = 0; k < n.unknowns(); ++k) difference.col(k) = (moved(k, eps) - moved(k, -eps)) / (2 * eps);
    if (level == Level::velocity) difference.bottomRows(n.m) /= mu;
    if (level == Level::position) difference.bottomRows(n.m) /= mu * mu;
    EXPECT_LT((exact - difference).cwiseAbs().maxCoeff(), 1e-8) << "level " << static_cast<int>(level);
  }
}

TEST(TestSystems, DerivativesAreRight) {
  checkDerivatives(TwoLink(), TwoLink::initial());
  checkDerivatives(Pendulum(), Pendulum::initial());
  checkDerivatives(AsymmetricTop(), AsymmetricTop::initial());
  checkDerivatives(AndrewsMinimal(), AndrewsMinimal::initial());
}

// Reference values computed in quadruple precision.
TEST(TestSystems, TwoLinkStartsWithTheKnownRates) {
  const TwoLink system;
  const Rates w = consistentRates(system, 0, TwoLink::initial());
  EXPECT_NEAR(w.a[0], 2.2756363958371455, 1e-13);
  EXPECT_NEAR(w.a[5], -7.3575, 1e-13);
  EXPECT_NEAR(w.lambda[1], -11.824553571428571, 1e-13);
}

}  // namespace
}  // namespace mbfmu
