#include "multibody/element_reader.h"

#include <algorithm>

namespace mbfmu {

bool ElementReader::read(const JsonObject& top) {
  model_.bodies.push_back({});
  model_.bodies[0].name = "ground";
  model_.bodies[0].kind = Body::Kind::ground;
  if (!top.has("bodies")) return false;
  each(top, "bodies", "a body", [&](auto& name, auto& json) { return body(name, json); });
  each(top, "joints", "a joint", [&](auto& name, auto& json) { return joint(name, json); });
  each(top, "forces", "a force", [&](auto& name, auto& json) { return force(name, json); });
  return top.at("bodies").is_object();
}

int ElementReader::notFound(const std::vector<std::string>& names, const std::string& name, const char* what,
                            const std::string& path) {
  if (!diagnostics_.spoilt(name)) diagnostics_.error(path, unknownName(what, name, names));
  return -1;
}

PointRef ElementReader::point(const Json& json, const std::string& path) {
  PointRef ref;
  if (!json.is_string()) return ref;
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

bool ElementReader::ends(const JsonObject& object, std::array<PointRef, 2>& between) {
  if (!object.has("between") || !object.at("between").is_array() || object.at("between").size() != 2) return false;
  const Json& json = object.at("between");
  for (std::size_t i = 0; i < 2; ++i) {
    between[i] = point(json[i], object.path("between") + "/" + std::to_string(i));
  }
  if (between[0].body < 0 || between[1].body < 0) return false;
  if (between[0].body != between[1].body) return true;
  object.error("between", "connects body \"" + model_.bodies[static_cast<std::size_t>(between[0].body)].name +
                              "\" with itself; name two bodies");
  return false;
}

int ElementReader::type(const Json& json, const std::vector<std::string>& known) {
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string()) return -1;
  const auto found = std::find(known.begin(), known.end(), json["type"].get<std::string>());
  return found != known.end() ? static_cast<int>(found - known.begin()) : -1;
}

Scalar ElementReader::driven(const Json& json, const std::string& path) {
  if (!json.is_object()) return JsonObject::readScalar(json, path, diagnostics_);
  const JsonObject object(json, path, diagnostics_);
  if (!object.has("input") || !object.at("input").is_string()) return {};
  const std::string name = object.text("input");
  if (find(model_.inputs, name, "input", object.path("input")) < 0) return {};
  std::string problem;
  return {Expression::parse(name, problem), path};
}

}  // namespace mbfmu
