// Watches the contraction of a simplified Newton iteration (Hairer & Wanner, Solving ODEs II, section IV.8): stops as
// soon as the remaining error is certain to be small, gives up as soon as it is certain not to be.
#pragma once

#include <algorithm>

#include "integrators/archive.h"

namespace mbfmu {

class NewtonMonitor {
 public:
  enum class Verdict { proceed, converged, failed };

  // Do not rely on less error remaining than this share of a correction until the contraction has been seen.
  void expectRemaining(double share) { remaining_ = std::max(remaining_, share); }
  // Forget the contraction seen so far.
  void reset();
  // A new iteration that may stop once contraction/(1-contraction) * |correction| <= tolerance.
  // A correction that no longer shrinks but is below `stalled` is as good as round-off allows.
  void begin(double tolerance, int maxIterations, double stalled = 0.03);
  // Tell the weighted norm of a correction.
  Verdict update(double norm);

  int iterations() const { return iterations_; }
  double contraction() const { return contraction_; }
  // After a failure: the factor by which to shorten the step.
  double shorten() const { return shorten_; }

  void transfer(Archive& archive) {
    archive(tolerance_, remaining_, contraction_, lastRatio_, lastNorm_, shorten_, stalled_, iterations_,
            maxIterations_);
  }

 private:
  double tolerance_ = 0, remaining_ = 1, contraction_ = 1, lastRatio_ = 0, lastNorm_ = 0, shorten_ = 0.5,
         stalled_ = 0.03;
  int iterations_ = 0, maxIterations_ = 0;
};

}  // namespace mbfmu
