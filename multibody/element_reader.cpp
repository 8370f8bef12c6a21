#include "multibody/element_reader.h"

#include <algorithm>

#include "multibody/paths.h"

namespace mbfmu {

namespace {

const std::vector<std::string> kJointTypes = {"revolute", "prismatic", "weld", "rod", "slot", "gear", "driven_point"};
const std::vector<std::string> kForceTypes = {"torque", "force", "spring", "torsion_spring", "actuator", "contact"};

constexpr double kSlipSpeed = 1e-3;  // below it, regularised friction is about viscous

class ElementReader {
 public:
  ElementReader(Model& model, Names& names, Diagnostics& diagnostics)
      : model_(model), names_(names), diagnostics_(diagnostics) {}

  bool read(const JsonObject& top) {
    model_.bodies.push_back({});
    model_.bodies[0].name = "ground";
    model_.bodies[0].kind = Body::Kind::ground;
    if (!top.require("bodies")) return false;
    each(top, "bodies", "a body", [&](auto& name, auto& json) { return body(name, json); });
    each(top, "joints", "a joint", [&](auto& name, auto& json) { return joint(name, json); });
    each(top, "forces", "a force", [&](auto& name, auto& json) { return force(name, json); });
    return top.at("bodies").is_object();
  }

 private:
  // `function` tells whether the element could be used.
  template <class Function>
  void each(const JsonObject& top, const std::string& key, const char* kind, Function function) {
    if (!top.has(key)) return;
    if (!top.at(key).is_object()) return top.error(key, "must be an object { \"name\": ... }");
    for (const auto& [name, json] : top.at(key).items()) {
      names_.element(name, "/" + key + "/" + name, kind);
      if (!function(name, json)) diagnostics_.spoil(name);
    }
  }

  bool body(const std::string& name, const Json& json) {
    const std::string path = "/bodies/" + name;
    Body body;
    body.name = name;
    if (name == "ground") {
      const JsonObject object(json, path, diagnostics_, {"markers"});
      markers(object, model_.bodies[0]);
      return true;
    }
    const JsonObject object(json, path, diagnostics_, {"type", "mass", "inertia", "markers", "pose", "velocity"});
    const std::string type = object.text("type", "rigid");
    if (type != "rigid" && type != "point") object.error("type", unknownName("type", type, {"rigid", "point"}));
    body.kind = type == "point" ? Body::Kind::point : Body::Kind::rigid;
    body.mass = object.required("mass");
    if (body.kind == Body::Kind::rigid) {
      body.inertia = object.required("inertia");
    } else if (object.has("inertia")) {
      object.error("inertia", "a point mass has none; remove it");
    }
    markers(object, body);
    if (body.kind == Body::Kind::point && !body.markers.empty()) {
      object.error("markers", "a point mass is one point; refer to it by its name alone");
    }
    motion(object, body);
    model_.bodies.push_back(std::move(body));
    return json.is_object();
  }

  void motion(const JsonObject& object, Body& body) {
    if (object.has("pose")) {
      const JsonObject pose(object.at("pose"), object.path("pose"), diagnostics_, {"position", "angle", "fixed"});
      if (pose.has("position")) body.position = pose.pair("position");
      body.angle = pose.optional("angle");
      body.fixed = pose.flag("fixed");
    }
    if (object.has("velocity")) {
      const JsonObject velocity(object.at("velocity"), object.path("velocity"), diagnostics_, {"linear", "rate"});
      if (velocity.has("linear")) body.velocity = velocity.pair("linear");
      body.rate = velocity.optional("rate");
    }
    if (body.kind == Body::Kind::point && (body.angle || body.rate)) {
      diagnostics_.error(object.path(), "a point mass has no angle; remove \"angle\" and \"rate\"");
    }
  }

  void markers(const JsonObject& object, Body& body) {
    if (!object.has("markers")) return;
    if (!object.at("markers").is_object()) {
      diagnostics_.spoil(body.name);
      return object.error("markers", "must be an object { \"name\": [x, y] }");
    }
    for (const auto& [name, json] : object.at("markers").items()) {
      names_.part(name, object.path("markers") + "/" + name);
      body.markers.push_back({name, JsonObject::readPair(json, object.path("markers") + "/" + name, diagnostics_)});
    }
  }

