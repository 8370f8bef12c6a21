// The order of elimination of a sparse matrix: pivots by Markowitz' count among entries large enough in their column,
// chosen once on sample values. Work and storage follow the entries, so chains of thousands of unknowns stay linear.
//
// Duff, Erisman, Reid: Direct Methods for Sparse Matrices, 2nd ed. 2017, chapters 5 and 10.
#pragma once

#include <complex>
#include <vector>

#include "integrators/lu_types.h"
#include "integrators/system.h"

namespace mbfmu {

class Elimination {
 public:
  // Entry i of the pattern has the sample value sample[i]. False if no pivot is left: the matrix is singular to
  // round-off, and deficientRow() is a row that has none.
  bool analyse(int n, const Pattern& pattern, const std::vector<std::complex<double>>& sample);

  // The same program again, from the pivots alone. False if they cannot be this pattern's.
  bool restore(int n, const Pattern& pattern, const std::vector<int>& pivotRow, const std::vector<int>& pivotCol);
  const std::vector<int>& pivotRow() const { return pivotRow_; }
  const std::vector<int>& pivotCol() const { return pivotCol_; }

  LuProgram program() const;
  long operations() const { return static_cast<long>(target_.size()); }  // multiply-subtracts of a factorisation
  int slots() const { return slots_; }                                   // the pattern's entries first, then the fill
  int deficientRow() const { return deficientRow_; }

 private:
  template <class Active, class Choose>
  bool eliminate(int n, Active& active, Choose choose);

  int n_ = 0, slots_ = 0, deficientRow_ = -1;
  std::vector<int> pivotSlot_, pivotRow_, pivotCol_, lowerCount_, upperCount_;
  std::vector<int> lowerSlot_, lowerRow_, upperSlot_, upperCol_, target_;
};

}  // namespace mbfmu
