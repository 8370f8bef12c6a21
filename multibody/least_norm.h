// Rank and smallest solutions of  A x = b  with more unknowns than equations, where some equations may follow from
// others.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "integrators/system.h"

namespace mbfmu {

using SparseMatrix = Eigen::SparseMatrix<double>;

// With D = W^(-1/2) and column pivoting, D A^T P = Q R: the leading columns belong to independent rows of A, and
// x = D Q_1 R_11^-T b_1 is the smallest one in the weighted norm. An infinite weight keeps an unknown at 0.
class LeastNorm {
 public:
  LeastNorm(const SparseMatrix& a, const Vector& weights);
  ~LeastNorm();

  int rank() const;
  // Rows of A that are combinations of the others, in their order.
  std::vector<int> redundant() const;
  // The independent rows that a redundant row is a combination of.
  std::vector<int> combination(int row) const;
  // Solves the independent rows; b has one entry for every row.
  Vector solve(const Vector& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace mbfmu
