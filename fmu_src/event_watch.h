// Steps that end where the mechanism leaves its mode.
#pragma once

#include <memory>
#include <vector>

#include "integrators/event_location.h"
#include "integrators/integrator.h"
#include "multibody/mechanism.h"

namespace mbfmu {

class EventWatch {
 public:
  explicit EventWatch(const Mechanism& mechanism);
  EventWatch(const EventWatch& other);

  // One step of the integrator, at most to `limit`, that ends at the first event in it. True in `found` if there is
  // one.
  Failure step(const Mechanism& mechanism, Integrator& integrator, double limit, bool& found, Event& event);

  // Which functions are negative since the rates jumped from w0 to the integrator's, as inputs or parameters changed.
  void compare(const Mechanism& before, const Rates& w0, const Mechanism& after, const Integrator& integrator,
               std::vector<int>& crossed);

 private:
  bool find(const Mechanism& mechanism, const Integrator& integrator, Event& event);

  int count_;
  EventLocator locator_;
  std::unique_ptr<Integrator> before_;
  State y_;
  Rates w_;
  Vector gBefore_, gAfter_;
};

}  // namespace mbfmu
