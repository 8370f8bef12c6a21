// mbfmu export: a model file and the prebuilt runtime become an FMU.
#include <filesystem>
#include <iostream>

#include "build_fmu/commands.h"
#include "build_fmu/fmu_contents.h"
#include "build_fmu/load_model.h"
#include "build_fmu/package.h"
#include "build_fmu/runtime.h"
#include "multibody/initial_conditions.h"

namespace mbfmu {
namespace {

struct Options {
  ModelOptions model;
  std::string output, runtime;
  bool arrays = false;
};

// What others have put into the FMU that is about to be replaced, and what it says belongs to them.
Entries extraOf(const std::string& fmu) {
  Entries extra;
  std::vector<std::string> problems;
  if (!std::filesystem::is_regular_file(fmu)) return extra;
  try {
    for (auto& [name, contents] : readPackage(fmu, problems)) {
      if (name.starts_with(kExtra)) extra.emplace(name, std::move(contents));
    }
  } catch (const FileError&) {
    // Not an archive: there is nothing to keep.
  }
  for (const std::string& problem : problems) {
    if (problem.starts_with(kExtra)) throw Failed(fmu + ": " + problem + "; move the file away to replace it");
  }
  return extra;
}

void exportModel(const Options& options, bool quiet) {
  const std::string& file = options.model.file;
  const std::shared_ptr<const Model> model = loadModel(options.model);
  Diagnostics diagnostics(file);
  const std::unique_ptr<Mechanism> mechanism = Mechanism::build(model, diagnostics);
  if (!mechanism) throw Failed(diagnostics.text());
  const std::string output = options.output.empty() ? model->name + ".fmu" : options.output;
  const Vectors vectors = options.arrays ? Vectors::arrays : Vectors::scalars;
  Entries entries =
      fmuContents(file, *model, readFile(options.runtime.empty() ? runtimePath() : options.runtime), vectors);
  entries.merge(extraOf(output));
  writePackage(output, entries);
  // Other parameter values may still make it assemble, so this is no reason to refuse the export.
  const InitialConditions initial = findInitialConditions(*mechanism, model->experiment.start);
  if (!initial.ok) std::cerr << file << ": warning: " << initial.problem << '\n';
  if (!quiet) std::cout << output << '\n';
}

}  // namespace

void addExport(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("export", "Write a model as an FMI 3.0 co-simulation FMU");
  const auto options = std::make_shared<Options>();
  addModelOptions(*command, options->model);
  command->add_option("-o,--output", options->output, "FMU to write (default: <model name>.fmu in this folder)");
  command->add_option("--runtime", options->runtime, "Binary of the FMU (default: the one without code of the model)");
  command->add_flag("--arrays", options->arrays, "Vectors as FMI 3 arrays instead of scalars name[1], name[2], ...");
  command->callback([options, line] { line.action = [options, line] { exportModel(*options, line.quiet); }; });
}

}  // namespace mbfmu
