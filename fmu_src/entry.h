// The way into an Instance from C: is there one, is the call legal in its state, and no exception gets out.
#pragma once

#include <exception>
#include <string>

#include "fmu_src/instance.h"
#include "fmu_src/state_machine.h"

namespace mbfmu {

template <typename Body>
fmi3Status call(fmi3Instance handle, Function function, Body body) noexcept {
  if (!handle) return fmi3Error;
  Instance& instance = *static_cast<Instance*>(handle);
  const FunctionRule& its = rule(function);
  try {
    if (its.allowed == states::unsupported) {
      return instance.fail(std::string(its.name) + ": not supported by this FMU, see its capability flags");
    }
    if (!allowed(function, instance.mode())) {
      return instance.fail(std::string(its.name) + ": not allowed in " + text(instance.mode()));
    }
    return body(instance);
  } catch (const std::exception& error) {
    return instance.failQuietly(its.name, error.what());
  } catch (...) {
    return instance.failQuietly(its.name, "unknown exception");
  }
}

inline fmi3Status unsupported(fmi3Instance handle, Function function) noexcept {
  return call(handle, function, [](Instance&) { return fmi3Error; });
}

}  // namespace mbfmu
