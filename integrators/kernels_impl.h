// The loops declared in kernels.h, for a translation unit that has defined MBFMU_KERNEL, the namespace to put them in,
// and MBFMU_KERNEL_WIDTH, the doubles in a SIMD register. Plain arrays and compiler vector extensions only, and nothing
// but the table of functions visible outside: what several translation units define the linker merges, and old
// processors would meet new instructions.
#pragma once

#include "integrators/kernels.h"

namespace mbfmu::MBFMU_KERNEL {
namespace {

template <int lanes>
struct Pack {
  static constexpr int width = lanes < MBFMU_KERNEL_WIDTH ? lanes : MBFMU_KERNEL_WIDTH;
  static constexpr int count = lanes / width;
  typedef double Type __attribute__((vector_size(8 * width), may_alias));
};

// A complex value in registers, loaded and stored whole.
template <int lanes>
struct Register {
  using P = typename Pack<lanes>::Type;
  static constexpr int count = Pack<lanes>::count;
  P re[count], im[count];

  explicit Register(const Complex<lanes>& v) {
    const P *r = reinterpret_cast<const P*>(v.re), *i = reinterpret_cast<const P*>(v.im);
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) {
      re[c] = r[c];
      im[c] = i[c];
    }
  }
  void store(Complex<lanes>& v) const {
    P *r = reinterpret_cast<P*>(v.re), *i = reinterpret_cast<P*>(v.im);
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) {
      r[c] = re[c];
      i[c] = im[c];
    }
  }
  // *this -= a b
  void subtractProduct(const Register& a, const Register& b) {
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) {
      re[c] -= a.re[c] * b.re[c];
      im[c] -= a.re[c] * b.im[c];
      re[c] += a.im[c] * b.im[c];
      im[c] -= a.im[c] * b.re[c];
    }
  }
  void multiply(const Register& b) {
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) {
      const P real = re[c] * b.re[c] - im[c] * b.im[c];
      im[c] = re[c] * b.im[c] + im[c] * b.re[c];
      re[c] = real;
    }
  }
  void invert() {
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) {
      const P scale = 1.0 / (re[c] * re[c] + im[c] * im[c]);
      re[c] = re[c] * scale;
      im[c] = -(im[c] * scale);
    }
  }
  double largestSquare() const {
    double largest = 0;
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) {
      const P square = re[c] * re[c] + im[c] * im[c];
#pragma GCC unroll 4
      for (int e = 0; e < Pack<lanes>::width; ++e) largest = square[e] <= largest ? largest : square[e];  // NaN wins
    }
    return largest;
  }
};

template <>
struct Register<0> {  // one double
  double value;
  explicit Register(const double& v) : value(v) {}
  void store(double& v) const { v = value; }
  void subtractProduct(const Register& a, const Register& b) { value -= a.value * b.value; }
  void multiply(const Register& b) { value *= b.value; }
  void invert() { value = 1.0 / value; }
  double largestSquare() const { return value * value; }
};

template <class Value>
struct RegisterOf {
  using Type = Register<Value::width>;
};
template <>
struct RegisterOf<double> {
  using Type = Register<0>;
};

template <class Value>
double factor(const LuProgram& p, Value* values) {
  using R = typename RegisterOf<Value>::Type;
  const int *lower = p.lowerSlot, *upper = p.upperSlot, *target = p.target;
  double growth = 0, poison = 0;
  for (int k = 0; k < p.n; ++k) {
    const int nl = p.lowerCount[k], nu = p.upperCount[k];
    R pivot(values[p.pivotSlot[k]]);
    pivot.invert();
    pivot.store(values[p.pivotSlot[k]]);
    const double inverse = pivot.largestSquare();
    poison += inverse - inverse;  // stays zero unless a pivot's inverse is infinite or NaN
    for (int i = 0; i < nl; ++i) {
      R l(values[lower[i]]);
      l.multiply(pivot);
      l.store(values[lower[i]]);
      const double size = l.largestSquare();
      growth = growth < size ? size : growth;
      for (int j = 0; j < nu; ++j) {
        R t(values[target[j]]);
        t.subtractProduct(l, R(values[upper[j]]));
        t.store(values[target[j]]);
      }
      target += nu;
    }
    lower += nl;
    upper += nu;
  }
  return growth + poison;
}

template <class Value>
void solve(const LuProgram& p, const Value* values, Value* y, Value* x) {
  using R = typename RegisterOf<Value>::Type;
  const int *slot = p.lowerSlot, *row = p.lowerRow;
  for (int k = 0; k < p.n; ++k) {
    const int nl = p.lowerCount[k];
    const R f(y[p.pivotRow[k]]);
    for (int i = 0; i < nl; ++i) {
      R t(y[row[i]]);
      t.subtractProduct(R(values[slot[i]]), f);
      t.store(y[row[i]]);
    }
    slot += nl;
    row += nl;
  }
  slot = p.upperSlot + p.upperSize;
  const int* col = p.upperCol + p.upperSize;
  for (int k = p.n - 1; k >= 0; --k) {
    const int nu = p.upperCount[k];
    slot -= nu;
    col -= nu;
    R f(y[p.pivotRow[k]]);
    for (int j = 0; j < nu; ++j) f.subtractProduct(R(values[slot[j]]), R(x[col[j]]));
    f.multiply(R(values[p.pivotSlot[k]]));
    f.store(x[p.pivotCol[k]]);
  }
}

