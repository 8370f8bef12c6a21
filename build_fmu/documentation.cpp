#include "build_fmu/documentation.h"

#include <cmath>

#include "build_fmu/equations.h"
#include "build_fmu/html.h"
#include "build_fmu/table.h"
#include "integrators/integrator_registry.h"
#include "model_description/solver_variables.h"

namespace mbfmu {
namespace {

constexpr const char* style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#263238}"
    "table{border-collapse:collapse;width:100%;margin:1rem 0}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #dde3e6}"
    "code{font-family:ui-monospace,monospace;font-size:.92em}figure{margin:1rem 0;text-align:center}"
    "figure svg{max-width:100%;height:auto}.equation{text-align:center;font-style:italic}"
    "@media(prefers-color-scheme:dark){body{background:#1d2427;color:#e4e9eb}th,td{border-color:#3b474d}"
    "figure{background:#fff;border-radius:8px}}";

std::string section(const std::string& title, const std::string& content) {
  return "<h2>" + title + "</h2>\n" + content;
}

std::string code(const std::string& text) { return "<code>" + escaped(text) + "</code>"; }

std::string startOf(const FmiDescription& description, const Variable& variable) {
  if (!variable.hasStart) return "";
  if (variable.type == VariableType::enumeration) {
    for (const EnumerationType& type : description.enumerations) {
      if (type.name == variable.enumeration) return code(type.items[static_cast<std::size_t>(variable.start) - 1].name);
    }
  }
  if (variable.size == 1) return shortNumber(variable.start);
  std::string list;
  for (const double value : variable.startValues) list += (list.empty() ? "" : ", ") + shortNumber(value);
  return list;
}

std::string rangeOf(const Variable& variable) {
  if (std::isfinite(variable.least) && std::isfinite(variable.most)) {
    return " (" + shortNumber(variable.least) + " to " + shortNumber(variable.most) + ")";
  }
  return std::isfinite(variable.least) ? " (at least " + shortNumber(variable.least) + ")" : "";
}

std::string row(const FmiDescription& description, const Variable& variable) {
  std::string name = variable.name;
  if (variable.size > 1) name += "[" + std::to_string(variable.size) + "]";
  return "<tr><td>" + code(name) + "</td><td>" + text(variable.variability) + "</td><td>" + escaped(variable.unit) +
         "</td><td>" + startOf(description, variable) + "</td><td>" + escaped(variable.description) +
         rangeOf(variable) + "</td></tr>\n";
}

template <class Wanted>
std::string variables(const FmiDescription& description, const std::string& title, Wanted wanted) {
  std::string rows;
  for (const Variable& variable : description.variables.variables()) {
    if (wanted(variable.source.kind)) rows += row(description, variable);
  }
  if (rows.empty()) return "";
  return "<h3>" + title +
         "</h3>\n<table><tr><th>name</th><th>variability</th><th>unit</th><th>start</th><th>description</th></tr>\n" +
         rows + "</table>\n";
}

std::string variablesHtml(const FmiDescription& description) {
  const auto of = [](auto... kinds) { return [=](SourceKind kind) { return ((kind == kinds) || ...); }; };
  return variables(description, "Inputs", of(SourceKind::input)) +
         variables(description, "Outputs", of(SourceKind::output)) +
         variables(description, "Parameters", of(SourceKind::parameter)) +
         variables(description, "Further variables", of(SourceKind::time, SourceKind::local)) +
         variables(description, "Solver settings", of(SourceKind::setting)) +
         variables(description, "Solver statistics", of(SourceKind::statistic)) +
         variables(description, "Options of single integrators", of(SourceKind::option));
}

std::string integrationHtml(const FmiDescription& description) {
  const Variable& chosen = *description.variables.find(SourceKind::setting, static_cast<int>(Setting::integrator));
  const IntegratorInfo& info = integrators()[static_cast<std::size_t>(chosen.start) - 1];
  std::string html =
      "<p>" + code(info.name) + ": " + escaped(info.summary) +
      ". Another one can be chosen before or in Initialization Mode by " + code(chosen.name) +
      ".</p>\n<p>Each step keeps the estimated error of every position, velocity and state y below "
      "rtol |y| + atol, with " +
      code("solver.relativeTolerance") + " and " + code("solver.absoluteTolerance") +
      "; both may change at any time. Steps of the integrator are independent of communication "
      "points.</p>\n<table><tr><th>option</th><th>value</th><th>possible values</th><th>meaning</th></tr>\n";
  for (std::size_t i = 0; i < integratorOwnOptions().size(); ++i) {
    const IntegratorOwnOption& option = integratorOwnOptions()[i];
    if (option.integrator != info.name) continue;
    const Variable& variable = *description.variables.find(SourceKind::option, static_cast<int>(i));
    html += "<tr><td>" + code(variable.name) + "</td><td>" + startOf(description, variable) + "</td><td>" +
            escaped(describe(option.values)) + "</td><td>" + escaped(variable.description) + "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string overview(const FmiDescription& description, const Model& model) {
  const DefaultExperiment& experiment = description.experiment;
  return "<p>A mechanism of " + std::to_string(model.bodies.size() - 1) + " moving bodies and " +
         std::to_string(model.joints.size()) +
         " joints, as an FMI 3.0 co-simulation FMU that carries its own integrator for differential-algebraic "
         "equations of motion. The model is in " +
         code("resources/model.json") + ".</p>\n<p>Default experiment: from " + shortNumber(experiment.startTime) +
         " s to " + shortNumber(experiment.stopTime) + " s in steps of " + shortNumber(experiment.stepSize) +
         " s, relative tolerance " + shortNumber(experiment.tolerance) + ".</p>\n";
}

}  // namespace

std::string documentationHtml(const FmiDescription& description, const Model& model, const std::string& picture) {
  const std::string name = escaped(description.modelName);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>" +
      name + "</title><style>" + style + "</style></head><body>\n<h1>" + name + "</h1>\n";
  if (!description.description.empty()) html += "<p>" + escaped(description.description) + "</p>\n";
  if (!picture.empty()) html += "<figure>\n" + picture + "<figcaption>The model at the start</figcaption></figure>\n";
  return html + overview(description, model) + section("Variables", variablesHtml(description)) +
         section("Equations", equationsHtml(model)) + section("Integration", integrationHtml(description)) +
         section("Licences", "<p>What is linked into the binary, and under which terms: see " +
                                 std::string("<a href=\"licenses/license.txt\">licenses/license.txt</a>.</p>\n")) +
         "</body></html>\n";
}

}  // namespace mbfmu
