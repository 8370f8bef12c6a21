#include <algorithm>

#include "multibody/element_reader.h"
#include "multibody/paths.h"

namespace mbfmu {

namespace {

// In the order of Joint::Kind.
const std::vector<std::string> kTypes = {
    "revolute",  "prismatic",   "weld",      "rod",    "slot",  "gear",           "driven_point",
    "spherical", "cylindrical", "universal", "planar", "screw", "point_on_plane", "rack_and_pinion"};

}  // namespace

bool ElementReader::joint(const std::string& name, const Json& json) {
  Joint joint;
  joint.name = name;
  const int kind = type(json, kTypes);
  if (kind < 0) return false;
  joint.kind = static_cast<Joint::Kind>(kind);
  if (spatial() ? joint.kind == Joint::Kind::slot : joint.kind >= Joint::Kind::spherical) return false;
  const JsonObject object(json, joint.path(), diagnostics_);
  if (joint.kind == Joint::Kind::gear || joint.kind == Joint::Kind::rackAndPinion) {
    if (!gear(object, joint)) return false;
  } else {
    if (!ends(object, joint.between) || !turns(joint)) return false;
  }
  const bool hasNormal = joint.kind == Joint::Kind::planar || joint.kind == Joint::Kind::pointOnPlane;
  joint.axis = object.vector(hasNormal ? "normal" : "axis", model_.space, {1, 0, 0});
  if (joint.kind == Joint::Kind::universal) joint.axis2 = object.vector("axis2", model_.space, {0, 1, 0});
  if (joint.kind == Joint::Kind::screw) {
    joint.pitch = object.required("pitch");
    joint.offset = object.scalar("offset");
  }
  joint.angle = object.scalar("angle");
  if (joint.kind == Joint::Kind::rod) joint.length = object.required("length");
  if (joint.kind == Joint::Kind::driven) {
    joint.along = {motion(object, "x", name + ".setpoint_x", "m"), motion(object, "y", name + ".setpoint_y", "m"),
                   motion(object, "z", name + ".setpoint_z", "m")};
    if (!joint.along[0] && !joint.along[1] && !joint.along[2]) {
      diagnostics_.error(joint.path(), spatial()
                                           ? "\"x\", \"y\" and \"z\" are missing; give some as expressions of time"
                                           : "\"x\" and \"y\" are missing; give one or both as expressions of time");
      return false;
    }
  }
  const std::string coordinate = coordinateName(joint);
  if (!coordinate.empty()) alongCoordinate(object, coordinate, joint);
  model_.joints.push_back(std::move(joint));
  return true;
}

void ElementReader::alongCoordinate(const JsonObject& object, const std::string& coordinate, Joint& joint) {
  joint.motion = motion(object, "motion", joint.name + ".setpoint", coordinate == "angle" ? "rad" : "m");
  if (object.has("start")) {
    const JsonObject start(object.at("start"), object.path("start"), diagnostics_);
    joint.start = start.optional(coordinate);
    joint.startRate = start.optional("rate");
    if (joint.kind == Joint::Kind::cylindrical) {
      joint.slide = start.optional("position");
      joint.slideRate = start.optional("position_rate");
    }
  }
  if (object.has("stop")) stop(object, joint);
  if (object.has("friction")) {
    const JsonObject friction(object.at("friction"), object.path("friction"), diagnostics_);
    joint.viscous = friction.optional("viscous");
    joint.coulomb = friction.optional("coulomb");
    joint.speed = friction.scalar("speed", kSlipSpeed);
    if (!joint.viscous && !joint.coulomb)
      object.error("friction", "does nothing; give \"viscous\", \"coulomb\" or both");
    joint.stiction = friction.optional("stiction");
    if (joint.stiction && !joint.coulomb) friction.error("stiction", "needs \"coulomb\", the friction while sliding");
    if (joint.stiction && friction.has("speed")) {
      friction.error("speed", "belongs to friction that is smoothed near zero; \"stiction\" is exact; remove one");
    }
  }
}

// An expression; or { "input": u, "time_constant": T }, which stands for the state p with  T^2 p'' + 2 T p' + p = u:
// its rate is a state too, so that the constraint has all derivatives it needs whatever the input does.
std::optional<Scalar> ElementReader::motion(const JsonObject& object, const std::string& key,
                                            const std::string& setpoint, const std::string& unit) {
  if (!object.has(key)) return std::nullopt;
  if (!object.at(key).is_object()) return object.optional(key);
  const JsonObject driven(object.at(key), object.path(key), diagnostics_);
  const std::string name = driven.text("input");
  const int input = find(model_.inputs, name, "input", driven.path("input"));
  if (input < 0) return std::nullopt;
  const auto parsed = [&](const std::string& text) {
    std::string problem;
    return Scalar{Expression::parse(text, problem), object.path(key)};
  };
  const std::string rate = setpoint + "_rate";
  StateVariable first;
  first.name = setpoint;
  first.unit = unit;
  first.derivative = parsed(rate);
  first.input = input;
  StateVariable second;
  second.name = rate;
  second.unit = unit + "/s";
  second.derivative = parsed("((" + name + " - " + setpoint + ")/own.T - 2*" + rate + ")/own.T");
  second.timeConstant = driven.required("time_constant");
  model_.states.push_back(std::move(first));
  model_.states.push_back(std::move(second));
  return parsed(setpoint);
}

// Angles of point masses do not exist.
bool ElementReader::turns(const Joint& joint) {
  using Kind = Joint::Kind;
  const Kind kind = joint.kind;
  if (kind == Kind::rod || kind == Kind::slot || kind == Kind::driven || kind == Kind::spherical) return true;
  for (std::size_t i = 0; i < 2; ++i) {
    if (model_.bodies[static_cast<std::size_t>(joint.between[i].body)].kind != Body::Kind::point) continue;
    if (kind == Kind::pointOnPlane && i == 1) continue;
    diagnostics_.error(joint.path() + "/between",
                       spatial() ? "a point mass does not turn; use a rod, a spherical joint or a point_on_plane"
                                 : "a point mass has no angle; use a rod or a slot");
    return false;
  }
  return true;
}

bool ElementReader::gear(const JsonObject& object, Joint& gear) {
  gear.ratio = object.required(gear.kind == Joint::Kind::gear ? "ratio" : "radius");
  gear.offset = object.scalar("offset");
  if (!object.has("joints") || !object.at("joints").is_array() || object.at("joints").size() != 2) return false;
  const Json& json = object.at("joints");
  std::vector<int> bodies;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string path = object.path("joints") + "/" + std::to_string(i);
    if (!json[i].is_string()) return false;
    gear.joints[i] = find(model_.joints, json[i].get<std::string>(), "joint above it", path);
    if (gear.joints[i] < 0) return false;
    const Joint& joint = model_.joints[static_cast<std::size_t>(gear.joints[i])];
    if (!meshes(gear, joint, i, path)) return false;
    for (const PointRef& end : joint.between) {
      if (std::find(bodies.begin(), bodies.end(), end.body) == bodies.end()) bodies.push_back(end.body);
    }
    gear.between[i].body = joint.between[1].body;
  }
  if (bodies.size() <= 3 && gear.joints[0] != gear.joints[1]) return true;
  object.error("joints", "must be two joints that share a body, the carrier of the gear");
  return false;
}

bool ElementReader::meshes(const Joint& gear, const Joint& joint, std::size_t i, const std::string& path) {
  if (!spatial()) {
    if (joint.kind == Joint::Kind::revolute) return true;
    diagnostics_.error(path, "\"" + joint.name + "\" is not a revolute joint");
    return false;
  }
  const bool wantsPosition = gear.kind == Joint::Kind::rackAndPinion && i == 1;
  const std::string coordinate = coordinateName(joint);
  if (wantsPosition ? coordinate == "position" || hasSlide(joint) : coordinate == "angle") return true;
  diagnostics_.error(
      path, "\"" + joint.name + "\" has no " + (wantsPosition ? "position" : "angle") + "; choose another joint");
  return false;
}

}  // namespace mbfmu
