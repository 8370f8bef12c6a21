// Learns how the master uses communication points. The integrator steps past them and is read by dense output, which
// makes them free, until an input changes: then what lies beyond the point was in vain. So it stops at them while that
// happens too often, and tries again after a stretch without changes; each failure makes it wait longer. While inputs
// change at every point it is told to expect so.
#pragma once

#include <algorithm>

#include "integrators/archive.h"

namespace mbfmu {

class CommunicationHabits {
 public:
  // The inputs or parameters changed at a point; `miss`: the integrator had stepped past it.
  void changed(bool miss) {
    if (miss) patience_ = std::min(2 * patience_, kLongestPatience);
    quiet_ = 0;
    busy_ = std::min(busy_ + 1, kBusy);
  }
  // They did not.
  void quiet() {
    busy_ = 0;
    ++quiet_;
    if (quiet_ % (2 * patience_) == 0) patience_ = std::max(1, patience_ / 2);
    quiet_ = std::min(quiet_, 2 * kLongestPatience);
  }

  bool stepPast() const { return quiet_ >= patience_; }
  bool expectJumps() const { return busy_ == kBusy; }

  void transfer(Archive& archive) { archive(quiet_, busy_, patience_); }

 private:
  static constexpr int kLongestPatience = 64, kBusy = 3;
  int quiet_ = 1, busy_ = 0, patience_ = 1;  // points in a row without and with a change; quiet ones to wait for
};

}  // namespace mbfmu
