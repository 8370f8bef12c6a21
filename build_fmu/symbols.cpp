#include "build_fmu/symbols.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mbfmu {
namespace {

constexpr double pi = std::numbers::pi;

double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

// Andrew's monotone chain: the corners of the convex hull in order.
std::vector<Point> hull(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Point> result;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t begin = result.size();
    for (const Point& p : points) {
      while (result.size() >= begin + 2 && cross(result.back() - result[result.size() - 2], p - result.back()) <= 0) {
        result.pop_back();
      }
      result.push_back(p);
    }
    result.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return result;
}

Point onCircle(Point centre, double radius, double angle) {
  return {centre.x + radius * std::cos(angle), centre.y - radius * std::sin(angle)};
}

Shape head(Point tip, Point along, double size) {
  const Point back = tip - size * along, side = 0.5 * size * turned(along);
  return {{tip, back + side, back - side}, 0, true, colours::drive, colours::drive, 0.15 * size};
}

}  // namespace

double length(Point a) { return std::hypot(a.x, a.y); }

Point unit(Point a) {
  const double l = length(a);
  return l > 0 ? (1 / l) * a : Point{1, 0};
}

Point turned(Point a) { return {-a.y, a.x}; }

Shape disc(Point centre, double radius, Colour fill, double outline) {
  return {{centre}, radius, true, fill, colours::ink, outline};
}

Shape line(std::vector<Point> points, Colour stroke, double width) {
  return {std::move(points), 0, false, std::nullopt, stroke, width};
}

std::vector<Shape> plate(std::vector<Point> points, Colour fill, double size) {
  std::vector<Point> corners = points.size() > 1 ? hull(points) : std::move(points);
  if (corners.empty()) return {};
  if (corners.size() == 1) return {disc(corners[0], 0.75 * size, fill, 0.12 * size)};
  // A wide dark stroke below a less wide light one is a rounded outline.
  Shape dark{corners, 0, true, colours::ink, colours::ink, 1.24 * size};
  Shape light{std::move(corners), 0, true, fill, fill, size};
  return {std::move(dark), std::move(light)};
}

Shape block(Point centre, Point along, double length, double width, Colour fill, double outline) {
  const Point a = 0.5 * length * along, b = 0.5 * width * turned(along);
  return {{centre + a + b, centre - a + b, centre - a - b, centre + a - b}, 0, true, fill, colours::ink, outline};
}

std::vector<Shape> hatched(Point from, Point to, Point normal, double size) {
  std::vector<Shape> shapes;
  const Point along = unit(to - from), down = -0.6 * size * (normal + 0.8 * along);
  const double pitch = 0.55 * size, begin = from.x * along.x + from.y * along.y, end = begin + length(to - from);
  // At multiples of the pitch, so that the hatching of two supports on one line coincides.
  for (double s = std::ceil(begin / pitch) * pitch; s <= end; s += pitch) {
    const Point start = from + (s - begin) * along;
    shapes.push_back(line({start, start + down}, colours::ground, 0.1 * size));
  }
  shapes.push_back(line({from, to}, colours::ink, 0.14 * size));
  return shapes;
}

std::vector<Shape> support(Point joint, double size) {
  const double half = 0.95 * size, height = 1.5 * size;
  const Point left{joint.x - half, joint.y + height}, right{joint.x + half, joint.y + height};
  std::vector<Shape> shapes = hatched({left.x - 0.35 * size, left.y}, {right.x + 0.35 * size, right.y}, {0, -1}, size);
  shapes.push_back({{joint, left, right}, 0, true, colours::paper, colours::ink, 0.12 * size});
  return shapes;
}

Shape zigzag(Point from, Point to, double size) {
  constexpr int turns = 7;
  const Point along = to - from, side = 0.45 * size * turned(unit(along));
  std::vector<Point> points = {from, from + 0.15 * along};
  for (int i = 0; i < turns; ++i) {
    const double part = 0.15 + 0.7 * (i + 0.5) / turns;
    points.push_back(from + part * along + (i % 2 == 0 ? 1.0 : -1.0) * side);
  }
  points.push_back(from + 0.85 * along);
  points.push_back(to);
  return line(std::move(points), colours::spring, 0.16 * size);
}

Shape spiral(Point centre, double size) {
  constexpr int steps = 60;
  std::vector<Point> points;
  for (int i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / steps;
    points.push_back(onCircle(centre, (0.5 + 0.7 * part) * size, 5 * pi * part));
  }
  return line(std::move(points), colours::spring, 0.14 * size);
}

std::vector<Shape> arrow(Point from, Point to, double size) {
  const Point along = unit(to - from);
  return {line({from, to - 0.6 * size * along}, colours::drive, 0.2 * size), head(to, along, 0.9 * size)};
}

std::vector<Shape> turningArrow(Point centre, double size) {
  constexpr int steps = 24;
  constexpr double first = 0.15 * pi, last = 1.1 * pi;
  const double radius = 1.3 * size;
  std::vector<Point> points;
  for (int i = 0; i <= steps; ++i) points.push_back(onCircle(centre, radius, first + (last - first) * i / steps));
  const Point along{-std::sin(last), -std::cos(last)};
  const Point end = points.back();
  return {line(std::move(points), colours::drive, 0.2 * size), head(end + 0.7 * size * along, along, 0.9 * size)};
}

}  // namespace mbfmu
