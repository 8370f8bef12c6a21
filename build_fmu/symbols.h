// The symbols that pictures of mechanisms are made of. `size` is the thickness of a link in pixels.
#pragma once

#include "build_fmu/drawing.h"

namespace mbfmu {

namespace colours {
inline constexpr Colour ink{38, 50, 56}, paper{255, 255, 255}, ground{144, 156, 164}, spring{46, 125, 50},
    drive{198, 40, 40};
// Of bodies, in turn.
inline constexpr Colour bodies[] = {{120, 169, 219}, {245, 187, 112}, {146, 200, 150}, {205, 152, 205},
                                    {238, 150, 140}, {140, 200, 205}, {206, 190, 130}};
}  // namespace colours

double length(Point a);
// In the direction of a, of length 1; to the right if a is nothing.
Point unit(Point a);
// Turned by 90 degrees.
Point turned(Point a);

Shape disc(Point centre, double radius, Colour fill, double outline);
Shape line(std::vector<Point> points, Colour stroke, double width);
// A link or plate: the convex hull of the points, with rounded corners.
std::vector<Shape> plate(std::vector<Point> points, Colour fill, double size);
// A block with a side along `along`.
Shape block(Point centre, Point along, double length, double width, Colour fill, double outline);
// A line with hatching on the side that `normal` points away from.
std::vector<Shape> hatched(Point from, Point to, Point normal, double size);
// The triangle under a joint with ground.
std::vector<Shape> support(Point joint, double size);
Shape zigzag(Point from, Point to, double size);
Shape spiral(Point centre, double size);
std::vector<Shape> arrow(Point from, Point to, double size);
std::vector<Shape> turningArrow(Point centre, double size);

}  // namespace mbfmu
