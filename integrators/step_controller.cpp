#include "integrators/step_controller.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {
constexpr double kSafety = 0.9, kLargestShrink = 5, kLargestGrowth = 8, kStretch = 1.01;
constexpr double kLeastError = 1e-2;  // for the predictive controller: below, the ratio of two errors is noise
constexpr double kShort = 0.1;
}  // namespace

void StepController::start(double h, int errorOrder) {
  *this = StepController();
  proposal_ = h;
  exponent_ = 1.0 / errorOrder;
}

// The last error was another method's: 1 makes the predictive controller trust the elementary one.
void StepController::changeOrder(int errorOrder) {
  exponent_ = 1.0 / errorOrder;
  lastStep_ = proposal_;
  lastError_ = 1;
}

double StepController::clip(double remaining, double maxStep, bool& reachesLimit) const {
  const double h = std::min(proposal_, maxStep);
  reachesLimit = remaining <= std::min(kStretch * h, std::max(h, maxStep));
  if (reachesLimit) return remaining;
  return remaining < 2 * h ? remaining / 2 : h;
}

double StepController::ratio(double error, double work) const { return std::pow(error, exponent_) / (kSafety * work); }

void StepController::accepted(double h, double error, double work, bool clipped) {
  double shrink = ratio(error, work);
  if (!first_) shrink = std::max(shrink, (lastStep_ / h) * std::pow(error * error / lastError_, exponent_) / kSafety);
  double next = h / std::clamp(shrink, 1 / kLargestGrowth, kLargestShrink);
  // The step was short because of the limit, not of the error: go back to the old proposal, if this error allows it.
  // The error of a very short step is round-off and says nothing against it.
  const bool uninformative = h < kShort * proposal_ && error < kLeastError;
  if (clipped) next = std::max(next, uninformative ? proposal_ : std::min(proposal_, h / ratio(error, work)));
  if (wasRejected_) next = std::min(next, h);
  proposal_ = next;
  lastStep_ = h;
  lastError_ = std::max(kLeastError, error);
  first_ = wasRejected_ = false;
}

double StepController::rejected(double h, double error, double work) {
  wasRejected_ = true;
  proposal_ =
      first_ ? 0.1 * h : std::min(h / std::clamp(ratio(error, work), 1 / kLargestGrowth, kLargestShrink), 0.9 * h);
  return proposal_;
}

void StepController::failed(double h) { proposal_ = h; }

}  // namespace mbfmu
