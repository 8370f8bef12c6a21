// The subcommands of mbfmu. Each adds itself to the command line and, when chosen, leaves what to do in `action`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>
#include <string>

namespace mbfmu {

// A model or a run failed (exit code 1). The text is complete: it names the file and the place.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CommandLine {
  CLI::App& app;
  std::function<void()>& action;
  const bool& quiet;
};

void addExport(CommandLine line);
void addSimulate(CommandLine line);
void addCheck(CommandLine line);
void addIntegrators(CommandLine line);
void addSchema(CommandLine line);

}  // namespace mbfmu
