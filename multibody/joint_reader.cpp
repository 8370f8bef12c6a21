#include <algorithm>

#include "multibody/element_reader.h"
#include "multibody/paths.h"

namespace mbfmu {

namespace {

const std::vector<std::string> kTypes = {"revolute", "prismatic", "weld", "rod", "slot", "gear", "driven_point"};

}  // namespace

bool ElementReader::joint(const std::string& name, const Json& json) {
  Joint joint;
  joint.name = name;
  const int kind = type(json, kTypes);
  if (kind < 0) return false;
  joint.kind = static_cast<Joint::Kind>(kind);
  const JsonObject object(json, joint.path(), diagnostics_);
  if (joint.kind == Joint::Kind::gear) {
    if (!gear(object, joint)) return false;
  } else {
    if (!ends(object, joint.between) || !turns(joint)) return false;
  }
  joint.axis = object.pair("axis", 1, 0);
  joint.angle = object.scalar("angle");
  if (joint.kind == Joint::Kind::rod) joint.length = object.required("length");
  if (joint.kind == Joint::Kind::driven) {
    joint.path2 = {object.optional("x"), object.optional("y")};
    if (!joint.path2[0] && !joint.path2[1]) {
      diagnostics_.error(joint.path(), "\"x\" and \"y\" are missing; give one or both as expressions of time");
      return false;
    }
  }
  const std::string coordinate = coordinateName(joint);
  if (!coordinate.empty()) alongCoordinate(object, coordinate, joint);
  model_.joints.push_back(std::move(joint));
  return true;
}

void ElementReader::alongCoordinate(const JsonObject& object, const std::string& coordinate, Joint& joint) {
  joint.motion = object.optional("motion");
  if (object.has("start")) {
    const JsonObject start(object.at("start"), object.path("start"), diagnostics_);
    joint.start = start.optional(coordinate);
    joint.startRate = start.optional("rate");
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

// Angles of point masses do not exist.
bool ElementReader::turns(const Joint& joint) {
  if (joint.kind == Joint::Kind::rod || joint.kind == Joint::Kind::slot || joint.kind == Joint::Kind::driven) {
    return true;
  }
  for (const PointRef& end : joint.between) {
    if (model_.bodies[static_cast<std::size_t>(end.body)].kind != Body::Kind::point) continue;
    diagnostics_.error(joint.path() + "/between", "a point mass has no angle; use a rod or a slot");
    return false;
  }
  return true;
}

bool ElementReader::gear(const JsonObject& object, Joint& gear) {
  gear.ratio = object.required("ratio");
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
    if (joint.kind != Joint::Kind::revolute) {
      diagnostics_.error(path, "\"" + joint.name + "\" is not a revolute joint");
      return false;
    }
    for (const PointRef& end : joint.between) {
      if (std::find(bodies.begin(), bodies.end(), end.body) == bodies.end()) bodies.push_back(end.body);
    }
    gear.between[i].body = joint.between[1].body;
  }
  if (bodies.size() <= 3 && gear.joints[0] != gear.joints[1]) return true;
  object.error("joints", "must be two joints that share a body, the carrier of the gear");
  return false;
}

}  // namespace mbfmu
