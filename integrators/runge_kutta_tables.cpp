#include "integrators/runge_kutta_tables.h"

#include <cmath>

namespace mbfmu {
namespace {

// Row q - 1: c_i^(q-1), for q = 1 to conditions.
Eigen::MatrixXd powers(const Vector& c, int conditions) {
  Eigen::MatrixXd V(conditions, c.size());
  for (int q = 1; q <= conditions; ++q) V.row(q - 1) = c.array().pow(q - 1).matrix().transpose();
  return V;
}

// Weights of the interpolatory quadrature: sum_i b_i c_i^(q-1) = 1/q, q = 1 to s.
Vector quadrature(const Vector& c) {
  const int s = static_cast<int>(c.size());
  const Vector rhs = Vector::LinSpaced(s, 1, s).cwiseInverse();
  return powers(c, s).partialPivLu().solve(rhs);
}

BlockCoefficients onNodes(const Vector& c, int order, int padeNumerator) {
  BlockCoefficients k;
  k.r = static_cast<int>(c.size());
  k.k = padeNumerator;
  k.order = order;
  k.c = c;
  k.d = k.mu = Vector::Zero(k.r);
  k.usesStartRate = false;
  return k;
}

}  // namespace

// Nodes: those of Radau IIA reflected. A by D(s): sum_i b_i c_i^(q-1) a_ij = b_j (1 - c_j^q) / q, q = 1 to s.
BlockCoefficients radauIA(int s) {
  Vector c = 1 - blockCoefficients(Nodes::radau, s, s - 1).c.reverse().array();
  c[0] = 0;
  BlockCoefficients k = onNodes(c, 2 * s - 1, s - 1);
  k.b = quadrature(c);
  Eigen::MatrixXd rhs(s, s);
  for (int q = 1; q <= s; ++q) rhs.row(q - 1) = (k.b.array() * (1 - c.array().pow(q)) / q).matrix().transpose();
  const Eigen::MatrixXd conditions = powers(c, s) * k.b.asDiagonal();
  k.B = conditions.partialPivLu().solve(rhs);
  completeCoefficients(k);
  return k;
}

// Nodes: the zeros of d^(s-2)/dx^(s-2) [x (x - 1)]^(s-1). A by a_i1 = b_1 and C(s-1): sum_j a_ij c_j^(q-1) = c_i^q / q.
BlockCoefficients lobattoIIIC(int s) {
  Vector c(s);
  if (s == 2) c << 0, 1;
  if (s == 3) c << 0, 0.5, 1;
  if (s == 4) c << 0, (5 - std::sqrt(5.0)) / 10, (5 + std::sqrt(5.0)) / 10, 1;
  BlockCoefficients k = onNodes(c, 2 * s - 2, s - 2);
  Eigen::MatrixXd conditions(s, s), rhs(s, s);
  conditions << Vector::Unit(s, 0).transpose(), powers(c, s - 1);
  rhs.row(0).setConstant(quadrature(c)[0]);
  for (int q = 1; q < s; ++q) rhs.row(q) = (c.array().pow(q) / q).matrix().transpose();
  k.B = conditions.partialPivLu().solve(rhs).transpose();
  completeCoefficients(k);
  return k;
}

}  // namespace mbfmu
