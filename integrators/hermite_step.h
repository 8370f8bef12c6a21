// Dense output of a step from the states and rates at its ends: cubics for positions (in the chart at the start),
// velocities and first-order states, straight lines for the rates. Error O(h^4) in q, v and x.
#pragma once

#include "integrators/system.h"

namespace mbfmu {

class HermiteStep {
 public:
  void setUp(const Dimensions& dimensions);
  // The step from (y0, w0) at t0 to (y1, w1) at t1, whose position has chart coordinates theta1.
  void store(const System& system, double t0, const State& y0, const Rates& w0, double t1, const State& y1,
             const Rates& w1, const Vector& theta1);
  void interpolate(const System& system, double t, State& y, Rates& w) const;

  void transfer(Archive& archive) {
    archive(t0_, h_, y0_, w0_, y1_, w1_);
    archive.sized(theta1_, thetaRate1_);
  }

 private:
  double t0_ = 0, h_ = 1;
  State y0_, y1_;
  Rates w0_, w1_;
  Vector theta1_, thetaRate1_;
  mutable Vector theta_;
};

}  // namespace mbfmu
