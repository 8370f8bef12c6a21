#include "multibody/json_object.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {

std::string unknownName(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  std::string message = "unknown " + what + " \"" + name + "\"";
  const std::string near = nearest(name, known);
  if (!near.empty()) message += "; did you mean \"" + near + "\"?";
  message += near.empty() ? "; known: " : " Known: ";
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(known.size(), kMost); ++i) message += (i > 0 ? ", " : "") + known[i];
  if (known.size() > kMost) message += " and " + std::to_string(known.size() - kMost) + " more";
  return known.empty() ? message + "none" : message;
}

JsonObject::JsonObject(const Json& json, std::string path, Diagnostics& diagnostics)
    : json_(&json), path_(std::move(path)), diagnostics_(&diagnostics) {
  static const Json empty = Json::object();
  if (!json.is_object()) json_ = &empty;
}

std::string JsonObject::text(const std::string& key, const std::string& fallback) const {
  if (!has(key)) return fallback;
  return at(key).is_string() ? at(key).get<std::string>() : fallback;
}

bool JsonObject::flag(const std::string& key) const { return has(key) && at(key).is_boolean() && at(key).get<bool>(); }

double JsonObject::number(const std::string& key, double fallback) const {
  if (!has(key)) return fallback;
  const Scalar value = readScalar(at(key), path(key), *diagnostics_);
  if (!value.expression.isConstant()) {
    error(key, "must be a number; parameters cannot be used here");
    return fallback;
  }
  const double result = value.expression.evaluate(std::span<const double>());
  if (std::isfinite(result)) return result;
  error(key, "is not a finite number");
  return fallback;
}

Scalar JsonObject::readScalar(const Json& json, const std::string& path, Diagnostics& diagnostics) {
  Scalar scalar{Expression(1.0), path};  // what is reported here passes later checks of the sign
  if (json.is_number()) {
    scalar.expression = Expression(json.get<double>());
  } else if (json.is_string()) {
    std::string problem;
    const Expression parsed = Expression::parse(json.get<std::string>(), problem);
    if (problem.empty()) scalar.expression = parsed;
    if (!problem.empty()) diagnostics.error(path, problem);
  }
  return scalar;
}

std::vector<Scalar> JsonObject::readList(const Json& json, const std::string& path, Diagnostics& diagnostics) {
  std::vector<Scalar> list;
  for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
    list.push_back(readScalar(json[i], path + "/" + std::to_string(i), diagnostics));
  }
  return list;
}

Scalar3 JsonObject::readVector(const Json& json, Space space, const std::string& path, Diagnostics& diagnostics) {
  const Scalar one{Expression(1.0), path}, zero{Expression(), path};
  const std::vector<Scalar> list = readList(json, path, diagnostics);
  if (list.size() != (space == Space::planar ? 2 : 3)) return {one, one, space == Space::planar ? zero : one};
  return {list[0], list[1], space == Space::planar ? zero : list[2]};
}

Scalar JsonObject::scalar(const std::string& key, double fallback) const {
  if (!has(key)) return {Expression(fallback), path(key)};
  return readScalar(at(key), path(key), *diagnostics_);
}

Scalar JsonObject::required(const std::string& key) const { return scalar(key, 1); }

std::optional<Scalar> JsonObject::optional(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  return scalar(key);
}

Scalar3 JsonObject::vector(const std::string& key, Space space, const std::array<double, 3>& fallback) const {
  if (has(key)) return readVector(at(key), space, path(key), *diagnostics_);
  Scalar3 result;
  for (std::size_t k = 0; k < 3; ++k) result[k] = {Expression(fallback[k]), path(key)};
  return result;
}

}  // namespace mbfmu
