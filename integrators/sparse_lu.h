// Sparse LU with pivots that are chosen once and kept while they stay good: a factorisation then is a flat list of
// operations (lu_kernel.h). Values are doubles or SIMD lanes of complex numbers.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

#include "integrators/elimination.h"
#include "integrators/lu_kernel.h"
#include "integrators/system.h"

namespace mbfmu {

template <class Value>
struct Lanes {
  static constexpr int count = Value::width;
  static std::complex<double> get(const Value& v, int lane) { return {v.re[lane], v.im[lane]}; }
};
template <>
struct Lanes<double> {
  static constexpr int count = 1;
  static std::complex<double> get(const double& v, int) { return v; }
};

template <class Value>
class SparseLu {
 public:
  // The pattern's entries must be distinct. Keeps the pivots if n and pattern are those it has already.
  void setPattern(int n, const Pattern& pattern) {
    if (n == n_ && pattern.row == pattern_.row && pattern.col == pattern_.col) return;
    n_ = n;
    pattern_ = pattern;
    entries.assign(pattern.size(), Value{});
    rhs.assign(static_cast<std::size_t>(n), Value{});
    solution = work_ = rhs;
    analysed_ = false;
  }

  // False if the matrix of the entries is singular; deficientRow() then names a row without a pivot, if known.
  bool factor() {
    deficientRow_ = -1;
    if (analysed_ && eliminate() < kStaleGrowth * kStaleGrowth) return true;
    for (int lane = 0; lane < Lanes<Value>::count; ++lane) {
      if (!choosePivots(lane)) return false;
      if (eliminate() < kFreshGrowth * kFreshGrowth) return true;
    }
    analysed_ = false;
    return false;
  }

  // solution = A^-1 rhs; rhs is kept.
  void solve() {
    work_ = rhs;
    kernel::solve(order_.program(), values_.data(), work_.data(), solution.data());
  }

  // Choose new pivots at the next factorisation: the iteration that used these did not converge.
  void distrustPivots() { analysed_ = false; }
  int deficientRow() const { return deficientRow_; }
  int analyses() const { return analyses_; }
  const Pattern& pattern() const { return pattern_; }

  // The pivots; factors have to be computed again from the entries, and come out the same.
  void transfer(Archive& archive) {
    std::vector<int> row, col;
    if (analysed_) {
      row = order_.pivotRow();
      col = order_.pivotCol();
    }
    archive(row, col, analyses_);
    if (!archive.reading()) return;
    analysed_ = !row.empty() && order_.restore(n_, pattern_, row, col);
    if (!row.empty() && !analysed_) archive.refuse();
  }

  std::vector<Value> entries, rhs, solution;

 private:
  // Multipliers beyond these mean lost digits: with pivots chosen on older values, and with new ones (where another
  // lane's values decided).
  static constexpr double kStaleGrowth = 1e4, kFreshGrowth = 1e8;

  bool choosePivots(int lane) {
    sample_.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      sample_[i] = Lanes<Value>::get(entries[i], lane);
      if (!std::isfinite(std::abs(sample_[i]))) return false;
    }
    analysed_ = order_.analyse(n_, pattern_, sample_);
    deficientRow_ = order_.deficientRow();
    ++analyses_;
    return analysed_;
  }

  double eliminate() {
    values_ = entries;
    values_.resize(static_cast<std::size_t>(order_.slots()), Value{});
    const double growth = kernel::factor(order_.program(), values_.data());
    return std::isfinite(growth) ? growth : HUGE_VAL;
  }

  int n_ = 0, deficientRow_ = -1, analyses_ = 0;
  bool analysed_ = false;
  Pattern pattern_;
  Elimination order_;
  std::vector<Value> values_, work_;
  std::vector<std::complex<double>> sample_;
};

}  // namespace mbfmu
