#include "fmu_src/instance.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "integrators/integrator_registry.h"
#include "model_description/description.h"
#include "multibody/reader.h"

namespace mbfmu {
namespace {

bool readFile(const std::filesystem::path& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return !file.bad();
}

// Masters compute the communication points in their own way, so that rounding may separate theirs from ours.
bool samePoint(double a, double b, double stepSize) {
  return std::abs(a - b) <= 1e-6 * stepSize + 1e-12 * std::max(std::abs(a), std::abs(b));
}

std::string word(double value) {
  std::array<char, 32> digits{};
  return std::string(digits.data(),
                     std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 9).ptr);
}

}  // namespace

Instance::Instance(std::unique_ptr<Simulation> start, VariableTable table, std::string token, InstanceOptions options,
                   const Log& log)
    : log_(log),
      table_(std::move(table)),
      token_(std::move(token)),
      options_(std::move(options)),
      start_(std::move(start)) {
  part_.simulation = std::make_unique<Simulation>(*start_);
  std::sort(options_.intermediateVariables.begin(), options_.intermediateVariables.end());
}

std::unique_ptr<Instance> Instance::create(const std::string& token, const char* resourcePath, InstanceOptions options,
                                           const Log& log) {
  const auto refuse = [&](const std::string& message) {
    log.write(fmi3Error, message);
    return nullptr;
  };
  if (!resourcePath) return refuse("resourcePath is NULL; the model is read from the FMU's resources");
  const std::string path = resourcePath;
  const auto file = std::filesystem::path(std::u8string(path.begin(), path.end())) / "model.json";
  std::string text;
  if (!readFile(file, text)) return refuse("cannot read \"model.json\" in resourcePath \"" + path + "\"");
  Diagnostics diagnostics("model.json");
  const std::shared_ptr<const Model> model = readModel(text, diagnostics);
  if (!model) return refuse(diagnostics.text());
  // The token also tells whether the FMU was exported with arrays.
  VariableTable table = describeVariables(*model, Vectors::scalars);
  const std::string expected = instantiationToken(*model, table);
  if (token != expected) {
    table = describeVariables(*model, Vectors::arrays);
    if (token != instantiationToken(*model, table)) {
      return refuse("instantiationToken \"" + token + "\" does not belong to resources/model.json, which needs \"" +
                    expected + "\"; export the FMU again");
    }
  }
  for (const fmi3ValueReference reference : options.intermediateVariables) {
    const Variable* variable = table.find(reference);
    if (!variable || !hasIntermediateUpdate(*variable)) {
      return refuse("requiredIntermediateVariables: " + std::to_string(reference) +
                    " is not the value reference of a variable with intermediateUpdate = true");
    }
  }
  std::unique_ptr<Simulation> start = Simulation::create(model, diagnostics);
  if (!start) return refuse(diagnostics.text());
  return std::unique_ptr<Instance>(new Instance(std::move(start), std::move(table), token, std::move(options), log));
}

fmi3Status Instance::fail(const std::string& message) {
  log_.write(fmi3Error, message);
  part_.mode = Mode::terminated;
  return fmi3Error;
}

fmi3Status Instance::failQuietly(const char* function, const char* reason) noexcept {
  part_.mode = Mode::terminated;
  try {
    log_.write(fmi3Error, std::string(function) + ": " + reason);
  } catch (...) {
  }
  return fmi3Error;
}

fmi3Status Instance::setDebugLogging(bool on, std::size_t count, const fmi3String categories[]) {
  if (count > 0 && !categories) return fail("fmi3SetDebugLogging: categories is NULL");
  std::set<std::string, std::less<>> wanted;
  const std::vector<LogCategory> known = logCategories();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = categories[i] ? categories[i] : "";
    const auto same = [&](const LogCategory& category) { return category.name == name; };
    if (std::none_of(known.begin(), known.end(), same)) {
      return fail("fmi3SetDebugLogging: unknown category \"" + name + "\"");
    }
    wanted.insert(name);
  }
  log_.configure(on, std::move(wanted));
  log_.reportEverything();
  return fmi3OK;
}