  template <class T>
  static std::vector<std::string> namesOf(const std::vector<T>& list) {
    std::vector<std::string> names;
    for (const T& item : list) names.push_back(item.name);
    return names;
  }
  template <class T>
  int find(const std::vector<T>& list, const std::string& name, const char* what, const std::string& path) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].name == name) return static_cast<int>(i);
    }
    if (!diagnostics_.spoilt(name)) diagnostics_.error(path, unknownName(what, name, namesOf(list)));
    return -1;
  }

  // "body.marker", or "body" for its centre of mass.
  PointRef point(const Json& json, const std::string& path) {
    PointRef ref;
    if (!json.is_string()) {
      diagnostics_.error(path, "must be a string \"body.marker\" or \"body\"");
      return ref;
    }
    const std::string text = json.get<std::string>();
    const std::size_t dot = text.find('.');
    ref.body = find(model_.bodies, text.substr(0, dot), "body", path);
    if (ref.body < 0 || dot == std::string::npos) return ref;
    const Body& body = model_.bodies[static_cast<std::size_t>(ref.body)];
    if (diagnostics_.spoilt(body.name)) return {};
    ref.marker = find(body.markers, text.substr(dot + 1), ("marker of " + body.name).c_str(), path);
    if (ref.marker < 0) ref.body = -1;
    return ref;
  }

  bool ends(const JsonObject& object, std::array<PointRef, 2>& between) {
    if (!object.require("between")) return false;
    const Json& json = object.at("between");
    if (!json.is_array() || json.size() != 2) {
      object.error("between", "must be a list of two points [\"body.marker\", \"body.marker\"]");
      return false;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      between[i] = point(json[i], object.path("between") + "/" + std::to_string(i));
    }
    if (between[0].body < 0 || between[1].body < 0) return false;
    if (between[0].body != between[1].body) return true;
    object.error("between", "connects body \"" + model_.bodies[static_cast<std::size_t>(between[0].body)].name +
                                "\" with itself; name two bodies");
    return false;
  }

  static std::vector<std::string> jointKeys(Joint::Kind kind) {
    switch (kind) {
      case Joint::Kind::revolute:
        return {"type", "between", "start", "friction", "motion"};
      case Joint::Kind::prismatic:
        return {"type", "between", "axis", "angle", "start", "friction", "motion"};
      case Joint::Kind::slot:
        return {"type", "between", "axis", "start", "friction", "motion"};
      case Joint::Kind::weld:
        return {"type", "between", "angle"};
      case Joint::Kind::rod:
        return {"type", "between", "length"};
      case Joint::Kind::gear:
        return {"type", "joints", "ratio", "offset"};
      case Joint::Kind::driven:
        return {"type", "between", "x", "y"};
    }
    return {};
  }

  // The index of "type" among the known ones, or -1 after an error.
  int type(const Json& json, const std::string& path, const std::vector<std::string>& known) {
    if (!json.is_object() || !json.contains("type") || !json["type"].is_string()) {
      diagnostics_.error(path, "must be an object with a \"type\"; " + unknownName("type", "", known).substr(16));
      return -1;
    }
    const std::string name = json["type"].get<std::string>();
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end()) return static_cast<int>(found - known.begin());
    diagnostics_.error(path + "/type", unknownName("type", name, known));
    return -1;
  }

  bool joint(const std::string& name, const Json& json) {
    Joint joint;
    joint.name = name;
    const int kind = type(json, joint.path(), kJointTypes);
    if (kind < 0) return false;
    joint.kind = static_cast<Joint::Kind>(kind);
    const JsonObject object(json, joint.path(), diagnostics_, jointKeys(joint.kind));
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

  void alongCoordinate(const JsonObject& object, const std::string& coordinate, Joint& joint) {
    joint.motion = object.optional("motion");
    if (object.has("start")) {
      const JsonObject start(object.at("start"), object.path("start"), diagnostics_, {coordinate, "rate"});
      joint.start = start.optional(coordinate);
      joint.startRate = start.optional("rate");
    }
    if (object.has("friction")) {
      const JsonObject friction(object.at("friction"), object.path("friction"), diagnostics_,
                                {"viscous", "coulomb", "speed"});
      joint.viscous = friction.optional("viscous");
      joint.coulomb = friction.optional("coulomb");
      joint.speed = friction.scalar("speed", kSlipSpeed);
      if (!joint.viscous && !joint.coulomb) {
        object.error("friction", "does nothing; give \"viscous\", \"coulomb\" or both");
      }
    }
  }

  // Angles of point masses do not exist.
  bool turns(const Joint& joint) {
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

  bool gear(const JsonObject& object, Joint& gear) {
    gear.ratio = object.required("ratio");
    gear.offset = object.scalar("offset");
    if (!object.require("joints")) return false;
    const Json& json = object.at("joints");
    if (!json.is_array() || json.size() != 2 || !json[0].is_string() || !json[1].is_string()) {
      object.error("joints", "must be a list of two names of revolute joints");
      return false;
    }
    std::vector<int> bodies;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string path = object.path("joints") + "/" + std::to_string(i);
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

  // A value driven from outside: { "input": "name" }.
  Scalar driven(const Json& json, const std::string& path) {
    if (!json.is_object()) return JsonObject::readScalar(json, path, diagnostics_);
    const JsonObject object(json, path, diagnostics_, {"input"});
    if (!object.require("input")) return {};
    const std::string name = object.text("input");
    if (find(model_.inputs, name, "input", object.path("input")) < 0) return {};
    std::string problem;
    return {Expression::parse(name, problem), path};
  }

  bool force(const std::string& name, const Json& json) {
    Force force;
    force.name = name;
    const int kind = type(json, force.path(), kForceTypes);
    if (kind < 0) return false;
    const bool ok = kind == 0   ? torque(json, force)
                    : kind == 1 ? appliedForce(json, force)
                    : kind == 2 ? spring(json, force)
                    : kind == 3 ? torsionSpring(json, force)
                    : kind == 4 ? actuator(json, force)
                                : contact(json, force);
    if (ok) model_.forces.push_back(std::move(force));
    return ok;
  }

  bool onJoint(const JsonObject& object, Force& force, const std::string& coordinate) {
    force.joint = find(model_.joints, object.text("joint"), "joint", object.path("joint"));
    if (force.joint < 0) return false;
    if (coordinateName(model_.joints[static_cast<std::size_t>(force.joint)]) == coordinate) return true;
    object.error("joint", "has no " + coordinate + " along which this could act; choose another joint");
    return false;
  }

  bool torque(const Json& json, Force& force) {
    const JsonObject object(json, force.path(), diagnostics_, {"type", "joint", "body", "value"});
    if (object.require("value")) force.value[0] = driven(object.at("value"), object.path("value"));
    if (object.has("joint") == object.has("body")) {
      diagnostics_.error(force.path(), "a torque acts either on a \"joint\" or on a \"body\"; give one of them");
      return false;
    }
    if (object.has("joint")) return onJoint(object, force, "angle");
    force.kind = Force::Kind::bodyTorque;
    force.at.body = find(model_.bodies, object.text("body"), "body", object.path("body"));
    if (force.at.body < 0 || model_.bodies[static_cast<std::size_t>(force.at.body)].kind == Body::Kind::rigid) {
      return force.at.body >= 0;
    }
    object.error("body", "cannot turn; name a rigid body");
    return false;
  }

  bool appliedForce(const Json& json, Force& force) {
    const JsonObject object(json, force.path(), diagnostics_, {"type", "joint", "at", "frame", "value"});
    if (object.has("joint") == object.has("at")) {
      diagnostics_.error(force.path(), "a force acts either along a \"joint\" or \"at\" a point; give one of them");
      return false;
    }
    if (!object.require("value")) return false;
    if (object.has("joint")) {
      force.value[0] = driven(object.at("value"), object.path("value"));
      return onJoint(object, force, "position");
    }
    force.kind = Force::Kind::pointForce;
    force.at = point(object.at("at"), object.path("at"));
    const std::string frame = object.text("frame", "world");
    if (frame != "world" && frame != "body") object.error("frame", unknownName("frame", frame, {"world", "body"}));
    force.bodyFrame = frame == "body";
    const Json& value = object.at("value");
    if (!value.is_array() || value.size() != 2) {
      object.error("value", "must be a list of two components [x, y]");
      return false;
    }
    for (std::size_t k = 0; k < 2; ++k) {
      force.value[k] = driven(value[k], object.path("value") + "/" + std::to_string(k));
    }
    return force.at.body >= 0;
  }

  bool spring(const Json& json, Force& force) {
    const JsonObject object(json, force.path(), diagnostics_,
                            {"type", "between", "stiffness", "damping", "length", "force", "table"});
    force.kind = Force::Kind::spring;
    force.stiffness = object.scalar("stiffness");
    force.damping = object.scalar("damping");
    force.rest = object.scalar("length");
    law(object, "force", "length", force);
    return ends(object, force.between);
  }

  bool torsionSpring(const Json& json, Force& force) {
    const JsonObject object(json, force.path(), diagnostics_,
                            {"type", "joint", "stiffness", "damping", "angle", "torque", "table"});
    force.kind = Force::Kind::torsionSpring;
    force.stiffness = object.scalar("stiffness");
    force.damping = object.scalar("damping");
    force.rest = object.scalar("angle");
    law(object, "torque", "angle", force);
    return object.require("joint") && onJoint(object, force, "angle");
  }

  // The force as an expression, or as a table of the coordinate, in place of stiffness and damping.
  void law(const JsonObject& object, const char* key, const std::string& coordinate, Force& force) {
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

  Scalar table(const JsonObject& object, const std::string& of) {
    const Json& json = object.at("table");
    std::vector<double> x, y;
    bool ok = json.is_array() && json.size() >= 2;
    for (std::size_t i = 0; ok && i < json.size(); ++i) {
      ok = json[i].is_array() && json[i].size() == 2 && json[i][0].is_number() && json[i][1].is_number();
      if (!ok) break;
      x.push_back(json[i][0].get<double>()), y.push_back(json[i][1].get<double>());
      ok = i == 0 || x[i] > x[i - 1];
    }
    if (ok) return {Expression::table(of, std::move(x), std::move(y)), object.path("table")};
    object.error("table", "must be a list of pairs [coordinate, force], at least two, with increasing coordinates");
    return {Expression(), object.path("table")};
  }

  bool actuator(const Json& json, Force& force) {
    const JsonObject object(json, force.path(), diagnostics_,
                            {"type", "joint", "value", "time_constant", "limit", "start"});
    force.kind = Force::Kind::actuator;
    force.timeConstant = object.required("time_constant");
    force.limit = object.optional("limit");
    if (object.require("value")) force.value[0] = driven(object.at("value"), object.path("value"));
    if (!object.require("joint")) return false;
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

  bool contact(const Json& json, Force& force) {
    const JsonObject object(
        json, force.path(), diagnostics_,
        {"type", "between", "normal", "radius", "stiffness", "exponent", "damping", "friction", "speed"});
    force.kind = Force::Kind::contact;
    force.normal = object.pair("normal", 0, 1);
    force.radius = object.scalar("radius");
    force.stiffness = object.required("stiffness");
    force.exponent = object.scalar("exponent", 1.5);
    force.damping = object.scalar("damping");
    force.friction = object.scalar("friction");
    force.speed = object.scalar("speed", kSlipSpeed);
    return ends(object, force.between);
  }

  Model& model_;
  Names& names_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool readElements(const JsonObject& top, Model& model, Names& names, Diagnostics& diagnostics) {
  return ElementReader(model, names, diagnostics).read(top);
}

}  // namespace mbfmu
