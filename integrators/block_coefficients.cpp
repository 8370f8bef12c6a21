#include "integrators/block_coefficients.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace mbfmu {
namespace {

using Real = long double;  // where it is a plain double the coefficients are still good to 2e-15
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

Real legendre(int n, Real x) {
  Real before = 1, p = x;
  if (n == 0) return before;
  for (int k = 2; k <= n; ++k) {
    const Real next = (Real(2 * k - 1) * x * p - Real(k - 1) * before) / Real(k);
    before = p;
    p = next;
  }
  return p;
}

// The simple zeros of f in (-1, 1), mapped to (0, 1) in ascending order: sign changes on a grid dense at the ends, then
// bisection to the last bit.
template <class Function>
std::vector<Real> zeros(Function f) {
  constexpr int kGrid = 201;  // odd, so that no zero of an even or odd polynomial lies on the grid
  const Real pi = std::acos(Real(-1));
  std::vector<Real> found;
  Real left = Real(-0.9999);
  for (int i = 1; i < kGrid; ++i) {
    const Real right = Real(-0.9999) * std::cos(pi * Real(i) / Real(kGrid));
    if ((f(left) < 0) != (f(right) < 0)) {
      Real a = left, b = right;
      for (int bit = 0; bit < 80; ++bit) ((f((a + b) / 2) < 0) == (f(left) < 0) ? a : b) = (a + b) / 2;
      found.push_back((1 + (a + b) / 2) / 2);
    }
    left = right;
  }
  return found;
}

RealVector makeNodes(Nodes nodes, int r) {
  RealVector c(r);
  c[r - 1] = 1;
  const Real pi = std::acos(Real(-1));
  std::vector<Real> inner;
  switch (nodes) {
    case Nodes::equidistant:
      for (int i = 1; i < r; ++i) inner.push_back(Real(i) / Real(r));
      break;
    case Nodes::chebyshev:
      for (int i = r - 1; i >= 1; --i) inner.push_back((1 + std::cos(Real(2 * i - 1) * pi / Real(2 * (r - 1)))) / 2);
      break;
    case Nodes::legendre:
      inner = zeros([r](Real x) { return legendre(r - 1, x); });
      break;
    case Nodes::radau:
      inner = zeros([r](Real x) { return (legendre(r, x) - legendre(r - 1, x)); });
      break;
  }
  for (int i = 0; i + 1 < r; ++i) c[i] = inner[static_cast<std::size_t>(i)];
  return c;
}

// d^n/dt^n t^p
Real powerDerivative(Real t, int p, int n) {
  if (n > p) return 0;
  Real value = 1;
  for (int i = 0; i < n; ++i) value *= Real(p - i);
  for (int i = 0; i < p - n; ++i) value *= t;
  return value;
}

// N(t) by Leibniz' rule.
Real padeNumerator(Real t, int r, int k) {
  Real sum = 0, binomial = 1, leading = 1;
  for (int i = 0; i <= k - 1; ++i) {
    sum += binomial * powerDerivative(t, k, i) * powerDerivative(t - 1, r, k - 1 - i);
    binomial = binomial * Real(k - 1 - i) / Real(i + 1);
  }
  for (int i = 0; i < k - 1; ++i) leading *= Real(k + r - i);
  return sum / leading;
}

// Gauss' quadrature on (0, 1).
struct GaussRule {
  explicit GaussRule(int points) : node(zeros([points](Real z) { return legendre(points, z); })) {
    for (const Real s : node) {
      const Real z = 2 * s - 1;
      const Real slope = Real(points) * (legendre(points - 1, z) - z * legendre(points, z)) / (1 - z * z);
      weight.push_back(1 / ((1 - z * z) * slope * slope));
    }
  }
  std::vector<Real> node, weight;
};

// int_0^end of the Lagrange basis polynomial j on x; exact if the rule has enough points.
Real integrateLagrange(const GaussRule& rule, const RealVector& x, Eigen::Index j, Real end) {
  Real sum = 0;
  for (std::size_t i = 0; i < rule.node.size(); ++i) {
    Real value = end * rule.weight[i];
    for (Eigen::Index l = 0; l < x.size(); ++l)
      if (l != j) value *= (rule.node[i] * end - x[l]) / (x[j] - x[l]);
    sum += value;
  }
  return sum;
}

int quadratureOrder(Nodes nodes, int r) {
  if (nodes == Nodes::radau) return 2 * r - 1;
  if (nodes == Nodes::legendre) return 2 * r - 2;
  return r % 2 == 0 ? r + 2 : r + 1;  // node 0 included, a symmetric rule gains one order
}

void diagonalise(const RealMatrix& B, BlockCoefficients& out) {
  const int r = out.r;
  const Eigen::EigenSolver<RealMatrix> solver(B);
  const auto vectors = solver.eigenvectors();
  const Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic> inverse = vectors.inverse();
  const auto values = solver.eigenvalues();
  constexpr Real kReal = 1e-10L;  // the Pade poles are well apart: at most one is real
  std::vector<int> chosen;
  for (int i = 0; i < r; ++i)
    if (std::abs(values[i].imag()) < kReal || values[i].imag() > 0) chosen.push_back(i);
  const auto height = [&](int i) { return std::abs(values[i].imag()) < kReal ? Real(0) : values[i].imag(); };
  std::sort(chosen.begin(), chosen.end(), [&](int a, int b) { return height(a) < height(b); });
  out.lanes = static_cast<int>(chosen.size());
  out.eigenvalue.resize(out.lanes);
  out.toEigen.resize(out.lanes, r);
  out.fromEigen.resize(r, out.lanes);
  for (int e = 0; e < out.lanes; ++e) {
    const int i = chosen[static_cast<std::size_t>(e)];
    const bool real = height(i) == 0;
    out.realLanes += real ? 1 : 0;
    const std::complex<Real> scale = vectors(r - 1, i);  // makes the last component 1 and real vectors real
    const auto narrow = [real](std::complex<Real> z) {
      return std::complex<double>(static_cast<double>(z.real()), real ? 0.0 : static_cast<double>(z.imag()));
    };
    out.eigenvalue[e] = narrow(values[i]);
    for (int j = 0; j < r; ++j) {
      out.toEigen(e, j) = narrow(inverse(i, j) * scale);
      out.fromEigen(j, e) = narrow((real ? Real(1) : Real(2)) * vectors(j, i) / scale);
    }
  }
}

}  // namespace

