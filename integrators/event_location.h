// The first time in an interval at which one of several functions leaves its mode.
//
// A mode lasts while its functions g_i(t) are positive; event i is g_i becoming negative. A function may start at zero
// (a contact just opened, friction just reversed): it then counts as positive once it has been so. One that goes
// negative without ever having been positive is an event at the very start.
//
// The functions are sampled at Chebyshev points of the interval, as the dense output they are made from is a
// polynomial; between samples a dip below zero and back is looked for wherever neighbouring samples turn.
#pragma once

#include <functional>
#include <vector>

#include "integrators/system.h"

namespace mbfmu {

struct Event {
  double t = 0;            // the last time found at which no function is negative
  std::vector<int> which;  // the functions that are negative just after t
};

class EventLocator {
 public:
  using Functions = std::function<void(double t, Vector& g)>;

  void setUp(int count);
  // False if the mode lasts over (t0, t1]. The time is found to within `tolerance`.
  bool first(const Functions& functions, double t0, double t1, double tolerance, Event& event);

 private:
  struct Bracket {
    double positive, negative;  // times; the function has left its mode in between
  };
  double value(const Functions& functions, int i, double t);
  bool bracket(const Functions& functions, int i, Bracket& out);
  // A time strictly inside (samples k, k+1) at which sign * g_i < 0, if there is one; `out` is it.
  bool turnsBeyond(const Functions& functions, int i, int k, double sign, double& out);
  void refine(const Functions& functions, int i, double tolerance, Bracket& bracket);

  Vector t_, g_;
  Eigen::MatrixXd samples_;  // one column per time
};

}  // namespace mbfmu
