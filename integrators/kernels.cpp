#define MBFMU_KERNEL kernel_baseline
#define MBFMU_KERNEL_WIDTH 2
#include "integrators/kernels_impl.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace mbfmu {

#if defined(__x86_64__)

// Intel 64 Architectures Software Developer's Manual, vol. 1, section 14.3: the instructions, and an operating system
// that saves the upper halves of the registers.
bool cpuHasAvx2() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kFma = 1u << 12, kOsxsave = 1u << 27, kAvx = 1u << 28, kAvx2 = 1u << 5, kSaved = 6;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  const unsigned needed = kFma | kOsxsave | kAvx;
  if ((c & needed) != needed) return false;
  unsigned saved = 0, high = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  if ((saved & kSaved) != kSaved) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & kAvx2) != 0;
}

const Kernels& kernels(KernelChoice choice) {
  static const bool avx2 = cpuHasAvx2();
  return avx2 && choice == KernelChoice::automatic ? kernel_avx2::kernels : kernel_baseline::kernels;
}

#else

bool cpuHasAvx2() { return false; }
const Kernels& kernels(KernelChoice) { return kernel_baseline::kernels; }

#endif

}  // namespace mbfmu
