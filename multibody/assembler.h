// The work of assemble(): a Model's sections one after the other, each in a file of its own (assembly*.cpp).
#pragma once

#include <map>
#include <unordered_map>
#include <utility>

#include "multibody/assembly.h"

namespace mbfmu {

class Assembler {
 public:
  Assembler(const Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), paths_(namedPaths(model)), out_(std::make_unique<Assembly>()) {
    for (std::size_t i = 0; i < paths_.size(); ++i) pathIndex_.try_emplace(paths_[i].name, i);
  }
  std::unique_ptr<Assembly> run();

 private:
  // What the names in a formula of an element stand for.
  using Symbols = std::map<std::string, Symbol>;

  static std::size_t at_(int i) { return static_cast<std::size_t>(i); }
  template <class E, class... Arguments>
  E* add(Arguments&&... arguments) {
    auto element = std::make_unique<E>(std::forward<Arguments>(arguments)...);
    E* raw = element.get();
    out_->elements.push_back(std::move(element));
    return raw;
  }

  // Bodies (assembly.cpp).
  void bodies();
  void initialValues();
  BodyPoint point(const PointRef& ref) const;

  // In space (assembly_spatial.cpp, assembly_spatial_forces.cpp).
  struct BodyFrame {
    BodyAxis x, y, z;
  };
  void spatialBodies();
  void spatialMarkers(const Body& body);
  static Scalar3 worldAxis(int k);
  BodyFrame frame(const PointRef& ref, const Scalar3& axis, const std::string& path);
  Coordinate turnBetween(const BodyFrame& first, const BodyFrame& second);
  void addSpatialRows(const Joint& joint, Assembly::JointParts& parts);
  Coordinate geared(const Joint& gear);
  std::optional<Coordinate> spatialCoordinateOf(const Force& force);
  void addSpatialForce(const Force& force, Assembly::ForceParts& parts);
  void addBushing(const Force& force);
  void addSpatialContact(const Force& force, Assembly::ForceParts& parts);

  // Joints (assembly_joints.cpp).
  void addJoint(const Joint& joint);
  void addPlanarRows(const Joint& joint, Assembly::JointParts& parts);
  bool spatial() const { return model_.space == Space::spatial; }
  void row(const Joint& joint, const char* what, const Coordinate& coordinate, int target,
           std::optional<Quantity> motion = {});
  Coordinate relativeAngle(const Joint& joint) const;
  Coordinate gearCoordinate(const Joint& gear);

  // Forces (assembly_forces.cpp).
  std::optional<Coordinate> coordinateOf(const Force& force);
  void addForce(const Force& force, Assembly::ForceParts& parts);
  Quantity actuatorRate(const Force& force);
  Coordinate planeCoordinate(const Force& force, bool across);
  void addContact(const Force& force, Assembly::ForceParts& parts);

  // Stops, stiction, clutches, rigid contacts and events (assembly_events.cpp).
  int hold(int startConstant);
  int switchedRow(const std::string& name, const Coordinate& coordinate, int target);
  int addUnilateral(const std::string& name, const Coordinate& coordinate, int target, double sign,
                    const Impact& impact);
  void addStops(const Joint& joint, Assembly::JointParts& parts);
  int addFriction(const std::string& name, const Coordinate& coordinate, std::optional<Quantity> sticking,
                  CoordinateForce** sliding, const Scalar& limit);
  void addStiction(const Joint& joint, Assembly::JointParts& parts);
  void addClutch(const Force& force, Assembly::ForceParts& parts);
  void addRigidContact(const Force& force, Assembly::ForceParts& parts);
  void addEvent(const EventRule& rule);

  // Expressions and outputs (assembly_names.cpp).
  Quantity derivative(const StateVariable& state);
  Symbol constant(const Scalar& scalar, Constants::Check check = Constants::Check::finite);
  // A law of an element, written with names of its own.
  static Quantity formula(const std::string& text, const Symbols& symbols);
  // An expression of the file; `own` are names that only this one knows.
  Quantity quantity(const Scalar& scalar, const Symbols& own = {});
  // A motion is known beforehand: it may use time and parameters only.
  Quantity motion(const Scalar& scalar);
  void addOutput(const Output& output);
  int parameterConstant(const NamedPath& path);
  Coordinate coordinateOf(const NamedPath& path);
  Symbol symbol(const NamedPath& path);
  const NamedPath* find(const std::string& name, const std::string& place, bool equations);

  const Model& model_;
  Diagnostics& diagnostics_;
  std::vector<NamedPath> paths_;
  std::unordered_map<std::string, std::size_t> pathIndex_;
  std::unique_ptr<Assembly> out_;
  // Constants by body: of each marker, and in space of the origin of the body's frame.
  std::vector<std::vector<std::array<int, 3>>> markers_;
  std::vector<std::array<int, 3>> origins_;
};

}  // namespace mbfmu
