// Sparse LU with pivots that are chosen once and kept while they stay good: a factorisation then is a flat list of
// operations (kernels.h). Values are doubles or SIMD lanes of complex numbers. Guarded twice: large multipliers make it
// look at the residual of a solve, and a bad residual makes it choose new pivots, or refine every solve once if even
// new ones are not good enough.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "integrators/elimination.h"
#include "integrators/kernels.h"
#include "integrators/system.h"

namespace mbfmu {

// The numbers that make up a value.
template <int lanes>
inline std::complex<double> lane(const Complex<lanes>& v, int e) {
  return {v.re[e], v.im[e]};
}
template <int lanes>
inline void setLane(Complex<lanes>& v, int e, std::complex<double> z) {
  v.re[e] = z.real();
  v.im[e] = z.imag();
}
inline std::complex<double> lane(const double& v, int) { return v; }
inline void setLane(double& v, int, std::complex<double> z) { v = z.real(); }

template <class Value>
struct Lanes {
  static constexpr int count = Value::width;
};
template <>
struct Lanes<double> {
  static constexpr int count = 1;
};

template <class Value>
class SparseLu {
 public:
  void setKernel(KernelChoice choice) { kernel_ = &kernels(choice); }

  // The pattern's entries must be distinct. Keeps the pivots if n and pattern are those it has already.
  void setPattern(int n, const Pattern& pattern) {
    if (n == n_ && pattern.row == pattern_.row && pattern.col == pattern_.col) return;
    n_ = n;
    pattern_ = pattern;
    entries.assign(pattern.size(), Value{});
    rhs.assign(static_cast<std::size_t>(n), Value{});
    solution = work_ = probe_ = residual_ = rhs;
    size_.assign(rhs.size(), 0.0);
    analysed_ = false;
  }

  // False if the matrix of the entries is singular; deficientRow() then names a row without a pivot, if known.
  bool factor() {
    deficientRow_ = -1;
    refine_ = false;
    if (analysed_) {
      const double growth = eliminate();
      if (growth < kHarmless || (growth < kHopeless && backwardError() < kStaleError)) return true;
    }
    for (int e = 0; e < Lanes<Value>::count; ++e) {
      if (!choosePivots(e)) return false;
      const double growth = eliminate();
      if (growth < kHarmless) return true;
      const double error = growth < kHopeless ? backwardError() : 1;
      refine_ = error > kFreshError;
      if (error < kStaleError) return true;
    }
    distrustPivots();
    return false;
  }

  // solution = A^-1 rhs; rhs is kept.
  void solve() {
    substitute(rhs, solution);
    if (!refine_) return;
    probe_ = solution;
    residual(rhs, solution);
    substitute(residual_, solution);
    for (std::size_t i = 0; i < solution.size(); ++i) add(solution[i], probe_[i]);
  }

  // The same for the first lane alone, which must be real.
  void solveFirst(std::vector<double>& y, std::vector<double>& x) const requires(!std::is_same_v<Value, double>) {
    lanes().solveFirst(order_->program(), values_.data(), y.data(), x.data());
  }

  // Choose new pivots at the next factorisation: the iteration that used these did not converge.
  void distrustPivots() {
    remember();
    analysed_ = false;
  }
  bool samePattern(const SparseLu& other) const {
    return n_ == other.n_ && pattern_.row == other.pattern_.row && pattern_.col == other.pattern_.col;
  }
  // Becomes equal to other, of the same pattern, but for the factors: factor() comes before the next solve().
  void assignPivots(const SparseLu& other) {
    deficientRow_ = other.deficientRow_;
    analyses_ = other.analyses_;
    analysed_ = other.analysed_;
    markedAnalysed_ = other.markedAnalysed_;
    changed_ = other.changed_;
    order_ = other.order_;
    markedOrder_ = other.markedOrder_;
  }

  // rollBack() returns to the pivots at the last mark().
  void mark() { changed_ = false; }
  void rollBack() {
    if (!changed_) return;
    std::swap(order_, markedOrder_);
    analysed_ = markedAnalysed_;
    changed_ = false;
  }
  int deficientRow() const { return deficientRow_; }
  int analyses() const { return analyses_; }
  long operations() const { return order_->operations(); }
  const Pattern& pattern() const { return pattern_; }
  const LaneKernel<Lanes<Value>::count>& lanes() const { return *kernel_; }