fmi3Status Instance::enterInitialization(bool toleranceDefined, double tolerance, double startTime,
                                         bool stopTimeDefined, double stopTime) {
  if (!std::isfinite(startTime)) return fail("fmi3EnterInitializationMode: startTime is not finite");
  if (stopTimeDefined && !(std::isfinite(stopTime) && stopTime >= startTime)) {
    return fail("fmi3EnterInitializationMode: stopTime must be finite and not before startTime");
  }
  if (toleranceDefined && !(std::isfinite(tolerance) && tolerance > 0)) {
    return fail("fmi3EnterInitializationMode: tolerance must be positive and finite");
  }
  Simulation& simulation = *part_.simulation;
  // Importers pass the default experiment's tolerance unasked; one set by name is the user's own and stays. The
  // absolute tolerance keeps its ratio to the relative one, or a tighter tolerance would have no effect near zero.
  if (toleranceDefined && !part_.toleranceSet) {
    constexpr Source rtol{SourceKind::setting, static_cast<int>(Setting::relativeTolerance)};
    constexpr Source atol{SourceKind::setting, static_cast<int>(Setting::absoluteTolerance)};
    const double wanted = std::clamp(tolerance, leastRelativeTolerance, largestRelativeTolerance);
    const double ratio = simulation.value(atol) / simulation.value(rtol);
    const Change both[] = {{rtol, wanted}, {atol, ratio * wanted}};
    const std::string problem = simulation.change(both);
    if (!problem.empty()) return fail("fmi3EnterInitializationMode: tolerance: " + problem);
  }
  if (stopTimeDefined) simulation.setStopTime(stopTime);
  part_.startTime = startTime;
  part_.stopTime = stopTime;
  part_.stopTimeDefined = stopTimeDefined;
  part_.initialised = false;
  part_.mode = Mode::initialization;
  return fmi3OK;
}

std::string Instance::initialise() {
  if (part_.initialised) return "";
  std::string problem = part_.simulation->initialise(part_.startTime);
  part_.initialised = problem.empty();
  return problem;
}

fmi3Status Instance::exitInitialization() {
  const std::string problem = initialise();
  if (!problem.empty()) return fail("fmi3ExitInitializationMode: " + problem);
  for (const std::string& note : part_.simulation->notes()) log_.write(fmi3Warning, note);
  log_.write(fmi3OK, "logSolver", "initialized");
  part_.mode = options_.eventModeUsed ? Mode::event : Mode::step;
  return fmi3OK;
}

fmi3Status Instance::enterEventMode() {
  if (!options_.eventModeUsed) return fail("fmi3EnterEventMode: the instance was made with eventModeUsed = false");
  part_.mode = Mode::event;
  return fmi3OK;
}

fmi3Status Instance::enterStepMode() {
  // What was set in Event Mode comes into the equations here, where the master still can tell which value it was.
  const std::string problem = part_.simulation->settle();
  if (!problem.empty()) return fail("fmi3EnterStepMode: " + problem);
  part_.mode = Mode::step;
  return fmi3OK;
}

fmi3Status Instance::updateDiscreteStates(DiscreteUpdate& update) {
  Simulation& simulation = *part_.simulation;
  const std::string problem = simulation.handleEvents();
  if (!problem.empty()) return fail("fmi3UpdateDiscreteStates: " + problem);
  update.terminateSimulation = simulation.stopped();
  update.nextEventTimeDefined = std::isfinite(simulation.nextTimeEvent());
  if (update.nextEventTimeDefined) update.nextEventTime = simulation.nextTimeEvent();
  return fmi3OK;
}

fmi3Status Instance::terminate() {
  part_.mode = Mode::terminated;
  return fmi3OK;
}

fmi3Status Instance::reset() {
  Part fresh;
  fresh.simulation = std::make_unique<Simulation>(*start_);
  part_ = std::move(fresh);
  return fmi3OK;
}

fmi3Status Instance::discard(const std::string& problem) {
  log_.write(fmi3Discard, "fmi3DoStep: " + problem);
  return fmi3Discard;
}

