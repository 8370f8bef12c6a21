// A number with its derivatives in N directions.
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace mbfmu {

template <int N>
struct Dual {
  using Slope = Eigen::Matrix<double, N, 1>;
  double value = 0;
  Slope slope = Slope::Zero();

  Dual() = default;
  Dual(double number) : value(number) {}  // constants mix with duals
  Dual(double number, const Slope& derivatives) : value(number), slope(derivatives) {}

  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator*(double a, const Dual& b) { return {a * b.value, a * b.slope}; }
  friend Dual operator*(const Dual& a, double b) { return b * a; }
  friend Dual operator+(double a, const Dual& b) { return {a + b.value, b.slope}; }
  friend Dual operator+(const Dual& a, double b) { return b + a; }
  friend Dual operator-(const Dual& a, double b) { return {a.value - b, a.slope}; }
  friend Dual operator-(double a, const Dual& b) { return {a - b.value, -b.slope}; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double r = 1 / b.value, q = a.value * r;
    return {q, r * (a.slope - q * b.slope)};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }

  friend Dual sin(const Dual& a) { return {std::sin(a.value), std::cos(a.value) * a.slope}; }
  friend Dual cos(const Dual& a) { return {std::cos(a.value), -std::sin(a.value) * a.slope}; }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return {root, a.slope / (2 * root)};
  }
};

}  // namespace mbfmu
