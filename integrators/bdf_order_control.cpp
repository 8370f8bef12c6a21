#include "integrators/bdf_order_control.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {

constexpr double kGrowth[] = {0, 10, 2.6, 1.9, 1.5, 1.2};                    // Skelboe's f_k
constexpr double kStability[] = {0, HUGE_VAL, HUGE_VAL, 0.59, 0.65, 0.89};   // Skelboe's s_k
constexpr double kSafetyBelow = 1.3, kSafetySame = 1.2, kSafetyAbove = 1.4;  // Gear's, eq. 85
constexpr double kLeastError = 1e-15, kLargestRetry = 0.9, kHardRetry = 0.25;
constexpr int kRetriesAtOrder = 2;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The step at order j whose error is just tolerated.
double stepAt(int j, double safety, const BdfCoefficients& k, const BdfDifferenceSizes& sizes) {
  return k.h / (safety * std::pow(std::max(k.error(j) * sizes.e[at(j)], kLeastError), 1.0 / (j + 1)));
}

bool unstable(OrderCriterion criterion, int k, const BdfDifferenceSizes& sizes) {
  return criterion != OrderCriterion::dassl && k >= 3 && sizes.e[at(k)] > kStability[k] * sizes.e[at(k - 1)];
}

bool mayRise(OrderCriterion criterion, int k, const BdfDifferenceSizes& sizes) {
  const auto& e = sizes.e;
  const bool decreasing = e[at(k + 1)] <= e[at(k)] && (k == 1 || e[at(k)] <= e[at(k - 1)]);
  switch (criterion) {
    case OrderCriterion::recommended:
      return decreasing;
    case OrderCriterion::skelboe:
      return true;
    case OrderCriterion::dassl:
      return decreasing && (k <= 2 || e[at(k - 1)] <= e[at(k - 2)]);
    case OrderCriterion::stewart:
      return sizes.stepRatio * e[at(k + 1)] < std::max(e[at(k)], k > 1 ? 0.9 * e[at(k - 1)] : 0.0);
  }
  return false;
}

}  // namespace

BdfChoice nextStep(OrderCriterion criterion, int maxOrder, int k, const BdfCoefficients& coefficients,
                   const BdfDifferenceSizes& sizes, double unclipped) {
  const auto grown = [&](int j, double safety) {
    return std::min(stepAt(j, safety, coefficients, sizes), kGrowth[j] * std::max(coefficients.h, unclipped));
  };
  BdfChoice choice{k, grown(k, kSafetySame)};
  if (k > maxOrder) return {k - 1, grown(k - 1, kSafetyBelow)};
  if (k > 1) {
    const double below = grown(k - 1, kSafetyBelow);
    if (unstable(criterion, k, sizes)) return {k - 1, below};
    if (below > choice.h) choice = {k - 1, below};
  }
  if (k < maxOrder && std::isfinite(sizes.e[at(k + 1)]) && mayRise(criterion, k, sizes)) {
    const double above = grown(k + 1, kSafetyAbove);
    if (above > choice.h) choice = {k + 1, above};
  }
  return choice;
}

BdfChoice retry(OrderCriterion criterion, int k, const BdfCoefficients& coefficients, const BdfDifferenceSizes& sizes,
                int failures) {
  const double h = coefficients.h;
  if (failures > kRetriesAtOrder) return {std::max(1, k - 1), kHardRetry * h};
  BdfChoice choice{k, stepAt(k, kSafetySame, coefficients, sizes)};
  if (k > 1) {
    const double below = stepAt(k - 1, kSafetyBelow, coefficients, sizes);
    if (unstable(criterion, k, sizes)) choice = {k - 1, below};
  }
  if (failures > 1) choice.h /= 2;
  choice.h = std::clamp(choice.h, kHardRetry * h, kLargestRetry * h);
  return choice;
}

}  // namespace mbfmu