fmi3Status Instance::doStep(double currentPoint, double stepSize, StepResult& result) {
  Simulation& simulation = *part_.simulation;
  const double time = simulation.time();
  result.lastSuccessfulTime = time;
  if (!(std::isfinite(stepSize) && stepSize > 0)) {
    return fail("fmi3DoStep: communicationStepSize must be positive and finite");
  }
  if (!std::isfinite(currentPoint) || !samePoint(currentPoint, time, stepSize)) {
    return fail("fmi3DoStep: currentCommunicationPoint is " + std::to_string(currentPoint) + ", but the FMU is at " +
                std::to_string(time));
  }
  const double target = currentPoint + stepSize;
  if (!std::isfinite(target)) return fail("fmi3DoStep: the end of the step is not finite");
  if (part_.stopTimeDefined && target > part_.stopTime && !samePoint(target, part_.stopTime, stepSize)) {
    return fail("fmi3DoStep: the step ends at " + std::to_string(target) + ", past stopTime " +
                std::to_string(part_.stopTime));
  }
  // A step below the resolution of time, or one that starts a rounding error late, does not go back.
  const double end = std::max(target, time);
  if (options_.intermediateUpdate) return stepWithUpdates(end, result);
  const long events = simulation.statistics().events;
  const std::string problem = simulation.advanceTo(end, stopAtEvents());
  if (!problem.empty()) return discard(problem);
  result.lastSuccessfulTime = simulation.time();
  result.earlyReturn = result.lastSuccessfulTime < end;
  report(events, result);
  return fmi3OK;
}

void Instance::report(long eventsBefore, StepResult& result) const {
  const Simulation& simulation = *part_.simulation;
  const Statistics& s = simulation.statistics();
  result.eventHandlingNeeded = options_.eventModeUsed && simulation.eventPending();
  result.terminateSimulation = simulation.stopped();
  if (s.events > eventsBefore && log_.wants("logEvents"))
    log_.write(
        fmi3OK, "logEvents",
        std::to_string(s.events - eventsBefore) + " events, the last at t = " + word(simulation.lastEventTime()));
  if (result.eventHandlingNeeded && log_.wants("logEvents"))
    log_.write(fmi3OK, "logEvents", "event to be handled at t = " + word(simulation.time()));
  if (!log_.wants("logSolver")) return;
  log_.write(fmi3OK, "logSolver",
             "t = " + word(simulation.time()) + ": " + std::to_string(s.steps) + " steps and " +
                 std::to_string(s.rejectedSteps) + " rejected since initialization, the last of order " +
                 std::to_string(s.order) + " and " + word(s.lastStepSize) + " s; " +
                 std::to_string(s.jacobianEvaluations) + " Jacobians, " + std::to_string(s.restarts + s.warmRestarts) +
                 " starts");
}

// The master is called back after every step of the integrator that ends in the communication step, and at its end.
fmi3Status Instance::stepWithUpdates(double target, StepResult& result) {
  auto before = std::make_unique<Simulation>(*part_.simulation);
  const double end = target;
  const long events = before->statistics().events;
  do {
    const std::string problem = part_.simulation->stepTowards(target, stopAtEvents());
    if (!problem.empty()) {
      part_.simulation = std::move(before);
      return discard(problem);
    }
    const double time = part_.simulation->time();
    bool requested = false;
    double returnTime = time;
    part_.mode = Mode::intermediate;
    setInUpdate_ = false;
    options_.intermediateUpdate(options_.environment, time, time < end, true, true, options_.earlyReturnAllowed,
                                &requested, &returnTime);
    if (part_.mode != Mode::intermediate) {
      // A call from within has failed, has been logged and has terminated the instance.
      result.lastSuccessfulTime = time;
      return fmi3Error;
    }
    part_.mode = Mode::step;
    if (requested && !options_.earlyReturnAllowed) {
      log_.write(fmi3Warning, "intermediateUpdate: earlyReturnRequested is ignored, earlyReturnAllowed is false");
    } else if (requested) {
      target = std::isfinite(returnTime) ? std::clamp(returnTime, time, target) : time;
    }
  } while (part_.simulation->time() < target &&
           !(stopAtEvents() == Simulation::Stop::atEvents && part_.simulation->eventPending()));
  result.lastSuccessfulTime = part_.simulation->time();
  result.earlyReturn = result.lastSuccessfulTime < end;
  report(events, result);
  return fmi3OK;
}

}  // namespace mbfmu
