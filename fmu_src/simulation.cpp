#include "fmu_src/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "fmu_src/communication_habits.h"
#include "fmu_src/event_watch.h"
#include "fmu_src/solver_options.h"
#include "integrators/consistency.h"
#include "model_description/dependencies.h"

namespace mbfmu {
namespace {

// Events that change the modes to and fro without any time in between are an error of the model.
constexpr int maxEventsAtOnce = 200;
constexpr double sameTime = 1e-13;  // relative

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
  std::unique_ptr<Integrator> attempt;     // where steps are tried, so that a failure changes nothing
  std::vector<std::string> notes;
  double time = 0, stopTime = std::numeric_limits<double>::infinity();
  CommunicationHabits habits;
  bool atPoint = true;       // the master's last step was done to its end
  bool changedHere = false;  // and inputs or parameters have changed since, and were settled

  // What the integrator ran into at its time() and has not been done yet. Past events: how many, and when the last was.
  bool pending = false;
  Event event;
  long events = 0;
  double lastEventTime = 0;
  std::unique_ptr<EventWatch> watch;

  // The same as of `attempt`.
  struct Trial {
    std::unique_ptr<Mechanism> mechanism;  // once an event has changed it, else nullptr
    bool pending = false;
    Event event;
    long events = 0;
    double lastEventTime = 0;
    int eventsAtOnce = 0;
  };
  Trial trial;

  // At `time`, valid while `current`.
  bool current = false, outputsCurrent = false;
  State y;
  Rates w;
  Vector outputs;
  bool solvesRates = false;  // outputs show accelerations or reactions
  ConsistencySolver rateSolver;
  Rates interpolated;
  mutable Vector constraints;
  mutable Statistics statistics;
  Rates ratesBefore;

