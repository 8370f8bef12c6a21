#include <algorithm>

#include "multibody/element_reader.h"
#include "multibody/paths.h"

namespace mbfmu {

namespace {

const std::vector<std::string> kTypes = {"torque",  "force",   "spring",        "torsion_spring", "actuator",
                                         "contact", "bushing", "rigid_contact", "clutch"};

}  // namespace

bool ElementReader::force(const std::string& name, const Json& json) {
  Force force;
  force.name = name;
  const int kind = type(json, kTypes);
  if (kind < 0 || (kind == 6 && !spatial()) || (kind == 7 && spatial())) return false;
  const bool ok = kind == 0   ? torque(json, force)
                  : kind == 1 ? appliedForce(json, force)
                  : kind == 2 ? spring(json, force)
                  : kind == 3 ? torsionSpring(json, force)
                  : kind == 4 ? actuator(json, force)
                  : kind == 5 ? contact(json, force)
                  : kind == 6 ? bushing(json, force)
                  : kind == 7 ? rigidContact(json, force)
                              : clutch(json, force);
  if (ok) model_.forces.push_back(std::move(force));
  return ok;
}

bool ElementReader::onJoint(const JsonObject& object, Force& force, const std::string& coordinate) {
  force.joint = find(model_.joints, object.text("joint"), "joint", object.path("joint"));
  if (force.joint < 0) return false;
  const Joint& joint = model_.joints[static_cast<std::size_t>(force.joint)];
  force.slides = coordinate == "position" && hasSlide(joint);
  if (coordinateName(joint) == coordinate || force.slides) return true;
  object.error("joint", "has no " + coordinate + " along which this could act; choose another joint");
  return false;
}

bool ElementReader::torque(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  if (object.has("value") && !(spatial() && object.has("body"))) {
    force.value[0] = driven(object.at("value"), object.path("value"));
  }
  if (object.has("joint") == object.has("body")) {
    diagnostics_.error(force.path(), "a torque acts either on a \"joint\" or on a \"body\"; give one of them");
    return false;
  }
  if (object.has("joint")) return onJoint(object, force, "angle");
  force.kind = Force::Kind::bodyTorque;
  force.at.body = find(model_.bodies, object.text("body"), "body", object.path("body"));
  if (spatial() && !components(object, force)) return false;
  if (force.at.body < 0 || model_.bodies[static_cast<std::size_t>(force.at.body)].kind == Body::Kind::rigid) {
    return force.at.body >= 0;
  }
  object.error("body", "cannot turn; name a rigid body");
  return false;
}

bool ElementReader::appliedForce(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  if (object.has("joint") == object.has("at")) {
    diagnostics_.error(force.path(), "a force acts either along a \"joint\" or \"at\" a point; give one of them");
    return false;
  }
  if (!object.has("value")) return false;
  if (object.has("joint")) {
    force.value[0] = driven(object.at("value"), object.path("value"));
    return onJoint(object, force, "position");
  }
  force.kind = Force::Kind::pointForce;
  force.at = point(object.at("at"), object.path("at"));
  return components(object, force) && force.at.body >= 0;
}

bool ElementReader::components(const JsonObject& object, Force& force) {
  force.bodyFrame = object.text("frame") == "body";
  const std::size_t count = spatial() ? 3 : 2;
  if (!object.has("value") || !object.at("value").is_array() || object.at("value").size() != count) return false;
  for (std::size_t k = 0; k < count; ++k) {
    force.value[k] = driven(object.at("value")[k], object.path("value") + "/" + std::to_string(k));
  }
  return true;
}

bool ElementReader::spring(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  force.kind = Force::Kind::spring;
  force.stiffness = object.scalar("stiffness");
  force.damping = object.scalar("damping");
  force.rest = object.scalar("length");
  law(object, "force", "length", force);
  return ends(object, force.between);
}

bool ElementReader::torsionSpring(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  force.kind = Force::Kind::torsionSpring;
  force.stiffness = object.scalar("stiffness");
  force.damping = object.scalar("damping");
  force.rest = object.scalar("angle");
  law(object, "torque", "angle", force);
  return object.has("joint") && onJoint(object, force, "angle");
}

// The force as an expression, or as a table of the coordinate, in place of stiffness and damping.
void ElementReader::law(const JsonObject& object, const char* key, const std::string& coordinate, Force& force) {
  if (object.has(key)) {
    force.law = object.optional(key);
  } else if (object.has("table")) {
    force.law = table(object, force.name + "." + coordinate);
  } else {
    return;
  }
  for (const char* other : {"stiffness", "damping", coordinate.c_str()}) {
    if (object.has(other))
      object.error(other, std::string("does not go with \"table\" or \"") + key + "\"; remove one");
  }
  if (object.has(key) && object.has("table")) object.error("table", "does not go with an expression; remove one");
}

Scalar ElementReader::table(const JsonObject& object, const std::string& of) {
  const Json& json = object.at("table");
  if (!json.is_array() || json.size() < 2) return {};
  std::vector<double> x, y;
  bool ok = true;
  for (std::size_t i = 0; ok && i < json.size(); ++i) {
    const Json& pair = json[i];
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) return {};
    x.push_back(pair[0].get<double>()), y.push_back(pair[1].get<double>());
    ok = i == 0 || x[i] > x[i - 1];
  }
  if (ok) return {Expression::table(of, std::move(x), std::move(y)), object.path("table")};
  object.error("table", "the coordinates of the pairs must be increasing");
  return {Expression(), object.path("table")};
}

