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

std::string wrong(const std::string& key, const std::string& rule) { return "solver." + key + " must be " + rule; }

}  // namespace

bool settingOf(const std::string& key, Setting& setting) {
  if (key == "rtol") {
    setting = Setting::relativeTolerance;
  } else if (key == "atol") {
    setting = Setting::absoluteTolerance;
  } else if (key == "maxStep") {
    setting = Setting::maxStep;
  } else {
    return false;
  }
  return true;
}

std::string SolverOptions::set(Setting setting, double value) {
  switch (setting) {
    case Setting::relativeTolerance:
      // Below the first bound rounding errors alone fail the error test.
      if (!(value >= 1e-14 && value <= 0.1)) return wrong("relativeTolerance", "between 1e-14 and 0.1");
      tolerances.rtol = value;
      return "";
    case Setting::absoluteTolerance:
      if (!(value > 0) || !std::isfinite(value)) return wrong("absoluteTolerance", "positive and finite");
      tolerances.atolPosition = tolerances.atolVelocity = tolerances.atolState = value;
      return "";
    case Setting::maxStep:
      if (!(value >= 0) || !std::isfinite(value)) return wrong("maxStep", "positive and finite, or 0 for no limit");
      limits.maxStep = value > 0 ? value : infinity;
      return "";
  }
  return "no such setting";
}

double SolverOptions::get(Setting setting) const {
  switch (setting) {
    case Setting::relativeTolerance:
      return tolerances.rtol;
    case Setting::absoluteTolerance:
      return tolerances.atolPosition;
    case Setting::maxStep:
      return std::isfinite(limits.maxStep) ? limits.maxStep : 0;
  }
  return 0;
}

std::string SolverOptions::set(const std::string& key, const std::string& value) {
  Setting setting;
  const bool isSetting = settingOf(key, setting);
  const bool isNumber = isSetting || key == "minStep" || key == "initialStep" || key == "maxSteps";
  double number = 0;
  if (isNumber && !parse(value, number)) return wrong(key, "a number, not \"" + value + "\"");
  if (isSetting) return set(setting, number);
  if (isNumber && number < 0) return wrong(key, "0 or positive");
  if (key == "minStep") {
    limits.minStep = number;
  } else if (key == "initialStep") {
    limits.initialStep = number;
  } else if (key == "maxSteps") {
    if (number < 1 || number > 1e15) return wrong(key, "between 1 and 1e15");
    limits.maxSteps = static_cast<long>(number);
  } else if (key == "integrator") {
    integrator = value;
  } else {
    further[key] = value;
  }
  return "";
}

SolverOptions solverOptions(const Model& model, std::string& problem) {
  SolverOptions options;
  options.integrator = model.solver.integrator.empty() ? integrators().front().name : model.solver.integrator;
  problem = options.set(Setting::relativeTolerance, model.solver.rtol);
  if (problem.empty()) problem = options.set(Setting::absoluteTolerance, model.solver.atol);
  for (const auto& [key, value] : model.solver.options) {
    if (problem.empty()) problem = options.set(key, value);
  }
  if (problem.empty()) makeIntegrator(options.integrator, options.further, problem);
  return options;
}

}  // namespace mbfmu
