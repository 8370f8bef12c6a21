#include "build_fmu/load_model.h"

#include "build_fmu/commands.h"
#include "fmu_src/solver_options.h"
#include "integrators/integrator_registry.h"
#include "multibody/reader.h"

namespace mbfmu {

void addModelOptions(CLI::App& command, ModelOptions& options) {
  command.add_option("file", options.file, "Model file (JSON)")->required();
  std::vector<std::string> names;
  for (const auto& integrator : integrators()) names.push_back(integrator.name);
  command.add_option("--integrator", options.integrator, "Integrator, see \"mbfmu integrators\"")
      ->check(CLI::IsMember(names));
  const CLI::Validator assignment(
      [](std::string& text) {
        const auto equals = text.find('=');
        const bool good = equals != std::string::npos && equals > 0;
        return good ? std::string() : "\"" + text + "\" is not of the form key=value";
      },
      "KEY=VALUE");
  command.add_option("--set", options.assignments, "Change a value of the model file, e.g. solver.rtol=1e-8")
      ->check(assignment)
      ->type_size(1)
      ->allow_extra_args(false);
}

std::shared_ptr<const Model> loadModel(const ModelOptions& options) {
  Diagnostics diagnostics(options.file);
  std::shared_ptr<const Model> model = readModelFile(options.file, diagnostics);
  if (!model) throw Failed(diagnostics.text());
  std::vector<std::pair<std::string, std::string>> assignments;
  for (const std::string& text : options.assignments) {
    const auto equals = text.find('=');
    assignments.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  if (!options.integrator.empty()) assignments.emplace_back("solver.integrator", options.integrator);
  if (!assignments.empty()) {
    const std::string changed = overrideModel(model->text, assignments, diagnostics);
    if (diagnostics.ok()) model = readModel(changed, diagnostics);
  }
  std::string problem;
  if (diagnostics.ok()) solverOptions(*model, problem);
  if (!problem.empty()) diagnostics.error("/solver", problem);
  if (!diagnostics.ok()) throw Failed(diagnostics.text());
  return model;
}

}  // namespace mbfmu
