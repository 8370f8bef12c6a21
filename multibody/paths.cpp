#include "multibody/paths.h"

namespace mbfmu {

namespace {

using What = NamedPath::What;

constexpr const char* kLinear[3] = {"m", "m/s", "m/s2"};
constexpr const char* kAngular[3] = {"rad", "rad/s", "rad/s2"};
constexpr const char* kBodyNames[3][3] = {{"x", "y", "angle"}, {"vx", "vy", "rate"}, {"ax", "ay", "alpha"}};
constexpr const char* kSpatialNames[3][3] = {{"x", "y", "z"}, {"vx", "vy", "vz"}, {"ax", "ay", "az"}};
constexpr const char* kAxes[3] = {".x", ".y", ".z"};

class Collector {
 public:
  explicit Collector(const Model& model) : model_(model) {}

  std::vector<NamedPath> collect() {
    for (int i = 0; i < count(model_.bodies); ++i) body(i);
    for (int i = 0; i < count(model_.joints); ++i) joint(i);
    for (int i = 0; i < count(model_.forces); ++i) force(i);
    add("energy.kinetic", "J", What::kinetic, 0);
    add("energy.potential", "J", What::potential, 0);
    add("energy.total", "J", What::total, 0);
    for (int i = 0; i < count(model_.states); ++i) named(model_.states, What::state, i);
    for (int i = 0; i < count(model_.discrete); ++i) named(model_.discrete, What::discrete, i);
    for (int i = 0; i < count(model_.inputs); ++i) named(model_.inputs, What::input, i);
    for (int i = 0; i < count(model_.parameters); ++i) named(model_.parameters, What::parameter, i);
    add("time", "s", What::time, 0);
    return std::move(paths_);
  }

 private:
  template <class T>
  static int count(const std::vector<T>& list) {
    return static_cast<int>(list.size());
  }
  template <class T>
  void named(const std::vector<T>& list, What what, int i) {
    const auto& item = list[static_cast<std::size_t>(i)];
    add(item.name, item.unit, what, i);
  }
  NamedPath& add(std::string name, std::string unit, What what, int index, int component = 0, int order = 0) {
    paths_.push_back({std::move(name), std::move(unit), what, index, -1, component, order});
    return paths_.back();
  }

  bool spatial() const { return model_.space == Space::spatial; }

  void body(int i) {
    const Body& body = model_.bodies[static_cast<std::size_t>(i)];
    for (int order = 0; order < 3; ++order) {
      if (spatial()) {
        spatialPoint(body, i, order);
      } else {
        planarPoint(body, i, order);
      }
    }
    if (spatial() && body.kind == Body::Kind::rigid) orientation(body.name, i);
  }

  void planarPoint(const Body& body, int i, int order) {
    for (int k = 0; k < 3 && body.kind != Body::Kind::ground; ++k) {
      if (k == 2 && body.kind == Body::Kind::point) continue;
      add(body.name + "." + kBodyNames[order][k], k == 2 ? kAngular[order] : kLinear[order], What::bodyCoordinate, i, k,
          order);
    }
    for (int m = 0; m < count(body.markers); ++m) marker(body, i, m, order, 2, kBodyNames[order]);
  }

  void spatialPoint(const Body& body, int i, int order) {
    for (int k = 0; k < 3 && body.kind != Body::Kind::ground; ++k) {
      add(body.name + "." + kSpatialNames[order][k], kLinear[order], What::bodyCoordinate, i, k, order);
    }
    for (int m = 0; m < count(body.markers); ++m) marker(body, i, m, order, 3, kSpatialNames[order]);
  }

  void marker(const Body& body, int i, int m, int order, int directions, const char* const* names) {
    for (int k = 0; k < directions; ++k) {
      const std::string& marker = body.markers[static_cast<std::size_t>(m)].name;
      add(body.name + "." + marker + "." + names[k], kLinear[order], What::markerCoordinate, i, k, order).marker = m;
    }
  }

  void orientation(const std::string& name, int i) {
    constexpr const char* quaternion[] = {".w", ".x", ".y", ".z"};
    constexpr const char* angles[] = {".roll", ".pitch", ".yaw"};
    for (int k = 0; k < 4; ++k) add(name + ".quaternion" + quaternion[k], "1", What::quaternion, i, k);
    for (int k = 0; k < 3; ++k) add(name + ".rotation" + kAxes[k], "rad", What::rotationVector, i, k);
    for (int k = 0; k < 3; ++k) add(name + angles[k], "rad", What::rollPitchYaw, i, k);
    for (int order = 1; order < 3; ++order) {
      const std::string spin = order == 1 ? "omega" : "alpha";
      for (int k = 0; k < 3; ++k) {
        add(name + "." + spin + kAxes[k], kAngular[order], What::worldSpin, i, k, order);
        add(name + ".body_" + spin + kAxes[k], kAngular[order], What::bodySpin, i, k, order);
      }
    }
  }

