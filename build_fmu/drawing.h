// A picture as a list of filled and stroked shapes, in pixels with y downwards: written as SVG or painted into a PNG.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mbfmu {

struct Point {
  double x = 0, y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

struct Shape {
  std::vector<Point> points;  // a single one: the centre of a circle
  double radius = 0;          // of a circle
  bool closed = false;        // a polygon, else a line
  std::optional<Colour> fill, stroke;
  double width = 1;  // of the stroke, whose ends and corners are round
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<Shape> shapes;  // later ones cover earlier ones
};

// A complete SVG element; `title` is what a reader that cannot see gets.
std::string svg(const Drawing& drawing, const std::string& title);

// PNG on white, with `scale` pixels for a pixel of the drawing.
std::string png(const Drawing& drawing, double scale);

}  // namespace mbfmu
