// Which function may be called in which state (FMI 3.0, 2.3 and 4.2.1): one table, checked on entry of every function.
#pragma once

#include <array>
#include <cstddef>

namespace mbfmu {

// The states of a co-simulation instance without event mode. Every error leads to terminated (FMI 3.0, 2.2.3).
enum class Mode : unsigned { instantiated = 1, initialization = 2, step = 4, terminated = 8 };

inline const char* text(Mode mode) {
  switch (mode) {
    case Mode::instantiated:
      return "Instantiated";
    case Mode::initialization:
      return "Initialization Mode";
    case Mode::step:
      return "Step Mode";
    case Mode::terminated:
      return "Terminated";
  }
  return "";
}

namespace states {
inline constexpr unsigned instantiated = 1, initialization = 2, step = 4, terminated = 8;
inline constexpr unsigned any = 15;
inline constexpr unsigned get = initialization | step | terminated;
inline constexpr unsigned set = instantiated | initialization | step;
// Belongs to another interface type or to a capability that this FMU declares absent.
inline constexpr unsigned unsupported = 0;
}  // namespace states

// Name without fmi3, states in which a call is legal. GetVersion, Instantiate* and FreeInstance are always legal.
#define MBFMU_FMI_FUNCTIONS(X)                            \
  X(SetDebugLogging, states::any)                         \
  X(EnterInitializationMode, states::instantiated)        \
  X(ExitInitializationMode, states::initialization)       \
  X(EnterEventMode, states::unsupported)                  \
  X(Terminate, states::step)                              \
  X(Reset, states::any)                                   \
  X(GetFloat32, states::get)                              \
  X(GetFloat64, states::get)                              \
  X(GetInt8, states::get)                                 \
  X(GetUInt8, states::get)                                \
  X(GetInt16, states::get)                                \
  X(GetUInt16, states::get)                               \
  X(GetInt32, states::get)                                \
  X(GetUInt32, states::get)                               \
  X(GetInt64, states::get)                                \
  X(GetUInt64, states::get)                               \
  X(GetBoolean, states::get)                              \
  X(GetString, states::get)                               \
  X(GetBinary, states::get)                               \
  X(GetClock, states::get)                                \
  X(SetFloat32, states::set)                              \
  X(SetFloat64, states::set)                              \
  X(SetInt8, states::set)                                 \
  X(SetUInt8, states::set)                                \
  X(SetInt16, states::set)                                \
  X(SetUInt16, states::set)                               \
  X(SetInt32, states::set)                                \
  X(SetUInt32, states::set)                               \
  X(SetInt64, states::set)                                \
  X(SetUInt64, states::set)                               \
  X(SetBoolean, states::set)                              \
  X(SetString, states::set)                               \
  X(SetBinary, states::set)                               \
  X(SetClock, states::set)                                \
  X(GetNumberOfVariableDependencies, states::unsupported) \
  X(GetVariableDependencies, states::unsupported)         \
  X(GetFMUState, states::any)                             \
  X(SetFMUState, states::any)                             \
  X(FreeFMUState, states::any)                            \
  X(SerializedFMUStateSize, states::unsupported)          \
  X(SerializeFMUState, states::unsupported)               \
  X(DeserializeFMUState, states::unsupported)             \
  X(GetDirectionalDerivative, states::unsupported)        \
  X(GetAdjointDerivative, states::unsupported)            \
  X(EnterConfigurationMode, states::unsupported)          \
  X(ExitConfigurationMode, states::unsupported)           \
  X(GetIntervalDecimal, states::unsupported)              \
  X(GetIntervalFraction, states::unsupported)             \
  X(GetShiftDecimal, states::unsupported)                 \
  X(GetShiftFraction, states::unsupported)                \
  X(SetIntervalDecimal, states::unsupported)              \
  X(SetIntervalFraction, states::unsupported)             \
  X(SetShiftDecimal, states::unsupported)                 \
  X(SetShiftFraction, states::unsupported)                \
  X(EvaluateDiscreteStates, states::unsupported)          \
  X(UpdateDiscreteStates, states::unsupported)            \
  X(EnterContinuousTimeMode, states::unsupported)         \
  X(CompletedIntegratorStep, states::unsupported)         \
  X(SetTime, states::unsupported)                         \
  X(SetContinuousStates, states::unsupported)             \
  X(GetContinuousStateDerivatives, states::unsupported)   \
  X(GetEventIndicators, states::unsupported)              \
  X(GetContinuousStates, states::unsupported)             \
  X(GetNominalsOfContinuousStates, states::unsupported)   \
  X(GetNumberOfEventIndicators, states::unsupported)      \
  X(GetNumberOfContinuousStates, states::unsupported)     \
  X(EnterStepMode, states::unsupported)                   \
  X(GetOutputDerivatives, states::unsupported)            \
  X(DoStep, states::step)                                 \
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
