// What a mechanism consists of besides its equations: contacts that only push, bodies that stick and slide, and what
// the model file lets happen at points of time. Which mode each of them is in is kept in Modes; everything here is
// fixed at assembly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "integrators/archive.h"
#include "multibody/quantity.h"

namespace mbfmu {

// gap = sign (s - target) >= 0, pushed apart by N = -sign lambda >= 0 of its row, which is active while in contact.
struct Unilateral {
  std::string name;
  int row = 0;
  double sign = 1;
  int restitution = kZero;   // of velocities; constants
  int restingSpeed = kZero;  // approaching more slowly, it does not bounce
};

// Dry friction along the coordinate of a row, which is active while it sticks: up to a force of `sticking`, or up to
// that times the normal force of a contact. Sliding, it is a force element that reads the direction.
struct Friction {
  std::string name;
  int row = 0;
  int direction = 0;                 // place in Evaluation::inputs: +1 or -1 while it slides, else 0
  int normal = -1;                   // the contact
  std::optional<Quantity> sticking;  // none: whatever the force
  std::optional<Quantity> engaged;   // a clutch: exists while this is above one half
};

// Something to do at an event, all values from just before it.
struct Action {
  struct Assignment {
    int place;  // in Evaluation::inputs, or of a first-order state
    Quantity value;
    bool isState = false, whole = false;  // whole: rounded
  };
  std::vector<Assignment> set;
  bool stop = false;
};

// A value whose zero crossings are events: kinks of a force, conditions of the model file.
struct Watch {
  std::string name;
  Quantity value;
  int direction = 0;  // +1, -1: acts when rising or falling through zero; 0: both
  int action = -1;
};

// Time events at start, start + period, ...
struct Clock {
  std::string name;
  int start = kZero, period = kZero;  // constants; period 0: once
  int action = -1;
};

struct EventParts {
  std::vector<Unilateral> unilaterals;
  std::vector<Friction> frictions;
  std::vector<Watch> watches;
  std::vector<Clock> clocks;
  std::vector<Action> actions;
  bool empty() const { return unilaterals.empty() && frictions.empty() && watches.empty() && clocks.empty(); }
  // One event function for each of these, in this order.
  int functions() const { return static_cast<int>(unilaterals.size() + frictions.size() + watches.size()); }
  const std::string& name(int function) const;
};

// The mode each part is in.
struct Modes {
  std::vector<char> closed, sticking;  // unilaterals, frictions; a row that follows from others is not active then
  std::vector<char> slow;              // unilaterals, then frictions: the mode began at zero gap speed or slip
  std::vector<char> positive;          // watches
  std::vector<double> next;            // clocks
  bool stopped = false;
  void transfer(Archive& archive) {
    archive.sized(closed, sticking, slow, positive, next);
    archive(stopped);
  }
};

}  // namespace mbfmu
