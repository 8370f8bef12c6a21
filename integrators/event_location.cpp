#include "integrators/event_location.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace mbfmu {
namespace {
constexpr int kIntervals = 16;
constexpr double kGolden = 0.3819660112501051;  // 2 - golden ratio
constexpr double kTurnWidth = 1e-9;             // of an interval between samples: how finely a turning point is sought
}  // namespace

void EventLocator::setUp(int count) {
  t_.resize(kIntervals + 1);
  g_.setZero(count);
  samples_.setZero(count, kIntervals + 1);
}

double EventLocator::value(const Functions& functions, int i, double t) {
  functions(t, g_);
  return g_[i];
}

bool EventLocator::first(const Functions& functions, double t0, double t1, double tolerance, Event& event) {
  event.which.clear();
  if (g_.size() == 0 || !(t1 > t0)) return false;
  for (int k = 0; k <= kIntervals; ++k) {
    const double s = 0.5 - 0.5 * std::cos(std::numbers::pi * k / kIntervals);
    t_[k] = k == kIntervals ? t1 : t0 + s * (t1 - t0);
    functions(t_[k], g_);
    samples_.col(k) = g_;
  }
  Bracket earliest{t1, t1};
  int winner = -1;
  for (int i = 0; i < static_cast<int>(g_.size()); ++i) {
    Bracket candidate;
    if (!bracket(functions, i, candidate) || (winner >= 0 && candidate.positive > earliest.negative)) continue;
    refine(functions, i, tolerance, candidate);
    if (winner >= 0 && candidate.negative >= earliest.negative) continue;
    earliest = candidate;
    winner = i;
  }
  if (winner < 0) return false;
  event.t = earliest.positive;
  functions(earliest.negative, g_);
  for (int i = 0; i < static_cast<int>(g_.size()); ++i)
    if (g_[i] < 0 || i == winner) event.which.push_back(i);
  return true;
}

// The first interval of time in which g_i falls from positive to negative.
bool EventLocator::bracket(const Functions& functions, int i, Bracket& out) {
  bool positive = samples_(i, 0) > 0;
  for (int k = 0; k < kIntervals; ++k) {
    const double next = samples_(i, k + 1);
    double turn = 0;
    if (positive) {
      if (next < 0) {
        out = {t_[k], t_[k + 1]};
        return true;
      }
      if (turnsBeyond(functions, i, k, 1, turn)) {
        out = {t_[k], turn};
        return true;
      }
    } else if (next < 0 && samples_(i, 0) >= next) {
      // From zero or below to below: up in between, or never positive.
      if (turnsBeyond(functions, i, k, -1, turn)) {
        out = {turn, t_[k + 1]};
      } else {
        out = {t_[0], t_[0]};
      }
      return true;
    }
    positive = positive || next > 0;
  }
  return false;
}

bool EventLocator::turnsBeyond(const Functions& functions, int i, int k, double sign, double& out) {
  // A minimum of sign * g lies inside only if the neighbours fall towards it and rise after it; the ends of the whole
  // interval have no neighbour, and are looked at whenever the known side allows.
  const bool fallsInto = k == 0 || sign * (samples_(i, k) - samples_(i, k - 1)) < 0;
  const bool risesFrom = k + 2 > kIntervals || sign * (samples_(i, k + 2) - samples_(i, k + 1)) > 0;
  if (!fallsInto || !risesFrom) return false;
  double low = t_[k], high = t_[k + 1];
  // No finer than time itself.
  const double resolution = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low), std::abs(high));
  const double width = std::max(kTurnWidth * (high - low), resolution);
  double a = low + kGolden * (high - low), b = high - kGolden * (high - low);
  double ga = sign * value(functions, i, a), gb = sign * value(functions, i, b);
  while (high - low > width) {
    if (ga < 0 || gb < 0) {
      out = ga < 0 ? a : b;
      return true;
    }
    if (ga < gb) {
      high = b;
      b = a;
      gb = ga;
      a = low + kGolden * (high - low);
      ga = sign * value(functions, i, a);
    } else {
      low = a;
      a = b;
      ga = gb;
      b = high - kGolden * (high - low);
      gb = sign * value(functions, i, b);
    }
  }
  return false;
}

// Regula falsi with the retained end's value halved (Illinois), never closer to an end than the tolerance, so that the
// bracket itself becomes that small.
void EventLocator::refine(const Functions& functions, int i, double tolerance, Bracket& b) {
  double gp = value(functions, i, b.positive), gn = value(functions, i, b.negative);
  int lastSide = 0;
  while (b.negative - b.positive > tolerance) {
    const double width = b.negative - b.positive;
    double t = gp > gn ? b.positive + width * gp / (gp - gn) : b.positive + 0.5 * width;
    const double margin = std::min(0.5 * tolerance, 0.25 * width);
    t = std::clamp(t, b.positive + margin, b.negative - margin);
    if (!(t > b.positive && t < b.negative)) return;  // the resolution of time
    const double g = value(functions, i, t);
    const int side = g < 0 ? -1 : 1;
    if (side < 0) {
      b.negative = t;
      gn = g;
      if (lastSide == side) gp *= 0.5;
    } else {
      b.positive = t;
      gp = g;
      if (lastSide == side) gn *= 0.5;
    }
    lastSide = side;
  }
}

}  // namespace mbfmu
