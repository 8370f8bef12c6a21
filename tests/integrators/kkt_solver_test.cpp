// The sparse solvers with their diagonalised block structure against a plain dense solve of everything at once, on
// every reference problem.
#include <gtest/gtest.h>

#include <random>

#include "integrators/newton_matrix.h"
#include "integrators/stage_solver.h"
#include "tests/problems/reference_problems.h"

namespace mbfmu {
namespace {

Eigen::MatrixXd dense(const Pattern& pattern, const std::vector<double>& values, int n) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t e = 0; e < pattern.size(); ++e) A(pattern.row[e], pattern.col[e]) += values[e];
  return A;
}

// The largest |A x - b|_i / (|A| |x| + |b|)_i.
double backwardError(const Eigen::MatrixXd& A, const Vector& x, const Vector& b) {
  const Vector size = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  return ((A * x - b).cwiseAbs().array() / size.array()).maxCoeff();
}

struct Sample {
  Linearisation p;
  Eigen::MatrixXd P0, P1, P2;
};

// The derivatives somewhere near the start, with some velocity.
Sample sampled(const ReferenceProblem& problem, Level level) {
  const Dimensions n = problem.system->dimensions();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  State y = problem.initial;
  for (double& v : y.v) v += uniform(random);
  Sample s;
  problem.system->linearise(0.1, y, consistentRates(*problem.system, 0.1, y), level, s.p);
  s.P0 = dense(problem.system->pattern(), s.p.p0, n.unknowns());
  s.P1 = dense(problem.system->pattern(), s.p.p1, n.unknowns());
  s.P2 = dense(problem.system->pattern(), s.p.p2, n.unknowns());
  return s;
}

Eigen::MatrixXd kronecker(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  Eigen::MatrixXd out(A.rows() * B.rows(), A.cols() * B.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j) out.block(i * B.rows(), j * B.cols(), B.rows(), B.cols()) = A(i, j) * B;
  return out;
}

// The nodes' Newton matrix: motion rows P0 + hB P1 + (hB)^2 P2, constraint rows that times (hB)^level.
Eigen::MatrixXd nodesMatrix(const Sample& s, const Eigen::MatrixXd& hB, Level level, int regular) {
  const Eigen::Index n = s.P0.rows(), r = hB.rows();
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(r, r);
  Eigen::MatrixXd power = one;
  if (level == Level::velocity) power = hB;
  if (level == Level::position) power = hB * hB;
  const Eigen::MatrixXd motion = kronecker(one, s.P0) + kronecker(hB, s.P1) + kronecker(hB * hB, s.P2);
  const Eigen::MatrixXd rows = kronecker(power, s.P0) + kronecker(power * hB, s.P1) + kronecker(power * hB * hB, s.P2);
  Eigen::MatrixXd A = motion;
  for (Eigen::Index i = 0; i < r; ++i)
    A.middleRows(i * n + regular, n - regular) = rows.middleRows(i * n + regular, n - regular);
  return A;
}

class KktSolver : public ::testing::TestWithParam<Level> {};
INSTANTIATE_TEST_SUITE_P(Levels, KktSolver, ::testing::Values(Level::position, Level::velocity, Level::acceleration));

TEST_P(KktSolver, BlockSolutionEqualsThePlainDenseOne) {
  for (const ReferenceProblem& problem : referenceProblems()) {
    const Dimensions n = problem.system->dimensions();
    if (n.unknowns() > 60) continue;
    const Sample s = sampled(problem, GetParam());
    for (const int r : {2, 3, 5, 8}) {
      const BlockCoefficients k = blockCoefficients(Nodes::radau, r, r - 1);
      for (const KernelChoice kernel : {KernelChoice::automatic, KernelChoice::baseline}) {
        const auto solver = StageSolver::make(k, kernel);
        solver->setPattern(n, problem.system->pattern());
        const double h = 0.01 * problem.end;
        ASSERT_TRUE(solver->factor(k, s.p, h, GetParam())) << problem.name;
        const Eigen::MatrixXd R = Eigen::MatrixXd::NullaryExpr(n.unknowns(), r, [](Eigen::Index i, Eigen::Index j) {
          return std::sin(static_cast<double>(1 + 3 * i + 7 * j));
        });
        Eigen::MatrixXd dW(n.unknowns(), r);
        solver->solve(k, R, dW);
        const Eigen::MatrixXd A = nodesMatrix(s, h * k.B, GetParam(), n.nv + n.nx);
        const Vector b = -R.reshaped(), x = dW.reshaped(), exact = A.partialPivLu().solve(b);
        SCOPED_TRACE(testing::Message() << problem.name << ", r = " << r);
        EXPECT_LT(backwardError(A, x, b), 1e-10);
        EXPECT_LT((x - exact).norm(), 1e-7 * exact.norm());  // index 3 and r = 8 are ill-conditioned
      }
    }
  }
}

TEST(OneStageSolver, EqualsThePlainDenseOne) {
  for (const Level level : {Level::position, Level::velocity}) {
    for (const ReferenceProblem& problem : referenceProblems()) {
      const Dimensions n = problem.system->dimensions();
      const Sample s = sampled(problem, level);
      const double c1 = 0.01 * problem.end, c2 = 0.4 * c1 * c1;
      NewtonMatrix matrix;
      matrix.setPattern(n, problem.system->pattern());
      ASSERT_TRUE(matrix.factor(s.p, c1, c2)) << problem.name;
      Eigen::MatrixXd A = s.P0 + c1 * s.P1 + c2 * s.P2;
      A.bottomRows(n.m) = (s.P0 + c2 / c1 * s.P1 + c2 * s.P2).bottomRows(n.m);
      const double scale = level == Level::position ? c2 : c1;
      const Vector residual =
          Vector::NullaryExpr(n.unknowns(), [](Eigen::Index i) { return std::sin(static_cast<double>(1 + 3 * i)); });
      Vector b = -residual, x(n.unknowns());
      b.tail(n.m) /= scale;
      matrix.correct(residual, scale, x);
      const Vector exact = A.partialPivLu().solve(b);
      SCOPED_TRACE(problem.name);
      EXPECT_LT(backwardError(A, x, b), 1e-11);
      EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm());
    }
  }
}

}  // namespace
}  // namespace mbfmu
