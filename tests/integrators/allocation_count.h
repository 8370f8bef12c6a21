// Number of heap allocations of the program so far, by operator new and by Eigen's own malloc.
#pragma once

namespace mbfmu {
long allocationCount();  // always 0 where malloc cannot be replaced
}
