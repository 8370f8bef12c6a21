#include "benchmarks/curves.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {

std::vector<Curve> curvesOf(const std::vector<Measurement>& measurements, const std::string& problem) {
  std::vector<Curve> curves;
  for (const Measurement& point : measurements) {
    if (point.problem != problem) continue;
    auto curve = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.method == point.method; });
    if (curve == curves.end()) curve = curves.insert(curve, Curve{point.method, {}});
    curve->points.push_back(point);
  }
  return curves;
}

std::optional<double> costAt(const Curve& curve, double error) {
  std::vector<Measurement> best;  // cheaper and less accurate from one to the next
  std::vector<Measurement> sorted = curve.points;
  std::erase_if(sorted, [](const Measurement& p) { return !p.ok || !(p.error > 0); });
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
  for (const Measurement& point : sorted)
    if (best.empty() || point.cpuSeconds < best.back().cpuSeconds) best.push_back(point);
  if (best.empty() || error < best.front().error) return std::nullopt;
  if (error >= best.back().error) return best.back().cpuSeconds;
  const auto above = std::find_if(best.begin(), best.end(), [error](const Measurement& p) { return p.error > error; });
  const auto below = std::prev(above);
  const double s = std::log(error / below->error) / std::log(above->error / below->error);
  return std::exp((1 - s) * std::log(below->cpuSeconds) + s * std::log(above->cpuSeconds));
}

}  // namespace mbfmu
