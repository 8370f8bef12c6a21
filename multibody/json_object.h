// One object of the model file being read: turns its members into values. What is not of the kind that the schema asks
// for has been reported by then (structure.h) and is read as if it were absent.
#pragma once

#include <optional>

#include "multibody/json_text.h"
#include "multibody/model.h"

namespace mbfmu {

class JsonObject {
 public:
  // Anything but an object is read as an empty one.
  JsonObject(const Json& json, std::string path, Diagnostics& diagnostics);

  bool has(const std::string& key) const { return json_->contains(key); }
  const Json& at(const std::string& key) const { return (*json_)[key]; }
  std::string path(const std::string& key) const { return path_ + "/" + key; }
  const std::string& path() const { return path_; }
  void error(const std::string& key, const std::string& message) const { diagnostics_->error(path(key), message); }

  std::string text(const std::string& key, const std::string& fallback = "") const;
  bool flag(const std::string& key) const;
  double number(const std::string& key, double fallback) const;
  Scalar scalar(const std::string& key, double fallback = 0) const;
  Scalar required(const std::string& key) const;
  std::optional<Scalar> optional(const std::string& key) const;
  // [x, y] or, in space, [x, y, z].
  Scalar3 vector(const std::string& key, Space space, const std::array<double, 3>& fallback = {}) const;

  static Scalar readScalar(const Json& json, const std::string& path, Diagnostics& diagnostics);
  static Scalar3 readVector(const Json& json, Space space, const std::string& path, Diagnostics& diagnostics);
  // A list of numbers; empty if it is none.
  static std::vector<Scalar> readList(const Json& json, const std::string& path, Diagnostics& diagnostics);

 private:
  const Json* json_;
  std::string path_;
  Diagnostics* diagnostics_;
};

// "unknown WHAT "NAME"; did you mean ..." with the known ones listed.
std::string unknownName(const std::string& what, const std::string& name, const std::vector<std::string>& known);

}  // namespace mbfmu
