// What the inner loops of the sparse LU work on: the list of operations, and values that are one double or several
// complex numbers side by side (one SIMD lane per eigenvalue of the block method).
#pragma once

namespace mbfmu {

// P A Q = L U with pivots fixed beforehand. Slots number the stored entries, fill included. For pivot k the arrays
// lower*, upper* hold its column below and its row to the right; target lists, row by row, where each product goes.
struct LuProgram {
  int n = 0;
  const int *pivotSlot = nullptr, *pivotRow = nullptr, *pivotCol = nullptr;
  const int *lowerCount = nullptr, *upperCount = nullptr;
  const int *lowerSlot = nullptr, *lowerRow = nullptr;
  const int *upperSlot = nullptr, *upperCol = nullptr;
  long upperSize = 0;
  const int* target = nullptr;
};

template <int lanes>
struct alignas(8 * lanes) Complex {
  static constexpr int width = lanes;
  double re[lanes], im[lanes];
};

}  // namespace mbfmu
