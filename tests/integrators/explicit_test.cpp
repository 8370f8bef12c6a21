// Explicit integrators: order conditions of the tables, measured orders, accuracy, and what an FMU does with them
// besides stepping.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "integrators/explicit_integrator.h"
#include "tests/integrators/allocation_count.h"
#include "tests/problems/reference_problems.h"

namespace mbfmu {
namespace {

ExplicitIntegrator started(const System& system, const State& y, const ExplicitOptions& options, double rtol) {
  ExplicitIntegrator integrator(options);
  integrator.setTolerances({rtol, rtol, rtol, rtol});
  integrator.start(system, 0, y, consistentRates(system, 0, y));
  return integrator;
}

void run(Integrator& integrator, const System& system, double end) {
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    ASSERT_FALSE(failure) << describe(failure, system);
  }
}

State solution(const System& system, const State& y, const ExplicitOptions& options, double end, double rtol = 1e-9) {
  ExplicitIntegrator integrator = started(system, y, options, rtol);
  run(integrator, system, end);
  return integrator.state();
}

// Quadrature and subquadrature conditions: b c^k = 1/(k+1), and b A c^k = 1/((k+1)(k+2)) while of the order.
TEST(ExplicitTables, SatisfyOrderConditions) {
  for (const auto* k : {&classicalRungeKutta(), &dormandPrince5(), &dormandPrince8()}) {
    const Eigen::VectorXd b = k->A.row(k->end).transpose();
    EXPECT_NEAR(k->c[k->end], 1, 1e-14);
    for (int power = 0; power < k->order; ++power) {
      const Eigen::VectorXd cp = k->c.array().pow(power);
      EXPECT_NEAR(b.dot(cp), 1.0 / (power + 1), 1e-13) << k->order << " " << power;
      if (power + 2 > k->order) continue;
      EXPECT_NEAR(b.dot(k->A * cp), 1.0 / ((power + 1) * (power + 2)), 1e-13) << k->order << " " << power;
      if (power + 3 > k->order) continue;
      EXPECT_NEAR(b.dot(k->A * (k->A * cp)), 1.0 / ((power + 1) * (power + 2) * (power + 3)), 1e-13);
    }
    for (int row = 0; row < k->error.rows(); ++row) EXPECT_NEAR(k->error.row(row).sum(), 0, 1e-14);
    // Dense output with y' = t^p: exact up to its order (h = 1).
    for (int power = 0; power < k->denseOrder; ++power) {
      for (const double s : {0.2, 0.5, 0.9}) {
        const Eigen::VectorXd rate = k->c.array().pow(power);
        const double d = 1.0 / (power + 1), y0 = rate[0], y1 = rate[k->end];
        double tail = 0;
        for (auto row = k->dense.rows() - 1; row >= 0; --row)
          tail = (tail + k->dense.row(row).dot(rate)) * (row % 2 == 0 ? 1 - s : s);
        const double value = s * (d + (1 - s) * (y0 - d + s * (2 * d - y0 - y1 + tail)));
        EXPECT_NEAR(value, std::pow(s, power + 1) / (power + 1), 1e-13) << k->order << " " << power << " " << s;
      }
    }
  }
}

double order(const std::function<double(double)>& error, double h) { return std::log2(error(h) / error(h / 2)); }

TEST(ExplicitOrder, IsTheTablesOnAConstrainedSystem) {
  const TwoLink system;
  for (const Stabilisation stabilisation : {Stabilisation::none, Stabilisation::projection}) {
    const auto error = [&](int p) {
      return [&, p](double h) {
        const State y =
            solution(system, TwoLink::initial(), {.order = p, .stabilisation = stabilisation, .fixedStep = h}, 1);
        return (y.q - twoLinkAt(1)).cwiseAbs().maxCoeff();
      };
    };
    EXPECT_NEAR(order(error(4), 1. / 256), 4, 0.2);
    EXPECT_NEAR(order(error(5), 1. / 256), 5, 0.2);
    EXPECT_GT(order(error(8), 1. / 32), 7.8);  // 10 while the step is far from small
  }
}

TEST(ExplicitOrder, IsKeptInChartsAndForStates) {
  const auto error = [](const System& system, const State& y0, int p, Vector State::*part) {
    return [&system, y0, p, part](double h) {
      const State coarse = solution(system, y0, {.order = p, .fixedStep = h}, 1);
      const State fine = solution(system, y0, {.order = 8, .fixedStep = 1. / 256}, 1);
      return (coarse.*part - fine.*part).norm();
    };
  };
  const AsymmetricTop top;
  const Pendulum pendulum;
  EXPECT_NEAR(order(error(top, AsymmetricTop::initial(), 5, &State::q), 1. / 16), 5, 0.5);
  EXPECT_NEAR(order(error(top, AsymmetricTop::initial(), 8, &State::q), 1. / 4), 8, 1.0);
  EXPECT_NEAR(order(error(pendulum, Pendulum::initial(), 5, &State::x), 1. / 32), 5, 0.5);
  EXPECT_GT(order(error(pendulum, Pendulum::initial(), 8, &State::x), 1. / 8), 7.8);
}

TEST(ExplicitOrder, TimeDependentConstraint) {
  const DrivenPendulum system;
  const State fine = solution(system, DrivenPendulum::initial(), {.fixedStep = 1. / 256}, 1);
  for (const int p : {4, 5, 8}) {
    const auto error = [&](double h) {
      const State y = solution(system, DrivenPendulum::initial(), {.order = p, .fixedStep = h}, 1);
      return (y.q - fine.q).norm();
    };
    EXPECT_NEAR(order(error, p == 8 ? 1. / 8 : 1. / 32), p, 1) << p;
  }
}

TEST(ExplicitAccuracy, FollowsTheTolerance) {
  for (const ReferenceProblem& problem : {andrewsMinimal(), andrewsAbsolute(), twoLink(), cartesianPendulum()}) {
    for (const int p : {5, 8}) {
      for (const double rtol : {1e-4, 1e-6, 1e-8}) {
        const State y = solution(*problem.system, problem.initial, {.order = p}, problem.end, rtol);
        EXPECT_LT(problem.error(y), 100 * rtol) << problem.name << " order " << p << " rtol " << rtol;
        Vector c(problem.system->dimensions().m);
        for (const Level level : {Level::position, Level::velocity}) {
          problem.system->constraints(problem.end, y, level, c);
          EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-9 * (1 + y.v.cwiseAbs().maxCoeff())) << problem.name;
        }
      }
    }
  }
}

