#include "build_fmu/documentation.h"

#include "build_fmu/table.h"

namespace mbfmu {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

constexpr const char* kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .8rem;border-bottom:1px solid #ddd}"
    "code{font-family:ui-monospace,monospace}";

std::string row(const Variable& variable) {
  return "<tr><td><code>" + escaped(variable.name) + "</code></td><td>" + text(variable.causality) + ", " +
         text(variable.variability) + "</td><td>" + escaped(variable.unit) + "</td><td>" +
         (variable.hasStart ? shortNumber(variable.start) : "") + "</td><td>" + escaped(variable.description) +
         "</td></tr>\n";
}

}  // namespace

std::string documentationHtml(const FmiDescription& description, const Model& model) {
  const DefaultExperiment& experiment = description.experiment;
  const std::string name = escaped(description.modelName);
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + name +
                     "</title><style>" + kStyle + "</style></head><body>\n<h1>" + name + "</h1>\n";
  if (!description.description.empty()) html += "<p>" + escaped(description.description) + "</p>\n";
  html += "<p>A mechanism of " + std::to_string(model.bodies.size() - 1) + " moving bodies and " +
          std::to_string(model.joints.size()) +
          " joints, as an FMI 3.0 co-simulation FMU with its own integrator for the equations of motion "
          "M a + &Phi;<sub>q</sub><sup>T</sup> &lambda; = Q, &Phi; = 0. The model itself is in "
          "<code>resources/model.json</code>.</p>\n<p>Default experiment: from " +
          shortNumber(experiment.startTime) + " s to " + shortNumber(experiment.stopTime) + " s in steps of " +
          shortNumber(experiment.stepSize) + " s, relative tolerance " + shortNumber(experiment.tolerance) + ".</p>\n" +
          "<h2>Variables</h2>\n<table><tr><th>name</th><th>kind</th><th>unit</th><th>start</th>"
          "<th>description</th></tr>\n";
  for (const Variable& variable : description.variables.variables()) html += row(variable);
  return html + "</table>\n</body></html>\n";
}

}  // namespace mbfmu
