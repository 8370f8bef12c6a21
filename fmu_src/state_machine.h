// Which function may be called in which state (the FMI 3.0 state machine of Co-Simulation): one table, checked on entry
// of every function.
#pragma once

#include <array>
#include <cstddef>

namespace mbfmu {

// The states of a co-simulation instance. Every error leads to terminated.
enum class Mode : unsigned {
  instantiated = 1,
  initialization = 2,
  step = 4,
  event = 8,
  intermediate = 16,
  terminated = 32
};

inline const char* text(Mode mode) {
  switch (mode) {
    case Mode::instantiated:
      return "Instantiated";
    case Mode::initialization:
      return "Initialization Mode";
    case Mode::step:
      return "Step Mode";
    case Mode::event:
      return "Event Mode";
    case Mode::intermediate:
      return "Intermediate Update Mode";
    case Mode::terminated:
      return "Terminated";
  }
  return "";
}

namespace states {
inline constexpr unsigned instantiated = 1, initialization = 2, step = 4, event = 8, intermediate = 16, terminated = 32;
inline constexpr unsigned any = 63;
// Not from within a step: fmi3DoStep is still at work on the instance.
inline constexpr unsigned atRest = any & ~intermediate;
inline constexpr unsigned set = any & ~terminated;
inline constexpr unsigned derivatives = initialization | step | event | terminated;
inline constexpr unsigned clocks = initialization | event;
// Belongs to another interface type or to a capability that this FMU declares absent.
inline constexpr unsigned unsupported = 0;
}  // namespace states

// Name without fmi3, states in which a call is legal. GetVersion, Instantiate* and FreeInstance are always legal.
#define MBFMU_FMI_FUNCTIONS(X)                                                      \
  X(SetDebugLogging, states::any)                                                   \
  X(EnterInitializationMode, states::instantiated)                                  \
  X(ExitInitializationMode, states::initialization)                                 \
  X(EnterEventMode, states::step)                                                   \
  X(Terminate, states::step | states::event)                                        \
  X(Reset, states::atRest)                                                          \
  X(GetFloat32, states::any)                                                        \
  X(GetFloat64, states::any)                                                        \
  X(GetInt8, states::any)                                                           \
  X(GetUInt8, states::any)                                                          \
  X(GetInt16, states::any)                                                          \
  X(GetUInt16, states::any)                                                         \
  X(GetInt32, states::any)                                                          \
  X(GetUInt32, states::any)                                                         \
  X(GetInt64, states::any)                                                          \
  X(GetUInt64, states::any)                                                         \
  X(GetBoolean, states::any)                                                        \
  X(GetString, states::any)                                                         \
  X(GetBinary, states::any)                                                         \
  X(GetClock, states::event)                                                        \
  X(SetFloat32, states::set)                                                        \
  X(SetFloat64, states::set)                                                        \
  X(SetInt8, states::set)                                                           \
  X(SetUInt8, states::set)                                                          \
  X(SetInt16, states::set)                                                          \
  X(SetUInt16, states::set)                                                         \
  X(SetInt32, states::set)                                                          \
  X(SetUInt32, states::set)                                                         \
  X(SetInt64, states::set)                                                          \
  X(SetUInt64, states::set)                                                         \
  X(SetBoolean, states::set)                                                        \
  X(SetString, states::set)                                                         \
  X(SetBinary, states::set)                                                         \
  X(SetClock, states::event)                                                        \
  X(GetNumberOfVariableDependencies, states::atRest)                                \
  X(GetVariableDependencies, states::atRest)                                        \
  X(GetFMUState, states::atRest)                                                    \
  X(SetFMUState, states::atRest)                                                    \
  X(FreeFMUState, states::atRest)                                                   \
  X(SerializedFMUStateSize, states::atRest)                                         \
  X(SerializeFMUState, states::atRest)                                              \
  X(DeserializeFMUState, states::atRest)                                            \
  X(GetDirectionalDerivative, states::derivatives)                                  \
  X(GetAdjointDerivative, states::derivatives)                                      \
  X(EnterConfigurationMode, states::unsupported)                                    \
  X(ExitConfigurationMode, states::unsupported)                                     \
  X(GetIntervalDecimal, states::clocks)                                             \
  X(GetIntervalFraction, states::clocks)                                            \
  X(GetShiftDecimal, states::initialization)                                        \
  X(GetShiftFraction, states::initialization)                                       \
  X(SetIntervalDecimal, states::clocks)                                             \
  X(SetIntervalFraction, states::clocks)                                            \
  X(SetShiftDecimal, states::initialization)                                        \
  X(SetShiftFraction, states::initialization)                                       \
  X(EvaluateDiscreteStates, states::event)                                          \
  X(UpdateDiscreteStates, states::event)                                            \
  X(EnterContinuousTimeMode, states::unsupported)                                   \
  X(CompletedIntegratorStep, states::unsupported)                                   \
  X(SetTime, states::unsupported)                                                   \
  X(SetContinuousStates, states::unsupported)                                       \
  X(GetContinuousStateDerivatives, states::unsupported)                             \
  X(GetEventIndicators, states::unsupported)                                        \
  X(GetContinuousStates, states::unsupported)                                       \
  X(GetNominalsOfContinuousStates, states::unsupported)                             \
  X(GetNumberOfEventIndicators, states::unsupported)                                \
  X(GetNumberOfContinuousStates, states::unsupported)                               \
  X(EnterStepMode, states::event)                                                   \
  X(GetOutputDerivatives, states::step | states::intermediate | states::terminated) \
  X(DoStep, states::step)                                                           \
  X(ActivateModelPartition, states::unsupported)

enum class Function {
#define MBFMU_ENTRY(name, allowed) name,
  MBFMU_FMI_FUNCTIONS(MBFMU_ENTRY)
#undef MBFMU_ENTRY
};

struct FunctionRule {
  const char* name;
  unsigned allowed;
};

inline constexpr auto functionRules = std::to_array<FunctionRule>({
#define MBFMU_ENTRY(name, allowed) {"fmi3" #name, allowed},
    MBFMU_FMI_FUNCTIONS(MBFMU_ENTRY)
#undef MBFMU_ENTRY
});

inline const FunctionRule& rule(Function function) { return functionRules[static_cast<std::size_t>(function)]; }

inline bool allowed(Function function, Mode mode) {
  return (rule(function).allowed & static_cast<unsigned>(mode)) != 0;
}

}  // namespace mbfmu
