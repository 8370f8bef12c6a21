// Second-order Taylor arithmetic along one direction: f(g) has f' g' and f'' g'^2 + f' g''.
#pragma once

#include <cmath>

namespace mbfmu {

// f along one direction s: value, df/ds and d2f/ds2. A number stands for itself, whatever the direction.
struct Jet {
  double value = 0, first = 0, second = 0;
  constexpr Jet() = default;
  constexpr Jet(double v, double d = 0, double d2 = 0) : value(v), first(d), second(d2) {}
};

// g mapped by a function with value f, first and second derivative f1 and f2.
inline Jet chain(const Jet& g, double f, double f1, double f2) {
  // A direction that does not move g must not meet an infinite derivative (sqrt at 0): 0 * inf is not a number.
  if (g.first == 0 && g.second == 0) return {f, 0, 0};
  return {f, f1 * g.first, f2 * g.first * g.first + f1 * g.second};
}

inline Jet operator-(const Jet& a) { return {-a.value, -a.first, -a.second}; }
inline Jet operator+(const Jet& a, const Jet& b) { return {a.value + b.value, a.first + b.first, a.second + b.second}; }
inline Jet operator-(const Jet& a, const Jet& b) { return a + (-b); }
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2 * a.first * b.first + a.value * b.second};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double r = 1 / b.value;
  return a * chain(b, r, -r * r, 2 * r * r * r);
}

// By the value: which branch of a function is taken.
inline bool operator<(const Jet& a, const Jet& b) { return a.value < b.value; }
inline bool operator>(const Jet& a, const Jet& b) { return b < a; }
inline bool operator<=(const Jet& a, const Jet& b) { return a.value <= b.value; }
inline bool operator>=(const Jet& a, const Jet& b) { return b <= a; }

inline Jet sqrt(const Jet& a) {
  const double s = std::sqrt(a.value);
  return chain(a, s, 0.5 / s, -0.25 / (s * a.value));
}
inline Jet sin(const Jet& a) { return chain(a, std::sin(a.value), std::cos(a.value), -std::sin(a.value)); }
inline Jet cos(const Jet& a) { return chain(a, std::cos(a.value), -std::sin(a.value), -std::cos(a.value)); }
inline Jet tan(const Jet& a) {
  const double t = std::tan(a.value), d = 1 + t * t;
  return chain(a, t, d, 2 * t * d);
}
inline Jet asin(const Jet& a) {
  const double d = 1 / std::sqrt(1 - a.value * a.value);
  return chain(a, std::asin(a.value), d, a.value * d * d * d);
}
inline Jet acos(const Jet& a) {
  const double d = -1 / std::sqrt(1 - a.value * a.value);
  return chain(a, std::acos(a.value), d, a.value * d * d * d);
}
inline Jet exp(const Jet& a) {
  const double e = std::exp(a.value);
  return chain(a, e, e, e);
}
inline Jet log(const Jet& a) { return chain(a, std::log(a.value), 1 / a.value, -1 / (a.value * a.value)); }
inline Jet tanh(const Jet& a) {
  const double t = std::tanh(a.value), d = 1 - t * t;
  return chain(a, t, d, -2 * t * d);
}
inline Jet abs(const Jet& a) { return a.value < 0 ? -a : a; }
inline Jet min(const Jet& a, const Jet& b) { return b.value < a.value ? b : a; }
inline Jet max(const Jet& a, const Jet& b) { return a.value < b.value ? b : a; }

inline Jet pow(const Jet& a, const Jet& b) {
  const double f = std::pow(a.value, b.value);
  if (b.first == 0 && b.second == 0) {
    // A constant exponent allows a negative base; exponents 0, 1 and 2 have no pole at 0.
    const double n = b.value;
    return chain(a, f, n == 0 ? 0 : n * std::pow(a.value, n - 1),
                 n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a.value, n - 2));
  }
  Jet result = exp(b * log(a));
  result.value = f;
  return result;
}
inline Jet atan2(const Jet& y, const Jet& x) {
  // d atan2 = (x dy - y dx) / r^2
  const double r2 = x.value * x.value + y.value * y.value;
  const double n = x.value * y.first - y.value * x.first;
  const double n1 = x.value * y.second - y.value * x.second;
  const double r2d = 2 * (x.value * x.first + y.value * y.first);
  return {std::atan2(y.value, x.value), n / r2, (n1 - n * r2d / r2) / r2};
}

}  // namespace mbfmu