  Data() = default;
  Data(const Data& other);
  bool changed();
  bool eventWaits() const { return pending || running->nextTimeEvent() <= integrator->time(); }
  void beginAttempt();
  std::string takeChange();
  bool eventDue(const Mechanism& mechanism, double until) const;
  std::string handleEvents(const Mechanism& mechanism);
  std::string makeStep(const Mechanism& mechanism, double limit);
  void accept(bool change);
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
      notes(other.notes),
      time(other.time),
      stopTime(other.stopTime),
      habits(other.habits),
      atPoint(other.atPoint),
      changedHere(other.changedHere),
      pending(other.pending),
      event(other.event),
      events(other.events),
      lastEventTime(other.lastEventTime),
      watch(other.watch ? std::make_unique<EventWatch>(*other.watch) : nullptr),
      current(other.current),
      outputsCurrent(other.outputsCurrent),
      y(other.y),
      w(other.w),
      outputs(other.outputs),
      solvesRates(other.solvesRates),
      rateSolver(other.rateSolver) {}

// A value set and set back is no change.
bool Simulation::Data::changed() {
  if (touched && !inputsDiffer(*running, *requested) && !parametersDiffer(*running, *requested)) touched = false;
  return touched;
}

void Simulation::Data::beginAttempt() {
  if (attempt) {
    attempt->assign(*integrator);
  } else {
    attempt = integrator->clone();
  }
  trial = {.mechanism = nullptr,
           .pending = pending,
           .event = event,
           .events = events,
           .lastEventTime = lastEventTime,
           .eventsAtOnce = 0};
}

// The past is cut off at the present with the old inputs, which it was made with; only then the new ones come in, and
// the integrator sees the difference as a jump.
std::string Simulation::Data::takeChange() {
  if (attempt->time() > time) {
    if (const Failure failure = attempt->cutBack(*running, time)) return describe(failure, *running);
    trial.pending = false;
  }
  ratesBefore = attempt->rates();
  if (const Failure failure = attempt->jump(*requested)) return describe(failure, *requested);
  // A change that takes the mechanism out of its mode is an event.
  if (!trial.pending) trial.event.which.clear();
  watch->compare(*running, ratesBefore, *requested, *attempt, trial.event.which);
  if (trial.event.which.empty()) return "";
  trial.pending = true;
  return handleEvents(*requested);
}

bool Simulation::Data::eventDue(const Mechanism& mechanism, double until) const {
  return attempt->time() <= until && (trial.pending || mechanism.nextTimeEvent() <= attempt->time());
}

// At the attempt's time. From here on the trial has a mechanism of its own.
std::string Simulation::Data::handleEvents(const Mechanism& mechanism) {
  const double t = attempt->time();
  const bool again = std::abs(t - trial.lastEventTime) <= sameTime * std::abs(t) && trial.events > 0;
  trial.eventsAtOnce = again ? trial.eventsAtOnce + 1 : 0;
  if (trial.eventsAtOnce == maxEventsAtOnce) {
    const auto& which = trial.event.which;
    return "events follow each other without end at t = " + std::to_string(t) +
           (which.empty() ? std::string() : ", the last one is " + mechanism.eventName(which[0]));
  }
  if (!trial.mechanism) trial.mechanism = mechanism.clone();
  if (!trial.pending) trial.event.which.clear();
  State state = attempt->state();
  Rates rates = attempt->rates();
  const std::string problem = trial.mechanism->handleEvents(t, trial.event.which, state, rates);
  if (!problem.empty()) return problem + " (t = " + std::to_string(t) + ")";
  attempt->restart(*trial.mechanism, state, rates);
  trial.pending = false;
  trial.lastEventTime = t;
  ++trial.events;
  return "";
}

// One step, ended at the first event in it.
std::string Simulation::Data::makeStep(const Mechanism& mechanism, double limit) {
  const double until = std::min(limit, mechanism.nextTimeEvent());
  const Failure failure = watch->step(mechanism, *attempt, until, trial.pending, trial.event);
  return failure ? describe(failure, mechanism) : "";
}

void Simulation::Data::accept(bool change) {
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
  if (trial.mechanism) {
    requested = trial.mechanism->clone();
    running = std::move(trial.mechanism);
  }
  pending = trial.pending;
  std::swap(event, trial.event);
  events = trial.events;
  lastEventTime = trial.lastEventTime;
  std::swap(integrator, attempt);
  current = outputsCurrent = false;
}

std::string Simulation::Data::settle() {
  if (!integrator || !changed()) return "";
  beginAttempt();
  const bool miss = integrator->time() > time;
  std::string problem = takeChange();
  if (!problem.empty()) return problem;
  accept(true);
  if (!changedHere) habits.changed(miss);
  changedHere = true;
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
    // Within a long step, interpolated accelerations and multipliers are less accurate than positions and velocities;
    // the equations give them as accurately. If they cannot be solved here, the interpolated ones stay.
    if (solvesRates && rateSolver.factor(*running, time, y, w)) {
      interpolated = w;
      if (!rateSolver.solveRates(*running, time, y, w)) w = interpolated;
    }
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
  data->solvesRates = outputsFollowRates(*model);
  data->model = std::move(model);
  return std::unique_ptr<Simulation>(new Simulation(std::move(data)));
}

Simulation::Simulation(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Simulation::Simulation(const Simulation& other) : data_(std::make_unique<Data>(*other.data_)) {}
Simulation::~Simulation() = default;

std::string Simulation::change(std::span<const Change> changes) {
  Data& d = *data_;
  bool settings = false, parameters = false;
  for (const Change& change : changes) {
    if (!std::isfinite(change.value)) return "the value must be finite";
    settings = settings || change.source.kind == SourceKind::setting || change.source.kind == SourceKind::option;
    parameters = parameters || change.source.kind == SourceKind::parameter;
  }
  // What can be refused is tried on copies.
  std::optional<SolverOptions> options;
  if (settings) options = d.options;
  std::unique_ptr<Mechanism> mechanism;
  if (parameters) mechanism = d.requested->clone();
  for (const Change& change : changes) {
    const int index = change.source.index;
    std::string problem;
    if (change.source.kind == SourceKind::setting) problem = options->set(static_cast<Setting>(index), change.value);
    if (change.source.kind == SourceKind::option) problem = options->setOwn(index, change.value);
    // Set to the value it has already, a parameter goes on following its expression.
    if (change.source.kind == SourceKind::parameter && mechanism->parameter(index) != change.value) {
      problem = mechanism->setParameter(index, change.value);
    }
    if (!problem.empty()) return problem;
  }
  // The options of an integrator have to make sense together, also while another one is chosen.
  for (const Change& change : changes) {
    if (change.source.kind != SourceKind::option) continue;
    std::string problem;
    options->make(integratorOwnOptions()[static_cast<std::size_t>(change.source.index)].integrator, problem);
    if (!problem.empty()) return problem;
  }
  if (options && (!d.integrator || options->integrator != d.options.integrator)) {
    std::string problem;
    if (!options->make(problem)) return problem;
  }
  if (options) {
    d.options = std::move(*options);
    if (d.integrator) {
      d.integrator->setTolerances(d.options.tolerances);
      d.integrator->setLimits(d.options.limits);
    }
  }
  if (mechanism) {
    d.requested = std::move(mechanism);
    d.touched = true;
  }
  for (const Change& change : changes) {
    if (change.source.kind == SourceKind::input) setInput(change.source.index, change.value);
  }
  return "";
}

double Simulation::value(Source source) const {
  switch (source.kind) {
    case SourceKind::input:
      return data_->requested->input(source.index);
    case SourceKind::parameter:
      return data_->requested->parameter(source.index);
    case SourceKind::setting:
      return data_->options.get(static_cast<Setting>(source.index));
    case SourceKind::option:
      return data_->options.getOwn(source.index);
    default:
      return 0;
  }
}

void Simulation::setInput(int index, double value) {
  if (data_->requested->input(index) == value) return;
  data_->requested->setInput(index, value);
  data_->touched = true;
}

std::string Simulation::setSolverOption(const std::string& key, const std::string& value) {
  if (data_->integrator) return "solver." + key + " cannot change after initialization";
  SolverOptions trial = data_->options;
  std::string problem = trial.set(key, value);
  if (problem.empty()) trial.make(problem);
  if (problem.empty()) data_->options = std::move(trial);
  return problem;
}

std::string Simulation::initialise(double startTime) {
  std::unique_ptr<Mechanism> mechanism = data_->requested->clone();
  const auto rows = static_cast<int>(data_->rowsAsBuilt.size());
  for (int row = 0; row < rows; ++row) {
    mechanism->setRowActive(row, data_->rowsAsBuilt[static_cast<std::size_t>(row)] != 0);
  }
  InitialConditions initial = findInitialConditions(*mechanism, startTime);
  if (!initial.ok) return initial.problem;
  const std::string events = mechanism->startEvents(startTime, initial.y, initial.w);
  if (!events.empty()) return events;
  std::string problem;
  auto integrator = data_->options.make(problem);
  if (!integrator) return problem;
  integrator->start(*mechanism, startTime, initial.y, initial.w);

  data_->rateSolver = ConsistencySolver();
  data_->rateSolver.setUp(*mechanism);
  data_->requested = mechanism->clone();
  data_->running = std::move(mechanism);
  data_->integrator = std::move(integrator);
  data_->notes = std::move(initial.notes);
  data_->attempt = nullptr;
  data_->pending = false;
  data_->events = 0;
  data_->lastEventTime = startTime;
  data_->watch = std::make_unique<EventWatch>(*data_->running);
  data_->time = startTime;
  data_->touched = data_->current = data_->outputsCurrent = false;
  data_->habits = {};
  data_->atPoint = true;
  data_->changedHere = false;
  return "";
}

const std::vector<std::string>& Simulation::notes() const { return data_->notes; }

void Simulation::setStopTime(double stopTime) { data_->stopTime = stopTime; }

std::string Simulation::advanceTo(double t, Stop stop) { return advance(t, false, stop); }
std::string Simulation::stepTowards(double t, Stop stop) { return advance(t, true, stop); }

bool Simulation::eventPending() const {
  return data_->integrator && data_->integrator->time() == data_->time && data_->eventWaits();
}

double Simulation::nextTimeEvent() const { return data_->running->nextTimeEvent(); }

std::string Simulation::handleEvents() {
  Data& d = *data_;
  std::string problem = d.settle();
  if (!problem.empty() || !eventPending()) return problem;
  d.beginAttempt();
  problem = d.handleEvents(*d.running);
  if (problem.empty()) d.accept(false);
  return problem;
}

std::string Simulation::advance(double t, bool once, Stop stop) {
  Data& d = *data_;
  if (!d.integrator) return "the simulation is not initialised";
  if (!(t >= d.time) || !std::isfinite(t)) return "time can only go forward";
  const bool change = d.changed();
  CommunicationHabits habits = d.habits;
  if (change && !d.changedHere) habits.changed(d.integrator->time() > d.time);
  if (!change && !d.changedHere && d.atPoint) habits.quiet();
  if (change || d.integrator->time() < t || (d.integrator->time() == t && d.eventWaits())) {
    // Several steps may succeed before one fails, so they are done on a copy.
    d.beginAttempt();
    if (change) {
      std::string problem = d.takeChange();
      if (!problem.empty()) return problem;
    }
    const double limit = habits.stepPast() ? std::max(d.stopTime, t) : t;
    for (bool stepped = false;;) {
      const Mechanism& mechanism = d.trial.mechanism ? *d.trial.mechanism : change ? *d.requested : *d.running;
      std::string problem;
      if (d.eventDue(mechanism, t)) {
        if (stop == Stop::atEvents && d.attempt->time() > d.time) break;
        problem = d.handleEvents(mechanism);
      } else if (d.attempt->time() < t && !(once && stepped)) {
        d.attempt->expectJumps(habits.expectJumps());
        problem = d.makeStep(mechanism, limit);
        stepped = true;
      } else {
        break;
      }
      if (!problem.empty()) return problem;
    }
    d.accept(change);
  }
  d.habits = habits;
  d.time = std::min(t, d.integrator->time());
  d.atPoint = d.time == t;
  d.changedHere = false;
  d.current = d.outputsCurrent = false;
  return "";
}

std::string Simulation::settle() const { return data_->settle(); }

double Simulation::time() const { return data_->time; }

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
  if (data_->integrator) data_->statistics = data_->integrator->statistics();
  data_->statistics.events = data_->events;
  return data_->statistics;
}

double Simulation::lastEventTime() const { return data_->lastEventTime; }

bool Simulation::stopped() const { return data_->running->stopped(); }

double Simulation::energy() const {
  data_->refresh();
  return data_->running->energy(data_->time, data_->y);
}

double Simulation::constraintResidual() const {
  data_->refresh();
  if (data_->running->dimensions().m == 0) return 0;
  data_->running->constraints(data_->time, data_->y, Level::position, data_->constraints);
  return data_->constraints.cwiseAbs().maxCoeff();
}

const Mechanism& Simulation::mechanism() const {
  data_->refresh();
  return *data_->running;
}

void Simulation::transfer(Archive& archive) {
  Data& d = *data_;
  bool started = d.integrator != nullptr;
  archive(d.options, d.time, d.stopTime, d.habits, d.atPoint, d.changedHere, d.touched, started, d.pending, d.event.t,
          d.event.which, d.events, d.lastEventTime);
  d.running->transfer(archive);
  d.requested->transfer(archive);
  if (archive.reading()) {
    if (!archive.ok()) return;
    std::string problem;
    d.integrator = d.options.make(problem);
    d.attempt = nullptr;
    d.watch = std::make_unique<EventWatch>(*d.running);
    for (const int i : d.event.which) {
      if (i < 0 || i >= d.running->eventCount()) return archive.refuse();
    }
    d.current = d.outputsCurrent = false;
    if (!d.integrator) return archive.refuse();
    if (!started) d.integrator = nullptr;
  }
  if (!started) return;
  d.integrator->transfer(*d.running, archive);
  if (!d.solvesRates) return;
  if (archive.reading()) d.rateSolver.setUp(*d.running);
  archive(d.rateSolver);
}

const Model& Simulation::model() const { return *data_->model; }

}  // namespace mbfmu
