// Runs a co-simulation FMU's binary for an importer that is not Python, on another processor for instance:
//   run_fmu LIBRARY RESOURCES TOKEN END REFERENCE...
// Takes ten communication steps to END and prints the variables there, exactly, one per line.
#include <dlfcn.h>
#include <fmi3FunctionTypes.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void logMessage(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message) {
  std::fprintf(stderr, "%s: %s\n", category, message);
}

template <class Function>
Function* find(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (!found) std::fprintf(stderr, "no %s\n", name);
  if (!found) std::exit(1);
  return reinterpret_cast<Function*>(found);
}

void check(fmi3Status status, const char* what) {
  if (status == fmi3OK) return;
  std::fprintf(stderr, "%s: status %d\n", what, static_cast<int>(status));
  std::exit(1);
}

}  // namespace

int main(int count, char** words) {
  if (count < 6) return 2;
  void* library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) std::fprintf(stderr, "%s\n", dlerror());
  if (!library) return 1;
  const double end = std::atof(words[4]);
  std::vector<fmi3ValueReference> references;
  for (int i = 5; i < count; ++i) references.push_back(static_cast<fmi3ValueReference>(std::atol(words[i])));

  fmi3Instance fmu = find<fmi3InstantiateCoSimulationTYPE>(library, "fmi3InstantiateCoSimulation")(
      "run", words[3], words[2], fmi3False, fmi3False, fmi3False, fmi3False, nullptr, 0, nullptr, logMessage, nullptr);
  if (!fmu) return 1;
  check(find<fmi3EnterInitializationModeTYPE>(library, "fmi3EnterInitializationMode")(fmu, fmi3False, 0, 0, fmi3True,
                                                                                      end),
        "enter initialization mode");
  check(find<fmi3ExitInitializationModeTYPE>(library, "fmi3ExitInitializationMode")(fmu), "exit initialization mode");
  auto* doStep = find<fmi3DoStepTYPE>(library, "fmi3DoStep");
  constexpr int kSteps = 10;
  for (int i = 0; i < kSteps; ++i) {
    fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
    double last = 0;
    check(doStep(fmu, end * i / kSteps, end / kSteps, fmi3True, &event, &terminate, &early, &last), "do step");
  }
  std::vector<double> values(references.size());
  check(find<fmi3GetFloat64TYPE>(library, "fmi3GetFloat64")(fmu, references.data(), references.size(), values.data(),
                                                            values.size()),
        "get");
  for (const double value : values) std::printf("%a\n", value);
  check(find<fmi3TerminateTYPE>(library, "fmi3Terminate")(fmu), "terminate");
  find<fmi3FreeInstanceTYPE>(library, "fmi3FreeInstance")(fmu);
  dlclose(library);
  return 0;
}
