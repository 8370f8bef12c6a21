// Every function in every state. What is allowed is written here from the text of the standard, function by function,
// and not taken from the runtime's own table.
#include "fmu_src/state_machine.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

// I: Instantiated, i: Initialization Mode, S: Step Mode, E: Event Mode, U: Intermediate Update Mode, T: Terminated.
const std::map<Mode, char> letters = {{Mode::instantiated, 'I'}, {Mode::initialization, 'i'}, {Mode::step, 'S'},
                                      {Mode::event, 'E'},        {Mode::intermediate, 'U'},   {Mode::terminated, 'T'}};

struct Case {
  std::string allowed;
  std::function<fmi3Status(fmi3Instance)> call;
};

fmi3Status getState(fmi3Instance f, fmi3FMUState& state) { return FMI(fmi3GetFMUState)(f, &state); }

#define NOTHING(name)                                                                    \
  {                                                                                      \
#name, {                                                                             \
      getSet(#name), [](fmi3Instance f) { return FMI(name)(f, nullptr, 0, nullptr, 0); } \
    }                                                                                    \
  }
std::string getSet(const std::string& name) { return name.starts_with("fmi3Get") ? "IiSEUT" : "IiSEU"; }

const std::map<std::string, Case> cases = {
    {"fmi3SetDebugLogging",
     {"IiSEUT",
      [](fmi3Instance f) {
        fmi3String errors = "logStatusError";
        return FMI(fmi3SetDebugLogging)(f, true, 1, &errors);
      }}},
    {"fmi3EnterInitializationMode",
     {"I", [](fmi3Instance f) { return FMI(fmi3EnterInitializationMode)(f, false, 0, 0, false, 0); }}},
    {"fmi3ExitInitializationMode", {"i", [](fmi3Instance f) { return FMI(fmi3ExitInitializationMode)(f); }}},
    {"fmi3EnterEventMode", {"S", [](fmi3Instance f) { return FMI(fmi3EnterEventMode)(f); }}},
    {"fmi3Terminate", {"SE", [](fmi3Instance f) { return FMI(fmi3Terminate)(f); }}},
    {"fmi3Reset", {"IiSET", [](fmi3Instance f) { return FMI(fmi3Reset)(f); }}},
    NOTHING(fmi3GetFloat32),
    NOTHING(fmi3GetFloat64),
    NOTHING(fmi3GetInt8),
    NOTHING(fmi3GetUInt8),
    NOTHING(fmi3GetInt16),
    NOTHING(fmi3GetUInt16),
    NOTHING(fmi3GetInt32),
    NOTHING(fmi3GetUInt32),
    NOTHING(fmi3GetInt64),
    NOTHING(fmi3GetUInt64),
    NOTHING(fmi3GetBoolean),
    NOTHING(fmi3GetString),
    NOTHING(fmi3SetFloat32),
    NOTHING(fmi3SetFloat64),
    NOTHING(fmi3SetInt8),
    NOTHING(fmi3SetUInt8),
    NOTHING(fmi3SetInt16),
    NOTHING(fmi3SetUInt16),
    NOTHING(fmi3SetInt32),
    NOTHING(fmi3SetUInt32),
    NOTHING(fmi3SetInt64),
    NOTHING(fmi3SetUInt64),
    NOTHING(fmi3SetBoolean),
    NOTHING(fmi3SetString),
    {"fmi3GetBinary",
     {"IiSEUT", [](fmi3Instance f) { return FMI(fmi3GetBinary)(f, nullptr, 0, nullptr, nullptr, 0); }}},
    {"fmi3SetBinary", {"IiSEU", [](fmi3Instance f) { return FMI(fmi3SetBinary)(f, nullptr, 0, nullptr, nullptr, 0); }}},
    {"fmi3GetClock", {"E", [](fmi3Instance f) { return FMI(fmi3GetClock)(f, nullptr, 0, nullptr); }}},
    {"fmi3SetClock", {"E", [](fmi3Instance f) { return FMI(fmi3SetClock)(f, nullptr, 0, nullptr); }}},
    {"fmi3GetNumberOfVariableDependencies",
     {"IiSET",
      [](fmi3Instance f) {
        std::size_t n = 0;
        return FMI(fmi3GetNumberOfVariableDependencies)(f, angle, &n);
      }}},
    {"fmi3GetVariableDependencies",
     {"IiSET",
      [](fmi3Instance f) {
        return FMI(fmi3GetVariableDependencies)(f, angle, nullptr, nullptr, nullptr, nullptr, 0);
      }}},
    {"fmi3GetFMUState",
     {"IiSET",
      [](fmi3Instance f) {
        fmi3FMUState state = nullptr;
        return getState(f, state);
      }}},
    {"fmi3SetFMUState",
     {"IiSET",
      [](fmi3Instance f) {
        fmi3FMUState state = nullptr;
        const fmi3Status got = getState(f, state);
        return got == fmi3OK ? FMI(fmi3SetFMUState)(f, state) : got;
      }}},
    {"fmi3FreeFMUState",
     {"IiSET",
      [](fmi3Instance f) {
        fmi3FMUState state = nullptr;
        return FMI(fmi3FreeFMUState)(f, &state);
      }}},
    {"fmi3SerializedFMUStateSize",
     {"IiSET",
      [](fmi3Instance f) {
        fmi3FMUState state = nullptr;
        std::size_t size = 0;
        const fmi3Status got = getState(f, state);
        return got == fmi3OK ? FMI(fmi3SerializedFMUStateSize)(f, state, &size) : got;
      }}},
    {"fmi3SerializeFMUState",
     {"IiSET",
      [](fmi3Instance f) {
        fmi3FMUState state = nullptr;
        std::vector<fmi3Byte> bytes(100000);
        const fmi3Status got = getState(f, state);
        return got == fmi3OK ? FMI(fmi3SerializeFMUState)(f, state, bytes.data(), bytes.size()) : got;
      }}},
    {"fmi3DeserializeFMUState",
     {"IiSET",
      [](fmi3Instance f) {
        fmi3FMUState state = nullptr;
        std::vector<fmi3Byte> bytes(100000);
        const fmi3Status got = getState(f, state);
        if (got != fmi3OK) return got;
        FMI(fmi3SerializeFMUState)(f, state, bytes.data(), bytes.size());
        return FMI(fmi3DeserializeFMUState)(f, bytes.data(), bytes.size(), &state);
      }}},
    {"fmi3GetDirectionalDerivative",
     {"iSET",
      [](fmi3Instance f) {
        return FMI(fmi3GetDirectionalDerivative)(f, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0);
      }}},
    {"fmi3GetAdjointDerivative",
     {"iSET",
      [](fmi3Instance f) { return FMI(fmi3GetAdjointDerivative)(f, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0); }}},
    // No structural parameters: there is no Configuration Mode.
    {"fmi3EnterConfigurationMode", {"", [](fmi3Instance f) { return FMI(fmi3EnterConfigurationMode)(f); }}},
    {"fmi3ExitConfigurationMode", {"", [](fmi3Instance f) { return FMI(fmi3ExitConfigurationMode)(f); }}},
    {"fmi3GetIntervalDecimal",
     {"iE", [](fmi3Instance f) { return FMI(fmi3GetIntervalDecimal)(f, nullptr, 0, nullptr, nullptr); }}},
    {"fmi3GetIntervalFraction",
     {"iE", [](fmi3Instance f) { return FMI(fmi3GetIntervalFraction)(f, nullptr, 0, nullptr, nullptr, nullptr); }}},
    {"fmi3GetShiftDecimal", {"i", [](fmi3Instance f) { return FMI(fmi3GetShiftDecimal)(f, nullptr, 0, nullptr); }}},
    {"fmi3GetShiftFraction",
     {"i", [](fmi3Instance f) { return FMI(fmi3GetShiftFraction)(f, nullptr, 0, nullptr, nullptr); }}},
    {"fmi3SetIntervalDecimal",
     {"iE", [](fmi3Instance f) { return FMI(fmi3SetIntervalDecimal)(f, nullptr, 0, nullptr); }}},
    {"fmi3SetIntervalFraction",
     {"iE", [](fmi3Instance f) { return FMI(fmi3SetIntervalFraction)(f, nullptr, 0, nullptr, nullptr); }}},
    {"fmi3SetShiftDecimal", {"i", [](fmi3Instance f) { return FMI(fmi3SetShiftDecimal)(f, nullptr, 0, nullptr); }}},
    {"fmi3SetShiftFraction",
     {"i", [](fmi3Instance f) { return FMI(fmi3SetShiftFraction)(f, nullptr, 0, nullptr, nullptr); }}},
    // providesEvaluateDiscreteStates is false: ignored.
    {"fmi3EvaluateDiscreteStates", {"E", [](fmi3Instance f) { return FMI(fmi3EvaluateDiscreteStates)(f); }}},
    {"fmi3UpdateDiscreteStates",
     {"E",
      [](fmi3Instance f) {
        bool a = false, b = false, c = false, d = false, e = false;
        double t = 0;
        return FMI(fmi3UpdateDiscreteStates)(f, &a, &b, &c, &d, &e, &t);
      }}},
    // Model Exchange and Scheduled Execution.
    {"fmi3EnterContinuousTimeMode", {"", [](fmi3Instance f) { return FMI(fmi3EnterContinuousTimeMode)(f); }}},
    {"fmi3CompletedIntegratorStep",
     {"",
      [](fmi3Instance f) {
        bool a = false, b = false;
        return FMI(fmi3CompletedIntegratorStep)(f, true, &a, &b);
      }}},
    {"fmi3SetTime", {"", [](fmi3Instance f) { return FMI(fmi3SetTime)(f, 0); }}},
    {"fmi3SetContinuousStates", {"", [](fmi3Instance f) { return FMI(fmi3SetContinuousStates)(f, nullptr, 0); }}},
    {"fmi3GetContinuousStateDerivatives",
     {"", [](fmi3Instance f) { return FMI(fmi3GetContinuousStateDerivatives)(f, nullptr, 0); }}},
    {"fmi3GetEventIndicators", {"", [](fmi3Instance f) { return FMI(fmi3GetEventIndicators)(f, nullptr, 0); }}},
    {"fmi3GetContinuousStates", {"", [](fmi3Instance f) { return FMI(fmi3GetContinuousStates)(f, nullptr, 0); }}},
    {"fmi3GetNominalsOfContinuousStates",
     {"", [](fmi3Instance f) { return FMI(fmi3GetNominalsOfContinuousStates)(f, nullptr, 0); }}},
    {"fmi3GetNumberOfEventIndicators",
     {"",
      [](fmi3Instance f) {
        std::size_t n = 0;
        return FMI(fmi3GetNumberOfEventIndicators)(f, &n);
      }}},
    {"fmi3GetNumberOfContinuousStates",
     {"",
      [](fmi3Instance f) {
        std::size_t n = 0;
        return FMI(fmi3GetNumberOfContinuousStates)(f, &n);
      }}},
    {"fmi3ActivateModelPartition", {"", [](fmi3Instance f) { return FMI(fmi3ActivateModelPartition)(f, 0, 0); }}},
    {"fmi3EnterStepMode", {"E", [](fmi3Instance f) { return FMI(fmi3EnterStepMode)(f); }}},
    {"fmi3GetOutputDerivatives",
     {"SUT", [](fmi3Instance f) { return FMI(fmi3GetOutputDerivatives)(f, nullptr, 0, nullptr, nullptr, 0); }}},
    {"fmi3DoStep",
     {"S",
      [](fmi3Instance f) {
        bool a = false, b = false, c = false;
        double t = 0;
        return FMI(fmi3DoStep)(f, 0, 0.01, true, &a, &b, &c, &t);
      }}},
};