  void joint(int i) {
    const Joint& joint = model_.joints[static_cast<std::size_t>(i)];
    if (joint.kind == Joint::Kind::gear || joint.kind == Joint::Kind::rackAndPinion) return reactionTorque(joint, i);
    const std::string coordinate = coordinateName(joint);
    if (!coordinate.empty()) {
      const char* const* units = coordinate == "angle" ? kAngular : kLinear;
      add(joint.name + "." + coordinate, units[0], What::jointCoordinate, i, 0, 0);
      add(joint.name + ".rate", units[1], What::jointCoordinate, i, 0, 1);
      add(joint.name + ".acceleration", units[2], What::jointCoordinate, i, 0, 2);
    }
    const char* force = coordinate == "angle" ? "N.m" : "N";
    if (joint.lower || joint.upper) add(joint.name + ".stop", force, What::stopForce, i);
    if (joint.stiction) {
      add(joint.name + ".friction", force, What::jointFriction, i);
      add(joint.name + ".sticking", "", What::sticking, i);
    }
    if (hasSlide(joint)) {
      add(joint.name + ".position", kLinear[0], What::jointCoordinate, i, 1, 0);
      add(joint.name + ".position_rate", kLinear[1], What::jointCoordinate, i, 1, 1);
      add(joint.name + ".position_acceleration", kLinear[2], What::jointCoordinate, i, 1, 2);
    }
    for (int k = 0; k < (spatial() ? 3 : 2); ++k) add(joint.name + ".force" + kAxes[k], "N", What::reactionForce, i, k);
    reactionTorque(joint, i);
    if (joint.motion) add(joint.name + ".drive", coordinate == "angle" ? "N.m" : "N", What::motionForce, i);
  }

  void reactionTorque(const Joint& joint, int i) {
    if (!spatial()) add(joint.name + ".torque", "N.m", What::reactionTorque, i, 2);
    for (int k = 0; k < 3 && spatial(); ++k) add(joint.name + ".torque" + kAxes[k], "N.m", What::reactionTorque, i, k);
  }

  void force(int i) {
    const Force& force = model_.forces[static_cast<std::size_t>(i)];
    if (force.kind == Force::Kind::spring || force.kind == Force::Kind::torsionSpring) {
      const bool angular = force.kind == Force::Kind::torsionSpring;
      add(force.name + (angular ? ".angle" : ".length"), angular ? "rad" : "m", What::springCoordinate, i, 0, 0);
      add(force.name + ".rate", angular ? "rad/s" : "m/s", What::springCoordinate, i, 0, 1);
    }
    const bool rigid = force.kind == Force::Kind::rigidContact;
    if (force.kind == Force::Kind::contact || rigid) {
      add(force.name + ".distance", "m", What::springCoordinate, i, 0, 0);
      add(force.name + ".rate", "m/s", What::springCoordinate, i, 0, 1);
      if (!spatial() && (!rigid || force.stiction)) add(force.name + ".friction", "N", What::frictionValue, i);
      for (int k = 0; k < 2 && spatial(); ++k) {
        add(force.name + ".friction" + kAxes[k], "N", What::frictionValue, i, k);
      }
    }
    if (rigid) add(force.name + ".closed", "", What::closed, i);
    if (rigid && force.stiction) add(force.name + ".sticking", "", What::sticking, i, 1);
    if (force.kind == Force::Kind::clutch) add(force.name + ".locked", "", What::sticking, i, 1);
    const bool vector = spatial() && (force.kind == Force::Kind::bodyTorque || force.kind == Force::Kind::bushing);
    if (force.kind != Force::Kind::pointForce && !vector) add(force.name + ".value", "", What::forceValue, i);
  }

  const Model& model_;
  std::vector<NamedPath> paths_;
};

}  // namespace

bool NamedPath::inEquations() const {
  switch (what) {
    case What::bodyCoordinate:
    case What::markerCoordinate:
    case What::jointCoordinate:
    case What::springCoordinate:
    case What::worldSpin:
    case What::bodySpin:
      return order < 2;
    default:
      return what == What::state || what == What::discrete || what == What::input || what == What::parameter ||
             what == What::time;
  }
}

std::string coordinateName(const Joint& joint) {
  switch (joint.kind) {
    case Joint::Kind::revolute:
    case Joint::Kind::cylindrical:
    case Joint::Kind::screw:
    case Joint::Kind::planar:
      return "angle";
    case Joint::Kind::prismatic:
    case Joint::Kind::slot:
      return "position";
    default:
      return "";
  }
}

bool hasSlide(const Joint& joint) { return joint.kind == Joint::Kind::cylindrical || joint.kind == Joint::Kind::screw; }

std::vector<NamedPath> namedPaths(const Model& model) { return Collector(model).collect(); }

}  // namespace mbfmu
