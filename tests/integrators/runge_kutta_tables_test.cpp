// Radau IA and Lobatto IIIC: known coefficients, order conditions, L-stability, and variable steps.
#include "integrators/runge_kutta_tables.h"

#include <gtest/gtest.h>

#include <cmath>

#include "integrators/block_integrator.h"
#include "tests/problems/reference_problems.h"

namespace mbfmu {
namespace {

Vector weights(const BlockCoefficients& k) { return k.b.size() > 0 ? k.b : Vector(k.B.row(k.r - 1).transpose()); }

// Hairer & Wanner, Solving ODEs II, tables IV.5.3, IV.5.4, IV.5.10.
TEST(RungeKuttaTables, AreTheKnownOnes) {
  const BlockCoefficients a = radauIA(2);
  Eigen::MatrixXd A2(2, 2), A3(3, 3);
  A2 << 1. / 4, -1. / 4, 1. / 4, 5. / 12;
  EXPECT_LT((a.B - A2).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(a.b[0], 1. / 4, 1e-15);
  EXPECT_NEAR(a.c[1], 2. / 3, 1e-15);
  const double s6 = std::sqrt(6.0);
  A3 << 1. / 9, (-1 - s6) / 18, (-1 + s6) / 18, 1. / 9, (88 + 7 * s6) / 360, (88 - 43 * s6) / 360, 1. / 9,
      (88 + 43 * s6) / 360, (88 - 7 * s6) / 360;
  EXPECT_LT((radauIA(3).B - A3).cwiseAbs().maxCoeff(), 1e-14);
  A3 << 1. / 6, -1. / 3, 1. / 6, 1. / 6, 5. / 12, -1. / 12, 1. / 6, 2. / 3, 1. / 6;
  EXPECT_LT((lobattoIIIC(3).B - A3).cwiseAbs().maxCoeff(), 1e-14);
}

// B(p), C(s-1), D(s) or D(s-1): with these the order is p (Butcher 1964).
TEST(RungeKuttaTables, SatisfyTheSimplifyingAssumptions) {
  for (int s = 2; s <= 4; ++s) {
    for (const BlockCoefficients& k : {radauIA(s), lobattoIIIC(s)}) {
      SCOPED_TRACE(testing::Message() << "s " << s << " order " << k.order);
      const Vector b = weights(k);
      for (int q = 1; q <= k.order; ++q) EXPECT_NEAR(b.dot(Vector(k.c.array().pow(q - 1))), 1.0 / q, 1e-14);
      for (int q = 1; q < s; ++q) {
        const Vector stage = k.B * Vector(k.c.array().pow(q - 1));
        EXPECT_LT((stage.array() - k.c.array().pow(q) / q).abs().maxCoeff(), 1e-14);
        const Vector d = k.B.transpose() * Vector(b.array() * k.c.array().pow(q - 1));
        EXPECT_LT((d.array() - b.array() * (1 - k.c.array().pow(q)) / q).abs().maxCoeff(), 1e-14);
      }
      const Eigen::MatrixXcd B = k.fromEigen * k.eigenvalue.asDiagonal() * k.toEigen;
      EXPECT_LT((B.real() - k.B).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

// R(z) = 1 + z b^T (I - z A)^-1 e.
TEST(RungeKuttaTables, AreLStable) {
  for (int s = 2; s <= 4; ++s) {
    for (const BlockCoefficients& k : {radauIA(s), lobattoIIIC(s)}) {
      const auto R = [&](std::complex<double> z) {
        const Eigen::MatrixXcd A = Eigen::MatrixXcd::Identity(s, s) - z * k.B.cast<std::complex<double>>();
        const Eigen::VectorXcd x = A.partialPivLu().solve(Eigen::VectorXcd::Ones(s));
        return std::abs(1.0 + z * (weights(k).cast<std::complex<double>>().transpose() * x)(0));
      };
      EXPECT_NEAR(R(-0.1), std::exp(-0.1), 1e-3);
      EXPECT_LT(R(-1e6), 1e-4);
      for (double y = 0.1; y < 1e3; y *= 1.3) EXPECT_LT(R({0, y}), 1 + 1e-9);
    }
  }
}

TEST(RungeKuttaMethods, FollowTheToleranceAndKeepTheConstraints) {
  const ReferenceProblem problem = twoLink();
  for (const Formula formula : {Formula::radauIA, Formula::lobattoIIIC}) {
    for (int s = 2; s <= 4; ++s) {
      for (const double rtol : {1e-4, 1e-6}) {
        BlockIntegrator integrator({.r = s, .formula = formula});
        integrator.setTolerances(problem.tolerances(rtol));
        integrator.start(*problem.system, 0, problem.initial, consistentRates(*problem.system, 0, problem.initial));
        State y = problem.initial;
        Rates w = integrator.rates();
        double gap = 0;  // of the dense output between two steps
        while (integrator.time() < problem.end) {
          ASSERT_FALSE(integrator.step(*problem.system, problem.end));
          const double end = integrator.time();
          integrator.interpolate(*problem.system, end - 1e-9 * (end - integrator.lastStepStart()), y, w);
          gap = std::max(gap, (y.q - integrator.state().q).cwiseAbs().maxCoeff());
        }
        SCOPED_TRACE(testing::Message() << "formula " << static_cast<int>(formula) << " s " << s << " rtol " << rtol);
        EXPECT_LT(problem.error(integrator.state()), 300 * rtol);
        EXPECT_LT(gap, 1e-7);
        Vector c(4);
        for (const Level level : {Level::position, Level::velocity}) {
          problem.system->constraints(problem.end, integrator.state(), level, c);
          EXPECT_LT(c.cwiseAbs().maxCoeff(), 0.1 * rtol);
        }
      }
    }
  }
}

}  // namespace
}  // namespace mbfmu
