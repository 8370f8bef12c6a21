// The runtime as an importer sees it, and a small model to run in it.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "fmi3FunctionTypes.h"
#include "multibody/model.h"

namespace mbfmu::test {

// A pendulum with a torque input; value references below.
extern const char* const pendulumText;
inline constexpr fmi3ValueReference time = 0, torque = 1000000, angle = 2000000, acceleration = 2000001,
                                    length = 3000000, damping = 3000001, relativeTolerance = 4000000,
                                    absoluteTolerance = 4000001, maxStep = 4000002, maxSteps = 4000005,
                                    integratorChoice = 4000006, steps = 5000000, energy = 6000000, blockNodes = 7000000;

std::shared_ptr<const Model> pendulum();

// A function of the runtime by name; fails the test if it is not there.
void* symbol(const char* name);
template <typename Type>
Type* function(const char* name) {
  return reinterpret_cast<Type*>(symbol(name));
}
#define FMI(name) (::mbfmu::test::function<name##TYPE>(#name))

// A resource folder with spaces and non-ASCII letters in its path, removed at the end.
class Resources {
 public:
  explicit Resources(const std::string& model = pendulumText);
  ~Resources();
  std::string path() const { return folder_.string() + "/"; }

 private:
  std::filesystem::path folder_;
};

// What an importer says at instantiation.
struct Wishes {
  bool logging = true, eventMode = false, earlyReturn = false;
  std::vector<fmi3ValueReference> intermediateVariables = {};
  fmi3IntermediateUpdateCallback intermediateUpdate = nullptr;
};

// The text of examples/<name>.json.
std::string example(const std::string& name);

// An instance with its log.
class Fmu {
 public:
  explicit Fmu(bool logging = true, const std::string& model = pendulumText) : Fmu(Wishes{.logging = logging}, model) {}
  explicit Fmu(const Wishes& wishes, const std::string& model = pendulumText);
  ~Fmu();
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;
  operator fmi3Instance() const { return instance_; }

  void initialise(double stopTime = 0);  // 0: undefined
  void toStepMode(double stopTime = 0);
  fmi3Status step(double from, double size);
  double lastSuccessfulTime = -1;
  double get(fmi3ValueReference reference);
  fmi3Status set(fmi3ValueReference reference, double value);
  std::vector<std::string> messages;
  void* data = nullptr;  // for intermediate updates
  bool earlyReturn = false;

 private:
  Resources resources_;
  fmi3Instance instance_ = nullptr;
};

// The Fmu that an intermediate update belongs to.
inline Fmu& fmuOf(fmi3InstanceEnvironment environment) { return *static_cast<Fmu*>(environment); }

// The present state as bytes, and back.
using Bytes = std::vector<fmi3Byte>;
Bytes save(Fmu& fmu);
fmi3Status load(Fmu& fmu, const Bytes& bytes);

// An integrator with one option that is not at its default, or none.
struct Variant {
  fmi3Int64 number = 1;  // in the list of integrators, from 1
  fmi3ValueReference option = 0;
  std::string name, value;  // name: for messages, of letters, digits and underscores
  friend void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }
  bool fixedStep() const { return name.starts_with("rk4") || name.find("fixedStep") != std::string::npos; }
};
// Every integrator as it comes, then with each option that changes how it works.
std::vector<Variant> integratorVariants();
void choose(Fmu& fmu, const Variant& variant);

std::shared_ptr<const Model> modelOf(const std::string& text);
std::string tokenOf(const std::string& model);
std::string pendulumToken();
void logMessage(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message);

}  // namespace mbfmu::test