// A change of the algorithm shows here.
TEST(ExplicitAccuracy, AndrewsWork) {
  const ReferenceProblem problem = andrewsAbsolute();
  ExplicitIntegrator integrator = started(*problem.system, problem.initial, {}, 1e-6);
  run(integrator, *problem.system, problem.end);
  const Statistics& s = integrator.statistics();
  EXPECT_EQ(s.factorizations, 12 * (s.steps + s.rejectedSteps));
  EXPECT_NEAR(static_cast<double>(s.steps), 55, 2);
  EXPECT_NEAR(static_cast<double>(s.rejectedSteps), 21, 3);
}

TEST(ExplicitStabilisation, BaumgarteHoldsTheDrift) {
  const TwoLink system;
  const auto drift = [&](Stabilisation stabilisation) {
    const State y =
        solution(system, TwoLink::initial(),
                 {.order = 4, .stabilisation = stabilisation, .baumgarteTime = 0.05, .fixedStep = 0.01}, 10);
    Vector c(4);
    system.constraints(10, y, Level::position, c);
    return c.cwiseAbs().maxCoeff();
  };
  EXPECT_GT(drift(Stabilisation::none), 1e-3);
  EXPECT_LT(drift(Stabilisation::baumgarte), 1e-4);
  EXPECT_LT(drift(Stabilisation::projection), 1e-10);
}

TEST(ExplicitContinuation, DenseOutputHasItsOrder) {
  const TwoLink system;
  for (const int p : {4, 5, 8}) {
    const auto error = [&](double h) {
      ExplicitIntegrator integrator = started(system, TwoLink::initial(), {.order = p, .fixedStep = h}, 1e-9);
      ExplicitIntegrator fine = started(system, TwoLink::initial(), {}, 1e-13);
      State y = integrator.state();
      Rates w = integrator.rates();
      run(integrator, system, 1);
      const double t = integrator.time() - 0.4 * h;
      run(fine, system, t);
      integrator.interpolate(system, t, y, w);
      EXPECT_LT((w.a - fine.rates().a).norm(), 1e3 * (y.v - fine.state().v).norm() + 1e-9);
      return (y.v - fine.state().v).norm();
    };
    EXPECT_GT(order(error, p == 8 ? 1. / 32 : 1. / 128), p == 8 ? 6.8 : p - 0.3) << p;
  }
}

TEST(ExplicitContinuation, CloneGivesTheSameBitsAndReadingChangesNothing) {
  const TwoLink system;
  ExplicitIntegrator original = started(system, TwoLink::initial(), {}, 1e-8);
  run(original, system, 0.7);
  const std::unique_ptr<Integrator> copy = original.clone();
  State y = original.state();
  Rates w = original.rates();
  while (original.time() < 3) {
    ASSERT_FALSE(original.step(system, 3));
    original.interpolate(system, 0.5 * (original.time() + original.lastStepStart()), y, w);
  }
  run(*copy, system, 3);
  EXPECT_EQ(original.state().q, copy->state().q);
  EXPECT_EQ(original.rates().lambda, copy->rates().lambda);
}

