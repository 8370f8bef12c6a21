#include <algorithm>
#include <cmath>

#include "multibody/element_reader.h"
#include "multibody/paths.h"
#include "multibody/units.h"

namespace mbfmu {

namespace {

constexpr double kRestingSpeed = 1e-4;  // m/s or rad/s

const std::vector<std::string> kValueTypes = {"real", "integer", "boolean"};

class EventReader {
 public:
  EventReader(Model& model, Names& names, Diagnostics& diagnostics)
      : model_(model), names_(names), diagnostics_(diagnostics) {}

  void read(const JsonObject& top) {
    section(top, "discrete", [&](auto& name, auto& json, auto path) { discrete(name, json, path); });
    section(top, "events", [&](auto& name, auto& json, auto path) { event(name, json, path); });
  }

 private:
  template <class Each>
  void section(const JsonObject& top, const std::string& key, Each each) {
    if (!top.has(key)) return;
    if (!top.at(key).is_object()) return top.error(key, "must be an object { \"name\": ... }");
    for (const auto& [name, json] : top.at(key).items()) each(name, json, "/" + key + "/" + name);
  }

  void discrete(const std::string& name, const Json& json, const std::string& path) {
    names_.symbol(name, path, "a discrete state");
    const JsonObject object(json, path, diagnostics_);
    BaseUnit base;
    const std::string unit = object.text("unit");
    const std::string problem = unit.empty() ? "" : parseUnit(unit, base);
    if (!problem.empty()) object.error("unit", problem);
    model_.discrete.push_back({name, unit, object.text("description"), readType(object), readStart(object)});
  }

  void event(const std::string& name, const Json& json, const std::string& path) {
    names_.part(name, path);
    const JsonObject object(json, path, diagnostics_);
    EventRule rule;
    rule.name = name;
    if (object.has("when") == (object.has("at") || object.has("every"))) {
      return diagnostics_.error(path, "happens either \"when\" a relation becomes true or \"at\" a time; give one");
    }
    if (object.has("when")) rule.when = relation(object);
    rule.at = object.optional("at");
    rule.every = object.optional("every");
    rule.stop = object.flag("stop");
    if (object.has("set")) assignments(object, rule);
    if (rule.set.empty() && !rule.stop && !rule.when)
      return diagnostics_.error(path, "does nothing; give \"set\" or \"stop\": true");
    model_.events.push_back(std::move(rule));
  }

  // "a > b" or "a < b" as a difference that becomes positive.
  std::optional<Scalar> relation(const JsonObject& object) {
    const std::string text = object.text("when");
    const std::size_t sign = text.find_first_of("<>");
    Scalar result{Expression(), object.path("when")};
    if (sign == std::string::npos || text.find_first_of("<>=", sign + 1) != std::string::npos) {
      object.error("when", "must be a relation \"a > b\" or \"a < b\"");
      return result;
    }
    std::string left = "(" + text.substr(0, sign) + ")", right = "(" + text.substr(sign + 1) + ")", problem;
    if (text[sign] == '<') std::swap(left, right);
    result.expression = Expression::parse(left + "-" + right, problem);
    if (!problem.empty()) object.error("when", "must be a relation \"a > b\" or \"a < b\"; " + problem);
    return result;
  }

  void assignments(const JsonObject& object, EventRule& rule) {
    const Json& json = object.at("set");
    if (!json.is_object()) return object.error("set", "must be an object { \"name\": value }");
    std::vector<std::string> known;
    for (const auto& state : model_.discrete) known.push_back(state.name);
    for (const auto& state : model_.states) known.push_back(state.name);
    for (const auto& [name, value] : json.items()) {
      const std::string path = object.path("set") + "/" + name;
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end()) {
        diagnostics_.error(path, unknownName("discrete or first-order state", name, known));
        continue;
      }
      const int i = static_cast<int>(found - known.begin()), discrete = static_cast<int>(model_.discrete.size());
      Scalar scalar = value.is_boolean() ? Scalar{Expression(value.template get<bool>() ? 1.0 : 0.0), path}
                                         : JsonObject::readScalar(value, path, diagnostics_);
      rule.set.push_back({i < discrete ? i : -1, i < discrete ? -1 : i - discrete, std::move(scalar)});
    }
  }

  Model& model_;
  Names& names_;
  Diagnostics& diagnostics_;
};

}  // namespace

ValueType readType(const JsonObject& object) {
  const std::string type = object.text("type", "real");
  const auto found = std::find(kValueTypes.begin(), kValueTypes.end(), type);
  if (found != kValueTypes.end()) return static_cast<ValueType>(found - kValueTypes.begin());
  object.error("type", unknownName("type", type, kValueTypes));
  return ValueType::real;
}

Scalar readStart(const JsonObject& object) {
  if (object.has("start") && object.at("start").is_boolean()) {
    return {Expression(object.flag("start") ? 1.0 : 0.0), object.path("start")};
  }
  return object.scalar("start");
}

void readEvents(const JsonObject& top, Model& model, Names& names, Diagnostics& diagnostics) {
  EventReader(model, names, diagnostics).read(top);
}

Impact ElementReader::impact(const JsonObject& object) {
  return {object.scalar("restitution"), object.scalar("resting_speed", kRestingSpeed)};
}

void ElementReader::stop(const JsonObject& object, Joint& joint) {
  const JsonObject stop(object.at("stop"), object.path("stop"), diagnostics_);
  joint.lower = stop.optional("lower");
  joint.upper = stop.optional("upper");
  joint.impact = impact(stop);
  if (!joint.lower && !joint.upper) object.error("stop", "limits nothing; give \"lower\", \"upper\" or both");
}

bool ElementReader::rigidContact(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  force.kind = Force::Kind::rigidContact;
  force.normal = object.vector("normal", model_.space, {0, 1, 0});
  force.radius = object.scalar("radius");
  force.impact = impact(object);
  force.friction = object.scalar("friction");
  force.stiction = object.optional("stiction");
  if (force.stiction && !object.has("friction")) {
    object.error("stiction", "needs \"friction\", the coefficient while sliding");
  } else if (object.has("friction") && !force.stiction) {
    force.stiction = force.friction;
  }
  return ends(object, force.between);
}

bool ElementReader::clutch(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  force.kind = Force::Kind::clutch;
  if (object.has("engaged")) force.engaged = driven(object.at("engaged"), object.path("engaged"));
  if (object.has("capacity")) {
    force.value[0] = driven(object.at("capacity"), object.path("capacity"));
    force.stiction = object.has("stiction") ? object.optional("stiction") : force.value[0];
  } else if (object.has("stiction")) {
    object.error("stiction", "needs \"capacity\", the torque or force while slipping");
  }
  if (!object.has("joint")) return false;
  force.joint = find(model_.joints, object.text("joint"), "joint", object.path("joint"));
  if (force.joint < 0) return false;
  if (!coordinateName(model_.joints[static_cast<std::size_t>(force.joint)]).empty()) return true;
  object.error("joint", "has no coordinate that could be held; choose another joint");
  return false;
}

}  // namespace mbfmu
