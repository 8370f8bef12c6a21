#include "multibody/reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "multibody/element_reader.h"
#include "multibody/mechanism.h"
#include "multibody/paths.h"
#include "multibody/structure.h"
#include "multibody/units.h"

namespace mbfmu {

namespace {

class Reader {
 public:
  Reader(const std::string& text, Diagnostics& diagnostics) : diagnostics_(diagnostics) { model_->text = text; }

  std::shared_ptr<const Model> read() {
    const Json document = parseJson(model_->text, diagnostics_);
    if (document.is_discarded()) return nullptr;
    checkStructure(document, diagnostics_);
    const JsonObject top(document, "", diagnostics_);
    header(top);
    section(top, "parameters", [&](auto& name, auto& json, auto path) { parameter(name, json, path); });
    section(top, "inputs", [&](auto& name, auto& json, auto path) { input(name, json, path); });
    section(top, "states", [&](auto& name, auto& json, auto path) { state(name, json, path); });
    if (top.has("solver")) solver(top.at("solver"));
    if (top.has("experiment")) experiment(top.at("experiment"));
    if (!ElementReader(*model_, names_, diagnostics_).read(top)) return nullptr;
    readEvents(top, *model_, names_, diagnostics_);
    section(top, "outputs", [&](auto& name, auto& json, auto path) { output(name, json, path); });
    // Names in expressions, ranges of values.
    if (!Mechanism::build(model_, diagnostics_)) return nullptr;
    return model_;
  }

 private:
  template <class Each>
  void section(const JsonObject& top, const std::string& key, Each each) {
    if (!top.has(key)) return;
    if (!top.at(key).is_object()) return;
    for (const auto& [name, json] : top.at(key).items()) each(name, json, "/" + key + "/" + name);
  }

  void header(const JsonObject& top) {
    model_->name = top.text("name");
    model_->description = top.text("description");
    model_->space = top.text("space") == "spatial" ? Space::spatial : Space::planar;
    model_->gravity = top.vector("gravity", model_->space);
  }

  void parameter(const std::string& name, const Json& json, const std::string& path) {
    names_.symbol(name, path, "a parameter");
    Parameter parameter;
    parameter.name = name;
    const std::size_t errors = diagnostics_.errors().size();
    if (json.is_object()) {
      const JsonObject object(json, path, diagnostics_);
      parameter.expression = object.required("value");
      parameter.unit = unit(object);
      parameter.description = object.text("description");
      parameter.tunable = object.flag("tunable");
    } else {
      parameter.expression = JsonObject::readScalar(json, path, diagnostics_);
    }
    std::vector<std::string> known;
    std::vector<double> values;
    for (const auto& other : model_->parameters) known.push_back(other.name), values.push_back(other.value);
    bool usable = true;
    for (const auto& used : parameter.expression.expression.names()) {
      usable = usable && !diagnostics_.spoilt(used);
      if (std::find(known.begin(), known.end(), used) != known.end()) continue;
      diagnostics_.error(parameter.expression.path, unknownName("parameter", used, known) + " (above it in the file)");
    }
    usable = usable && errors == diagnostics_.errors().size();
    if (usable) parameter.value = evaluate(*model_, parameter.expression.expression, values);
    if (!std::isfinite(parameter.value)) {
      diagnostics_.error(parameter.expression.path, "is not a finite number");
      usable = false;
    }
    if (!usable) diagnostics_.spoil(name);
    model_->parameters.push_back(std::move(parameter));
  }

  std::string unit(const JsonObject& object) {
    const std::string text = object.text("unit");
    BaseUnit base;
    const std::string problem = text.empty() ? "" : parseUnit(text, base);
    if (!problem.empty()) object.error("unit", problem);
    return problem.empty() ? text : "";
  }

  void input(const std::string& name, const Json& json, const std::string& path) {
    names_.symbol(name, path, "an input");
    const JsonObject object(json, path, diagnostics_);
    const ValueType type = readType(object);
    double start = 0;
    if (type == ValueType::boolean) {
      start = object.flag("start") ? 1 : 0;
    } else {
      start = object.number("start", 0);
    }
    if (type == ValueType::integer && start != std::round(start)) object.error("start", "must be a whole number");
    model_->inputs.push_back({name, unit(object), object.text("description"), start, type});
  }

