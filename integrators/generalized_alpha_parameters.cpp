#include "integrators/generalized_alpha_parameters.h"

#include <cmath>

namespace mbfmu {

AlphaParameters alphaParameters(AlphaVariant variant, double rho) {
  AlphaParameters k;
  const double damping = (1 - rho) / (1 + rho);
  switch (variant) {
    case AlphaVariant::chungHulbert:
      k.alphaM = (2 * rho - 1) / (1 + rho);
      k.alphaF = rho / (1 + rho);
      k.gamma = 0.5 - k.alphaM + k.alphaF;
      break;
    case AlphaVariant::hht:
      k.alphaF = damping;
      k.gamma = 0.5 + k.alphaF;
      break;
    case AlphaVariant::newmark:
      k.gamma = 0.5 + damping;
      break;
  }
  k.beta = 0.25 * (k.gamma + 0.5) * (k.gamma + 0.5);
  // A = v' + offset h v'' + curvature h^2 v''', by Taylor's formula in the first relation.
  const double offset = k.alphaM - k.alphaF;
  const double curvature = 0.5 * (1 - k.alphaF) - (1 - k.alphaM) * (0.5 + offset);
  k.errorQ = std::abs(1.0 / 6 - 0.5 * offset - k.beta);
  k.errorV = std::abs(1.0 / 6 - curvature - k.gamma * (0.5 + offset));
  return k;
}

}  // namespace mbfmu
