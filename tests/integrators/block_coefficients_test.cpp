#include "integrators/block_coefficients.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/integrators/block_coefficients_data.h"

namespace mbfmu {
namespace {

TEST(BlockCoefficients, EqualTheExactOnes) {
  for (const ExactCoefficients& exact : exactCoefficients()) {
    const BlockCoefficients k = blockCoefficients(exact.nodes, exact.r, exact.k);
    SCOPED_TRACE(::testing::Message() << "family " << static_cast<int>(exact.nodes) << " r " << k.r << " k " << k.k);
    std::size_t next = 0;
    for (const Vector* part : {&k.c, &k.mu, &k.d})
      for (int i = 0; i < k.r; ++i) EXPECT_NEAR((*part)[i], exact.values[next++], 1e-14);
    for (int i = 0; i < k.r; ++i)
      for (int j = 0; j < k.r; ++j) EXPECT_NEAR(k.B(i, j), exact.values[next++], 1e-14);
  }
}

// Stage order r: the block formula is exact for polynomials of degree r at every node. The eigenvectors give B back.
TEST(BlockCoefficients, OrderConditionsAndEigenvaluesForAll) {
  for (const Nodes nodes : {Nodes::equidistant, Nodes::chebyshev, Nodes::legendre, Nodes::radau}) {
    for (int r = 2; r <= 8; ++r) {
      for (int pade = std::max(1, r - 2); pade <= r; ++pade) {
        const BlockCoefficients k = blockCoefficients(nodes, r, pade);
        SCOPED_TRACE(::testing::Message() << "family " << static_cast<int>(nodes) << " r " << r << " k " << pade);
        for (int degree = 1; degree <= r; ++degree) {
          const Vector rate = degree * k.c.array().pow(degree - 1);
          const Vector value = k.B * rate + (degree == 1 ? k.d : Vector::Zero(r));
          EXPECT_LT((value.array() - k.c.array().pow(degree)).abs().maxCoeff(), 1e-13);
        }
        const Eigen::MatrixXcd B = k.fromEigen * k.eigenvalue.asDiagonal() * k.toEigen;
        EXPECT_LT((B.real() - k.B).cwiseAbs().maxCoeff(), 1e-11);
        EXPECT_EQ(k.realLanes, r % 2);
        EXPECT_EQ(k.lanes, (r + 1) / 2);
      }
    }
  }
}

// The end of the step is a quadrature formula of the order that the coefficients declare.
TEST(BlockCoefficients, QuadratureOrderConditionsForAll) {
  for (const Nodes nodes : {Nodes::equidistant, Nodes::chebyshev, Nodes::legendre, Nodes::radau}) {
    for (int r = 2; r <= 8; ++r) {
      for (int pade = std::max(1, r - 2); pade <= r; ++pade) {
        const BlockCoefficients k = blockCoefficients(nodes, r, pade);
        for (int degree = 1; degree <= k.order; ++degree) {
          const double weights = k.B.row(r - 1).dot(degree * k.c.array().pow(degree - 1).matrix());
          EXPECT_NEAR(weights + (degree == 1 ? k.d[r - 1] : 0), 1, 1e-12)
              << "family " << static_cast<int>(nodes) << " r " << r << " k " << pade << " degree " << degree;
        }
      }
    }
  }
}

// No pole of R in the left half plane and |R| <= 1 on the imaginary axis: A-stable, for k = r as well.
TEST(BlockCoefficients, AreAStable) {
  for (const Nodes nodes : {Nodes::equidistant, Nodes::chebyshev, Nodes::legendre, Nodes::radau}) {
    for (int r = 2; r <= 8; ++r) {
      for (int pade = std::max(1, r - 2); pade <= r; ++pade) {
        const BlockCoefficients k = blockCoefficients(nodes, r, pade);
        EXPECT_GT(k.eigenvalue.real().minCoeff(), 0);
        for (double y = 0.1; y < 1e3; y *= 1.3) {
          const std::complex<double> z(0, y);
          const Eigen::MatrixXcd A = Eigen::MatrixXcd::Identity(r, r) - z * k.B.cast<std::complex<double>>();
          const Eigen::VectorXcd b = Eigen::VectorXcd::Ones(r) + z * k.d.cast<std::complex<double>>();
          EXPECT_LT(std::abs(A.partialPivLu().solve(b)[r - 1]), 1 + 1e-8)
              << "family " << static_cast<int>(nodes) << " r " << r << " k " << pade << " y " << y;
        }
      }
    }
  }
}

// R(z) = e_r^T (I - z B)^-1 (e + z d): the Pade approximant of exp whatever the nodes, so R(-inf) = 0 for k < r.
TEST(BlockCoefficients, AreLStable) {
  for (const Nodes nodes : {Nodes::equidistant, Nodes::chebyshev, Nodes::legendre, Nodes::radau}) {
    for (int r = 3; r <= 8; ++r) {
      for (int pade = r - 2; pade <= r - 1; ++pade) {
        const BlockCoefficients k = blockCoefficients(nodes, r, pade);
        const auto R = [&](std::complex<double> z) {
          const Eigen::MatrixXcd A = Eigen::MatrixXcd::Identity(r, r) - z * k.B.cast<std::complex<double>>();
          const Eigen::VectorXcd b = Eigen::VectorXcd::Ones(r) + z * k.d.cast<std::complex<double>>();
          return std::abs(A.partialPivLu().solve(b)[r - 1]);
        };
        EXPECT_NEAR(R(-0.5), std::exp(-0.5), 1e-4);
        EXPECT_LT(R(-1e6), 1e-4);
        for (double y = 0.1; y < 1e3; y *= 1.3) EXPECT_LT(R({0, y}), 1 + 1e-8);
      }
    }
  }
}

}  // namespace
}  // namespace mbfmu
