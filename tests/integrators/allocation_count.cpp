#include "tests/integrators/allocation_count.h"

#include <atomic>
#include <cstdlib>

namespace {
std::atomic<long> count{0};
}

long mbfmu::allocationCount() { return count; }

#if MBFMU_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++count;
  return __libc_memalign(alignment, size);
}
}
#endif
