#include "multibody/element_reader.h"

namespace mbfmu {

bool ElementReader::body(const std::string& name, const Json& json) {
  const std::string path = "/bodies/" + name;
  Body body;
  body.name = name;
  if (name == "ground") {
    const JsonObject object(json, path, diagnostics_);
    markers(object, model_.bodies[0]);
    return true;
  }
  const JsonObject object(json, path, diagnostics_);
  body.kind = object.text("type") == "point" ? Body::Kind::point : Body::Kind::rigid;
  body.mass = object.required("mass");
  if (body.kind == Body::Kind::rigid) {
    if (spatial()) {
      massProperties(object, body);
    } else {
      body.inertia = object.required("inertia");
    }
    markers(object, body);
  }
  motion(object, body);
  model_.bodies.push_back(std::move(body));
  return json.is_object();
}

void ElementReader::motion(const JsonObject& object, Body& body) {
  if (object.has("pose")) {
    const JsonObject pose(object.at("pose"), object.path("pose"), diagnostics_);
    if (pose.has("position")) body.position = pose.vector("position", model_.space);
    body.angle = pose.optional("angle");
    if (pose.has("orientation")) body.orientation = orientation(pose);
    body.fixed = pose.flag("fixed");
  }
  if (object.has("velocity")) {
    const JsonObject velocity(object.at("velocity"), object.path("velocity"), diagnostics_);
    if (velocity.has("linear")) body.velocity = velocity.vector("linear", model_.space);
    body.rate = velocity.optional("rate");
    if (velocity.has("angular")) body.spin = velocity.vector("angular", model_.space);
  }
}

void ElementReader::markers(const JsonObject& object, Body& body) {
  if (!object.has("markers")) return;
  if (!object.at("markers").is_object()) return diagnostics_.spoil(body.name);
  for (const auto& [name, json] : object.at("markers").items()) {
    names_.part(name, object.path("markers") + "/" + name);
    body.markers.push_back(marker(name, json, object.path("markers") + "/" + name));
  }
}

Marker ElementReader::marker(const std::string& name, const Json& json, const std::string& path) {
  if (!json.is_object()) return {name, JsonObject::readVector(json, model_.space, path, diagnostics_), {}};
  const JsonObject object(json, path, diagnostics_);
  Marker marker{name, object.vector("position", model_.space), {}};
  if (object.has("orientation")) marker.orientation = orientation(object);
  return marker;
}

std::optional<Orientation> ElementReader::orientation(const JsonObject& parent) {
  using Kind = Orientation::Kind;
  const JsonObject object(parent.at("orientation"), parent.path("orientation"), diagnostics_);
  std::optional<Orientation> result;
  int ways = 0;
  for (const auto& [key, kind] : {std::pair{"quaternion", Kind::quaternion},
                                  {"rotation_vector", Kind::rotationVector},
                                  {"roll_pitch_yaw", Kind::rollPitchYaw}}) {
    if (!object.has(key)) continue;
    const auto list = JsonObject::readList(object.at(key), object.path(key), diagnostics_);
    if (list.size() == (kind == Kind::quaternion ? 4 : 3)) result = Orientation{kind, list};
    ++ways;
  }
  if (ways == 1) return result;
  parent.error("orientation", "give exactly one of \"quaternion\", \"rotation_vector\" and \"roll_pitch_yaw\"");
  return std::nullopt;
}

// [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows.
void ElementReader::massProperties(const JsonObject& object, Body& body) {
  if (object.has("centre_of_mass")) body.centre = object.vector("centre_of_mass", model_.space);
  for (Scalar& entry : body.tensor) entry = {Expression(), object.path("inertia")};
  for (std::size_t i = 0; i < 3; ++i) body.tensor[4 * i].expression = Expression(1.0);
  if (!object.has("inertia") || !object.at("inertia").is_array()) return;
  const Json& json = object.at("inertia");
  std::size_t lists = 0;
  for (const Json& item : json) lists += item.is_array() ? 1 : 0;
  const auto entry = [&](std::size_t i, std::size_t j) -> Scalar& { return body.tensor[3 * i + j]; };
  if (json.size() == 3 && lists == 3) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto row = JsonObject::readVector(json[i], Space::spatial, object.path("inertia") + "/" + std::to_string(i),
                                              diagnostics_);
      for (std::size_t j = 0; j < 3; ++j) entry(i, j) = row[j];
    }
  } else if (lists == 0 && (json.size() == 3 || json.size() == 6)) {
    const auto list = JsonObject::readList(json, object.path("inertia"), diagnostics_);
    for (std::size_t i = 0; i < 3; ++i) entry(i, i) = list[i];
    if (list.size() == 3) return;
    entry(0, 1) = entry(1, 0) = list[3];
    entry(0, 2) = entry(2, 0) = list[4];
    entry(1, 2) = entry(2, 1) = list[5];
  } else {
    object.error("inertia", "must be [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows of three");
  }
}

}  // namespace mbfmu
