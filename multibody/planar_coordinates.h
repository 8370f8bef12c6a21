// The coordinates of bodies in the plane. With d = p_second - p_first:
#pragma once

#include "multibody/coordinate.h"

namespace mbfmu::planar {

Coordinate component(const BodyPoint& first, const BodyPoint& second, int k);  // d[k], world axes
Coordinate length(const BodyPoint& first, const BodyPoint& second);            // |d|
// d along an axis fixed in the first body, or (across) along the axis turned by 90 degrees.
Coordinate along(const BodyPoint& first, const BodyPoint& second, const std::array<int, 3>& axis, bool across);
// The way of the lowest point of a circle about the second point along the plane across the axis (a constant: its
// radius): at rest while it rolls.
Coordinate rolling(const BodyPoint& first, const BodyPoint& second, const std::array<int, 3>& axis, int radius);
// Sum of coefficient * angle; coefficients are indices of constants.
Coordinate angles(const std::vector<std::pair<int, int>>& bodyAndCoefficient);

}  // namespace mbfmu::planar
