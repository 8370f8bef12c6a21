#include "integrators/newton_monitor.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {

void NewtonMonitor::reset() { *this = NewtonMonitor(); }

void NewtonMonitor::begin(double tolerance, int maxIterations, double stalled) {
  stalled_ = stalled;
  tolerance_ = tolerance;
  maxIterations_ = maxIterations;
  iterations_ = 0;
  shorten_ = 0.5;
  remaining_ = std::pow(std::max(remaining_, 1e-16), 0.8);
}

NewtonMonitor::Verdict NewtonMonitor::update(double norm) {
  ++iterations_;
  if (!std::isfinite(norm)) {
    shorten_ = 0.25;
    return Verdict::failed;
  }
  if (iterations_ > 1) {
    const double ratio = norm / lastNorm_;
    contraction_ = iterations_ == 2 ? ratio : std::sqrt(ratio * lastRatio_);
    lastRatio_ = ratio;
    const bool stalledAtRoundOff = norm < stalled_ && iterations_ >= 3;
    if (contraction_ >= 0.99) return stalledAtRoundOff ? Verdict::converged : Verdict::failed;
    remaining_ = contraction_ / (1 - contraction_);
    const int left = maxIterations_ - 1 - iterations_;
    const double expected = remaining_ * norm * std::pow(contraction_, left) / tolerance_;
    if (expected >= 1) {
      shorten_ = 0.8 * std::pow(std::clamp(expected, 1e-4, 20.0), -1.0 / (4 + std::max(left, 0)));
      return stalledAtRoundOff ? Verdict::converged : Verdict::failed;
    }
  }
  lastNorm_ = std::max(norm, 1e-300);
  if (remaining_ * norm <= tolerance_) return Verdict::converged;
  return iterations_ < maxIterations_ ? Verdict::proceed : Verdict::failed;
}

}  // namespace mbfmu
