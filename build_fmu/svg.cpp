#include <array>
#include <charconv>

#include "build_fmu/drawing.h"
#include "build_fmu/html.h"

namespace mbfmu {
namespace {

// Two decimals: a hundredth of a pixel is not seen, and the last bits of a pose do not show.
std::string decimals(double value) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 2);
  return {buffer.data(), end.ptr};
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string hex(const std::optional<Colour>& colour) {
  if (!colour) return "none";
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "#";
  for (const std::uint8_t part : {colour->red, colour->green, colour->blue}) {
    text += digits[part >> 4];
    text += digits[part & 15];
  }
  return text;
}

std::string element(const Shape& shape) {
  std::string text;
  if (shape.points.size() == 1) {
    text = "<circle" + attribute("cx", decimals(shape.points[0].x)) + attribute("cy", decimals(shape.points[0].y)) +
           attribute("r", decimals(shape.radius));
  } else {
    std::string list;
    for (const Point& p : shape.points) list += (list.empty() ? "" : " ") + decimals(p.x) + "," + decimals(p.y);
    text = (shape.closed ? "<polygon" : "<polyline") + attribute("points", list);
  }
  text += attribute("fill", hex(shape.fill)) + attribute("stroke", hex(shape.stroke));
  if (shape.stroke) text += attribute("stroke-width", decimals(shape.width));
  return text + "/>\n";
}

}  // namespace

std::string svg(const Drawing& drawing, const std::string& title) {
  const std::string width = decimals(drawing.width), height = decimals(drawing.height);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
                     attribute("height", height) + attribute("viewBox", "0 0 " + width + " " + height) +
                     " role=\"img\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>" + escaped(title) +
                     "</title>\n";
  for (const Shape& shape : drawing.shapes) text += element(shape);
  return text + "</svg>\n";
}

}  // namespace mbfmu
