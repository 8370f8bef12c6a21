#include "integrators/bdf_coefficients.h"

namespace mbfmu {

BdfCoefficients bdfCoefficients(const std::array<double, kBdfPast + 1>& tau, int past, double h) {
  BdfCoefficients k;
  k.h = k.tau[1] = h;
  k.omega[0] = 1;
  for (std::size_t j = 1; j <= static_cast<std::size_t>(past); ++j) {
    k.tau[j + 1] = h + tau[j];                        // eq. 66
    k.omega[j] = k.omega[j - 1] * k.tau[j] / tau[j];  // eq. 58
    k.c[j] = k.c[j - 1] + h / k.tau[j];               // eq. 64
  }
  return k;
}

}  // namespace mbfmu
