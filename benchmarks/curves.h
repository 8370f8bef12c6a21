// Work-precision curves: what each run of a method cost and how accurate it was, and the cost at a given error.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mbfmu {

struct Measurement {
  std::string problem, method;
  double rtol = 0, error = 0, cpuSeconds = 0;
  long steps = 0, newtonIterations = 0, jacobianEvaluations = 0, factorizations = 0;
  bool ok = true;
};

struct Curve {
  std::string method;
  std::vector<Measurement> points;
};

// One curve per method, in the order of the measurements.
std::vector<Curve> curvesOf(const std::vector<Measurement>& measurements, const std::string& problem);

// CPU seconds for the given error, interpolated between the logarithms along the runs that no other beats; nothing if
// the curve does not reach it.
std::optional<double> costAt(const Curve& curve, double error);

}  // namespace mbfmu