bool ElementReader::actuator(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  force.kind = Force::Kind::actuator;
  force.timeConstant = object.required("time_constant");
  force.limit = object.optional("limit");
  if (object.has("value")) force.value[0] = driven(object.at("value"), object.path("value"));
  if (!object.has("joint")) return false;
  force.joint = find(model_.joints, object.text("joint"), "joint", object.path("joint"));
  if (force.joint < 0) return false;
  const std::string coordinate = coordinateName(model_.joints[static_cast<std::size_t>(force.joint)]);
  if (coordinate.empty()) {
    object.error("joint", "has no coordinate along which this could act; choose another joint");
    return false;
  }
  force.state = static_cast<int>(model_.states.size());
  StateVariable state;
  state.name = force.name + ".state";
  state.unit = coordinate == "angle" ? "N.m" : "N";
  state.start = object.scalar("start");
  state.actuator = static_cast<int>(model_.forces.size());
  model_.states.push_back(std::move(state));
  return true;
}

bool ElementReader::contact(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  force.kind = Force::Kind::contact;
  force.normal = object.vector("normal", model_.space, {0, spatial() ? 0.0 : 1.0, spatial() ? 1.0 : 0.0});
  force.radius = object.scalar("radius");
  force.stiffness = object.required("stiffness");
  force.exponent = object.scalar("exponent", 1.5);
  force.damping = object.scalar("damping");
  force.friction = object.scalar("friction");
  force.speed = object.scalar("speed", kSlipSpeed);
  return ends(object, force.between);
}

bool ElementReader::bushing(const Json& json, Force& force) {
  const JsonObject object(json, force.path(), diagnostics_);
  force.kind = Force::Kind::bushing;
  for (const auto& [key, six] : {std::pair{"stiffness", &force.stiffness6}, {"damping", &force.damping6}}) {
    for (Scalar& scalar : *six) scalar = {Expression(), object.path(key)};
    if (!object.has(key)) continue;
    const auto list = JsonObject::readList(object.at(key), object.path(key), diagnostics_);
    if (list.size() == 6) std::copy(list.begin(), list.end(), six->begin());
  }
  if (!ends(object, force.between)) return false;
  for (const PointRef& end : force.between) {
    if (model_.bodies[static_cast<std::size_t>(end.body)].kind != Body::Kind::point) continue;
    object.error("between", "a point mass does not turn; use springs");
    return false;
  }
  return true;
}

}  // namespace mbfmu
