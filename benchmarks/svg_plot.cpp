#include "benchmarks/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mbfmu {
namespace {

constexpr double kLeft = 80, kTop = 50, kWidth = 520, kHeight = 400, kLegend = 230;
constexpr std::array<const char*, 9> kColours = {"#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e",
                                                 "#8c564b", "#17becf", "#7f7f7f", "#000000"};

// Powers of ten around the values, mapped to a stretch of pixels.
struct Axis {
  int from = 0, to = 1;
  double origin = 0, length = 0;
  double at(double value) const { return origin + length * (std::log10(value) - from) / (to - from); }
};

void text(std::ostream& out, double x, double y, const char* anchor, const std::string& words) {
  out << "<text x='" << x << "' y='" << y << "' text-anchor='" << anchor << "'>" << words << "</text>\n";
}

}  // namespace

void plot(std::ostream& out, const std::string& title, const std::vector<Curve>& curves) {
  double least[2] = {1e300, 1e300}, most[2] = {1e-300, 1e-300};
  const auto shown = [](const Measurement& p) { return p.ok && p.error > 0 && p.cpuSeconds > 0; };
  for (const Curve& curve : curves) {
    for (const Measurement& p : curve.points) {
      if (!shown(p)) continue;
      const double values[2] = {p.error, p.cpuSeconds};
      for (int i = 0; i < 2; ++i) least[i] = std::min(least[i], values[i]);
      for (int i = 0; i < 2; ++i) most[i] = std::max(most[i], values[i]);
    }
  }
  const auto axis = [&](int i, double origin, double length) {
    const int from = static_cast<int>(std::floor(std::log10(least[i])));
    return Axis{from, std::max(from + 1, static_cast<int>(std::ceil(std::log10(most[i])))), origin, length};
  };
  const Axis x = axis(0, kLeft, kWidth), y = axis(1, kTop + kHeight, -kHeight);

  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << kLeft + kWidth + kLegend << "' height='"
      << kTop + kHeight + 60 << "' font-family='sans-serif' font-size='12'>\n"
      << "<rect width='100%' height='100%' fill='white'/>\n";
  text(out, kLeft + kWidth / 2, 25, "middle", title);
  text(out, kLeft + kWidth / 2, kTop + kHeight + 45, "middle", "error");
  text(out, kLeft - 50, kTop - 12, "start", "CPU seconds");
  for (int e = x.from; e <= x.to; ++e) {
    const double p = x.at(std::pow(10, e));
    out << "<path d='M" << p << ' ' << kTop << "V" << kTop + kHeight << "' stroke='#ddd'/>\n";
    text(out, p, kTop + kHeight + 18, "middle", "1e" + std::to_string(e));
  }
  for (int e = y.from; e <= y.to; ++e) {
    const double p = y.at(std::pow(10, e));
    out << "<path d='M" << kLeft << ' ' << p << "H" << kLeft + kWidth << "' stroke='#ddd'/>\n";
    text(out, kLeft - 8, p + 4, "end", "1e" + std::to_string(e));
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    out << "<polyline fill='none' stroke='" << colour << "' stroke-width='1.5' points='";
    for (const Measurement& p : curves[i].points)
      if (shown(p)) out << x.at(p.error) << ',' << y.at(p.cpuSeconds) << ' ';
    out << "'/>\n";
    for (const Measurement& p : curves[i].points)
      if (shown(p))
        out << "<circle cx='" << x.at(p.error) << "' cy='" << y.at(p.cpuSeconds) << "' r='2.5' fill='" << colour
            << "'/>\n";
    const double row = kTop + 10 + 18 * static_cast<double>(i);
    out << "<rect x='" << kLeft + kWidth + 15 << "' y='" << row - 9 << "' width='12' height='10' fill='" << colour
        << "'/>\n";
    text(out, kLeft + kWidth + 33, row, "start", curves[i].method);
  }
  out << "</svg>\n";
}

}  // namespace mbfmu
