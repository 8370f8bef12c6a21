// What happens to a mechanism at a point of time: conditions and clocks of the model file act, then contacts and
// frictions find their new modes.
#pragma once

#include "multibody/assembly.h"
#include "multibody/contact_solver.h"
#include "multibody/event_parts.h"

namespace mbfmu {

class EventHandler {
 public:
  // `now` is what the system's functions evaluate at and from.
  EventHandler(const System& system, const Assembly& parts, Evaluation& now, Modes& modes)
      : system_(system), parts_(parts), events_(parts.events), now_(now), modes_(modes) {}

  // Each returns what went wrong. y and w become consistent.
  std::string start(double t, State& y, Rates& w);
  std::string handle(double t, std::vector<int> crossed, State& y, Rates& w);

 private:
  double watched(std::size_t i) const { return events_.watches[i].value.value(now_); }
  bool startsApart(std::string& problem) const;
  void triggerWatch(std::size_t i);
  void triggerClocks(double t);
  std::string act(double t, State& y, Rates& w);
  void carryOut(State& y);

  const System& system_;
  const Assembly& parts_;
  const EventParts& events_;
  Evaluation& now_;
  Modes& modes_;
  std::vector<int> due_;  // actions
  Vector residual_;
};

}  // namespace mbfmu
