// The reference problems themselves: exact derivatives, consistent starts, known rates.
#include "tests/problems/reference_problems.h"

#include <gtest/gtest.h>

#include <random>

namespace mbfmu {
namespace {

// d residual / d w as linearise gives it against central differences, at a disturbed state.
double derivativeError(const System& system, State y, double t, double scale) {
  const Dimensions n = system.dimensions();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto fill = [&](int size) { return Vector(Vector::NullaryExpr(size, [&] { return uniform(random); })); };
  y.q += scale * fill(n.nq);
  y.v = fill(n.nv);
  const Rates w{fill(n.nv), fill(n.nx), fill(n.m)};
  constexpr double mu = 0.3;
  double worst = 0;
  for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
    Linearisation p;
    system.linearise(t, y, w, level, p);
    Eigen::MatrixXd exact = Eigen::MatrixXd::Zero(n.unknowns(), n.unknowns()), difference = exact;
    for (std::size_t e = 0; e < system.pattern().size(); ++e)
      exact(system.pattern().row[e], system.pattern().col[e]) = p.p0[e] + mu * p.p1[e] + mu * mu * p.p2[e];
    const auto moved = [&](int k, double by) {
      Vector d = Vector::Zero(n.unknowns()), r(n.unknowns());
      d[k] = by;
      State z = y;
      Rates u = w;
      z.q += mu * mu * d.head(n.nv);
      z.v += mu * d.head(n.nv);
      u.a += d.head(n.nv);
      u.lambda += d.tail(n.m);
      system.residual(t, z, u, level, r);
      return r;
    };
    const double eps = 1e-5 * scale;
    for (int k = 0; k < n.unknowns(); ++k) difference.col(k) = (moved(k, eps) - moved(k, -eps)) / (2 * eps);
    if (level == Level::velocity) difference.bottomRows(n.m) /= mu;
    if (level == Level::position) difference.bottomRows(n.m) /= mu * mu;
    for (int row = 0; row < n.unknowns(); ++row) {
      const double size = 1e-3 * exact.cwiseAbs().maxCoeff() + exact.row(row).cwiseAbs().maxCoeff();
      worst = std::max(worst, (exact - difference).row(row).cwiseAbs().maxCoeff() / size);
    }
  }
  return worst;
}

TEST(ReferenceProblems, DerivativesAreRight) {
  for (const ReferenceProblem& problem : referenceProblems()) {
    if (problem.system->dimensions().nv > 50) continue;
    const bool small = problem.name.find("andrews") == 0 || problem.name.find("slider") == 0;
    EXPECT_LT(derivativeError(*problem.system, problem.initial, 0.4, small ? 0.01 : 1), 1e-6) << problem.name;
  }
  EXPECT_LT(derivativeError(DrivenPendulum(), DrivenPendulum::initial(), 0.4, 1), 1e-6);
}

// The constraints at one level are the time derivatives of those at the level below.
double levelError(const System& system, const State& y, double t) {
  const Dimensions n = system.dimensions();
  const Rates w = consistentRates(system, t, y);
  constexpr double dt = 1e-6;
  const auto at = [&](double by, Level level) {
    State z = y;
    z.q += by * y.v + 0.5 * by * by * w.a;
    z.v += by * w.a;
    Vector c(n.m);
    system.constraints(t + by, z, level, c);
    return c;
  };
  const auto rate = [&](Level level) { return Vector((at(dt, level) - at(-dt, level)) / (2 * dt)); };
  Vector velocity(n.m);
  system.constraints(t, y, Level::velocity, velocity);
  const double scale = 1 + y.v.cwiseAbs().maxCoeff() + w.a.cwiseAbs().maxCoeff();
  return std::max((rate(Level::position) - velocity).cwiseAbs().maxCoeff(),
                  rate(Level::velocity).cwiseAbs().maxCoeff()) /
         scale;
}

TEST(ReferenceProblems, StartOnTheConstraintsAndLevelsAgree) {
  const auto check = [](const System& system, const State& y, const std::string& name) {
    Vector c(system.dimensions().m);
    for (const Level level : {Level::position, Level::velocity}) {
      system.constraints(0, y, level, c);
      EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-11) << name;
    }
    EXPECT_LT(levelError(system, y, 0), 1e-7) << name;
  };
  for (const ReferenceProblem& problem : referenceProblems()) check(*problem.system, problem.initial, problem.name);
  check(DrivenPendulum(), DrivenPendulum::initial(), "driven");
}

TEST(ReferenceProblems, StartWithTheKnownRates) {
  const Rates andrews = consistentRates(AndrewsMinimal(), 0, AndrewsMinimal::initial());
  EXPECT_NEAR(andrews.a[0], 14222.4439199541138705911625887, 1e-8);
  EXPECT_NEAR(andrews.a[1], -10666.8329399655854029433719415, 1e-8);
  EXPECT_NEAR(andrews.lambda[0], 98.5668703962410896057654982170, 1e-10);
  EXPECT_NEAR(andrews.lambda[1], -6.12268834425566265503114393122, 1e-10);
  const Rates crank = consistentRates(SliderCrank(false), 0, SliderCrank::initial());
  EXPECT_NEAR(crank.a[2], -5062.1949244901926, 1e-6);
  EXPECT_NEAR(crank.a[5], -4.2684632668103785, 1e-6);
  EXPECT_NEAR(crank.lambda[1], 382.45895093508303, 1e-7);
  EXPECT_NEAR(consistentRates(CartesianPendulum(), 0, CartesianPendulum::initial()).lambda[0], 1, 1e-14);
}

}  // namespace
}  // namespace mbfmu
