// Painting and writing of PNG (ISO/IEC 15948): 8-bit RGB, one IDAT chunk.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "build_fmu/drawing.h"

namespace mbfmu {
namespace {

double distance(Point p, Point a, Point b) {
  const Point along = b - a, from = p - a;
  const double squared = along.x * along.x + along.y * along.y;
  const double part = squared > 0 ? std::clamp((from.x * along.x + from.y * along.y) / squared, 0.0, 1.0) : 0;
  return std::hypot(from.x - part * along.x, from.y - part * along.y);
}

// How far p is outside of the area of the shape (negative inside), and how far from its line.
struct Distances {
  double area = HUGE_VAL, line = HUGE_VAL;
};

Distances distances(const Shape& shape, Point p) {
  const std::vector<Point>& corners = shape.points;
  if (corners.size() == 1) {
    const double out = std::hypot(p.x - corners[0].x, p.y - corners[0].y) - shape.radius;
    return {out, std::abs(out)};
  }
  Distances result;
  bool inside = false;
  for (std::size_t i = 0; i + (shape.closed ? 0 : 1) < corners.size(); ++i) {
    const Point a = corners[i], b = corners[(i + 1) % corners.size()];
    result.line = std::min(result.line, distance(p, a, b));
    // A ray to the right crosses the edges an odd number of times from inside.
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
  }
  result.area = inside ? -result.line : result.line;
  return result;
}

class Canvas {
 public:
  Canvas(int width, int height)
      : width_(width), height_(height), pixels_(static_cast<std::size_t>(3 * width * height), 255) {}

  void paint(const Shape& shape) {
    const double margin = shape.radius + shape.width / 2 + 1;
    double left = HUGE_VAL, right = -HUGE_VAL, top = HUGE_VAL, bottom = -HUGE_VAL;
    for (const Point& p : shape.points) {
      left = std::min(left, p.x), right = std::max(right, p.x);
      top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
    const int firstRow = bounded(top - margin, height_), lastRow = bounded(bottom + margin + 1, height_);
    const int firstColumn = bounded(left - margin, width_), lastColumn = bounded(right + margin + 1, width_);
    for (int row = firstRow; row < lastRow; ++row) {
      for (int column = firstColumn; column < lastColumn; ++column) {
        const Distances d = distances(shape, {column + 0.5, row + 0.5});
        // An edge half a pixel away covers none or all of it.
        if (shape.fill) blend(row, column, *shape.fill, 0.5 - d.area);
        if (shape.stroke) blend(row, column, *shape.stroke, 0.5 - (d.line - shape.width / 2));
      }
    }
  }

  // Every row with its filter type in front: none.
  std::string rows() const {
    std::string text;
    const auto stride = static_cast<std::size_t>(3 * width_);
    for (std::size_t begin = 0; begin < pixels_.size(); begin += stride) {
      text += '\0';
      text.append(reinterpret_cast<const char*>(pixels_.data()) + begin, stride);
    }
    return text;
  }

 private:
  static int bounded(double value, int most) {
    return static_cast<int>(std::clamp(std::floor(value), 0.0, static_cast<double>(most)));
  }

  void blend(int row, int column, Colour colour, double coverage) {
    const double part = std::clamp(coverage, 0.0, 1.0);
    std::uint8_t* pixel = &pixels_[static_cast<std::size_t>(3 * (row * width_ + column))];
    const std::uint8_t parts[] = {colour.red, colour.green, colour.blue};
    for (int k = 0; k < 3; ++k) {
      pixel[k] = static_cast<std::uint8_t>(std::lround(pixel[k] + part * (parts[k] - pixel[k])));
    }
  }

  int width_, height_;
  std::vector<std::uint8_t> pixels_;
};

const Bytef* bytes(const std::string& text) { return reinterpret_cast<const Bytef*>(text.data()); }

std::string bigEndian(unsigned long value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>((value >> shift) & 255);
  return text;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  return bigEndian(data.size()) + body + bigEndian(crc32(0, bytes(body), static_cast<uInt>(body.size())));
}

std::string compressed(const std::string& text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, bytes(text), static_cast<uLong>(text.size()), 9) !=
      Z_OK) {
    throw std::runtime_error("the picture cannot be compressed");
  }
  result.resize(size);
  return result;
}

}  // namespace

std::string png(const Drawing& drawing, double scale) {
  const int width = static_cast<int>(std::lround(scale * drawing.width));
  const int height = static_cast<int>(std::lround(scale * drawing.height));
  Canvas canvas(width, height);
  for (Shape shape : drawing.shapes) {
    for (Point& p : shape.points) p = scale * p;
    shape.radius *= scale;
    shape.width *= scale;
    canvas.paint(shape);
  }
  const std::string eightBitRgb{8, 2, 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", bigEndian(static_cast<unsigned long>(width)) + bigEndian(static_cast<unsigned long>(height)) +
                           eightBitRgb) +
         chunk("IDAT", compressed(canvas.rows())) + chunk("IEND", "");
}

}  // namespace mbfmu
