// Flexible slider-crank (Simeon; IVP test set, "crank"): crank turned at constant speed, connecting rod with two
// lateral and two longitudinal modes, sliding block. q = (phi1, phi2, x3, q1..q4). Consistent initial values, full pi.
// The damped variant gives the modes 0.5 % damping.
#pragma once

#include <cmath>

#include "tests/problems/automatic_system.h"

namespace mbfmu {

class SliderCrank : public AutomaticSystem<SliderCrank, 7, 3> {
 public:
  explicit SliderCrank(bool damped) {
    const double pi = M_PI, fm = rho * b * h * L2, fk = E * b * h / L2, fb = b * h * L2, slender = h * h / (L2 * L2);
    Mq.diagonal() << fm / 2, fm / 2, 8 * fm, 2 * fm;
    Mq(2, 3) = Mq(3, 2) = fm;
    Kq.diagonal() << fk * std::pow(pi, 4) / 24 * slender, fk * 2 * std::pow(pi, 4) / 3 * slender, 16 * fk / 3,
        7 * fk / 3;
    Kq(2, 3) = Kq(3, 2) = -8 * fk / 3;
    Bq(0, 2) = -16 * fb / std::pow(pi, 3);
    Bq(0, 3) = fb * (8 / std::pow(pi, 3) - 1 / pi);
    Bq(1, 3) = fb / (2 * pi);
    Bq -= Bq.transpose().eval();
    c1 << 0, 0, 2 * fb / 3, fb / 6;
    c2 << 2 * fb / pi, 0, 0, 0;
    c12 << 0, 0, L2 * fb / 3, L2 * fb / 6;
    c21 << L2 * fb / pi, -L2 * fb / (2 * pi), 0, 0;
    if (!damped) return;
    Dq.diagonal() << 5, 25, 115.41877276, 210.87109186;
    Dq(2, 3) = Dq(3, 2) = -131.34424400;
  }

  static State initial() {
    State y{Vector(7), Vector(7), Vector(0)};
    y.q << 0, 0, 0.4500169327969, 0, 0, 0.103339863e-4, 0.169327969e-4;
    y.v << 150, -74.99576703969452, -0.268938672e-5, 0.4448961125816, 0.0046343393192383, -0.178591076e-5,
        -0.268938672e-5;
    return y;
  }
  // At t = 0.1, in quadruple precision.
  static Vector end(bool damped) {
    Vector q(7);
    if (damped)
      q << 15, -0.33117350255643966139, 0.16973732919786408700, 2.1080321030166655807e-4, 2.3823684015730783331e-5,
          -5.3324590862227472872e-6, -8.3665683476198263042e-6;
    else
      q << 15, -0.33117349882568282626102, 0.16973733263992333268917, 1.8931925243380385219259e-4,
          2.3757514172686347138360e-5, -5.323896799945325374410e-6, -8.363313324960008497555e-6;
    return q;
  }

