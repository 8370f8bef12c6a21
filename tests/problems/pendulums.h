// Pendulums of unit mass and length in Cartesian coordinates.
#pragma once

#include <cmath>

#include "tests/problems/automatic_system.h"

namespace mbfmu {

// Unit gravity, starting at (1, 0) with velocity (0, 1): the index-3 pendulum of the MEBDF test drivers.
class CartesianPendulum : public AutomaticSystem<CartesianPendulum, 2, 1> {
 public:
  static State initial() {
    State y{Vector(2), Vector(2), Vector(0)};
    y.q << 1, 0;
    y.v << 0, 1;
    return y;
  }
  // At t = 1, from two formulations in quadruple precision: x, y, u, v, lambda.
  static Vector end() {
    Vector z(5);
    z << 0.867348640600439321734308117, 0.497701050479672929353712765, -0.0337480180609545196091412779,
        0.0588130114652500075408496027, -0.493103151439018788061138295;
    return z;
  }

  template <class T>
  void motion(double, const T* q, const T*, const T* a, const T* lambda, T* r) const {
    r[0] = a[0] + q[0] * lambda[0];
    r[1] = a[1] + q[1] * lambda[0] + 1.0;
  }
  template <class T>
  void rows(double, const T* q, const T* v, const T* a, Level level, T* r) const {
    if (level == Level::position) r[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    if (level == Level::velocity) r[0] = q[0] * v[0] + q[1] * v[1];
    if (level == Level::acceleration) r[0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
  }
};

// Hanging at rest from a pivot that swings as (s(t), 0), s = 0.2 sin 3t: a constraint that depends on time.
class DrivenPendulum : public AutomaticSystem<DrivenPendulum, 2, 1> {
 public:
  static State initial() {
    State y{Vector(2), Vector(2), Vector(0)};
    y.q << 0, -1;
    y.v << amplitude * frequency, 0;  // the pivot's
    return y;
  }

  template <class T>
  void motion(double t, const T* q, const T*, const T* a, const T* lambda, T* r) const {
    r[0] = a[0] + (q[0] - amplitude * std::sin(frequency * t)) * lambda[0];
    r[1] = a[1] + q[1] * lambda[0] + 9.81;
  }
  template <class T>
  void rows(double t, const T* q, const T* v, const T* a, Level level, T* r) const {
    const double s = amplitude * std::sin(frequency * t), rate = amplitude * frequency * std::cos(frequency * t);
    const double acceleration = -frequency * frequency * s;
    const T x = q[0] - s, u = v[0] - rate;
    if (level == Level::position) r[0] = 0.5 * (x * x + q[1] * q[1] - 1.0);
    if (level == Level::velocity) r[0] = x * u + q[1] * v[1];
    if (level == Level::acceleration) r[0] = x * (a[0] - acceleration) + q[1] * a[1] + u * u + v[1] * v[1];
  }

 private:
  static constexpr double amplitude = 0.2, frequency = 3;
};

}  // namespace mbfmu
