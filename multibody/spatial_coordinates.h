// The coordinates of bodies in space. With d = p_second - p_first, axes being unit vectors fixed in bodies:
#pragma once

#include <vector>

#include "multibody/coordinate.h"

namespace mbfmu::spatial {

Coordinate component(const BodyPoint& first, const BodyPoint& second, int k);             // d[k], world axes
Coordinate length(const BodyPoint& first, const BodyPoint& second);                       // |d|
Coordinate along(const BodyPoint& first, const BodyPoint& second, const BodyAxis& axis);  // axis.d
Coordinate dot(const BodyAxis& first, const BodyAxis& second);                            // first.second

// The angle by which the second body is turned against the first about an axis they share: from x to `turned`, where
// (x, y, axis) is a triad fixed in the first body and `turned` is fixed in the second. It is counted over full turns:
// the entry of q at `memory` tells the last angle, the nearest one to it is meant.
struct Angle {
  BodyAxis x, y, axis, turned;
  int memory = -1;
};
Coordinate turn(const Angle& angle);
// The angle up to full turns.
double wrappedAngle(const Angle& angle, const std::vector<double>& constants, const Matrix3& first,
                    const Matrix3& second);

// Directions without a scalar. Rate: axis.(omega_second - omega_first), and axis.(d' as the points move).
Coordinate spin(int first, int second, const BodyAxis& axis);
Coordinate push(const BodyPoint& first, const BodyPoint& second, const BodyAxis& axis);

}  // namespace mbfmu::spatial
