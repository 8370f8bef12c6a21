// Parameters of the generalized-alpha family, by the spectral radius rho at infinite frequency. With the algorithmic
// acceleration A, which stands for v' at t + (alphaM - alphaF) h,
//   (1 - alphaM) A_1 + alphaM A_0 = (1 - alphaF) a_1 + alphaF a_0,
//   v_1 = v_0 + h ((1 - gamma) A_0 + gamma A_1),   q_1 = q_0 + h v_0 + h^2 ((1/2 - beta) A_0 + beta A_1).
// Chung & Hulbert 1993; Ren & Zhou 2020, eqs. 17 to 27 with gamma = 1/2 - alphaM + alphaF. For first-order states
// Jansen, Whiting & Hulbert 2000.
#pragma once

namespace mbfmu {

enum class AlphaVariant { chungHulbert, hht, newmark };

struct AlphaParameters {
  double alphaM = 0, alphaF = 0, gamma = 0, beta = 0;
  // Local errors: errorQ h^3 q''' and errorV h^3 v'''.
  double errorQ = 0, errorV = 0;
};

// rho in [0, 1]; HHT-alpha: from 1/2. Newmark is of order 1 unless rho = 1.
AlphaParameters alphaParameters(AlphaVariant variant, double rho);

}  // namespace mbfmu