TEST(ExplicitContinuation, CutBackAndJump) {
  Pendulum system;
  ExplicitIntegrator warm = started(system, Pendulum::initial(), {}, 1e-9);
  ExplicitIntegrator cold = started(system, Pendulum::initial(), {}, 1e-11);
  for (int i = 1; i <= 20; ++i) {
    while (warm.time() < 0.1 * i) ASSERT_FALSE(warm.step(system, 1e9));
    ASSERT_FALSE(warm.cutBack(system, 0.1 * i));
    EXPECT_EQ(warm.time(), 0.1 * i);
    Vector c(1);
    system.constraints(0, warm.state(), Level::velocity, c);
    EXPECT_LT(std::abs(c[0]), 1e-12);
    run(cold, system, 0.1 * i);
    system.force = i % 2 == 0 ? -2 : 2;
    ASSERT_FALSE(warm.jump(system));
    cold.start(system, cold.time(), cold.state(), consistentRates(system, cold.time(), cold.state()));
    EXPECT_LT((warm.rates().a - cold.rates().a).norm(), 1e-5);
  }
  EXPECT_LT((warm.state().q - cold.state().q).norm(), 1e-7);
  EXPECT_LT((warm.state().x - cold.state().x).norm(), 1e-7);
  EXPECT_EQ(warm.statistics().warmRestarts, 20);
  EXPECT_EQ(warm.statistics().restarts, 1);
}

// Saved midway and restored into a fresh one, also with a cut and a jump on the way.
TEST(ExplicitContinuation, TransferGivesTheSameBits) {
  for (const ExplicitOptions& options :
       {ExplicitOptions{.order = 8}, ExplicitOptions{.order = 5}, ExplicitOptions{.order = 4, .fixedStep = 0.02}}) {
    Pendulum system;
    ExplicitIntegrator original = started(system, Pendulum::initial(), options, 1e-7), fresh(options);
    for (int i = 0; i < 5; ++i) ASSERT_FALSE(original.step(system, 1e9));
    ASSERT_FALSE(original.cutBack(system, 0.5 * (original.time() + original.lastStepStart())));
    system.force = 1;
    ASSERT_FALSE(original.jump(system));
    Archive::Bytes bytes;
    Archive writer = Archive::writer(bytes);
    original.transfer(system, writer);
    Archive reader = Archive::reader(bytes.data(), bytes.size());
    fresh.transfer(system, reader);
    ASSERT_TRUE(reader.finished());
    State a = original.state(), b = a;
    Rates wa = original.rates(), wb = wa;
    for (int i = 0; i < 10; ++i) {
      if (i > 0) {  // at first the step that was saved
        ASSERT_FALSE(original.step(system, 1e9));
        ASSERT_FALSE(fresh.step(system, 1e9));
      }
      const double t = 0.3 * original.lastStepStart() + 0.7 * original.time();
      original.interpolate(system, t, a, wa);
      fresh.interpolate(system, t, b, wb);
      EXPECT_EQ(a.q, b.q);
      EXPECT_EQ(wa.lambda, wb.lambda);
    }
    EXPECT_EQ(original.state().v, fresh.state().v);
    EXPECT_EQ(original.statistics().solves, fresh.statistics().solves);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 20) {
      Archive cut = Archive::reader(bytes.data(), size);
      ExplicitIntegrator other(options);
      other.transfer(system, cut);
      EXPECT_FALSE(cut.finished());
    }
  }
}

TEST(ExplicitContinuation, FailureLeavesEverythingAsItWas) {
  const Pendulum system(2);
  ExplicitIntegrator integrator = started(system, Pendulum::initial(), {}, 1e-6);
  const Failure failure = integrator.step(system, 1);
  EXPECT_EQ(failure.reason, Failure::Reason::singularMatrix);
  EXPECT_GE(failure.worstConstraint, 0);
  EXPECT_EQ(integrator.time(), 0);
  EXPECT_EQ(integrator.state().q, Pendulum::initial().q);
  EXPECT_EQ(integrator.statistics().steps, 0);
  EXPECT_TRUE(integrator.jump(system));

  const TwoLink good;
  ExplicitIntegrator limited = started(good, TwoLink::initial(), {}, 1e-6);
  limited.setLimits({.maxSteps = 1});
  EXPECT_FALSE(limited.step(good, 10));
  EXPECT_EQ(limited.step(good, 10).reason, Failure::Reason::tooManySteps);
}

TEST(ExplicitContinuation, NoAllocationOnceRunning) {
  const TwoLink system;
  for (const int p : {5, 8}) {
    ExplicitIntegrator integrator = started(system, TwoLink::initial(), {.order = p}, 1e-6);
    State y = integrator.state();
    Rates w = integrator.rates();
    const auto round = [&] {
      const Failure failure = integrator.step(system, 1e9);
      integrator.interpolate(system, integrator.time() - 1e-3, y, w);
      return failure || integrator.jump(system);
    };
    for (int i = 0; i < 5; ++i) ASSERT_FALSE(round());
    const long before = allocationCount();
    ASSERT_GT(before, 0);
    for (int i = 0; i < 100; ++i) ASSERT_FALSE(round());
    EXPECT_EQ(allocationCount(), before);
  }
}

}  // namespace
}  // namespace mbfmu
