// Planar mechanisms of the literature in absolute coordinates.
#pragma once

#include "tests/integrators/planar_system.h"

namespace mbfmu {

// Andrews' squeezing mechanism: 7 bodies, 10 revolute joints (21 + 20 unknowns). Data of the IVP test set.
struct AndrewsData {
  static constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  static constexpr double c0 = 4530, l0 = 0.07785, torque = 0.033;
  static constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
  static constexpr double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
  static constexpr double u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;
  static constexpr double mass[7] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
  static constexpr double inertia[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};

  // The seven angles (beta, theta, gamma, phi, delta, omega, epsilon) at t = 0 and, in quadruple precision, at 0.03.
  static Vector anglesAtStart() {
    Vector q(7);
    q << -0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
        -0.222668390165885885, 1.23054744454982119;
    return q;
  }
  static Vector anglesAtEnd() {
    Vector q(7);
    q << 15.81077119515370709711939, -15.75637105841183946972775, 0.04082224011964580485828,
        -0.5347301163420795937701850, 0.5244099658799540693716558, 0.5347301163420795937701850,
        1.048080741041937873068515;
    return q;
  }
  static double relativeError(const Vector& angles) {
    return ((angles - anglesAtEnd()).array() / anglesAtEnd().array()).abs().maxCoeff();
  }
};

class AndrewsAbsolute : public PlanarSystem, public AndrewsData {
 public:
  AndrewsAbsolute() {
    for (int i = 0; i < 7; ++i) body_.push_back({mass[i], inertia[i]});
    joint_ = {{0, {-ra, 0}, -1, {0, 0}},           {0, {rr - ra, 0}, 1, {da, 0}}, {2, {-sb, sa}, -1, {xb, yb}},
              {1, {da - d, 0}, 2, {-sb, sa - ss}}, {1, {da - d, 0}, 3, {0, -ea}}, {1, {da - d, 0}, 5, {fa, 0}},
              {3, {0, e - ea}, 4, {zt - ta, -tb}}, {4, {-ta, -tb}, -1, {xa, ya}}, {5, {-(zf - fa), 0}, 6, {ub, ua - u}},
              {6, {ub, ua}, -1, {xa, ya}}};
    spring_ = {{2, {sd - sb, sa - sc}, {xc, yc}, c0, l0}};
    torque_ = {{0, torque}};
    finish();
  }

  static State initial() {
    const Vector q = anglesAtStart();
    const double be = q[0], bt = q[0] + q[1], ga = q[2], pd = q[3] + q[4], de = q[4], oe = q[5] + q[6], ep = q[6];
    State y{Vector(21), Vector::Zero(21), Vector(0)};
    const auto put = [&y](int i, double x, double z, double angle) { y.q.segment(3 * i, 3) << x, z, angle; };
    put(0, ra * std::cos(be), ra * std::sin(be), be);
    put(1, rr * std::cos(be) - da * std::cos(bt), rr * std::sin(be) - da * std::sin(bt), bt);
    put(2, xb + sa * std::sin(ga) + sb * std::cos(ga), yb - sa * std::cos(ga) + sb * std::sin(ga), ga);
    put(3, xa + zt * std::cos(de) + (e - ea) * std::sin(pd), ya + zt * std::sin(de) - (e - ea) * std::cos(pd), pd);
    put(4, xa + ta * std::cos(de) - tb * std::sin(de), ya + ta * std::sin(de) + tb * std::cos(de), de);
    put(5, xa + u * std::sin(ep) + (zf - fa) * std::cos(oe), ya - u * std::cos(ep) + (zf - fa) * std::sin(oe), oe);
    put(6, xa + ua * std::sin(ep) - ub * std::cos(ep), ya - ua * std::cos(ep) - ub * std::sin(ep), ep);
    return y;
  }
  static Vector angles(const State& y) {
    const Vector& x = y.q;
    Vector q(7);
    q << x[2], x[5] - x[2], x[8], x[11] - x[14], x[14], x[17] - x[20], x[20];
    return q;
  }
};

// N four-bar mechanisms side by side (IFToMM benchmark A02): N + 1 cranks of unit length and mass from (i, 0), N equal
// couplers. With the cranks horizontal the constraints lose rank.
class FourBars : public PlanarSystem {
 public:
  explicit FourBars(int count) : count_(count) {
    body_.assign(static_cast<std::size_t>(2 * count + 1), {1.0, 1.0 / 12});
    gravity_ = 9.81;
    for (int i = 0; i <= count; ++i) joint_.push_back({i, {-0.5, 0}, -1, {1.0 * i, 0}});
    for (int i = 0; i < count; ++i) {
      joint_.push_back({count + 1 + i, {-0.5, 0}, i, {0.5, 0}});
      joint_.push_back({count + 1 + i, {0.5, 0}, i + 1, {0.5, 0}});
    }
    finish();
  }
  // Cranks upright, their tips moving in +x at 1 m/s.
  State initial() const {
    State y{Vector::Zero(6 * count_ + 3), Vector::Zero(6 * count_ + 3), Vector(0)};
    for (int i = 0; i <= count_; ++i) {
      y.q.segment(3 * i, 3) << i, 0.5, M_PI / 2;
      y.v.segment(3 * i, 3) << 0.5, 0, -1;
    }
    for (int i = 0; i < count_; ++i) {
      y.q.segment(3 * (count_ + 1 + i), 3) << i + 0.5, 1, 0;
      y.v[3 * (count_ + 1 + i)] = 1;
    }
    return y;
  }
  static Vector tip(const State& y) {
    Vector b(2);
    b << y.q[0] + 0.5 * std::cos(y.q[2]), y.q[1] + 0.5 * std::sin(y.q[2]);
    return b;
  }

 private:
  int count_;
};

// Bars of unit length and mass hanging in a row from the origin, starting horizontal at rest.
class Chain : public PlanarSystem {
 public:
  explicit Chain(int count) {
    body_.assign(static_cast<std::size_t>(count), {1.0, 1.0 / 12});
    gravity_ = 9.81;
    joint_.push_back({0, {-0.5, 0}, -1, {0, 0}});
    for (int i = 1; i < count; ++i) joint_.push_back({i, {-0.5, 0}, i - 1, {0.5, 0}});
    finish();
  }
  State initial() const {
    const int n = dimensions().nq;
    State y{Vector::Zero(n), Vector::Zero(n), Vector(0)};
    for (int i = 0; 3 * i < n; ++i) y.q[3 * i] = i + 0.5;
    return y;
  }
};

}  // namespace mbfmu
