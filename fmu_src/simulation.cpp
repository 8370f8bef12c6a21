#include "fmu_src/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "fmu_src/solver_options.h"
#include "integrators/integrator_registry.h"

namespace mbfmu {
namespace {

// The integrator steps past communication points once this many of them in a row have brought no change: if inputs
// change at every point, what lies beyond is thrown away each time.
constexpr int pointsUntilOverstep = 2;

void copyInputs(const Mechanism& other, Mechanism& mechanism) {
  for (int i = 0; i < static_cast<int>(other.model().inputs.size()); ++i) mechanism.setInput(i, other.input(i));
}

bool inputsDiffer(const Mechanism& a, const Mechanism& b) {
  for (int i = 0; i < static_cast<int>(a.model().inputs.size()); ++i) {
    if (a.input(i) != b.input(i)) return true;
  }
  return false;
}

bool parametersDiffer(const Mechanism& a, const Mechanism& b) {
  for (int i = 0; i < static_cast<int>(a.model().parameters.size()); ++i) {
    if (a.parameter(i) != b.parameter(i)) return true;
  }
  return false;
}

}  // namespace

struct Simulation::Data {
  std::shared_ptr<const Model> model;
  SolverOptions options;

  // The master's wishes are collected in `requested`; the integrator's past belongs to `running`. The two differ only
  // between a change by the master and settling it.
  std::unique_ptr<Mechanism> running, requested;
  std::vector<char> rowsAsBuilt;
  bool touched = false;  // the master has set something since the last settling

  std::unique_ptr<Integrator> integrator;  // nullptr before the first initialise()
  InitialConditions initial;
  double time = 0, stopTime = std::numeric_limits<double>::infinity();
  int quietPoints = pointsUntilOverstep;

  // At `time`, valid while `current`.
  bool current = false, outputsCurrent = false;
  State y;
  Rates w;
  Vector outputs;
  Statistics noStatistics;

