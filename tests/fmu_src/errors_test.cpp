// Illegal arguments: refused with fmi3Error and a message; the instance is terminated and can be reset.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void collect(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
  static_cast<std::vector<std::string>*>(environment)->push_back(message);
}

fmi3Instance instantiate(const std::string& token, const char* path, std::vector<fmi3ValueReference> intermediate,
                         std::vector<std::string>& log) {
  return FMI(fmi3InstantiateCoSimulation)("x", token.c_str(), path, false, true, false, false, intermediate.data(),
                                          intermediate.size(), &log, collect, nullptr);
}

TEST(Instantiate, RefusesWhatCannotWork) {
  const Resources good, broken("{ \"name\": ");
  const std::string token = pendulumToken();
  std::vector<std::string> log;
  EXPECT_FALSE(instantiate("{wrong}", good.path().c_str(), {}, log));
  EXPECT_FALSE(instantiate(token, nullptr, {}, log));
  EXPECT_FALSE(instantiate(token, "/no such folder/", {}, log));
  EXPECT_FALSE(instantiate(token, broken.path().c_str(), {}, log));
  EXPECT_FALSE(instantiate(token, good.path().c_str(), {steps}, log));
  EXPECT_FALSE(instantiate(token, good.path().c_str(), {77}, log));
  EXPECT_EQ(log.size(), 6u);
}

TEST(Errors, WrongVariablesAndValues) {
  Fmu fmu;
  fmi3Int64 count = 0;
  double values[2] = {};
  const auto refused = [&](fmi3Status status) {
    EXPECT_EQ(status, fmi3Error);
    EXPECT_EQ(FMI(fmi3Reset)(fmu), fmi3OK);
    fmu.toStepMode();
  };
  fmu.toStepMode();
  refused(fmu.set(torque, nan));
  refused(fmu.set(12345, 1));
  refused(fmu.set(angle, 1));
  refused(fmu.set(time, 1));
  refused(fmu.set(length, 1));  // fixed
  refused(fmu.set(relativeTolerance, 0));
  refused(FMI(fmi3GetInt64)(fmu, &angle, 1, &count, 1));
  refused(FMI(fmi3GetFloat64)(fmu, &integratorChoice, 1, values, 1));
  refused(FMI(fmi3GetFloat64)(fmu, &angle, 1, values, 2));
  EXPECT_EQ(fmu.messages.size(), 9u);
}

// Before initialization and while running; the message names the variable and the old value stays.
TEST(Errors, SenselessValues) {
  std::string model = pendulumText;
  model.replace(model.find("\"mass\": 1.0"), 11, "\"mass\": \"m\"");
  model.replace(model.find("\"L\":"), 4, "\"m\": { \"value\": 1, \"tunable\": true }, \"L\":");
  constexpr fmi3ValueReference mass = 3000000, damp = 3000002;
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const bool running : {false, true}) {
    for (const auto& [reference, name, value] :
         std::vector<std::tuple<fmi3ValueReference, std::string, double>>{{mass, "m", -1},
                                                                          {mass, "m", 0},
                                                                          {mass, "m", nan},
                                                                          {mass, "m", inf},
                                                                          {damp, "kd", -0.1},
                                                                          {torque, "torque", inf},
                                                                          {relativeTolerance, "relativeTolerance", 0},
                                                                          {relativeTolerance, "relativeTolerance", -1},
                                                                          {relativeTolerance, "relativeTolerance", nan},
                                                                          {absoluteTolerance, "absoluteTolerance", 0},
                                                                          {absoluteTolerance, "absoluteTolerance", inf},
                                                                          {maxStep, "maxStep", -1},
                                                                          {maxStep, "maxStep", nan}}) {
      Fmu fmu(true, model);
      if (running) {
        fmu.toStepMode();
        ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
      }
      const double old = fmu.get(reference);
      EXPECT_EQ(fmu.set(reference, value), fmi3Error) << name << " = " << value;
      ASSERT_EQ(fmu.messages.size(), 1u);
      EXPECT_NE(fmu.messages[0].find(name), std::string::npos) << fmu.messages[0];
      EXPECT_EQ(fmu.get(reference), old);
    }
  }
}

TEST(Errors, TheOldValueStays) {
  Fmu fmu;
  fmu.initialise();
  ASSERT_EQ(fmu.set(torque, 2), fmi3OK);
  const fmi3ValueReference both[] = {torque, damping};
  const double values[] = {5, nan};
  EXPECT_EQ(FMI(fmi3SetFloat64)(fmu, both, 2, values, 2), fmi3Error);
  EXPECT_EQ(fmu.get(torque), 2);
  EXPECT_EQ(fmu.get(damping), 0.1);
}

