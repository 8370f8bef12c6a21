// How an integrator family makes itself known: its name, its options, and how to make one from their texts. Each family
// does so in a file of its own (block_options.cpp and the like); integrator_registry.cpp lists them.
#pragma once

#include <memory>
#include <string>

#include "integrators/integrator_registry.h"
#include "integrators/option_reader.h"

namespace mbfmu {

struct IntegratorFamily {
  IntegratorInfo info;
  // Null if an option is wrong; the reader then has the problem.
  std::unique_ptr<Integrator> (*make)(OptionReader& options);
};

IntegratorFamily blockFamily();
IntegratorFamily bdfFamily();
IntegratorFamily generalizedAlphaFamily();
IntegratorFamily explicitFamily();
IntegratorFamily classicalFamily();
IntegratorFamily radauIAFamily();
IntegratorFamily radauIIAFamily();
IntegratorFamily lobattoIIICFamily();

}  // namespace mbfmu