  Data() = default;
  Data(const Data& other);
  bool changed();
  std::string takeChange(Integrator& attempt) const;
  void accept(std::unique_ptr<Integrator> attempt, bool change);
  std::string settle();
  void refresh();
};

Simulation::Data::Data(const Data& other)
    : model(other.model),
      options(other.options),
      running(other.running->clone()),
      requested(other.requested->clone()),
      rowsAsBuilt(other.rowsAsBuilt),
      touched(other.touched),
      integrator(other.integrator ? other.integrator->clone() : nullptr),
      initial(other.initial),
      time(other.time),
      stopTime(other.stopTime),
      quietPoints(other.quietPoints),
      current(other.current),
      outputsCurrent(other.outputsCurrent),
      y(other.y),
      w(other.w),
      outputs(other.outputs) {}

// A value set and set back is no change.
bool Simulation::Data::changed() {
  if (touched && !inputsDiffer(*running, *requested) && !parametersDiffer(*running, *requested)) touched = false;
  return touched;
}

// The past is cut off at the present with the old inputs, which it was made with; only then the new ones come in, and
// the integrator sees the difference as a jump.
std::string Simulation::Data::takeChange(Integrator& attempt) const {
  if (attempt.time() > time) {
    if (const Failure failure = attempt.cutBack(*running, time)) return describe(failure, *running);
  }
  if (const Failure failure = attempt.jump(*requested)) return describe(failure, *requested);
  return "";
}

void Simulation::Data::accept(std::unique_ptr<Integrator> attempt, bool change) {
  if (change) {
    // The clone is made first: nothing has changed if there is no memory for it.
    std::unique_ptr<Mechanism> copy = parametersDiffer(*running, *requested) ? requested->clone() : nullptr;
    std::swap(running, requested);
    if (copy) {
      requested = std::move(copy);
    } else {
      copyInputs(*running, *requested);
    }
    touched = false;
  }
  integrator = std::move(attempt);
  current = outputsCurrent = false;
}

std::string Simulation::Data::settle() {
  if (!integrator || !changed()) return "";
  std::unique_ptr<Integrator> attempt = integrator->clone();
  std::string problem = takeChange(*attempt);
  if (!problem.empty()) return problem;
  accept(std::move(attempt), true);
  quietPoints = -1;  // advanceTo counts this point as one with a change
  return "";
}

void Simulation::Data::refresh() {
  settle();
  if (current || !integrator) return;
  if (integrator->time() == time) {
    // Not the dense output: accelerations may have just jumped here.
    y = integrator->state();
    w = integrator->rates();
  } else {
    integrator->interpolate(*running, time, y, w);
  }
  current = true;
}

std::unique_ptr<Simulation> Simulation::create(std::shared_ptr<const Model> model, Diagnostics& diagnostics) {
  auto data = std::make_unique<Data>();
  data->requested = Mechanism::build(model, diagnostics);
  if (!data->requested) return nullptr;
  std::string problem;
  data->options = solverOptions(*model, problem);
  if (!problem.empty()) {
    diagnostics.error("/solver", problem);
    return nullptr;
  }
  data->running = data->requested->clone();
  for (int row = 0; row < data->requested->dimensions().m; ++row) {
    data->rowsAsBuilt.push_back(data->requested->rowActive(row));
  }
  data->time = model->experiment.start;
  data->outputs.setZero(static_cast<Eigen::Index>(model->outputs.size()));
  data->model = std::move(model);
  return std::unique_ptr<Simulation>(new Simulation(std::move(data)));
}

Simulation::Simulation(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Simulation::Simulation(const Simulation& other) : data_(std::make_unique<Data>(*other.data_)) {}
Simulation::~Simulation() = default;

std::string Simulation::setSolverOption(const std::string& key, const std::string& value) {
  Setting setting;
  if (data_->integrator && !settingOf(key, setting)) return "solver." + key + " cannot change after initialization";
  SolverOptions trial = data_->options;
  std::string problem = trial.set(key, value);
  if (problem.empty() && !data_->integrator) makeIntegrator(trial.integrator, trial.further, problem);
  if (!problem.empty()) return problem;
  data_->options = std::move(trial);
  if (!data_->integrator) return "";
  return setSetting(setting, data_->options.get(setting));
}

double Simulation::setting(Setting setting) const { return data_->options.get(setting); }

std::string Simulation::setSetting(Setting setting, double value) {
  std::string problem = data_->options.set(setting, value);
  if (!problem.empty() || !data_->integrator) return problem;
  data_->integrator->setTolerances(data_->options.tolerances);
  data_->integrator->setLimits(data_->options.limits);
  return "";
}

std::string Simulation::initialise(double startTime) {
  std::unique_ptr<Mechanism> mechanism = data_->requested->clone();
  const auto rows = static_cast<int>(data_->rowsAsBuilt.size());
  for (int row = 0; row < rows; ++row) {
    mechanism->setRowActive(row, data_->rowsAsBuilt[static_cast<std::size_t>(row)] != 0);
  }
  InitialConditions initial = findInitialConditions(*mechanism, startTime);
  if (!initial.ok) return initial.problem;
  std::string problem;
  auto integrator = makeIntegrator(data_->options.integrator, data_->options.further, problem);
  if (!integrator) return problem;
  integrator->setTolerances(data_->options.tolerances);
  integrator->setLimits(data_->options.limits);
  integrator->start(*mechanism, startTime, initial.y, initial.w);

  data_->requested = mechanism->clone();
  data_->running = std::move(mechanism);
  data_->integrator = std::move(integrator);
  data_->initial = std::move(initial);
  data_->time = startTime;
  data_->touched = data_->current = data_->outputsCurrent = false;
  data_->quietPoints = pointsUntilOverstep;
  return "";
}

void Simulation::setStopTime(double stopTime) { data_->stopTime = stopTime; }

std::string Simulation::advanceTo(double t) {
  Data& d = *data_;
  if (!d.integrator) return "the simulation is not initialised";
  if (!(t >= d.time) || !std::isfinite(t)) return "time can only go forward";
  const bool change = d.changed();
  const int quietPoints = change ? 0 : std::min(d.quietPoints + 1, pointsUntilOverstep);
  if (change || d.integrator->time() < t) {
    // Several steps may succeed before one fails, so they are done on a copy.
    std::unique_ptr<Integrator> attempt = d.integrator->clone();
    if (change) {
      std::string problem = d.takeChange(*attempt);
      if (!problem.empty()) return problem;
    }
    const Mechanism& mechanism = change ? *d.requested : *d.running;
    const double limit = quietPoints >= pointsUntilOverstep ? std::max(d.stopTime, t) : t;
    while (attempt->time() < t) {
      if (const Failure failure = attempt->step(mechanism, limit)) return describe(failure, mechanism);
    }
    d.accept(std::move(attempt), change);
  }
  d.quietPoints = quietPoints;
  d.time = t;
  d.current = d.outputsCurrent = false;
  return "";
}

std::string Simulation::settle() const { return data_->settle(); }

double Simulation::time() const { return data_->time; }
double Simulation::input(int index) const { return data_->requested->input(index); }
double Simulation::parameter(int index) const { return data_->requested->parameter(index); }

void Simulation::setInput(int index, double value) {
  if (data_->requested->input(index) == value) return;
  data_->requested->setInput(index, value);
  data_->touched = true;
}

std::string Simulation::setParameter(int index, double value) {
  if (data_->requested->parameter(index) == value) return "";
  std::string problem = data_->requested->setParameter(index, value);
  if (problem.empty()) data_->touched = true;
  return problem;
}

const Vector& Simulation::outputs() const {
  data_->refresh();
  if (data_->integrator && !data_->outputsCurrent) {
    data_->running->outputs(data_->time, data_->y, data_->w, data_->outputs);
    data_->outputsCurrent = true;
  }
  return data_->outputs;
}

const State& Simulation::state() const {
  data_->refresh();
  return data_->y;
}

const Rates& Simulation::rates() const {
  data_->refresh();
  return data_->w;
}

const Statistics& Simulation::statistics() const {
  return data_->integrator ? data_->integrator->statistics() : data_->noStatistics;
}
const InitialConditions& Simulation::initialConditions() const { return data_->initial; }
const Model& Simulation::model() const { return *data_->model; }

}  // namespace mbfmu
