// Number of heap allocations of the program so far, by operator new and by Eigen's own malloc.
#pragma once

#include <cstdlib>

// The sanitizers bring a malloc of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MBFMU_COUNTS_ALLOCATIONS 1
#else
#define MBFMU_COUNTS_ALLOCATIONS 0
#endif

namespace mbfmu {
inline constexpr bool countsAllocations = MBFMU_COUNTS_ALLOCATIONS;
long allocationCount();  // 0 where they are not counted
}  // namespace mbfmu
