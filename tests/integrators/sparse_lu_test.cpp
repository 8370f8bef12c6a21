#include "integrators/sparse_lu.h"

#include <gtest/gtest.h>

#include <random>

#include "integrators/stage_solver.h"
#include "tests/integrators/planar_mechanisms.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

// The matrix of a chain of n bodies with one constraint between neighbours, by its structure: [M G^T; G 0].
Pattern chainPattern(int n) {
  Pattern p;
  const auto add = [&p](int i, int j) {
    p.row.push_back(i);
    p.col.push_back(j);
  };
  for (int i = 0; i < n; ++i) {
    add(i, i);
    add(i, n + i);
    add(n + i, i);
    if (i > 0) add(i - 1, n + i);
    if (i > 0) add(n + i, i - 1);
  }
  return p;
}

TEST(SparseLu, AgreesWithDense) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = 30;
  const Pattern pattern = chainPattern(n / 2);
  using Value = Complex<4>;
  SparseLu<Value> lu;
  lu.setPattern(n, pattern);
  Eigen::MatrixXcd A[4];
  Eigen::VectorXcd b[4];
  for (int e = 0; e < 4; ++e) {
    A[e] = Eigen::MatrixXcd::Zero(n, n);
    b[e] = Eigen::VectorXcd::Zero(n);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      A[e](pattern.row[i], pattern.col[i]) = {uniform(random), uniform(random)};
      lu.entries[i].re[e] = A[e](pattern.row[i], pattern.col[i]).real();
      lu.entries[i].im[e] = A[e](pattern.row[i], pattern.col[i]).imag();
    }
    for (int i = 0; i < n; ++i) {
      b[e][i] = {uniform(random), uniform(random)};
      lu.rhs[static_cast<std::size_t>(i)].re[e] = b[e][i].real();
      lu.rhs[static_cast<std::size_t>(i)].im[e] = b[e][i].imag();
    }
  }
  ASSERT_TRUE(lu.factor());
  lu.solve();
  for (int e = 0; e < 4; ++e) {
    const Eigen::VectorXcd dense = A[e].partialPivLu().solve(b[e]);
    for (int i = 0; i < n; ++i)
      EXPECT_LT(std::abs(lane(lu.solution[static_cast<std::size_t>(i)], e) - dense[i]), 1e-10 * (1 + dense.norm()));
  }
}

TEST(SparseLu, FillOfALongChainIsLinear) {
  const int n = 5000;
  const Pattern pattern = chainPattern(n);
  std::vector<std::complex<double>> sample(pattern.size());
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = 1.0 + 0.3 * std::sin(static_cast<double>(i));
  Elimination order;
  ASSERT_TRUE(order.analyse(2 * n, pattern, sample));
  EXPECT_LT(order.slots(), 10 * n);
}

TEST(SparseLu, ChoosesNewPivotsWhenTheOldOnesVanish) {
  SparseLu<double> lu;
  lu.setPattern(2, {{0, 0, 1, 1}, {0, 1, 0, 1}});
  lu.entries = {1, 0.1, 0.1, 1};
  ASSERT_TRUE(lu.factor());
  EXPECT_EQ(lu.analyses(), 1);
  lu.entries = {0, 2, 4, 0};
  ASSERT_TRUE(lu.factor());
  EXPECT_EQ(lu.analyses(), 2);
  lu.rhs = {2, 4};
  lu.solve();
  EXPECT_DOUBLE_EQ(lu.solution[0], 1);
  EXPECT_DOUBLE_EQ(lu.solution[1], 1);
}

TEST(SparseLu, NamesARowOfASingularMatrix) {
  SparseLu<double> lu;
  lu.setPattern(2, {{0, 0, 1, 1}, {0, 1, 0, 1}});
  lu.entries = {1, 2, 2, 4};
  EXPECT_FALSE(lu.factor());
  EXPECT_GE(lu.deficientRow(), 0);
}

// Work must follow the entries: a chain of twice the length costs twice the operations.
TEST(SparseLu, OperationsGrowLinearlyForChains) {
  const auto operations = [](int bars) {
    const Chain chain(bars);
    SparseLu<double> lu;
    lu.setPattern(chain.dimensions().unknowns(), chain.pattern());
    Linearisation p;
    const State y = chain.initial();
    chain.linearise(0, y, consistentRates(chain, 0, y), Level::velocity, p);
    lu.entries = p.p0;
    EXPECT_TRUE(lu.factor());
    return static_cast<double>(lu.operations());
  };
  const double perBar = operations(50) / 50;
  EXPECT_LT(perBar, 60);
  EXPECT_LT(operations(400) / 400, 1.1 * perBar);
}

}  // namespace
}  // namespace mbfmu