  void state(const std::string& name, const Json& json, const std::string& path) {
    names_.symbol(name, path, "a state");
    const JsonObject object(json, path, diagnostics_);
    StateVariable state;
    state.name = name;
    state.unit = unit(object);
    state.description = object.text("description");
    state.derivative = object.required("derivative");
    state.start = object.scalar("start");
    model_->states.push_back(std::move(state));
  }

  void output(const std::string& name, const Json& json, const std::string& path) {
    Output output;
    output.name = name;
    if (json.is_object()) {
      const JsonObject object(json, path, diagnostics_);
      output.expression = object.required("value");
      output.unit = unit(object);
      output.description = object.text("description");
    } else {
      output.expression = JsonObject::readScalar(json, path, diagnostics_);
    }
    if (expandVector(output, path)) return;
    names_.output(name, path);
    if (output.unit.empty()) output.unit = unitOf(output.expression.expression.singleName());
    model_->outputs.push_back(std::move(output));
  }

  std::string unitOf(const std::string& path) const {
    if (path.empty()) return "";
    for (const NamedPath& named : namedPaths(*model_)) {
      if (named.name == path) return named.unit;
    }
    return "";
  }

  // A vector path becomes name[1], name[2] and, in space, name[3].
  bool expandVector(const Output& output, const std::string& place) {
    const std::string path = output.expression.expression.singleName();
    if (path.find('.') == std::string::npos || !unitOf(path).empty() || unitOf(path + ".x").empty()) return false;
    int count = 0;
    for (const char* component : {".w", ".x", ".y", ".z"}) {
      const std::string unit = unitOf(path + component);
      if (unit.empty()) continue;
      Output part = output;
      std::string problem;
      part.name += "[" + std::to_string(++count) + "]";
      part.expression.expression = Expression::parse(path + component, problem);
      if (part.unit.empty()) part.unit = unit;
      names_.output(part.name, place);
      model_->outputs.push_back(std::move(part));
    }
    return true;
  }

  // Keys beyond the common ones belong to the integrator, which checks them.
  void solver(const Json& json) {
    if (!json.is_object()) return;
    const JsonObject object(json, "/solver", diagnostics_);
    model_->solver.integrator = object.text("integrator");
    model_->solver.rtol = positive(object, "rtol", model_->solver.rtol);
    model_->solver.atol = positive(object, "atol", model_->solver.atol);
    for (const auto& [key, value] : json.items()) {
      if (key == "integrator" || key == "rtol" || key == "atol" || !value.is_primitive()) continue;
      model_->solver.options[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }

  double positive(const JsonObject& object, const std::string& key, double fallback) {
    const double value = object.number(key, fallback);
    if (!(value > 0)) object.error(key, "must be positive");
    return value;
  }

  void experiment(const Json& json) {
    const JsonObject object(json, "/experiment", diagnostics_);
    model_->experiment.start = object.number("start", 0);
    model_->experiment.stop = object.number("stop", model_->experiment.start + 1);
    model_->experiment.step = positive(object, "step", model_->experiment.step);
    if (!(model_->experiment.stop > model_->experiment.start)) object.error("stop", "must be later than the start");
  }

  std::shared_ptr<Model> model_ = std::make_shared<Model>();
  Diagnostics& diagnostics_;
  Names names_{diagnostics_};
};

}  // namespace

std::shared_ptr<const Model> readModel(const std::string& jsonText, Diagnostics& diagnostics) {
  return Reader(jsonText, diagnostics).read();
}

std::shared_ptr<const Model> readModelFile(const std::string& path, Diagnostics& diagnostics) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) {
    diagnostics.error("", "is a folder; name the model file in it");
    return nullptr;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()).good()) {
    // An empty file also ends here: nothing was copied.
    if (file.is_open() && file.peek() == std::ifstream::traits_type::eof()) return readModel("", diagnostics);
    diagnostics.error("", "cannot be read; check the path and its permissions");
    return nullptr;
  }
  return readModel(text.str(), diagnostics);
}

}  // namespace mbfmu
