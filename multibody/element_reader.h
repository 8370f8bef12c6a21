// The sections "bodies", "joints" and "forces" of the model file. What cannot be used is left out of the model,
// reported and spoilt (diagnostics.h).
#pragma once

#include "multibody/json_object.h"
#include "multibody/names.h"

namespace mbfmu {

class ElementReader {
 public:
  ElementReader(Model& model, Names& names, Diagnostics& diagnostics)
      : model_(model), names_(names), diagnostics_(diagnostics) {}

  // False if there are no bodies at all, so that nothing further can be said.
  bool read(const JsonObject& top);

 private:
  static constexpr double kSlipSpeed = 1e-3;  // below it, regularised friction is about viscous

  // What all elements share (element_reader.cpp). `function` tells whether the element could be used.
  template <class Function>
  void each(const JsonObject& top, const std::string& key, const char* kind, Function function) {
    if (!top.has(key) || !top.at(key).is_object()) return;
    for (const auto& [name, json] : top.at(key).items()) {
      names_.element(name, "/" + key + "/" + name, kind);
      if (!function(name, json)) diagnostics_.spoil(name);
    }
  }
  // The index of the item with that name, or -1 after an error.
  template <class T>
  int find(const std::vector<T>& list, const std::string& name, const char* what, const std::string& path) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].name == name) return static_cast<int>(i);
    }
    std::vector<std::string> names;
    for (const T& item : list) names.push_back(item.name);
    return notFound(names, name, what, path);
  }
  int notFound(const std::vector<std::string>& names, const std::string& name, const char* what,
               const std::string& path);
  bool spatial() const { return model_.space == Space::spatial; }
  // The index of "type" among the known ones, or -1 if it is none of them, which has been reported.
  static int type(const Json& json, const std::vector<std::string>& known);
  // "body.marker", or "body" for its centre of mass.
  PointRef point(const Json& json, const std::string& path);
  bool ends(const JsonObject& object, std::array<PointRef, 2>& between);
  // A value driven from outside: { "input": "name" }.
  Scalar driven(const Json& json, const std::string& path);

  // Bodies (body_reader.cpp).
  bool body(const std::string& name, const Json& json);
  void motion(const JsonObject& object, Body& body);
  void markers(const JsonObject& object, Body& body);
  Marker marker(const std::string& name, const Json& json, const std::string& path);
  std::optional<Orientation> orientation(const JsonObject& parent);
  void massProperties(const JsonObject& object, Body& body);

  // Joints (joint_reader.cpp).
  bool joint(const std::string& name, const Json& json);
  void alongCoordinate(const JsonObject& object, const std::string& coordinate, Joint& joint);
  std::optional<Scalar> motion(const JsonObject& object, const std::string& key, const std::string& setpoint,
                               const std::string& unit);
  bool turns(const Joint& joint);
  bool gear(const JsonObject& object, Joint& gear);
  // Whether the joint can be the i-th of a gear, else reported.
  bool meshes(const Joint& gear, const Joint& joint, std::size_t i, const std::string& path);

  // Forces (force_reader.cpp).
  bool force(const std::string& name, const Json& json);
  bool onJoint(const JsonObject& object, Force& force, const std::string& coordinate);
  bool torque(const Json& json, Force& force);
  bool appliedForce(const Json& json, Force& force);
  bool spring(const Json& json, Force& force);
  bool torsionSpring(const Json& json, Force& force);
  void law(const JsonObject& object, const char* key, const std::string& coordinate, Force& force);
  Scalar table(const JsonObject& object, const std::string& of);
  bool actuator(const Json& json, Force& force);
  bool contact(const Json& json, Force& force);
  bool bushing(const Json& json, Force& force);
  // The components of a force or torque, each of which may be driven; false if there are not as many as directions.
  bool components(const JsonObject& object, Force& force);

  // Stops, rigid contacts, clutches (event_reader.cpp).
  void stop(const JsonObject& object, Joint& joint);
  Impact impact(const JsonObject& object);
  bool rigidContact(const Json& json, Force& force);
  bool clutch(const Json& json, Force& force);

  Model& model_;
  Names& names_;
  Diagnostics& diagnostics_;
};

// The sections "discrete" and "events".
void readEvents(const JsonObject& top, Model& model, Names& names, Diagnostics& diagnostics);
ValueType readType(const JsonObject& object);
// A number, an expression, true or false.
Scalar readStart(const JsonObject& object);

}  // namespace mbfmu