  // The pivots; factors have to be computed again from the entries, and come out the same.
  void transfer(Archive& archive) {
    std::vector<int> row, col;
    if (analysed_) {
      row = order_->pivotRow();
      col = order_->pivotCol();
    }
    archive(row, col, analyses_);
    if (!archive.reading()) return;
    const auto order = std::make_shared<Elimination>();
    analysed_ = !row.empty() && order->restore(n_, pattern_, row, col);
    order_ = order;
    if (!row.empty() && !analysed_) archive.refuse();
  }

  std::vector<Value> entries, rhs, solution;

 private:
  // Squares of multipliers: below the first nothing can be lost, beyond the second everything may be.
  static constexpr double kHarmless = 1e6, kHopeless = 1e24;
  static constexpr double kStaleError = 1e-9, kFreshError = 1e-13;  // backward errors

  static void add(Value& a, const Value& b) {
    for (int e = 0; e < Lanes<Value>::count; ++e) setLane(a, e, lane(a, e) + lane(b, e));
  }

  void remember() {
    if (changed_) return;
    markedOrder_ = order_;
    markedAnalysed_ = analysed_;
    changed_ = true;
  }

  bool choosePivots(int e) {
    sample_.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      sample_[i] = lane(entries[i], e);
      if (!std::isfinite(std::abs(sample_[i]))) return false;
    }
    remember();
    const auto order = std::make_shared<Elimination>();
    analysed_ = order->analyse(n_, pattern_, sample_);
    deficientRow_ = order->deficientRow();
    order_ = order;
    ++analyses_;
    return analysed_;
  }

  double eliminate() {
    values_.resize(static_cast<std::size_t>(order_->slots()));
    std::copy(entries.begin(), entries.end(), values_.begin());
    std::fill(values_.begin() + static_cast<std::ptrdiff_t>(entries.size()), values_.end(), Value{});
    const LuKernel<Value>& lu = *kernel_;
    const double growth = lu.factor(order_->program(), values_.data());
    return std::isfinite(growth) ? growth : HUGE_VAL;
  }

  void substitute(const std::vector<Value>& b, std::vector<Value>& x) {
    std::copy(b.begin(), b.end(), work_.begin());
    const LuKernel<Value>& lu = *kernel_;
    lu.solve(order_->program(), values_.data(), work_.data(), x.data());
  }

  // residual_ = b - A x
  void residual(const std::vector<Value>& b, const std::vector<Value>& x) {
    residual_ = b;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Value& r = residual_[static_cast<std::size_t>(pattern_.row[i])];
      const Value& z = x[static_cast<std::size_t>(pattern_.col[i])];
      for (int e = 0; e < Lanes<Value>::count; ++e) setLane(r, e, lane(r, e) - lane(entries[i], e) * lane(z, e));
    }
  }

  // The largest |b - A x|_i / (|A| |x| + |b|)_i of a solve whose right-hand side has no structure (Skeel).
  double backwardError() {
    for (std::size_t i = 0; i < probe_.size(); ++i)
      for (int e = 0; e < Lanes<Value>::count; ++e)
        setLane(probe_[i], e, i % 3 == 0 ? -1.0 : 1.0 + 0.1 * static_cast<double>(i % 7));
    substitute(probe_, solution);
    residual(probe_, solution);
    double worst = 0;
    for (int e = 0; e < Lanes<Value>::count; ++e) {
      size_.assign(probe_.size(), 1.0);
      for (std::size_t i = 0; i < entries.size(); ++i)
        size_[static_cast<std::size_t>(pattern_.row[i])] +=
            std::abs(lane(entries[i], e) * lane(solution[static_cast<std::size_t>(pattern_.col[i])], e));
      for (std::size_t i = 0; i < size_.size(); ++i) {
        const double error = std::abs(lane(residual_[i], e)) / size_[i];
        worst = error <= worst ? worst : error;
      }
    }
    return std::isfinite(worst) ? worst : HUGE_VAL;
  }

  int n_ = 0, deficientRow_ = -1, analyses_ = 0;
  bool analysed_ = false, markedAnalysed_ = false, changed_ = false, refine_ = false;
  const Kernels* kernel_ = &kernels(KernelChoice::automatic);
  Pattern pattern_;
  std::shared_ptr<const Elimination> order_ = std::make_shared<Elimination>(), markedOrder_;  // shared by copies
  std::vector<Value> values_, work_, probe_, residual_;
  std::vector<double> size_;
  std::vector<std::complex<double>> sample_;
};

}  // namespace mbfmu