  template <class T>
  void motion(double, const T* q, const T* v, const T* acc, const T* lambda, T* r) const {
    using std::cos, std::sin;
    const T C = cos(q[0] - q[1]), S = sin(q[0] - q[1]);
    const T *e = q + 3, *de = v + 3, *ae = acc + 3;
    const T c1e = dot(c1, e), c2e = dot(c2, e);
    T Me[4], Be[4], Bd[4];
    T eMe = 0.0, dMe = 0.0, dBd = 0.0;
    for (int i = 0; i < 4; ++i) {
      Me[i] = dot(Mq.row(i), e);
      Be[i] = dot(Bq.row(i), e);
      Bd[i] = dot(Bq.row(i), de);
      eMe += e[i] * Me[i];
      dMe += de[i] * Me[i];
      dBd += de[i] * Bd[i];
    }
    const T m12 = L1 * L2 * m2 / 2 * C + rho * L1 * (S * c2e + C * c1e);
    const T w1 = v[0] * v[0], w2 = v[1] * v[1];
    r[0] = (J1 + m2 * L1 * L1) * acc[0] + m12 * acc[1] + L1 * L2 * m2 / 2 * w2 * S -
           rho * L1 * w2 * (C * c2e - S * c1e) + 2 * rho * L1 * v[1] * (C * dot(c1, de) + S * dot(c2, de));
    r[1] = m12 * acc[0] + (J2 + eMe + 2 * rho * dot(c12, e)) * acc[1] - L1 * L2 * m2 / 2 * w1 * S -
           rho * L1 * w1 * (S * c1e - C * c2e) + 2 * rho * v[1] * dot(c12, de) + 2 * v[1] * dMe + rho * dBd;
    r[2] = m3 * acc[2];
    for (int i = 0; i < 4; ++i) {
      const T along = rho * L1 * (c2[i] * C - c1[i] * S), across = rho * c21[i] - rho * Be[i];  // e^T Bq = -Bq e
      r[0] += along * ae[i];
      r[1] += across * ae[i];
      r[3 + i] = along * acc[0] + across * acc[1] + dot(Mq.row(i), ae) - w2 * (Me[i] + rho * c12[i]) -
                 rho * L1 * w1 * (c1[i] * C + c2[i] * S) - 2 * rho * v[1] * Bd[i] + dot(Kq.row(i), e) +
                 dot(Dq.row(i), de);
    }
    const T s1 = sin(q[0]), k1 = cos(q[0]), s2 = sin(q[1]), k2 = cos(q[1]), l2 = L2 + q[6];
    r[0] += L1 * (k1 * lambda[0] + s1 * lambda[1]) + lambda[2];
    r[1] += l2 * (k2 * lambda[0] + s2 * lambda[1]);
    r[2] += lambda[1];
    r[6] += s2 * lambda[0] - k2 * lambda[1];
  }

  template <class T>
  void rows(double t, const T* q, const T* v, const T* acc, Level level, T* r) const {
    using std::cos, std::sin;
    const T s1 = sin(q[0]), k1 = cos(q[0]), s2 = sin(q[1]), k2 = cos(q[1]), l2 = L2 + q[6];
    if (level == Level::position) {
      r[0] = L1 * s1 + l2 * s2;
      r[1] = q[2] - L1 * k1 - l2 * k2;
      r[2] = q[0] - speed * t;
    } else if (level == Level::velocity) {
      r[0] = L1 * k1 * v[0] + l2 * k2 * v[1] + s2 * v[6];
      r[1] = v[2] + L1 * s1 * v[0] + l2 * s2 * v[1] - k2 * v[6];
      r[2] = v[0] - speed;
    } else {
      const T w1 = v[0] * v[0], w2 = v[1] * v[1], x = 2.0 * v[1] * v[6];
      r[0] = L1 * (k1 * acc[0] - s1 * w1) + l2 * (k2 * acc[1] - s2 * w2) + s2 * acc[6] + k2 * x;
      r[1] = acc[2] + L1 * (s1 * acc[0] + k1 * w1) + l2 * (s2 * acc[1] + k2 * w2) - k2 * acc[6] + s2 * x;
      r[2] = acc[0];
    }
  }

 private:
  template <class Row, class T>
  static T dot(const Row& weights, const T* x) {
    return weights[0] * x[0] + weights[1] * x[1] + weights[2] * x[2] + weights[3] * x[3];
  }

  static constexpr double m2 = 0.151104, m3 = 0.075552, L1 = 0.15, L2 = 0.30, J1 = 0.002727, J2 = 0.0045339259;
  static constexpr double E = 2e11, b = 0.008, h = 0.008, rho = 7870, speed = 150;
  Eigen::Matrix4d Mq = Eigen::Matrix4d::Zero(), Kq = Mq, Bq = Mq, Dq = Mq;
  Eigen::Vector4d c1, c2, c12, c21;
};

}  // namespace mbfmu
