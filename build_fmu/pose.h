// Where the points of a model are at the start, as seen in a picture: planar models as they are, spatial ones from the
// front and somewhat from the right and above, with gravity downwards.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "build_fmu/drawing.h"
#include "multibody/mechanism.h"

namespace mbfmu {

class Pose {
 public:
  // After the assembly, or as far as it came. Throws std::runtime_error if the model has no equations.
  explicit Pose(const Model& model);

  // In metres with y upwards.
  Point of(PointRef point) const;
  // Of a direction fixed in a body.
  Point direction(int body, double x, double y) const;

 private:
  using Vector3 = std::array<double, 3>;
  Point project(const Vector3& p) const;

  const Model& model_;
  std::map<std::string, double> values_;
  Vector3 right_{1, 0, 0}, up_{0, 1, 0};
};

}  // namespace mbfmu
