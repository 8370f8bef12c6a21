#include "fmu_src/event_watch.h"

#include <algorithm>

namespace mbfmu {
namespace {
constexpr double kTolerance = 1e-10;  // of the step: to how much an event's time is found
// A step that goes on for longer than this share behind the event has been about another motion: it is done again,
// ending shortly behind it.
constexpr double kLongest = 0.5;
constexpr double kBehind = 1.05;
constexpr int kMaxRepeats = 20;
}  // namespace

EventWatch::EventWatch(const Mechanism& mechanism) : count_(mechanism.eventCount()) {
  const Dimensions n = mechanism.dimensions();
  locator_.setUp(count_);
  y_ = {Vector::Zero(n.nq), Vector::Zero(n.nv), Vector::Zero(n.nx)};
  w_ = {Vector::Zero(n.nv), Vector::Zero(n.nx), Vector::Zero(n.m)};
}

EventWatch::EventWatch(const EventWatch& other)
    : count_(other.count_), locator_(other.locator_), y_(other.y_), w_(other.w_) {}

Failure EventWatch::step(const Mechanism& mechanism, Integrator& integrator, double limit, bool& found, Event& event) {
  found = false;
  if (count_ == 0) return integrator.step(mechanism, limit);
  if (before_) {
    before_->assign(integrator);
  } else {
    before_ = integrator.clone();
  }
  const double begin = integrator.time();
  for (int i = 0;; ++i) {
    if (const Failure failure = integrator.step(mechanism, limit)) return failure;
    found = find(mechanism, integrator, event);
    if (!found) return {};
    const double part = event.t - begin;
    if (i == kMaxRepeats || part > kLongest * (integrator.time() - begin) || !(begin + kBehind * part > begin)) break;
    limit = begin + kBehind * part;
    integrator.assign(*before_);
  }
  return integrator.cutBack(mechanism, event.t);
}

bool EventWatch::find(const Mechanism& mechanism, const Integrator& integrator, Event& event) {
  // One reference is all that fits into a std::function without the heap.
  struct Source {
    const Mechanism& mechanism;
    const Integrator& integrator;
    State& y;
    Rates& w;
  } source{mechanism, integrator, y_, w_};
  const auto functions = [&source](double t, Vector& g) {
    source.integrator.interpolate(source.mechanism, t, source.y, source.w);
    source.mechanism.eventFunctions(t, source.y, source.w, g);
  };
  const double begin = integrator.lastStepStart(), end = integrator.time();
  return locator_.first(functions, begin, end, kTolerance * (end - begin), event);
}

void EventWatch::compare(const Mechanism& before, const Rates& w0, const Mechanism& after, const Integrator& integrator,
                         std::vector<int>& crossed) {
  if (count_ == 0) return;
  before.eventFunctions(integrator.time(), integrator.state(), w0, gBefore_);
  after.eventFunctions(integrator.time(), integrator.state(), integrator.rates(), gAfter_);
  for (int i = 0; i < count_; ++i) {
    const bool known = std::find(crossed.begin(), crossed.end(), i) != crossed.end();
    if (!known && gAfter_[i] < 0 && gAfter_[i] != gBefore_[i]) crossed.push_back(i);
  }
}

}  // namespace mbfmu
