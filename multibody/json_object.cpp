#include "multibody/json_object.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {

std::string unknownName(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  std::string message = "unknown " + what + " \"" + name + "\"";
  const std::string near = nearest(name, known);
  if (!near.empty()) message += "; did you mean \"" + near + "\"?";
  message += near.empty() ? "; known: " : " Known: ";
  for (std::size_t i = 0; i < known.size(); ++i) message += (i > 0 ? ", " : "") + known[i];
  return known.empty() ? message + "none" : message;
}

JsonObject::JsonObject(const Json& json, std::string path, Diagnostics& diagnostics, std::vector<std::string> known)
    : json_(&json), path_(std::move(path)), diagnostics_(&diagnostics) {
  static const Json empty = Json::object();
  if (!json.is_object()) {
    diagnostics.error(path_, "must be an object { ... }");
    json_ = &empty;
    isObject_ = false;
    return;
  }
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      diagnostics.error(path_ + "/" + key, unknownName("key", key, known));
    }
  }
}

bool JsonObject::require(const std::string& key) const {
  if (has(key)) return true;
  if (isObject_) diagnostics_->error(path_, "\"" + key + "\" is missing; add it");
  return false;
}

std::string JsonObject::text(const std::string& key, const std::string& fallback) const {
  if (!has(key)) return fallback;
  if (at(key).is_string()) return at(key).get<std::string>();
  error(key, "must be a string \"...\"");
  return fallback;
}

bool JsonObject::flag(const std::string& key) const {
  if (!has(key)) return false;
  if (at(key).is_boolean()) return at(key).get<bool>();
  error(key, "must be true or false");
  return false;
}

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
  } else {
    diagnostics.error(path, "must be a number or an expression in quotes");
  }
  return scalar;
}

Scalar3 JsonObject::readPair(const Json& json, const std::string& path, Diagnostics& diagnostics) {
  if (!json.is_array() || json.size() != 2) {
    diagnostics.error(path, "must be a list of two numbers [x, y]");
    return {Scalar{Expression(1.0), path}, Scalar{Expression(1.0), path}, Scalar{Expression(), path}};
  }
  return {readScalar(json[0], path + "/0", diagnostics), readScalar(json[1], path + "/1", diagnostics),
          Scalar{Expression(), path}};
}

Scalar JsonObject::scalar(const std::string& key, double fallback) const {
  if (!has(key)) return {Expression(fallback), path(key)};
  return readScalar(at(key), path(key), *diagnostics_);
}

Scalar JsonObject::required(const std::string& key) const {
  if (!require(key)) return {Expression(1.0), path(key)};
  return scalar(key);
}

std::optional<Scalar> JsonObject::optional(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  return scalar(key);
}

Scalar3 JsonObject::pair(const std::string& key, double x, double y) const {
  if (!has(key)) return {Scalar{Expression(x), path(key)}, Scalar{Expression(y), path(key)}, Scalar{{}, path(key)}};
  return readPair(at(key), path(key), *diagnostics_);
}

}  // namespace mbfmu
