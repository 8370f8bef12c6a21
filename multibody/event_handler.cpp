#include "multibody/event_handler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "multibody/event_functions.h"

namespace mbfmu {
namespace {
constexpr int kMaxRounds = 100;            // of conditions that trigger each other
constexpr double kPenetration = 1e-9;      // at the start (m, rad)
constexpr double kTimeResolution = 1e-14;  // relative
}  // namespace

std::string EventHandler::start(double t, State& y, Rates& w) {
  modes_ = initialModes(events_);
  system_.residual(t, y, w, Level::acceleration, residual_);
  std::string problem;
  if (!startsApart(problem)) return problem;
  for (std::size_t i = 0; i < events_.watches.size(); ++i) modes_.positive[i] = watched(i) > 0;
  for (std::size_t i = 0; i < events_.clocks.size(); ++i) {
    const double first = now_.constant(events_.clocks[i].start), period = now_.constant(events_.clocks[i].period);
    modes_.next[i] = first;
    if (first < t) {
      modes_.next[i] =
          period > 0 ? first + period * std::ceil((t - first) / period) : std::numeric_limits<double>::infinity();
    }
  }
  return handle(t, {}, y, w);
}

bool EventHandler::startsApart(std::string& problem) const {
  for (const Unilateral& u : events_.unilaterals) {
    const double gap = u.sign * parts_.rows[static_cast<std::size_t>(u.row)]->measure(now_, Level::position);
    if (gap >= -kPenetration) continue;
    problem = u.name + " is violated at the start by " + std::to_string(-gap) + "; change the initial pose";
    return false;
  }
  return true;
}

std::string EventHandler::handle(double t, std::vector<int> crossed, State& y, Rates& w) {
  system_.residual(t, y, w, Level::acceleration, residual_);
  const std::size_t first = events_.unilaterals.size() + events_.frictions.size();
  due_.clear();
  for (const int i : crossed) {
    if (static_cast<std::size_t>(i) >= first) triggerWatch(static_cast<std::size_t>(i) - first);
  }
  triggerClocks(t);
  std::string problem = act(t, y, w);
  if (!problem.empty()) return problem;
  return ContactSolver(system_, parts_, now_, modes_).resolve(t, y, w, crossed);
}

void EventHandler::triggerWatch(std::size_t i) {
  const Watch& watch = events_.watches[i];
  modes_.positive[i] = !modes_.positive[i];
  const bool right = watch.direction == 0 || (watch.direction > 0) == (modes_.positive[i] != 0);
  if (right && watch.action >= 0) due_.push_back(watch.action);
}

void EventHandler::triggerClocks(double t) {
  for (std::size_t i = 0; i < events_.clocks.size(); ++i) {
    if (modes_.next[i] > t + kTimeResolution * std::abs(t)) continue;
    due_.push_back(events_.clocks[i].action);
    const double first = now_.constant(events_.clocks[i].start), period = now_.constant(events_.clocks[i].period);
    // By number, so that rounding does not add up.
    modes_.next[i] = period > 0 ? first + period * (std::round((modes_.next[i] - first) / period) + 1)
                                : std::numeric_limits<double>::infinity();
  }
}

// Actions may change the sign of conditions, which then act in turn.
std::string EventHandler::act(double t, State& y, Rates& w) {
  for (int round = 0; !due_.empty(); ++round) {
    if (round == kMaxRounds) return "the events of the model trigger each other without end";
    std::vector<double> before(events_.watches.size());
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = watched(i);
    carryOut(y);
    system_.residual(t, y, w, Level::acceleration, residual_);
    due_.clear();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double value = watched(i);
      if (value != before[i] && (value > 0) != (modes_.positive[i] != 0)) triggerWatch(i);
    }
  }
  return "";
}

void EventHandler::carryOut(State& y) {
  std::vector<std::pair<double*, double>> assignments;
  for (const int index : due_) {
    const Action& action = events_.actions[static_cast<std::size_t>(index)];
    for (const Action::Assignment& assignment : action.set) {
      const double value = assignment.value.value(now_);
      double* place =
          assignment.isState ? &y.x[assignment.place] : &now_.inputs[static_cast<std::size_t>(assignment.place)];
      assignments.emplace_back(place, assignment.whole ? std::round(value) : value);
    }
    modes_.stopped = modes_.stopped || action.stop;
  }
  for (const auto& [place, value] : assignments) *place = value;
}

}  // namespace mbfmu
