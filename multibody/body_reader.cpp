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
    body.inertia = object.required("inertia");
    markers(object, body);
  }
  motion(object, body);
  model_.bodies.push_back(std::move(body));
  return json.is_object();
}

void ElementReader::motion(const JsonObject& object, Body& body) {
  if (object.has("pose")) {
    const JsonObject pose(object.at("pose"), object.path("pose"), diagnostics_);
    if (pose.has("position")) body.position = pose.pair("position");
    body.angle = pose.optional("angle");
    body.fixed = pose.flag("fixed");
  }
  if (object.has("velocity")) {
    const JsonObject velocity(object.at("velocity"), object.path("velocity"), diagnostics_);
    if (velocity.has("linear")) body.velocity = velocity.pair("linear");
    body.rate = velocity.optional("rate");
  }
}

void ElementReader::markers(const JsonObject& object, Body& body) {
  if (!object.has("markers")) return;
  if (!object.at("markers").is_object()) return diagnostics_.spoil(body.name);
  for (const auto& [name, json] : object.at("markers").items()) {
    names_.part(name, object.path("markers") + "/" + name);
    body.markers.push_back({name, JsonObject::readPair(json, object.path("markers") + "/" + name, diagnostics_)});
  }
}

}  // namespace mbfmu
