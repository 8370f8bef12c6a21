// mbfmu schema: the JSON Schema of the model file, for editors and validators.
#include <iostream>
#include <nlohmann/json.hpp>

#include "build_fmu/commands.h"
#include "integrators/integrator_registry.h"
#include "multibody/structure.h"

namespace mbfmu {
namespace {

// The schema knows the common settings only; which integrators there are, and their options, is known here.
void addIntegrators(Json& solver) {
  Json& known = solver["properties"];
  const Json any = solver["additionalProperties"];
  Json names = Json::array();
  for (const IntegratorInfo& integrator : integrators()) {
    names.push_back(integrator.name);
    for (const IntegratorOption& option : integrator.options) {
      const std::string text = integrator.name + ": " + option.description + " (" + option.defaultValue + ")";
      if (known.contains(option.name)) {
        known[option.name]["description"] = known[option.name].value("description", "") + "; " + text;
      } else {
        known[option.name] = any;
        known[option.name]["description"] = text;
      }
    }
  }
  known["integrator"]["enum"] = names;
  solver["additionalProperties"] = false;
}

void print() {
  Json schema = Json::parse(schemaText());
  addIntegrators(schema["$defs"]["solver"]);
  std::cout << schema.dump(2) << '\n';
}

}  // namespace

void addSchema(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("schema", "Print the JSON Schema of the model file");
  command->callback([line] { line.action = print; });
}

}  // namespace mbfmu
