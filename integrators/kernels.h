// The hot loops of the integrators, compiled once for the platform's baseline and once for x86-64 with AVX2 and FMA
// (kernels_avx2.cpp), chosen at run time. Both give the same results up to round-off.
#pragma once

#include "integrators/lu_types.h"

namespace mbfmu {

// baseline: the same bits on every processor of a platform.
enum class KernelChoice { automatic, baseline };

template <class Value>
struct LuKernel {
  // Replaces the values of A by those of L (unit diagonal), U and the inverted pivots. Returns the square of the
  // largest multiplier: the growth a pivot order chosen on other values has to answer for. Infinite or NaN if a pivot
  // is zero.
  double (*factor)(const LuProgram& program, Value* values);
  // Solves A x = y; y is indexed by row and destroyed, x by column.
  void (*solve)(const LuProgram& program, const Value* values, Value* y, Value* x);
};

template <int lanes>
struct LaneKernel : LuKernel<Complex<lanes>> {
  // The same for the first lane alone, where it is real.
  void (*solveFirst)(const LuProgram& program, const Complex<lanes>* values, double* y, double* x);
  // a_e = p0_e + mu p1_e + mu2 p2_e for e < count.
  void (*assemble)(long count, const double* p0, const double* p1, const double* p2, const Complex<lanes>& mu,
                   const Complex<lanes>& mu2, Complex<lanes>* a);
  // y_i = -scale_i sum_j to_j R_ij for a rows x r matrix R, stored by columns; scale_i is 1 where scaled is 0.
  void (*toLanes)(int rows, int r, const double* R, const Complex<lanes>* to, const char* scaled,
                  const Complex<lanes>& scale, Complex<lanes>* y);
  // W_ij = Re sum over lanes of from_j x_i.
  void (*fromLanes)(int rows, int r, const Complex<lanes>* x, const Complex<lanes>* from, double* W);
};

struct Kernels : LuKernel<double>, LaneKernel<1>, LaneKernel<2>, LaneKernel<4> {
  // out_ij = base_i + sum_l factor_jl in_il for columns of the given number of rows, `stride` apart in `in`; base may
  // be null. factor is r x r, stored by columns, r at most 8; in and out lie apart.
  void (*combine)(int rows, int r, const double* factor, const double* in, int stride, const double* base, double* out);
};

namespace kernel_baseline {
extern const Kernels kernels;
}
namespace kernel_avx2 {
extern const Kernels kernels;
}

// Whether this processor and operating system run AVX2 and FMA code.
bool cpuHasAvx2();
const Kernels& kernels(KernelChoice choice);

}  // namespace mbfmu
