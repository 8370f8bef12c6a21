// mbfmu check: everything wrong with a model file or an FMU, all at once.
#include <iostream>

#include "build_fmu/check_fmu.h"
#include "build_fmu/commands.h"
#include "build_fmu/load_model.h"
#include "build_fmu/package.h"
#include "multibody/initial_conditions.h"
#include "multibody/paths.h"

namespace mbfmu {
namespace {

std::string redundantNames(const Mechanism& mechanism, const InitialConditions& initial) {
  std::string names;
  for (const int row : initial.redundant) names += (names.empty() ? "" : ", ") + mechanism.constraintName(row);
  return names.empty() ? "none" : names;
}

// One line for each thing that has quantities: "crank.B: x, y, vx, ...".
void printPaths(const Model& model) {
  std::cout << "paths for outputs and expressions (* in outputs only):";
  std::string last;
  for (const NamedPath& path : namedPaths(model)) {
    const std::size_t dot = path.name.rfind('.');
    const std::string owner = dot == std::string::npos ? "" : path.name.substr(0, dot);
    const bool first = owner.empty() || owner != last;
    std::cout << (first ? "\n  " + owner + (owner.empty() ? "" : ": ") : ", ")
              << path.name.substr(owner.empty() ? 0 : dot + 1) << (path.inEquations() ? "" : "*");
    last = owner;
  }
  std::cout << '\n';
}

void checkModel(const ModelOptions& options, bool quiet) {
  const std::shared_ptr<const Model> model = loadModel(options);
  Diagnostics diagnostics(options.file);
  const std::unique_ptr<Mechanism> mechanism = Mechanism::build(model, diagnostics);
  if (!mechanism) throw Failed(diagnostics.text());
  const InitialConditions initial = findInitialConditions(*mechanism, model->experiment.start);
  if (!quiet) {
    std::cout << "model: " << model->name << '\n'
              << "bodies: " << model->bodies.size() - 1 << ", joints: " << model->joints.size()
              << ", forces: " << model->forces.size() << '\n'
              << "degrees of freedom: " << initial.degreesOfFreedom << '\n'
              << "constraints: " << mechanism->dimensions().m << '\n'
              << "redundant: " << redundantNames(*mechanism, initial) << '\n';
    std::cout << "initial pose: " << (initial.singular ? "singular, " : "")
              << (initial.ok ? "assembles" : "does not assemble") << ", largest change " << initial.moved << '\n'
              << "residuals: positions " << initial.positionResidual << ", velocities " << initial.velocityResidual
              << ", accelerations " << initial.accelerationResidual << ", forces " << initial.forceResidual << '\n';
    for (const std::string& note : initial.notes) std::cout << "note: " << note << '\n';
    printPaths(*model);
  }
  if (!initial.ok) throw Failed(options.file + ": " + initial.problem);
}

void checkFmu(const std::string& file, bool quiet) {
  std::vector<std::string> problems;
  const Entries entries = readPackage(file, problems);
  for (std::string& problem : problemsOf(entries)) problems.push_back(std::move(problem));
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "\n") + file + ": " + problem;
  if (!text.empty()) throw Failed(text);
  if (!quiet) std::cout << file << ": " << entries.size() << " files, description, binary and model agree\n";
}

}  // namespace

void addCheck(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("check", "Report everything wrong with a model file or an FMU");
  const auto options = std::make_shared<ModelOptions>();
  addModelOptions(*command, *options);
  command->callback([options, line] {
    line.action = [options, line] {
      if (options->file.ends_with(".fmu")) {
        checkFmu(options->file, line.quiet);
      } else {
        checkModel(*options, line.quiet);
      }
    };
  });
}

}  // namespace mbfmu
