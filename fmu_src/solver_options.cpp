#include "fmu_src/solver_options.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "integrators/integrator_registry.h"

namespace mbfmu {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Not strtod, which obeys the decimal sign of the host's language.
bool parse(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end && std::isfinite(value);
}

struct Key {
  const char* name;
  Setting setting;
};
// As the model file calls them.
constexpr Key keys[] = {{"rtol", Setting::relativeTolerance},  {"atol", Setting::absoluteTolerance},
                        {"maxStep", Setting::maxStep},         {"minStep", Setting::minStep},
                        {"initialStep", Setting::initialStep}, {"maxSteps", Setting::maxSteps}};

}  // namespace

std::string SolverOptions::set(Setting setting, double value) {
  if (!std::isfinite(value)) return "must be finite";
  SolverOptions trial = *this;
  switch (setting) {
    case Setting::relativeTolerance:
      trial.tolerances.rtol = value;
      break;
    case Setting::absoluteTolerance:
      trial.tolerances.atolPosition = trial.tolerances.atolVelocity = trial.tolerances.atolState = value;
      break;
    case Setting::maxStep:  // 0 stands for no limit
      trial.limits.maxStep = value == 0 ? infinity : value;
      break;
    case Setting::minStep:
      trial.limits.minStep = value;
      break;
    case Setting::initialStep:
      trial.limits.initialStep = value;
      break;
    case Setting::maxSteps:
      if (!(value >= 1 && value <= 1e15)) return "maxSteps must be from 1 to 1e15";
      trial.limits.maxSteps = static_cast<long>(value);
      break;
    case Setting::integrator: {
      const auto& list = integrators();
      if (!(value >= 1 && value <= static_cast<double>(list.size()))) {
        return "must be from 1 to " + std::to_string(list.size());
      }
      trial.integrator = list[static_cast<std::size_t>(value) - 1].name;
      break;
    }
  }
  std::string problem = check(trial.tolerances);
  if (problem.empty()) problem = check(trial.limits);
  if (problem.empty()) *this = std::move(trial);
  return problem;
}

double SolverOptions::get(Setting setting) const {
  switch (setting) {
    case Setting::relativeTolerance:
      return tolerances.rtol;
    case Setting::absoluteTolerance:
      return tolerances.atolPosition;
    case Setting::maxStep:
      return std::isfinite(limits.maxStep) ? limits.maxStep : 0;
    case Setting::minStep:
      return limits.minStep;
    case Setting::initialStep:
      return limits.initialStep;
    case Setting::maxSteps:
      return static_cast<double>(limits.maxSteps);
    case Setting::integrator:
      break;
  }
  int number = 1;
  for (const IntegratorInfo& info : integrators()) {
    if (info.name == integrator) return number;
    ++number;
  }
  return 0;
}

std::string SolverOptions::set(const std::string& key, const std::string& value) {
  for (const Key& known : keys) {
    if (key != known.name) continue;
    double number = 0;
    if (!parse(value, number)) return key + " must be a number, not \"" + value + "\"";
    return set(known.setting, number);
  }
  if (key == "integrator") {
    integrator = value;
  } else {
    own[integrator][key] = value;
  }
  return "";
}

std::string SolverOptions::setOwn(int index, double value) {
  const IntegratorOwnOption& option = integratorOwnOptions()[static_cast<std::size_t>(index)];
  const std::string text = std::isfinite(value) ? option.text(value) : "";
  if (text.empty()) return option.key + " must be one of " + describe(option.values);
  own[option.integrator][option.key] = text;
  return "";
}

double SolverOptions::getOwn(int index) const {
  const IntegratorOwnOption& option = integratorOwnOptions()[static_cast<std::size_t>(index)];
  if (const auto options = own.find(option.integrator); options != own.end()) {
    if (const auto set = options->second.find(option.key); set != options->second.end()) {
      return option.number(set->second);
    }
  }
  return option.number(option.fallback);
}

std::unique_ptr<Integrator> SolverOptions::make(const std::string& name, std::string& problem) const {
  const auto found = own.find(name);
  auto result =
      makeIntegrator(name, found == own.end() ? std::map<std::string, std::string>() : found->second, problem);
  if (!result) return nullptr;
  result->setTolerances(tolerances);
  result->setLimits(limits);
  return result;
}

void SolverOptions::transfer(Archive& archive) {
  std::vector<std::string> texts = {integrator};
  for (const auto& [name, options] : own) {
    for (const auto& [key, value] : options) texts.insert(texts.end(), {name, key, value});
  }
  archive(texts, tolerances.rtol, tolerances.atolPosition, tolerances.atolVelocity, tolerances.atolState,
          limits.maxStep, limits.minStep, limits.initialStep, limits.maxSteps);
  if (!archive.reading()) return;
  if (texts.size() % 3 != 1 || !check(tolerances).empty() || !check(limits).empty()) return archive.refuse();
  integrator = texts[0];
  own.clear();
  for (std::size_t i = 1; i < texts.size(); i += 3) own[texts[i]][texts[i + 1]] = texts[i + 2];
}

SolverOptions solverOptions(const Model& model, std::string& problem) {
  SolverOptions options;
  options.integrator = model.solver.integrator.empty() ? integrators().front().name : model.solver.integrator;
  problem = options.set(Setting::relativeTolerance, model.solver.rtol);
  if (problem.empty()) problem = options.set(Setting::absoluteTolerance, model.solver.atol);
  for (const auto& [key, value] : model.solver.options) {
    if (problem.empty()) problem = options.set(key, value);
  }
  if (problem.empty()) options.make(problem);
  return options;
}

}  // namespace mbfmu