// A call from within a step.
struct Inside {
  const Case* test;
  fmi3Status status;
  int updates;
};
void update(fmi3InstanceEnvironment environment, double, bool, bool, bool, bool, bool*, double*) {
  Fmu& fmu = fmuOf(environment);
  auto& inside = *static_cast<Inside*>(fmu.data);
  if (inside.updates++ == 0) inside.status = inside.test->call(fmu);
}

fmi3Status callIn(Mode mode, Fmu& fmu, const Case& test) {
  if (mode == Mode::instantiated) return test.call(fmu);
  fmu.initialise();
  if (mode == Mode::initialization) return test.call(fmu);
  EXPECT_EQ(FMI(fmi3ExitInitializationMode)(fmu), fmi3OK);
  if (mode == Mode::event) return test.call(fmu);
  EXPECT_EQ(FMI(fmi3EnterStepMode)(fmu), fmi3OK);
  if (mode == Mode::step) return test.call(fmu);
  if (mode == Mode::intermediate) {
    Inside inside{&test, fmi3Fatal, 0};
    fmu.data = &inside;
    const fmi3Status step = fmu.step(0, 0.01);
    EXPECT_EQ(step, inside.status);  // an illegal call fails the step too
    return inside.status;
  }
  EXPECT_EQ(FMI(fmi3Terminate)(fmu), fmi3OK);
  return test.call(fmu);
}

