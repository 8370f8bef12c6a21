// mbfmu integrators: what may stand behind --integrator, and the options of each.
#include <iostream>

#include "build_fmu/commands.h"
#include "integrators/integrator_registry.h"

namespace mbfmu {
namespace {

void list() {
  for (const IntegratorInfo& integrator : integrators()) {
    std::cout << integrator.name << ": " << integrator.summary << '\n';
    for (const IntegratorOption& option : integrator.options) {
      std::cout << "  " << option.name << " (" << option.defaultValue << "): " << option.description << "; "
                << describe(option.values) << '\n';
    }
  }
  std::cout << "options of every integrator: rtol, atol, maxStep, minStep, initialStep, maxSteps\n";
}

}  // namespace

void addIntegrators(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("integrators", "List the integrators and their options");
  command->callback([line] { line.action = list; });
}

}  // namespace mbfmu
