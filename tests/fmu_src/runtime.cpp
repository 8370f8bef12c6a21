#include "tests/fmu_src/runtime.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>

#include "integrators/integrator_registry.h"
#include "model_description/solver_variables.h"
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

std::shared_ptr<const Model> modelOf(const std::string& text) {
  Diagnostics diagnostics("model");
  std::shared_ptr<const Model> model = readModel(text, diagnostics);
  EXPECT_TRUE(model) << diagnostics.text();
  return model;
}

std::shared_ptr<const Model> pendulum() { return modelOf(pendulumText); }

std::string tokenOf(const std::string& text) {
  const auto model = modelOf(text);
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

std::string example(const std::string& name) {
  std::ifstream file(MBFMU_SOURCE_DIR "/examples/" + name + ".json");
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

Bytes save(Fmu& fmu) {
  fmi3FMUState state = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(FMI(fmi3GetFMUState)(fmu, &state), fmi3OK);
  EXPECT_EQ(FMI(fmi3SerializedFMUStateSize)(fmu, state, &size), fmi3OK);
  Bytes bytes(size);
  EXPECT_EQ(FMI(fmi3SerializeFMUState)(fmu, state, bytes.data(), size), fmi3OK);
  EXPECT_EQ(FMI(fmi3FreeFMUState)(fmu, &state), fmi3OK);
  return bytes;
}

fmi3Status load(Fmu& fmu, const Bytes& bytes) {
  fmi3FMUState state = nullptr;
  const fmi3Status status = FMI(fmi3DeserializeFMUState)(fmu, bytes.data(), bytes.size(), &state);
  if (status != fmi3OK) return status;
  EXPECT_EQ(FMI(fmi3SetFMUState)(fmu, state), fmi3OK);
  return FMI(fmi3FreeFMUState)(fmu, &state);
}

std::vector<Variant> integratorVariants() {
  // Values of options that take another way through the code. An integrator refuses those it does not know.
  const std::map<std::string, std::vector<std::string>> values = {
      {"index", {"1", "2", "3", "2-stabilised"}},
      {"form", {"quasi-constant-step"}},
      {"variant", {"hht"}},
      {"nodes", {"equidistant"}},
      {"pade", {"r"}},
      {"order", {"5"}},
      {"fixedStep", {"0.002"}},
      {"stabilisation", {"none", "baumgarte", "projection"}},
      {"stages", {"1", "2", "3", "4", "5"}}};
  std::vector<Variant> result, further;
  fmi3Int64 number = 0;
  fmi3ValueReference reference = 7000000;
  for (const IntegratorInfo& info : integrators()) {
    std::string name = info.name;
    std::replace(name.begin(), name.end(), '-', '_');
    result.push_back({++number, 0, name, ""});
    for (const IntegratorOption& option : info.options) {
      const fmi3ValueReference itsOwn = reference++;
      const auto list = values.find(option.name);
      if (list == values.end()) continue;
      for (const std::string& value : list->second) {
        std::string problem, label = name + "_" + option.name + "_" + value;
        if (value == option.defaultValue || !makeIntegrator(info.name, {{option.name, value}}, problem)) continue;
        for (char& c : label) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
        further.push_back({number, itsOwn, label, value});
      }
    }
  }
  result.insert(result.end(), further.begin(), further.end());
  return result;
}

void choose(Fmu& fmu, const Variant& variant) {
  EXPECT_EQ(FMI(fmi3SetInt64)(fmu, &integratorChoice, 1, &variant.number, 1), fmi3OK);
  if (variant.option == 0) return;
  const IntegratorOwnOption& option = integratorOwnOptions()[variant.option - blockNodes];
  const double value = option.number(variant.value);
  if (option.values.kind == OptionValues::Kind::number) {
    EXPECT_EQ(fmu.set(variant.option, value), fmi3OK);
  } else {
    const auto whole = static_cast<fmi3Int64>(value);
    EXPECT_EQ(FMI(fmi3SetInt64)(fmu, &variant.option, 1, &whole, 1), fmi3OK);
  }
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
