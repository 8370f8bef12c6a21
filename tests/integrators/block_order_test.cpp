// Measured orders of convergence in q, v and lambda of every index and node family, with fixed steps on the double
// pendulum, against the orders known for them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "integrators/block_integrator.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

struct Result {
  Vector q, v, lambda;
};

Result atEnd(const BlockOptions& options) {
  const TwoLink system;
  BlockIntegrator integrator(options);
  integrator.setTolerances({1e-13, 1e-13, 1e-13, 1e-13});
  const State y = TwoLink::initial();
  integrator.start(system, 0, y, consistentRates(system, 0, y));
  while (integrator.time() < 0.5) {
    const Failure failure = integrator.step(system, 0.5);
    EXPECT_FALSE(failure) << describe(failure, system);
    if (failure) break;
  }
  return {integrator.state().q, integrator.state().v, integrator.rates().lambda};
}

// Least-squares slope of log(error) over log(h), of the errors that stand clear of round-off; infinite if all are
// below.
double slope(const std::vector<double>& h, const std::vector<double>& error, double roundOff) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (!(error[i] > roundOff)) continue;
    const double a = std::log(h[i]), b = std::log(error[i]);
    n += 1;
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return n < 3 ? HUGE_VAL : (n * xy - x * y) / (n * xx - x * x);
}

struct Orders {
  double q, v, lambda;
};

Orders measured(BlockOptions options, const Result& exact, double coarsest) {
  std::vector<double> h, q, v, lambda;
  for (int i = 0; i < 5; ++i) {
    h.push_back(coarsest * std::pow(0.75, i));
    options.fixedStep = 0.5 / std::round(0.5 / h.back());
    h.back() = options.fixedStep;
    const Result r = atEnd(options);
    q.push_back((r.q - exact.q).cwiseAbs().maxCoeff());
    v.push_back((r.v - exact.v).cwiseAbs().maxCoeff());
    lambda.push_back((r.lambda - exact.lambda).cwiseAbs().maxCoeff());
  }
  return {slope(h, q, 1e-11), slope(h, v, 1e-11), slope(h, lambda, 1e-8)};
}

// For ordinary differential equations: the order of the quadrature or of the Pade approximant, whichever is less.
int classicalOrder(Nodes nodes, int r, int k) { return blockCoefficients(nodes, r, k).order; }

TEST(BlockOrders, EveryIndexAndNodeFamily) {
  const Result exact = atEnd({.r = 8, .k = 7, .level = Level::acceleration, .fixedStep = 1.0 / 128});
  for (const Nodes nodes : {Nodes::equidistant, Nodes::chebyshev, Nodes::legendre, Nodes::radau}) {
    for (int r = 2; r <= 6; ++r) {
      const int k = r - 1, order = classicalOrder(nodes, r, k);
      const double coarsest = r <= 3 ? 1.0 / 48 : r == 4 ? 1.0 / 24 : 1.0 / 16;
      const auto check = [&](const char* name, const BlockOptions& options, const Orders& expected) {
        const Orders o = measured(options, exact, coarsest);
        SCOPED_TRACE(testing::Message() << name << ", family " << static_cast<int>(nodes) << ", r = " << r);
        EXPECT_GT(o.q, expected.q - 0.6);
        EXPECT_GT(o.v, expected.v - 0.6);
        EXPECT_GT(o.lambda, expected.lambda - 0.6);
      };
      const double p = order;
      check("index 1", {.r = r, .nodes = nodes, .k = k, .level = Level::acceleration}, {p, p, 1.0 * r});
      check("index 2", {.r = r, .nodes = nodes, .k = k, .level = Level::velocity}, {p, p, 1.0 * r});
      check("index 2 stabilised", {.r = r, .nodes = nodes, .k = k, .stabilised = true}, {p, p, 1.0 * r});
      const int k3 = r >= 4 && r % 2 == 0 ? r - 2 : r - 1;
      if (r > 4) continue;  // Newton's corrections of index 3 end at round-off before these orders show
      check("index 3", {.r = r, .nodes = nodes, .k = k3, .level = Level::position}, {1.0 * r, 1.0 * r, r - 1.0});
    }
  }
}

}  // namespace
}  // namespace mbfmu
