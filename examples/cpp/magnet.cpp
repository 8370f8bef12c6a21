// The pull of an electromagnet on its armature, with eddy currents that brake it.
#include <mbfmu/function.h>

#include <cmath>

// k i^2 / (gap + leakage)^2, pulling the gap closed, and a brake that grows as the gap closes.
template <class T>
T magnet(T gap, T rate, T current, T k, T brake) {
  const T leakage = 1e-4;
  const T distance = gap + leakage;
  return -(k * current * current + brake * rate) / (distance * distance);
}

MBFMU_FUNCTION(magnet, 5)
