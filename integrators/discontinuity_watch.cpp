#include "integrators/discontinuity_watch.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {
constexpr double kLargeError = 3;      // a smaller one may come from a step that is just a little too long
constexpr double kSmoothShare = 0.5;   // of the order: errors that shrink with a lower power of the step are suspect
constexpr double kShorter = 0.7;       // steps have to differ for their errors to tell anything
constexpr int kRecent = 2;             // so many steps ago
constexpr double kNarrow = 1e-6;       // the place is known when it is known to this share of the step before
constexpr double kSmallError = 1e-6;   // estimates below may be round-off
constexpr double kSmoothError = 1e-9;  // more than a smooth solution's error over so short a step
}  // namespace

double DiscontinuityWatch::clip(double t, double h) const {
  if (!suspects()) return h;
  const double left = beyond_ - t;
  return std::min(h, left > narrow_ ? left / 2 : left);
}

double DiscontinuityWatch::limit(double h, int errorOrder) const {
  if (!suspects() || h <= narrow_) return 1;
  return std::max(kSmallError, std::pow(std::min(1.0, h / resume_), kSmoothShare * errorOrder));
}

void DiscontinuityWatch::rejected(double t, double h, double error, int errorOrder) {
  const bool comparable = age_ < kRecent && lastError_ > 0 && h < kShorter * lastStep_ && error > kLargeError;
  if (comparable && !suspects() && error > lastError_ * std::pow(h / lastStep_, kSmoothShare * errorOrder)) {
    resume_ = lastStep_;
    narrow_ = kNarrow * resume_;
    beyond_ = t + h;
  }
  if (suspects() && h <= narrow_) narrow_ = h / 16;
  if (suspects()) beyond_ = std::min(beyond_, t + h);
  lastStep_ = h;
  lastError_ = error;
  age_ = 0;
}

bool DiscontinuityWatch::crossed(double t, double error) {
  if (t < beyond_) return false;
  const double h = resume_;
  reset();
  resume_ = h;
  foundJump_ = error > kSmoothError;
  return true;
}

}  // namespace mbfmu
