// Illegal arguments: refused with fmi3Error and a message; the instance is terminated and can be reset.
#include <gtest/gtest.h>

#include <limits>

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

TEST(Errors, NoCallWithLoggingOff) {
  Fmu fmu(false);
  EXPECT_EQ(fmu.step(0, 1), fmi3Error);
  EXPECT_TRUE(fmu.messages.empty());
}

}  // namespace
}  // namespace mbfmu::test