double lagrange(const Vector& nodes, int j, double x) {
  double value = 1;
  for (int l = 0; l < nodes.size(); ++l)
    if (l != j) value *= (x - nodes[l]) / (nodes[j] - nodes[l]);
  return value;
}

namespace {

// Monomial coefficients of psi, lowest power first.
Vector startMend(const Vector& c, bool usesStartRate) {
  Vector product = Vector::Zero(c.size() + 1);
  product[0] = 1;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    for (Eigen::Index power = i + 1; power > 0; --power) product[power] -= product[power - 1] / c[i];
  }
  Vector psi = Vector::Zero(c.size() + 2);
  for (Eigen::Index power = 0; power <= c.size(); ++power) {
    psi[power + 1] = usesStartRate ? product[power] : product[power] / static_cast<double>(power + 1);
  }
  return psi;
}

// Row j: monomial coefficients of int_0 l_j, lowest power first.
Eigen::MatrixXd lagrangeIntegrals(const Vector& c) {
  const Eigen::Index r = c.size();
  Eigen::MatrixXd integrals = Eigen::MatrixXd::Zero(r, r + 1);
  for (Eigen::Index j = 0; j < r; ++j) {
    Vector l = Vector::Zero(r);
    l[0] = 1;
    for (Eigen::Index i = 0; i < r; ++i) {
      if (i == j) continue;
      for (Eigen::Index power = r - 1; power >= 0; --power)
        l[power] = ((power > 0 ? l[power - 1] : 0) - c[i] * l[power]) / (c[j] - c[i]);
    }
    for (Eigen::Index power = 0; power < r; ++power)
      integrals(j, power + 1) = l[power] / static_cast<double>(power + 1);
  }
  return integrals;
}

}  // namespace

BlockCoefficients blockCoefficients(Nodes nodes, int r, int k) {
  BlockCoefficients out;
  out.r = r;
  out.k = k;
  out.order = std::min(quadratureOrder(nodes, r), k + r);
  const RealVector c = makeNodes(nodes, r);
  RealVector x(r + 1);
  x << Real(0), c;
  RealMatrix coefficients(r, r + 1);  // [d B]
  const GaussRule rule((r + 1) / 2 + 1);
  RealVector mu(r);
  for (int i = 0; i < r; ++i) mu[i] = powerDerivative(c[i], r + 1, 0) - padeNumerator(c[i], r, k);
  for (int j = 0; j <= r; ++j) {
    Real slope = 1;  // pi'(x_j)
    for (int l = 0; l <= r; ++l)
      if (l != j) slope *= x[j] - x[l];
    for (int i = 0; i < r; ++i)
      coefficients(i, j) = integrateLagrange(rule, x, j, c[i]) - padeNumerator(c[i], r, k) / (Real(r + 1) * slope);
  }
  out.c = c.cast<double>();
  out.mu = mu.cast<double>();
  out.d = coefficients.col(0).cast<double>();
  out.usesStartRate = out.d.cwiseAbs().maxCoeff() > 1e-13;
  if (!out.usesStartRate) out.d.setZero();
  out.B = coefficients.rightCols(r).cast<double>();
  completeCoefficients(out);
  return out;
}

void completeCoefficients(BlockCoefficients& k) {
  diagonalise(k.B.cast<Real>(), k);
  k.errorScale = std::abs(k.eigenvalue[0]);
  k.errorWeight = Vector::Zero(k.r);
  const int first = k.startIsNode() ? 1 : 0;
  k.errorOrder = k.r + 1 - first;
  const Vector after = k.c.tail(k.r - first);
  for (int j = first; j < k.r; ++j) k.errorWeight[j] = lagrange(after, j - first, 0);
  if (k.startIsNode())
    k.rateIntegral = lagrangeIntegrals(k.c);
  else
    k.startMend = startMend(k.c, k.usesStartRate);
  (k.c.array() - 0.5).abs().minCoeff(&k.middle);
}

}  // namespace mbfmu
