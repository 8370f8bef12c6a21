#include "tests/fmu_src/runtime.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "model_description/variables.h"
#include "multibody/reader.h"

namespace mbfmu::test {

const char* const pendulumText = R"({
  "name": "pendulum", "space": "planar",
  "parameters": { "L": { "value": 0.5, "unit": "m" }, "kd": { "value": 0.1, "unit": "N.m.s/rad", "tunable": true } },
  "gravity": [0, -9.81],
  "bodies": {
    "ground": { "markers": { "A": [0, 0] } },
    "arm": { "mass": 1.0, "inertia": "L^2/3", "markers": { "A": ["-L", 0] } }
  },
  "joints": { "pivot": { "type": "revolute", "between": ["ground.A", "arm.A"], "start": { "angle": 0.3, "rate": 0 },
                         "friction": { "viscous": "kd" } } },
  "forces": { "motor": { "type": "torque", "joint": "pivot", "value": { "input": "torque" } } },
  "inputs": { "torque": { "start": 0, "unit": "N.m" } },
  "outputs": { "angle": "pivot.angle", "pin": "pivot.force.x" },
  "solver": { "rtol": 1e-8, "atol": 1e-8 },
  "experiment": { "stop": 2, "step": 0.01 }
})";

namespace {

std::shared_ptr<const Model> read(const std::string& text) {
  Diagnostics diagnostics("model");
  std::shared_ptr<const Model> model = readModel(text, diagnostics);
  EXPECT_TRUE(model) << diagnostics.text();
  return model;
}

}  // namespace

std::shared_ptr<const Model> pendulum() { return read(pendulumText); }

std::string tokenOf(const std::string& text) {
  const auto model = read(text);
  return model ? instantiationToken(*model, describeVariables(*model)) : "";
}

std::string pendulumToken() { return tokenOf(pendulumText); }

void* symbol(const char* name) {
  static void* const library = dlopen(MBFMU_RUNTIME, RTLD_NOW | RTLD_LOCAL);
  void* found = library ? dlsym(library, name) : nullptr;
  EXPECT_TRUE(found) << name;
  return found;
}

Resources::Resources(const std::string& model) {
  static std::atomic<int> count = 0;
  folder_ = std::filesystem::temp_directory_path() /
            ("mbfmu größe " + std::to_string(getpid()) + " " + std::to_string(count++));
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "model.json") << model;
}

Resources::~Resources() { std::filesystem::remove_all(folder_); }

void logMessage(fmi3InstanceEnvironment environment, fmi3Status, fmi3String category, fmi3String message) {
  fmuOf(environment).messages.push_back(std::string(category) + ": " + message);
}

Fmu::Fmu(const Wishes& wishes, const std::string& model) : resources_(model) {
  instance_ = FMI(fmi3InstantiateCoSimulation)("pendulum", tokenOf(model).c_str(), resources_.path().c_str(), false,
                                               wishes.logging, wishes.eventMode, wishes.earlyReturn,
                                               wishes.intermediateVariables.data(), wishes.intermediateVariables.size(),
                                               this, logMessage, wishes.intermediateUpdate);
  EXPECT_TRUE(instance_) << (messages.empty() ? "" : messages.front());
}

Fmu::~Fmu() { FMI(fmi3FreeInstance)(instance_); }

void Fmu::initialise(double stopTime) {
  EXPECT_EQ(FMI(fmi3EnterInitializationMode)(*this, false, 0, 0, stopTime > 0, stopTime), fmi3OK);
}

void Fmu::toStepMode(double stopTime) {
  initialise(stopTime);
  EXPECT_EQ(FMI(fmi3ExitInitializationMode)(*this), fmi3OK) << (messages.empty() ? "" : messages.front());
}

fmi3Status Fmu::step(double from, double size) {
  bool event = true, terminate = true;
  earlyReturn = true;
  const fmi3Status status =
      FMI(fmi3DoStep)(*this, from, size, true, &event, &terminate, &earlyReturn, &lastSuccessfulTime);
  EXPECT_FALSE(status == fmi3OK && (event || terminate));
  return status;
}

double Fmu::get(fmi3ValueReference reference) {
  double value = -1;
  EXPECT_EQ(FMI(fmi3GetFloat64)(*this, &reference, 1, &value, 1), fmi3OK) << (messages.empty() ? "" : messages.back());
  return value;
}

fmi3Status Fmu::set(fmi3ValueReference reference, double value) {
  return FMI(fmi3SetFloat64)(*this, &reference, 1, &value, 1);
}

}  // namespace mbfmu::test
