// Andrews' squeezing mechanism in seven angles with three loops closed (7 + 6 unknowns). IVP test set, "andrews".
#pragma once

#include "tests/integrators/planar_mechanisms.h"
#include "tests/problems/automatic_system.h"

namespace mbfmu {

class AndrewsMinimal : public AutomaticSystem<AndrewsMinimal, 7, 6>, public AndrewsData {
 public:
  static State initial() { return {anglesAtStart(), Vector::Zero(7), Vector(0)}; }
  static const Vector& angles(const State& y) { return y.q; }

  template <class T>
  void motion(double, const T* q, const T* v, const T* acc, const T* lambda, T* r) const {
    using std::cos, std::sin, std::sqrt;
    const double p = e - ea, f = zf - fa;
    const double k1 = mass[1] * da * rr, k2 = mass[3] * zt * p, k3 = mass[5] * u * f;
    const T s1 = sin(q[1]), c1 = cos(q[1]), s3 = sin(q[3]), c3 = cos(q[3]), s5 = sin(q[5]), c5 = cos(q[5]);
    const double i1 = mass[1] * da * da + inertia[1], i3 = mass[3] * p * p + inertia[3];
    const double i5 = mass[5] * f * f + inertia[5];
    const double m00 = mass[0] * ra * ra + mass[1] * rr * rr + inertia[0] + i1;
    const double m44 = mass[3] * zt * zt + mass[4] * (ta * ta + tb * tb) + inertia[4] + i3;
    const double m66 = mass[5] * u * u + mass[6] * (ua * ua + ub * ub) + inertia[6] + i5;
    r[0] = (m00 - 2 * k1 * c1) * acc[0] + (i1 - k1 * c1) * acc[1] + k1 * s1 * v[1] * (v[1] + 2 * v[0]) - torque;
    r[1] = (i1 - k1 * c1) * acc[0] + i1 * acc[1] - k1 * s1 * v[0] * v[0];
    r[3] = i3 * acc[3] + (i3 + k2 * s3) * acc[4] - k2 * c3 * v[4] * v[4];
    r[4] = (i3 + k2 * s3) * acc[3] + (m44 + 2 * k2 * s3) * acc[4] + k2 * c3 * v[3] * (v[3] + 2 * v[4]);
    r[5] = i5 * acc[5] + (i5 - k3 * s5) * acc[6] + k3 * c5 * v[6] * v[6];
    r[6] = (i5 - k3 * s5) * acc[5] + (m66 - 2 * k3 * s5) * acc[6] - k3 * c5 * v[5] * (v[5] + 2 * v[6]);
    // The spring from D on body 3 to C.
    const T sg = sin(q[2]), cg = cos(q[2]);
    const T dx = sd * cg + sc * sg + (xb - xc), dy = sd * sg - sc * cg + (yb - yc);
    const T pull = c0 - c0 * l0 / sqrt(dx * dx + dy * dy);
    r[2] = (mass[2] * (sa * sa + sb * sb) + inertia[2]) * acc[2] +
           pull * (dx * (sc * cg - sd * sg) + dy * (sd * cg + sc * sg));
    for (int chain = 0; chain < 3; ++chain) {
      forEachLink(chain, [&](double x, double y, int i, int j) {
        const T angle = j < 0 ? q[i] : q[i] + q[j];
        const T push = lambda[2 * chain] * (y * cos(angle) - x * sin(angle)) +
                       lambda[2 * chain + 1] * (x * cos(angle) + y * sin(angle));
        r[i] += push;
        if (j >= 0) r[j] += push;
      });
    }
  }

  template <class T>
  void rows(double, const T* q, const T* v, const T* acc, Level level, T* r) const {
    using std::cos, std::sin;
    const double ground[3][2] = {{xb, yb}, {xa, ya}, {xa, ya}};
    for (int chain = 0; chain < 3; ++chain) {
      T& x = r[2 * chain];
      T& y = r[2 * chain + 1];
      x = level == Level::position ? -ground[chain][0] : 0.0;
      y = level == Level::position ? -ground[chain][1] : 0.0;
      forEachLink(chain, [&](double lx, double ly, int i, int j) {
        const T angle = j < 0 ? q[i] : q[i] + q[j];
        const T px = lx * cos(angle) + ly * sin(angle), py = lx * sin(angle) - ly * cos(angle);
        if (level == Level::position) {
          x += px;
          y += py;
          return;
        }
        const T rate = j < 0 ? v[i] : v[i] + v[j];
        if (level == Level::velocity) {
          x -= py * rate;
          y += px * rate;
          return;
        }
        const T turn = j < 0 ? acc[i] : acc[i] + acc[j];
        x -= py * turn + px * rate * rate;
        y += px * turn - py * rate * rate;
      });
    }
  }

 private:
  // Each loop's links: the vector (x cos + y sin, x sin - y cos) of the angle q_i (+ q_j).
  template <class Visit>
  static void forEachLink(int chain, Visit visit) {
    visit(rr, 0.0, 0, -1);
    visit(-d, 0.0, 0, 1);
    if (chain == 0) visit(0.0, -ss, 2, -1);
    if (chain == 1) visit(0.0, -e, 3, 4);
    if (chain == 1) visit(-zt, 0.0, 4, -1);
    if (chain == 2) visit(-zf, 0.0, 5, 6);
    if (chain == 2) visit(0.0, -u, 6, -1);
  }
};

}  // namespace mbfmu