TEST(StateMachine, EveryFunctionIsExported) {
  EXPECT_EQ(functionRules.size() + 5, 75u);
  for (const FunctionRule& rule : functionRules) EXPECT_TRUE(symbol(rule.name)) << rule.name;
  for (const char* name : {"fmi3GetVersion", "fmi3InstantiateCoSimulation", "fmi3InstantiateModelExchange",
                           "fmi3InstantiateScheduledExecution", "fmi3FreeInstance"}) {
    EXPECT_TRUE(symbol(name)) << name;
  }
}

TEST(StateMachine, EveryFunctionInEveryState) {
  EXPECT_EQ(cases.size() + 5, 75u);
  for (const auto& [name, test] : cases) {
    for (const auto& [mode, letter] : letters) {
      Fmu fmu(Wishes{.eventMode = true, .intermediateUpdate = mode == Mode::intermediate ? update : nullptr});
      const bool legal = test.allowed.find(letter) != std::string::npos;
      EXPECT_EQ(callIn(mode, fmu, test), legal ? fmi3OK : fmi3Error) << name << " in " << text(mode);
      EXPECT_EQ(fmu.messages.size(), legal ? 0u : 1u) << name << " in " << text(mode);
      // After an error nothing but the end, a reset or a roll-back.
      if (!legal) {
        EXPECT_EQ(fmu.step(0, 0.01), fmi3Error);
      }
    }
  }
}

TEST(StateMachine, WithoutEventModeInitializationLeadsToStepMode) {
  Fmu fmu;
  fmu.toStepMode();
  EXPECT_EQ(fmu.step(0, 0.01), fmi3OK);
  EXPECT_EQ(FMI(fmi3EnterEventMode)(fmu), fmi3Error);
}

TEST(StateMachine, NoInstance) {
  for (const auto& [name, test] : cases) {
    EXPECT_EQ(test.call(nullptr), fmi3Error) << name;
  }
  FMI(fmi3FreeInstance)(nullptr);
}

}  // namespace
}  // namespace mbfmu::test
