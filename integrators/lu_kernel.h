// The inner loops of the sparse LU: elimination and substitution as flat lists of operations, over values that are one
// double or several complex numbers side by side (one SIMD lane per eigenvalue of the block method). Plain arrays and
// compiler vector extensions only, so that a translation unit may compile it again for a wider instruction set after
// defining MBFMU_KERNEL to another namespace name.
#pragma once

#ifndef MBFMU_KERNEL
#define MBFMU_KERNEL kernel
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // the vectors below never cross a call: everything here is inlined
#endif

namespace mbfmu::MBFMU_KERNEL {

// P A Q = L U with pivots fixed beforehand. Slots number the stored entries, fill included. For pivot k the arrays
// lower*, upper* hold its column below and its row to the right; target lists, row by row, where each product goes.
struct Program {
  int n = 0;
  const int *pivotSlot = nullptr, *pivotRow = nullptr, *pivotCol = nullptr;
  const int *lowerCount = nullptr, *upperCount = nullptr;
  const int *lowerSlot = nullptr, *lowerRow = nullptr;
  const int *upperSlot = nullptr, *upperCol = nullptr;
  long upperSize = 0;
  const int* target = nullptr;
};

template <int lanes>
struct Complex {
  typedef double Pack __attribute__((vector_size(8 * lanes)));
  static constexpr int width = lanes;
  Pack re, im;
};

inline void multiply(double& c, const double& a, const double& b) { c = a * b; }
inline void subtractProduct(double& c, const double& a, const double& b) { c -= a * b; }
inline void invert(double& a) { a = 1.0 / a; }
inline double largestSquare(const double& a) { return a * a; }

template <int w>
inline void multiply(Complex<w>& c, const Complex<w>& a, const Complex<w>& b) {
  const typename Complex<w>::Pack re = a.re * b.re - a.im * b.im;
  c.im = a.re * b.im + a.im * b.re;
  c.re = re;
}
template <int w>
inline void subtractProduct(Complex<w>& c, const Complex<w>& a, const Complex<w>& b) {
  c.re -= a.re * b.re - a.im * b.im;
  c.im -= a.re * b.im + a.im * b.re;
}
template <int w>
inline void invert(Complex<w>& a) {
  const typename Complex<w>::Pack scale = 1.0 / (a.re * a.re + a.im * a.im);
  a.re = a.re * scale;
  a.im = -(a.im * scale);
}
template <int w>
inline double largestSquare(const Complex<w>& a) {
  const typename Complex<w>::Pack square = a.re * a.re + a.im * a.im;
  double largest = square[0];
  for (int i = 1; i < w; ++i) largest = largest < square[i] ? square[i] : largest;
  return largest;
}

// Replaces the values of A by those of L (unit diagonal), U and the inverted pivots. Returns the square of the largest
// multiplier: the growth a pivot order chosen on other values has to answer for. A zero pivot gives infinity or NaN.
template <class Value>
double factor(const Program& p, Value* values) {
  const int *lower = p.lowerSlot, *upper = p.upperSlot, *target = p.target;
  double growth = 0, poison = 0;
  for (int k = 0; k < p.n; ++k) {
    const int nl = p.lowerCount[k], nu = p.upperCount[k];
    Value& pivot = values[p.pivotSlot[k]];
    invert(pivot);
    const double inverse = largestSquare(pivot);
    poison += inverse - inverse;  // stays zero unless a pivot's inverse is infinite or NaN
    for (int i = 0; i < nl; ++i) {
      Value& l = values[lower[i]];
      multiply(l, l, pivot);
      const double size = largestSquare(l);
      growth = growth < size ? size : growth;
      for (int j = 0; j < nu; ++j) subtractProduct(values[target[j]], l, values[upper[j]]);
      target += nu;
    }
    lower += nl;
    upper += nu;
  }
  return growth + poison;
}

// Solves A x = y; y is indexed by row and destroyed, x by column.
template <class Value>
void solve(const Program& p, const Value* values, Value* y, Value* x) {
  const int *slot = p.lowerSlot, *row = p.lowerRow;
  for (int k = 0; k < p.n; ++k) {
    const int nl = p.lowerCount[k];
    const Value f = y[p.pivotRow[k]];
    for (int i = 0; i < nl; ++i) subtractProduct(y[row[i]], values[slot[i]], f);
    slot += nl;
    row += nl;
  }
  slot = p.upperSlot + p.upperSize;
  const int* col = p.upperCol + p.upperSize;
  for (int k = p.n - 1; k >= 0; --k) {
    const int nu = p.upperCount[k];
    slot -= nu;
    col -= nu;
    Value f = y[p.pivotRow[k]];
    for (int j = 0; j < nu; ++j) subtractProduct(f, values[slot[j]], x[col[j]]);
    multiply(x[p.pivotCol[k]], f, values[p.pivotSlot[k]]);
  }
}

}  // namespace mbfmu::MBFMU_KERNEL

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
