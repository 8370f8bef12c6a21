// Order and step size of the next BDF step from the sizes of the differences nabla^{j+1} x_{n+1}: the largest step
// among the orders k-1, k and k+1 with Gear's safety factors (Ren & Zhou 2020, eq. 85) and Skelboe's bounds on growth
// (table 1), and criteria that keep high orders away from their instability.
#pragma once

#include <array>

#include "integrators/bdf_coefficients.h"

namespace mbfmu {

enum class OrderCriterion {
  recommended,  // Skelboe to lower; to rise, the last three differences must decrease (Ren & Zhou's choice, Alg. 4)
  skelboe,      // lower if |nabla^{k+1}| > s_k |nabla^k| (table 2); rise at will
  dassl,        // rise only if the last four differences decrease; Petzold 1982
  stewart       // Skelboe to lower; not rising if l |nabla^{k+2}| >= max(|nabla^{k+1}|, 0.9 |nabla^k|); Stewart 1990
};

struct BdfDifferenceSizes {
  // e[j] = |nabla^{j+1} x_{n+1}| in the error norm, for j = k-2 to k+1; those that are not known are infinite.
  std::array<double, kBdfMaxOrder + 2> e{};
  double stepRatio = 1;  // Stewart's l = h_n / h_{n-1} (h_n + h_{n-1}) / (h_{n-1} + h_{n-2})
};

struct BdfChoice {
  int order = 1;
  double h = 0;
};

// After a step of order k that was accepted. unclipped: the step size that was wanted, which growth refers to.
BdfChoice nextStep(OrderCriterion criterion, int maxOrder, int k, const BdfCoefficients& coefficients,
                   const BdfDifferenceSizes& sizes, double unclipped);
// After one that was too inaccurate for the failures-th time.
BdfChoice retry(OrderCriterion criterion, int k, const BdfCoefficients& coefficients, const BdfDifferenceSizes& sizes,
                int failures);

}  // namespace mbfmu
