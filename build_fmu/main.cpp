// mbfmu: exports mechanisms as FMUs, simulates and checks them.
// Exit codes: 0 done, 1 the model or the run failed, 2 wrong usage.
#include <clocale>
#include <exception>
#include <iostream>

#include "build_fmu/commands.h"
#include "build_fmu/plugin.h"

int main(int argc, char** argv) {
  // Zip entries and numbers do not depend on the user's locale; only the encoding of file names does.
  std::setlocale(LC_CTYPE, "");
  CLI::App app("Multibody mechanisms as FMI 3.0 co-simulation FMUs.", "mbfmu");
  app.set_version_flag("--version", MBFMU_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  bool quiet = false;
  std::vector<std::string> plugins;
  app.add_option("--plugin", plugins, "Shared library with functions of the model that are written in C++")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_flag("-q,--quiet", quiet, "Print errors and requested data only");

  std::function<void()> action;
  const mbfmu::CommandLine line{app, action, quiet};
  mbfmu::addExport(line);
  mbfmu::addSimulate(line);
  mbfmu::addCheck(line);
  mbfmu::addIntegrators(line);
  mbfmu::addSchema(line);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    for (const std::string& plugin : plugins) mbfmu::loadPlugin(plugin);
    action();
    if (!std::cout.flush()) throw mbfmu::Failed("cannot write to the standard output");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
