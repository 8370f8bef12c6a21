#include "model_description/solver_variables.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "integrators/integrator_registry.h"

namespace mbfmu {
namespace {

struct Text {
  const char *name, *unit, *description;
};
// In the order of Setting, Statistic and Local.
constexpr Text settings[] = {
    {"solver.relativeTolerance", "", "relative error tolerance of the integrator"},
    {"solver.absoluteTolerance", "", "absolute error tolerance of the integrator, in SI units"},
    {"solver.maxStep", "s", "largest step of the integrator; 0: no limit"},
    {"solver.minStep", "s", "smallest step of the integrator; 0: as small as time can be resolved"},
    {"solver.initialStep", "s", "first step of the integrator; 0: chosen by itself"},
    {"solver.maxSteps", "", "largest number of steps between two starts"},
    {"solver.integrator", "", "method of integration"},
};
constexpr int tunableSettings = 3;
constexpr Text statistics[] = {
    {"solver.steps", "", "accepted steps since initialization"},
    {"solver.rejectedSteps", "", "rejected steps since initialization"},
    {"solver.newtonIterations", "", "Newton iterations since initialization"},
    {"solver.jacobians", "", "Jacobian evaluations since initialization"},
    {"solver.factorizations", "", "matrix factorizations since initialization"},
    {"solver.restarts", "", "cold starts since initialization"},
    {"solver.warmRestarts", "", "starts after a jump of an input or parameter that kept step size and factorization"},
    {"solver.events", "", "state events since initialization"},
    {"solver.order", "", "order of the method in the last accepted step"},
    {"solver.stepSize", "s", "size of the last accepted step"},
    {"solver.lastEventTime", "s", "when the last event happened; the start time before the first"},
};
constexpr Text locals[] = {
    {"mechanism.energy", "J", "kinetic and potential energy"},
    {"mechanism.constraintResidual", "", "largest violation of a constraint at position level, in its SI unit"},
};

// A number among the solver's options of the model file.
double optionOf(const Model& model, const char* key, double fallback) {
  const auto found = model.solver.options.find(key);
  if (found == model.solver.options.end()) return fallback;
  const std::string& digits = found->second;
  double value = fallback;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return std::isfinite(value) ? value : fallback;
}

std::string integratorOf(const Model& model) {
  return model.solver.integrator.empty() ? integrators().front().name : model.solver.integrator;
}

double startOf(const Model& model, Setting setting) {
  switch (setting) {
    case Setting::relativeTolerance:
      return model.solver.rtol;
    case Setting::absoluteTolerance:
      return model.solver.atol;
    case Setting::maxStep:
      return optionOf(model, "maxStep", 0);
    case Setting::minStep:
      return optionOf(model, "minStep", Limits().minStep);
    case Setting::initialStep:
      return optionOf(model, "initialStep", Limits().initialStep);
    case Setting::maxSteps:
      return optionOf(model, "maxSteps", static_cast<double>(Limits().maxSteps));
    case Setting::integrator:
      break;
  }
  double number = 1;
  for (const IntegratorInfo& info : integrators()) {
    if (info.name == integratorOf(model)) return number;
    ++number;
  }
  return 1;
}

double leastOf(Setting setting) {
  switch (setting) {
    case Setting::relativeTolerance:
      return leastRelativeTolerance;
    case Setting::maxSteps:
      return 1;
    case Setting::absoluteTolerance:  // more than 0, which min cannot say
    case Setting::integrator:
      return -std::numeric_limits<double>::infinity();
    default:
      return 0;
  }
}

// "generalized-alpha" as a part of a structured name, which has no hyphens: generalizedAlpha.
std::string camelCase(const std::string& name) {
  std::string result;
  bool upper = false;
  for (const char c : name) {
    if (c == '-') {
      upper = true;
      continue;
    }
    result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return result;
}

Variable calculated(const Text& t, Causality causality, Source source) {
  Variable result;
  result.name = t.name;
  result.description = t.description;
  result.unit = t.unit;
  result.causality = causality;
  result.initial = Initial::calculated;
  result.source = source;
  return result;
}

void addSettings(const Model& model, VariableTable& table) {
  int index = 0;
  for (const Text& t : settings) {
    const auto setting = static_cast<Setting>(index);
    Variable variable = parameterVariable(t.name, t.description, t.unit, startOf(model, setting),
                                          index < tunableSettings, {SourceKind::setting, index});
    if (setting == Setting::maxSteps) variable.type = VariableType::int64;
    variable.least = leastOf(setting);
    if (setting == Setting::relativeTolerance) variable.most = largestRelativeTolerance;
    if (setting == Setting::integrator) {
      variable.type = VariableType::enumeration;
      variable.enumeration = integratorType;
    }
    table.add(std::move(variable));
    ++index;
  }
  index = 0;
  for (const Text& t : statistics) {
    // Floating point, though most are counters: with event mode an integer could change in Event Mode only (FMI 3.0,
    // variability), and these change with every step.
    table.add(calculated(t, Causality::output, {SourceKind::statistic, index++}));
  }
  index = 0;
  for (const Text& t : locals) {
    table.add(calculated(t, Causality::local, {SourceKind::local, index++}));
  }
}

void addOwnOptions(const Model& model, VariableTable& table) {
  int index = 0;
  for (const IntegratorInfo& info : integrators()) {
    for (const IntegratorOption& described : info.options) {
      const IntegratorOwnOption& option = integratorOwnOptions()[static_cast<std::size_t>(index)];
      const auto set = model.solver.options.find(option.key);
      const bool own = info.name == integratorOf(model) && set != model.solver.options.end();
      Variable variable =
          parameterVariable("solver." + camelCase(info.name) + "." + option.key, described.description, "",
                            option.number(own ? set->second : option.fallback), false, {SourceKind::option, index++});
      switch (option.values.kind) {
        case OptionValues::Kind::choice:
          variable.type = VariableType::enumeration;
          variable.enumeration = option.typeName();
          break;
        case OptionValues::Kind::whole:
          variable.type = VariableType::int64;
          [[fallthrough]];
        case OptionValues::Kind::number:
          variable.least = option.values.least;
          variable.most = option.values.most;
      }
      table.add(std::move(variable));
    }
  }
}

}  // namespace

const std::vector<IntegratorOwnOption>& integratorOwnOptions() {
  static const std::vector<IntegratorOwnOption> list = [] {
    std::vector<IntegratorOwnOption> result;
    for (const IntegratorInfo& info : integrators()) {
      for (const IntegratorOption& option : info.options) {
        result.push_back({info.name, option.name, option.defaultValue, option.values});
      }
    }
    return result;
  }();
  return list;
}

double IntegratorOwnOption::number(const std::string& text) const {
  if (values.kind == OptionValues::Kind::choice) {
    const auto found = std::find(values.choices.begin(), values.choices.end(), text);
    return static_cast<double>(found - values.choices.begin()) + 1;
  }
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string IntegratorOwnOption::text(double number) const {
  if (values.kind == OptionValues::Kind::choice) {
    const bool known = number >= 1 && number <= static_cast<double>(values.choices.size());
    return known ? values.choices[static_cast<std::size_t>(number) - 1] : "";
  }
  std::array<char, 40> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr};
}

std::string IntegratorOwnOption::typeName() const {
  std::string name = camelCase(integrator) + "." + key;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  char& first = name[name.find('.') + 1];
  first = static_cast<char>(std::toupper(static_cast<unsigned char>(first)));
  return "Solver." + name;
}

void addSolverVariables(const Model& model, VariableTable& table) {
  addSettings(model, table);
  addOwnOptions(model, table);
}

}  // namespace mbfmu
