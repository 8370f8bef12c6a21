// The linear algebra of one Newton iteration of the block method. With B diagonalised the r coupled node systems fall
// apart into one system per eigenvalue beta, mu = h beta (a complex pair counts once):
//   (P0 + mu P1 + mu^2 P2) z = rhs,  constraint rows of rhs divided by mu^level.
// All of them are SIMD lanes of a single sparse LU.
#pragma once

#include <memory>
#include <vector>

#include "integrators/block_coefficients.h"
#include "integrators/kernels.h"
#include "integrators/system.h"

namespace mbfmu {

class StageSolver {
 public:
  virtual ~StageSolver() = default;
  virtual std::unique_ptr<StageSolver> clone() const = 0;
  // Of the same coefficients, kernel and pattern; factors have to be computed again.
  virtual void assign(const StageSolver& other) = 0;
  static std::unique_ptr<StageSolver> make(const BlockCoefficients& coefficients, KernelChoice kernel);

  virtual void setPattern(const Dimensions& dimensions, const Pattern& pattern) = 0;
  // False if singular.
  virtual bool factor(const BlockCoefficients& coefficients, const Linearisation& p, double h, Level level) = 0;
  // Newton correction dW of all nodes (unknowns x r) from the nodes' residuals R.
  virtual void solve(const BlockCoefficients& coefficients, const Eigen::MatrixXd& R, Eigen::MatrixXd& dW) = 0;
  // Real part of the solution of the first eigenvalue's system alone, for the error filter and projections.
  virtual void solveFirst(const Vector& re, const Vector& im, Vector& z) = 0;

  // mu of the first eigenvalue at the last factorisation.
  virtual std::complex<double> firstShift() const = 0;
  virtual void distrustPivots() = 0;
  // rollBack() returns to the pivots at the last mark().
  virtual void mark() = 0;
  virtual void rollBack() = 0;
  virtual int deficientRow() const = 0;
  virtual const Pattern& pattern() const = 0;
  // Whether p has the same constraint rows switched off as the last factorisation.
  virtual bool sameRowsOff(const Linearisation& p) = 0;
  // The pivots; the matrix has to be factorised again, and comes out the same.
  virtual void transfer(Archive& archive) = 0;
};

// True for constraint rows that are switched off: the only ones with a diagonal entry in P0.
void findRowsOff(const Dimensions& dimensions, const Pattern& pattern, const Linearisation& p, std::vector<char>& off);

}  // namespace mbfmu