TEST(Errors, ARefusedSetLeavesParametersFollowingTheirExpressions) {
  std::string model = pendulumText;
  const std::string constant = "\"kd\": { \"value\": 0.1,";
  model.replace(model.find(constant), constant.size(), "\"kd\": { \"value\": \"0.2*L\",");
  Fmu fmu(true, model);
  ASSERT_EQ(fmu.set(length, 0.7), fmi3OK);
  const fmi3ValueReference both[] = {damping, relativeTolerance};
  const double values[] = {5, 0};
  EXPECT_EQ(FMI(fmi3SetFloat64)(fmu, both, 2, values, 2), fmi3Error);
  EXPECT_DOUBLE_EQ(fmu.get(damping), 0.14);
  // The error has terminated the instance. Its state shows whether the damping still follows the length.
  fmi3FMUState state = nullptr;
  ASSERT_EQ(FMI(fmi3GetFMUState)(fmu, &state), fmi3OK);
  std::size_t size = 0;
  ASSERT_EQ(FMI(fmi3SerializedFMUStateSize)(fmu, state, &size), fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  ASSERT_EQ(FMI(fmi3SerializeFMUState)(fmu, state, bytes.data(), size), fmi3OK);
  Fmu untouched(true, model);
  ASSERT_EQ(untouched.set(length, 0.7), fmi3OK);
  EXPECT_EQ(untouched.step(0, 1), fmi3Error);  // terminated too
  fmi3FMUState other = nullptr;
  ASSERT_EQ(FMI(fmi3GetFMUState)(untouched, &other), fmi3OK);
  std::size_t otherSize = 0;
  ASSERT_EQ(FMI(fmi3SerializedFMUStateSize)(untouched, other, &otherSize), fmi3OK);
  std::vector<fmi3Byte> otherBytes(otherSize);
  ASSERT_EQ(FMI(fmi3SerializeFMUState)(untouched, other, otherBytes.data(), otherSize), fmi3OK);
  EXPECT_EQ(bytes, otherBytes);
}

TEST(Errors, Steps) {
  for (const auto& [from, size] : {std::pair{0.0, 0.0}, {0.0, -0.1}, {0.0, nan}, {0.5, 0.1}, {nan, 0.1}, {0.0, 2.1}}) {
    Fmu fmu;
    fmu.toStepMode(2);
    EXPECT_EQ(fmu.step(from, size), fmi3Error) << from << " " << size;
    EXPECT_EQ(fmu.lastSuccessfulTime, 0);
    EXPECT_EQ(fmu.step(0, 0.1), fmi3Error);  // terminated
  }
}

TEST(Errors, StartValuesAloneCanBeReadInInstantiated) {
  Fmu fmu;
  EXPECT_EQ(fmu.get(length), 0.5);
  EXPECT_EQ(fmu.get(torque), 0);
  ASSERT_EQ(fmu.set(torque, 3), fmi3OK);
  EXPECT_EQ(fmu.get(torque), 3);
  EXPECT_EQ(fmu.get(relativeTolerance), 1e-8);
  for (const fmi3ValueReference reference : {angle, time, energy}) {
    Fmu other;
    double value = 0;
    EXPECT_EQ(FMI(fmi3GetFloat64)(other, &reference, 1, &value, 1), fmi3Error) << reference;
  }
}

TEST(Logging, NoCallWithLoggingOff) {
  Fmu fmu(false);
  fmi3String solver = "logSolver";
  ASSERT_EQ(FMI(fmi3SetDebugLogging)(fmu, false, 1, &solver), fmi3OK);
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
  EXPECT_EQ(fmu.step(0, 1), fmi3Error);
  EXPECT_TRUE(fmu.messages.empty());
}

TEST(Logging, SilentWhileAllIsWell) {
  Fmu fmu;
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
  EXPECT_TRUE(fmu.messages.empty());
}

TEST(Logging, CategoriesAsAskedFor) {
  for (const auto& [wanted, reports, errors] :
       std::vector<std::tuple<std::vector<fmi3String>, bool, bool>>{{{}, true, true},
                                                                    {{"logSolver"}, true, false},
                                                                    {{"logStatusError"}, false, true},
                                                                    {{"logStatusError", "logSolver"}, true, true},
                                                                    {{"logStatusDiscard"}, false, false}}) {
    Fmu fmu(false);
    ASSERT_EQ(FMI(fmi3SetDebugLogging)(fmu, true, wanted.size(), wanted.data()), fmi3OK);
    fmu.toStepMode();
    ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
    EXPECT_EQ(fmu.step(0.3, 1), fmi3Error);
    const auto has = [&](const char* start) {
      return std::any_of(fmu.messages.begin(), fmu.messages.end(), [&](const auto& m) { return m.starts_with(start); });
    };
    EXPECT_EQ(has("logSolver: t = 0.1: "), reports);
    EXPECT_EQ(has("logStatusError: "), errors);
  }
  Fmu fmu;
  fmi3String unknown = "logEverything";
  EXPECT_EQ(FMI(fmi3SetDebugLogging)(fmu, true, 1, &unknown), fmi3Error);
}

}  // namespace
}  // namespace mbfmu::test