template <int lanes>
void solveFirst(const LuProgram& p, const Complex<lanes>* values, double* y, double* x) {
  const int *slot = p.lowerSlot, *row = p.lowerRow;
  for (int k = 0; k < p.n; ++k) {
    const int nl = p.lowerCount[k];
    const double f = y[p.pivotRow[k]];
    for (int i = 0; i < nl; ++i) y[row[i]] -= values[slot[i]].re[0] * f;
    slot += nl;
    row += nl;
  }
  slot = p.upperSlot + p.upperSize;
  const int* col = p.upperCol + p.upperSize;
  for (int k = p.n - 1; k >= 0; --k) {
    const int nu = p.upperCount[k];
    slot -= nu;
    col -= nu;
    double f = y[p.pivotRow[k]];
    for (int j = 0; j < nu; ++j) f -= values[slot[j]].re[0] * x[col[j]];
    x[p.pivotCol[k]] = f * values[p.pivotSlot[k]].re[0];
  }
}

template <int lanes>
void assemble(long count, const double* p0, const double* p1, const double* p2, const Complex<lanes>& mu,
              const Complex<lanes>& mu2, Complex<lanes>* a) {
  const Register<lanes> m1(mu), m2(mu2);
  for (long e = 0; e < count; ++e) {
    Register<lanes> out(m1);
#pragma GCC unroll 4
    for (int c = 0; c < Register<lanes>::count; ++c) {
      out.re[c] = p0[e] + m1.re[c] * p1[e] + m2.re[c] * p2[e];
      out.im[c] = m1.im[c] * p1[e] + m2.im[c] * p2[e];
    }
    out.store(a[e]);
  }
}

template <int lanes>
void toLanes(int rows, int r, const double* R, const Complex<lanes>* to, const char* scaled,
             const Complex<lanes>& scale, Complex<lanes>* y) {
  const Register<lanes> factor(scale);
  for (int i = 0; i < rows; ++i) {
    Register<lanes> sum(Complex<lanes>{});
    for (int j = 0; j < r; ++j) {
      const Register<lanes> f(to[j]);
      const double value = R[static_cast<long>(j) * rows + i];
#pragma GCC unroll 4
      for (int c = 0; c < Register<lanes>::count; ++c) {
        sum.re[c] -= f.re[c] * value;
        sum.im[c] -= f.im[c] * value;
      }
    }
    if (scaled[i]) sum.multiply(factor);
    sum.store(y[i]);
  }
}

template <int lanes>
void fromLanes(int rows, int r, const Complex<lanes>* x, const Complex<lanes>* from, double* W) {
  for (int i = 0; i < rows; ++i) {
    const Register<lanes> z(x[i]);
    for (int j = 0; j < r; ++j) {
      const Register<lanes> f(from[j]);
      double sum = 0;
#pragma GCC unroll 4
      for (int c = 0; c < Register<lanes>::count; ++c) {
        const typename Pack<lanes>::Type product = f.re[c] * z.re[c] - f.im[c] * z.im[c];
#pragma GCC unroll 4
        for (int e = 0; e < Pack<lanes>::width; ++e) sum += product[e];
      }
      W[static_cast<long>(j) * rows + i] = sum;
    }
  }
}

// Doubles side by side, wherever they lie.
template <int width>
struct Rows {
  typedef double Type __attribute__((vector_size(8 * width), aligned(8), may_alias));
};

template <int width, int r>
void combineRows(int i, int rows, const double* factor, const double* in, int stride, const double* base, double* out) {
  using Number = typename Rows<width>::Type;
  Number rate[r];
#pragma GCC unroll 8
  for (int l = 0; l < r; ++l) rate[l] = *reinterpret_cast<const Number*>(in + static_cast<long>(l) * stride + i);
#pragma GCC unroll 8
  for (int j = 0; j < r; ++j) {
    Number sum{};
    if (base) sum = *reinterpret_cast<const Number*>(base + i);
#pragma GCC unroll 8
    for (int l = 0; l < r; ++l) sum += factor[l * r + j] * rate[l];
    *reinterpret_cast<Number*>(out + static_cast<long>(j) * rows + i) = sum;
  }
}

template <int r>
void combineNodes(int rows, const double* factor, const double* in, int stride, const double* base, double* out) {
  int i = 0;
  for (; i + MBFMU_KERNEL_WIDTH <= rows; i += MBFMU_KERNEL_WIDTH)
    combineRows<MBFMU_KERNEL_WIDTH, r>(i, rows, factor, in, stride, base, out);
  for (; i < rows; ++i) combineRows<1, r>(i, rows, factor, in, stride, base, out);
}

void combine(int rows, int r, const double* factor, const double* in, int stride, const double* base, double* out) {
  using Function = void (*)(int, const double*, const double*, int, const double*, double*);
  constexpr Function byNodes[] = {combineNodes<1>, combineNodes<2>, combineNodes<3>, combineNodes<4>,
                                  combineNodes<5>, combineNodes<6>, combineNodes<7>, combineNodes<8>};
  byNodes[r - 1](rows, factor, in, stride, base, out);
}

template <int lanes>
constexpr LaneKernel<lanes> laneKernel{{factor<Complex<lanes>>, solve<Complex<lanes>>},
                                       solveFirst<lanes>,
                                       assemble<lanes>,
                                       toLanes<lanes>,
                                       fromLanes<lanes>};

}  // namespace

const Kernels kernels{{factor<double>, solve<double>}, laneKernel<1>, laneKernel<2>, laneKernel<4>, combine};

}  // namespace mbfmu::MBFMU_KERNEL
