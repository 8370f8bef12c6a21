// Every function in every state: legal exactly where the table says.
#include "fmu_src/state_machine.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

void bring(Fmu& fmu, Mode mode) {
  if (mode == Mode::initialization) fmu.initialise();
  if (mode == Mode::step || mode == Mode::terminated) fmu.toStepMode();
  if (mode == Mode::terminated) FMI(fmi3Terminate)(fmu);
}

// Functions whose only argument is the instance or that accept empty arrays, and the common ones with arguments.
const std::map<std::string, std::function<fmi3Status(Fmu&)>> calls = {
    {"fmi3SetDebugLogging", [](Fmu& f) { return FMI(fmi3SetDebugLogging)(f, true, 0, nullptr); }},
    {"fmi3EnterInitializationMode", [](Fmu& f) { return FMI(fmi3EnterInitializationMode)(f, false, 0, 0, false, 0); }},
    {"fmi3ExitInitializationMode", [](Fmu& f) { return FMI(fmi3ExitInitializationMode)(f); }},
    {"fmi3EnterEventMode", [](Fmu& f) { return FMI(fmi3EnterEventMode)(f); }},
    {"fmi3Terminate", [](Fmu& f) { return FMI(fmi3Terminate)(f); }},
    {"fmi3Reset", [](Fmu& f) { return FMI(fmi3Reset)(f); }},
    {"fmi3GetFloat64", [](Fmu& f) { return FMI(fmi3GetFloat64)(f, nullptr, 0, nullptr, 0); }},
    {"fmi3SetFloat64", [](Fmu& f) { return f.set(torque, 1); }},
    {"fmi3GetInt64", [](Fmu& f) { return FMI(fmi3GetInt64)(f, nullptr, 0, nullptr, 0); }},
    {"fmi3SetInt64", [](Fmu& f) { return FMI(fmi3SetInt64)(f, nullptr, 0, nullptr, 0); }},
    {"fmi3GetString", [](Fmu& f) { return FMI(fmi3GetString)(f, nullptr, 0, nullptr, 0); }},
    {"fmi3SetBoolean", [](Fmu& f) { return FMI(fmi3SetBoolean)(f, nullptr, 0, nullptr, 0); }},
    {"fmi3GetFMUState",
     [](Fmu& f) {
       fmi3FMUState state = nullptr;
       return FMI(fmi3GetFMUState)(f, &state);
     }},
    {"fmi3EnterConfigurationMode", [](Fmu& f) { return FMI(fmi3EnterConfigurationMode)(f); }},
    {"fmi3ExitConfigurationMode", [](Fmu& f) { return FMI(fmi3ExitConfigurationMode)(f); }},
    {"fmi3EvaluateDiscreteStates", [](Fmu& f) { return FMI(fmi3EvaluateDiscreteStates)(f); }},
    {"fmi3EnterContinuousTimeMode", [](Fmu& f) { return FMI(fmi3EnterContinuousTimeMode)(f); }},
    {"fmi3SetTime", [](Fmu& f) { return FMI(fmi3SetTime)(f, 0); }},
    {"fmi3EnterStepMode", [](Fmu& f) { return FMI(fmi3EnterStepMode)(f); }},
    {"fmi3DoStep", [](Fmu& f) { return f.step(0, 0.01); }},
    {"fmi3ActivateModelPartition", [](Fmu& f) { return FMI(fmi3ActivateModelPartition)(f, 0, 0); }},
};

TEST(StateMachine, EveryFunctionIsExported) {
  EXPECT_EQ(functionRules.size() + 5, 75u);
  for (const FunctionRule& rule : functionRules) EXPECT_TRUE(symbol(rule.name)) << rule.name;
  for (const char* name : {"fmi3GetVersion", "fmi3InstantiateCoSimulation", "fmi3InstantiateModelExchange",
                           "fmi3InstantiateScheduledExecution", "fmi3FreeInstance"}) {
    EXPECT_TRUE(symbol(name)) << name;
  }
}

TEST(StateMachine, CallsAreLegalExactlyWhereTheTableSays) {
  for (const FunctionRule& rule : functionRules) {
    const auto call = calls.find(rule.name);
    if (call == calls.end()) continue;
    for (const Mode mode : {Mode::instantiated, Mode::initialization, Mode::step, Mode::terminated}) {
      Fmu fmu;
      bring(fmu, mode);
      const bool legal = (rule.allowed & static_cast<unsigned>(mode)) != 0;
      EXPECT_EQ(call->second(fmu), legal ? fmi3OK : fmi3Error) << rule.name << " in " << text(mode);
      EXPECT_EQ(fmu.messages.size(), legal ? 0u : 1u) << rule.name << " in " << text(mode);
    }
  }
}

TEST(StateMachine, NoInstance) {
  EXPECT_EQ(FMI(fmi3Terminate)(nullptr), fmi3Error);
  FMI(fmi3FreeInstance)(nullptr);
}

}  // namespace
}  // namespace mbfmu::test
