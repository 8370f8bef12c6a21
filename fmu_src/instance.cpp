#include "fmu_src/instance.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

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

}  // namespace

Instance::Part Instance::Part::clone() const {
  Part copy;
  copy.simulation = std::make_unique<Simulation>(*simulation);
  copy.mode = mode;
  copy.startTime = startTime;
  copy.stopTime = stopTime;
  copy.stopTimeDefined = stopTimeDefined;
  copy.toleranceSet = toleranceSet;
  copy.initialised = initialised;
  return copy;
}

Instance::Instance(std::unique_ptr<Simulation> start, VariableTable table, const Log& log)
    : log_(log), table_(std::move(table)), start_(std::move(start)) {
  part_.simulation = std::make_unique<Simulation>(*start_);
}

std::unique_ptr<Instance> Instance::create(const std::string& token, const char* resourcePath, const Log& log) {
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
  VariableTable table = describeVariables(*model);
  const std::string expected = instantiationToken(*model, table);
  if (token != expected) {
    return refuse("instantiationToken \"" + token + "\" does not belong to resources/model.json, which needs \"" +
                  expected + "\"; export the FMU again");
  }
  std::unique_ptr<Simulation> start = Simulation::create(model, diagnostics);
  if (!start) return refuse(diagnostics.text());
  return std::unique_ptr<Instance>(new Instance(std::move(start), std::move(table), log));
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
  std::set<std::string> wanted;
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
    const double rtol = std::clamp(tolerance, 1e-14, 0.1);
    const double ratio =
        simulation.setting(Setting::absoluteTolerance) / simulation.setting(Setting::relativeTolerance);
    simulation.setSetting(Setting::relativeTolerance, rtol);
    simulation.setSetting(Setting::absoluteTolerance, ratio * rtol);
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
  part_.mode = Mode::step;
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

fmi3Status Instance::doStep(double currentPoint, double stepSize, double* lastSuccessfulTime) {
  Simulation& simulation = *part_.simulation;
  const double time = simulation.time();
  *lastSuccessfulTime = time;
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
  const std::string problem = simulation.advanceTo(std::max(target, time));
  if (!problem.empty()) {
    log_.write(fmi3Discard, "fmi3DoStep: " + problem);
    return fmi3Discard;
  }
  *lastSuccessfulTime = simulation.time();
  return fmi3OK;
}

fmi3Status Instance::getState(fmi3FMUState* state) {
  if (!state) return fail("fmi3GetFMUState: FMUState is NULL");
  auto copy = std::make_unique<Part>(part_.clone());
  // A state that is passed in is overwritten, so that masters can reuse it (FMI 3.0, 2.2.6.4).
  for (auto& part : saved_) {
    if (part.get() != *state) continue;
    *part = std::move(*copy);
    return fmi3OK;
  }
  if (*state) return fail("fmi3GetFMUState: *FMUState is neither NULL nor a state of this instance");
  *state = copy.get();
  saved_.push_back(std::move(copy));
  return fmi3OK;
}

fmi3Status Instance::setState(fmi3FMUState state) {
  for (const auto& part : saved_) {
    if (part.get() != state) continue;
    part_ = part->clone();
    return fmi3OK;
  }
  return fail("fmi3SetFMUState: not a state of this instance");
}

fmi3Status Instance::freeState(fmi3FMUState* state) {
  if (!state || !*state) return fmi3OK;
  const auto same = [&](const std::unique_ptr<Part>& part) { return part.get() == *state; };
  const auto found = std::find_if(saved_.begin(), saved_.end(), same);
  if (found == saved_.end()) return fail("fmi3FreeFMUState: not a state of this instance");
  saved_.erase(found);
  *state = nullptr;
  return fmi3OK;
}

}  // namespace mbfmu
