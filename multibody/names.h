// Which names a model may give to its things, and that no two things share one: symbols of expressions (parameters,
// inputs, states), elements (bodies, joints, forces), and variables of the FMU (inputs, outputs, parameters).
#pragma once

#include <map>
#include <string>

#include "multibody/diagnostics.h"

namespace mbfmu {

class Names {
 public:
  explicit Names(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Each reports what is wrong with the name, at its path. `kind` is what messages call the thing: "an input".
  void symbol(const std::string& name, const std::string& path, const std::string& kind);
  void element(const std::string& name, const std::string& path, const std::string& kind);
  void output(const std::string& name, const std::string& path);
  // Part of a path only: a marker.
  void part(const std::string& name, const std::string& path);

 private:
  using Owners = std::map<std::string, std::string>;  // what a name belongs to
  void unique(Owners& owners, const std::string& name, const std::string& path, const std::string& kind);
  void notReserved(const std::string& name, const std::string& path);

  Diagnostics& diagnostics_;
  Owners symbols_, elements_, variables_{{"time", "the independent variable"}};
};

}  // namespace mbfmu
