// Coefficients of the L-stable block method (Li, Ding, Li 2019): r nodes 0 < c_1 < ... < c_r = 1 of one step from
// (y_0, y'_0) satisfy
//   Y = e y_0 + h d y'_0 + h B Y'.
// Closed form for distinct nodes and the (k, r) Pade approximant of exp, k >= 1: with pi(t) = t prod (t - c_i), l_j the
// Lagrange basis on {0, c_1..c_r} and N the monic multiple of d^{k-1}/dt^{k-1} [t^k (t-1)^r],
//   mu_i = c_i^{r+1} - N(c_i),   B_ij = int_0^{c_i} l_j - N(c_i) / ((r+1) pi'(c_j)),   d_i the same for node 0.
// k = r-1, r-2: L-stable; k = r: A-stable, unfit for constraints at position level. Radau nodes with k = r-1 are
// Radau IIA (d = 0). Other implicit Runge-Kutta methods (runge_kutta_tables.h) have the same shape: nodes c, B = A, d =
// 0, and weights b of the end where that is no node:
//   y_1 = y_0 + h b^T Y'.
#pragma once

#include <Eigen/Dense>
#include <complex>

#include "integrators/system.h"

namespace mbfmu {

enum class Nodes { equidistant, chebyshev, legendre, radau };

struct BlockCoefficients {
  int r = 0, k = 0;
  int order = 0;       // for ordinary differential equations: min(order of the quadrature, k + r)
  Vector c, d, mu, b;  // b is empty if the last node is the end
  Eigen::MatrixXd B;
  int points() const { return r + (b.size() > 0 ? 1 : 0); }  // nodes and end
  bool usesStartRate = true;                                 // false if d = 0

  // B = sum over eigenvalues; of a complex pair the one with positive imaginary part. Real ones come first.
  // Y' -> eigenvectors: toEigen (lanes x r); back: Y'_j = Re sum_e fromEigen(j, e) z_e (pairs counted twice).
  int lanes = 0, realLanes = 0;
  Eigen::VectorXcd eigenvalue;
  Eigen::MatrixXcd toEigen, fromEigen;

  // Error estimate: errorScale * h * (y'_0 - sum_j errorWeight_j Y'_j), the start rate against the polynomial of the
  // nodes (but one at the start itself); it goes like h^errorOrder.
  double errorScale = 0;
  Vector errorWeight;
  int errorOrder = 0;
  int middle = 0;  // index of the node nearest to 1/2

  // Dense output: monomial coefficients of psi, psi(0) = 0, psi'(0) = 1. Adding h psi(s) (y'_0 - sum_j errorWeight_j
  // Y'_j) makes the polynomial start with the rate y'_0 and gains one order.
  //   d = 0: psi(s) = int_0^s prod (x - c_i) / (-c_i) dx, which mends the nodes too (and is 0 at 1);
  //   else:  psi(s) = s prod (s - c_i) / (-c_i), which leaves them.
  Vector startMend;
  // With a node at the start, c_1 = 0, the dense output follows from the rates instead: row j holds the monomial
  // coefficients of the integral of the Lagrange basis polynomial j on c.
  bool startIsNode() const { return c[0] == 0; }
  Eigen::MatrixXd rateIntegral;
};

// r = 2..8 and 1 <= k <= r.
BlockCoefficients blockCoefficients(Nodes nodes, int r, int k);

// All that follows from r, c, d, b and B.
void completeCoefficients(BlockCoefficients& coefficients);

// Value at x of the Lagrange basis polynomial that is 1 at nodes[j].
double lagrange(const Vector& nodes, int j, double x);

}  // namespace mbfmu
