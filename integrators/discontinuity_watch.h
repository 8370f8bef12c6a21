// Finds jumps in the equations that nobody announced: an expression with abs or min, an input from a table. Steps across
// one fail their error test, and unlike those of a smooth solution their errors hardly shrink with the step (Gear &
// Osterby 1984; Ren & Zhou 2020, section 5.3). The place is then found by bisection, with steps up to it wherever they
// succeed, and crossed by one tiny step. What a method knows of the past is worthless beyond; its step size is not.
#pragma once

#include <limits>

#include "integrators/archive.h"

namespace mbfmu {

class DiscontinuityWatch {
 public:
  void reset() { *this = DiscontinuityWatch(); }

  // A step begins.
  void begin() { ++age_; }
  // The step to try from t in place of h: half of what lies before the place, or all of it if that is next to nothing.
  double clip(double t, double h) const;
  // An attempt over h with an error from here on is too inaccurate: 1, or if a jump is suspected more than smooth.
  double limit(double h, int errorOrder) const;
  // The attempt from t over h was too inaccurate; errors of smooth solutions would go like h^errorOrder.
  void rejected(double t, double h, double error, int errorOrder);
  // The attempt that ends at t is accepted. True if it crossed the place; then the step size before it was resume(),
  // and the error of the tiny step tells whether there was a jump.
  bool crossed(double t, double error);

  bool suspects() const { return beyond_ < std::numeric_limits<double>::infinity(); }
  double resume() const { return resume_; }
  bool foundJump() const { return foundJump_; }

  void transfer(Archive& archive) { archive(lastStep_, lastError_, beyond_, narrow_, resume_, age_, foundJump_); }

 private:
  double lastStep_ = 0, lastError_ = 0;                      // of the last failed attempt
  double beyond_ = std::numeric_limits<double>::infinity();  // no step has led past here
  double narrow_ = 0;                                        // what is not longer is crossed at once
  double resume_ = 0;
  int age_ = 0;  // of the last failed attempt, in steps
  bool foundJump_ = false;
};

}  // namespace mbfmu
