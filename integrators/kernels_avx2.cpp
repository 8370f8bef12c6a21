// The kernels for x86-64 with AVX2 and FMA; the build compiles this file alone for them.
#if defined(__x86_64__)
#define MBFMU_KERNEL kernel_avx2
#define MBFMU_KERNEL_WIDTH 4
#include "integrators/kernels_impl.h"
#endif
