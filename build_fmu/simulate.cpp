// mbfmu simulate: the simulation of the FMU, in process.
#include <cmath>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "build_fmu/commands.h"
#include "build_fmu/load_model.h"
#include "build_fmu/package.h"
#include "build_fmu/progress.h"
#include "build_fmu/table.h"
#include "fmu_src/simulation.h"

namespace mbfmu {
namespace {

struct Options {
  ModelOptions model;
  std::optional<double> stopTime, step;
  std::string input, output, stats;
};

// More points than that are a mistyped step, not a wish.
constexpr double kMostPoints = 1e9;

// start, start + h, ..., stop. The last step is shorter if h does not divide the duration.
class CommunicationPoints {
 public:
  CommunicationPoints(double start, double stop, double step) : start_(start), stop_(stop), step_(step) {
    const double steps = (stop - start) / step;
    if (!(stop >= start)) throw Failed("--stop-time: before the start time " + shortNumber(start));
    if (!(steps < kMostPoints)) throw Failed("--step: " + shortNumber(step) + " is too small for the duration");
    // Rounding must not add a sliver of a step at the end.
    count_ = static_cast<long>(std::ceil(steps - 1e-9)) + 1;
  }
  long count() const { return count_; }
  double operator[](long i) const { return i + 1 == count_ ? stop_ : start_ + static_cast<double>(i) * step_; }

 private:
  double start_, stop_, step_;
  long count_ = 0;
};

// Sets the inputs to a table's values. Between communication points they are held.
class Inputs {
 public:
  Inputs(const std::string& file, const Model& model) {
    if (file.empty()) return;
    table_ = parseCsv(file, readFile(file));
    for (const std::string& name : table_.names) {
      int index = 0;
      const int count = static_cast<int>(model.inputs.size());
      while (index < count && model.inputs[static_cast<std::size_t>(index)].name != name) ++index;
      if (index == count) throw Failed(file + ":1: the model has no input \"" + name + "\"");
      indices_.push_back(index);
    }
  }
  void apply(Simulation& simulation, double t) const {
    for (std::size_t i = 0; i < indices_.size(); ++i) simulation.setInput(indices_[i], table_.at(i, t));
  }

 private:
  Table table_;
  std::vector<int> indices_;
};

std::string header(const Model& model) {
  std::string line = "time";
  for (const Output& output : model.outputs) line += "," + output.name;
  return line + "\n";
}

void appendRow(const Simulation& simulation, std::string& csv) {
  csv += number(simulation.time());
  for (const double value : simulation.outputs()) csv += "," + number(value);
  csv += "\n";
}

std::string statsText(const Statistics& s, double cpuSeconds) {
  const nlohmann::ordered_json stats = {
      {"steps", s.steps},
      {"rejected_steps", s.rejectedSteps},
      {"newton_iterations", s.newtonIterations},
      {"newton_failures", s.newtonFailures},
      {"jacobian_evaluations", s.jacobianEvaluations},
      {"factorizations", s.factorizations},
      {"residual_evaluations", s.residualEvaluations},
      {"solves", s.solves},
      {"events", s.events},
      {"restarts", s.restarts},
      {"warm_restarts", s.warmRestarts},
      {"cpu_seconds", cpuSeconds},
      {"min_step_size", s.steps > 0 ? s.minStepSize : 0.0},
      {"max_step_size", s.maxStepSize},
  };
  return stats.dump(2) + "\n";
}

void check(const std::string& file, const std::string& problem) {
  if (!problem.empty()) throw Failed(file + ": " + problem);
}

void simulate(const Options& options, bool quiet) {
  const std::string& file = options.model.file;
  const std::shared_ptr<const Model> model = loadModel(options.model);
  const Experiment& experiment = model->experiment;
  const CommunicationPoints points(experiment.start, options.stopTime.value_or(experiment.stop),
                                   options.step.value_or(experiment.step));
  const Inputs inputs(options.input, *model);

  const std::clock_t begin = std::clock();
  Diagnostics diagnostics(file);
  const std::unique_ptr<Simulation> simulation = Simulation::create(model, diagnostics);
  if (!simulation) throw Failed(diagnostics.text());
  inputs.apply(*simulation, points[0]);
  check(file, simulation->initialise(points[0]));
  for (const std::string& note : simulation->notes()) {
    if (!quiet) std::cerr << file << ": note: " << note << '\n';
  }
  simulation->setStopTime(points[points.count() - 1]);

  std::string csv = header(*model);
  appendRow(*simulation, csv);
  {
    Progress progress(quiet);
    for (long i = 1; i < points.count(); ++i) {
      inputs.apply(*simulation, points[i - 1]);
      check(file, simulation->advanceTo(points[i]));
      appendRow(*simulation, csv);
      if (simulation->stopped()) {
        if (!quiet)
          std::cerr << file << ": an event has stopped the simulation at " << simulation->lastEventTime() << " s\n";
        break;
      }
      progress.update(static_cast<double>(i) / static_cast<double>(points.count() - 1));
    }
  }
  const double cpuSeconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;

  if (options.output.empty()) {
    std::cout << csv;
  } else {
    writeFile(options.output, csv);
  }
  const Statistics& statistics = simulation->statistics();
  if (!options.stats.empty()) writeFile(options.stats, statsText(statistics, cpuSeconds));
  if (!quiet && !options.output.empty()) {
    std::cout << options.output << ": " << points.count() << " points, " << statistics.steps << " steps, "
              << statistics.jacobianEvaluations << " Jacobians, " << cpuSeconds << " s\n";
  }
}

}  // namespace

void addSimulate(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("simulate", "Simulate a model with the code that runs in its FMU");
  const auto options = std::make_shared<Options>();
  const CLI::Validator positive(
      [](std::string& text) {
        double value = 0;
        const bool good = CLI::detail::lexical_cast(text, value) && value > 0 && std::isfinite(value);
        return good ? std::string() : "\"" + text + "\" is not a positive number";
      },
      "POSITIVE");
  addModelOptions(*command, options->model);
  command->add_option("--stop-time", options->stopTime, "End of the simulation in s (default: the experiment's)");
  command->add_option("--step", options->step, "Communication step in s (default: the experiment's)")->check(positive);
  const auto solverOption = [&](const std::string& name, const std::string& key, const std::string& help) {
    command
        ->add_option_function<std::string>(
            name, [=](const std::string& value) { options->model.assignments.push_back(key + "=" + value); }, help)
        ->check(positive);
  };
  solverOption("--rtol", "solver.rtol", "Relative tolerance (default: the model's)");
  solverOption("--atol", "solver.atol", "Absolute tolerance (default: the model's)");
  command->add_option("--input", options->input, "CSV with the header time,<input names>");
  command->add_option("-o,--output", options->output, "CSV file of the results (default: standard output)");
  command->add_option("--stats", options->stats, "JSON file of the integrator's work counts");
  command->callback([options, line] { line.action = [options, line] { simulate(*options, line.quiet); }; });
}

}  // namespace mbfmu
