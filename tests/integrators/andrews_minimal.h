// Andrews' squeezing mechanism in its seven angles (7 + 6 unknowns), as in the IVP test set. Derivatives by complex
// steps: d f / d x_j = Im f(x + i eps e_j) / eps, exact to round-off.
#pragma once

#include <complex>

#include "tests/integrators/dense_system.h"
#include "tests/integrators/planar_mechanisms.h"

namespace mbfmu {

class AndrewsMinimal : public DenseSystem, public AndrewsData {
 public:
  AndrewsMinimal() : DenseSystem({7, 7, 0, 6}) {}
  static State initial() { return {anglesAtStart(), Vector::Zero(7), Vector(0)}; }
  static Vector angles(const State& y) { return y.q; }

 protected:
  void evaluate(double, const State& y, const Rates& w, Terms& k) const override {
    const V<double> q = y.q.head<7>(), v = y.v.head<7>();
    k.M = massMatrix(q);
    k.Q = force(q, v);
    k.Phi = constraint(q);
    k.Phi_q = jacobian(q);
    k.gamma = -convective(q, v);
    const V<C> qc = q.cast<C>(), vc = v.cast<C>(), a = w.a.head<7>().cast<C>();
    const L<C> lambda = w.lambda.head<6>().cast<C>();
    for (int j = 0; j < 7; ++j) {
      V<C> at = qc;
      at[j] += C(0, kStep);
      const V<C> motion = massMatrix(at) * a + jacobian(at).transpose() * lambda - force(at, vc);
      const L<C> velocity = jacobian(at) * vc, acceleration = jacobian(at) * a + convective(at, vc);
      k.force_q.col(j) = motion.imag() / kStep;
      k.velocity_q.col(j) = velocity.imag() / kStep;
      k.acceleration_q.col(j) = acceleration.imag() / kStep;
      at = vc;
      at[j] += C(0, kStep);
      const V<C> turned = force(qc, at);
      const L<C> swept = convective(qc, at);
      k.Q_v.col(j) = turned.imag() / kStep;
      k.gamma_v.col(j) = -swept.imag() / kStep;
    }
  }

 private:
  using C = std::complex<double>;
  template <class T>
  using V = Eigen::Matrix<T, 7, 1>;
  template <class T>
  using L = Eigen::Matrix<T, 6, 1>;
  static constexpr double kStep = 1e-40;
  static constexpr double em = e - ea, zm = zf - fa;

  template <class T>
  static Eigen::Matrix<T, 7, 7> massMatrix(const V<T>& q) {
    using std::cos, std::sin;
    const auto sq = [](double x) { return x * x; };
    const double *m = mass, *I = inertia;
    Eigen::Matrix<T, 7, 7> M = Eigen::Matrix<T, 7, 7>::Zero();
    M(0, 0) = m[0] * sq(ra) + m[1] * (sq(rr) - 2 * da * rr * cos(q[1]) + sq(da)) + I[0] + I[1];
    M(1, 0) = M(0, 1) = m[1] * (sq(da) - da * rr * cos(q[1])) + I[1];
    M(1, 1) = m[1] * sq(da) + I[1];
    M(2, 2) = m[2] * (sq(sa) + sq(sb)) + I[2];
    M(3, 3) = m[3] * sq(em) + I[3];
    M(4, 3) = M(3, 4) = m[3] * (sq(em) + zt * em * sin(q[3])) + I[3];
    M(4, 4) = m[3] * (sq(zt) + 2 * zt * em * sin(q[3]) + sq(em)) + m[4] * (sq(ta) + sq(tb)) + I[3] + I[4];
    M(5, 5) = m[5] * sq(zm) + I[5];
    M(6, 5) = M(5, 6) = m[5] * (sq(zm) - u * zm * sin(q[5])) + I[5];
    M(6, 6) = m[5] * (sq(zm) - 2 * u * zm * sin(q[5]) + sq(u)) + m[6] * (sq(ua) + sq(ub)) + I[5] + I[6];
    return M;
  }

  template <class T>
  static V<T> force(const V<T>& q, const V<T>& v) {
    using std::cos, std::sin, std::sqrt;
    const T cg = cos(q[2]), sg = sin(q[2]);
    const T dx = sd * cg + sc * sg + xb - xc, dy = sd * sg - sc * cg + yb - yc;
    const T length = sqrt(dx * dx + dy * dy), pull = -c0 * (length - l0) / length;
    V<T> f;
    f << torque - mass[1] * da * rr * v[1] * (v[1] + 2.0 * v[0]) * sin(q[1]),
        mass[1] * da * rr * v[0] * v[0] * sin(q[1]), pull * dx * (sc * cg - sd * sg) + pull * dy * (sd * cg + sc * sg),
        mass[3] * zt * em * v[4] * v[4] * cos(q[3]), -mass[3] * zt * em * v[3] * (v[3] + 2.0 * v[4]) * cos(q[3]),
        -mass[5] * u * zm * v[6] * v[6] * cos(q[5]), mass[5] * u * zm * v[5] * (v[5] + 2.0 * v[6]) * cos(q[5]);
    return f;
  }

  template <class T>
  static L<T> constraint(const V<T>& q) {
    using std::cos, std::sin;
    const T x = rr * cos(q[0]) - d * cos(q[0] + q[1]), z = rr * sin(q[0]) - d * sin(q[0] + q[1]);
    L<T> g;
    g << x - ss * sin(q[2]) - xb, z + ss * cos(q[2]) - yb, x - e * sin(q[3] + q[4]) - zt * cos(q[4]) - xa,
        z + e * cos(q[3] + q[4]) - zt * sin(q[4]) - ya, x - zf * cos(q[5] + q[6]) - u * sin(q[6]) - xa,
        z - zf * sin(q[5] + q[6]) + u * cos(q[6]) - ya;
    return g;
  }

  template <class T>
  static Eigen::Matrix<T, 6, 7> jacobian(const V<T>& q) {
    using std::cos, std::sin;
    const T s1 = sin(q[0] + q[1]), c1 = cos(q[0] + q[1]), s3 = sin(q[3] + q[4]), c3 = cos(q[3] + q[4]),
            s5 = sin(q[5] + q[6]), c5 = cos(q[5] + q[6]);
    Eigen::Matrix<T, 6, 7> G = Eigen::Matrix<T, 6, 7>::Zero();
    for (int i = 0; i < 6; i += 2) {
      G(i, 0) = -rr * sin(q[0]) + d * s1;
      G(i, 1) = d * s1;
      G(i + 1, 0) = rr * cos(q[0]) - d * c1;
      G(i + 1, 1) = -d * c1;
    }
    G(0, 2) = -ss * cos(q[2]);
    G(1, 2) = -ss * sin(q[2]);
    G(2, 3) = -e * c3;
    G(2, 4) = -e * c3 + zt * sin(q[4]);
    G(3, 3) = -e * s3;
    G(3, 4) = -e * s3 - zt * cos(q[4]);
    G(4, 5) = zf * s5;
    G(4, 6) = zf * s5 - u * cos(q[6]);
    G(5, 5) = -zf * c5;
    G(5, 6) = -zf * c5 - u * sin(q[6]);
    return G;
  }

  // (d/dt Phi_q) v
  template <class T>
  static L<T> convective(const V<T>& q, const V<T>& v) {
    using std::cos, std::sin;
    const auto sq = [](const T& x) { return x * x; };
    const T w1 = sq(v[0] + v[1]), w3 = sq(v[3] + v[4]), w5 = sq(v[5] + v[6]);
    const T x = -rr * cos(q[0]) * sq(v[0]) + d * cos(q[0] + q[1]) * w1;
    const T z = -rr * sin(q[0]) * sq(v[0]) + d * sin(q[0] + q[1]) * w1;
    L<T> c;
    c << x + ss * sin(q[2]) * sq(v[2]), z - ss * cos(q[2]) * sq(v[2]),
        x + e * sin(q[3] + q[4]) * w3 + zt * cos(q[4]) * sq(v[4]),
        z - e * cos(q[3] + q[4]) * w3 + zt * sin(q[4]) * sq(v[4]),
        x + zf * cos(q[5] + q[6]) * w5 + u * sin(q[6]) * sq(v[6]),
        z + zf * sin(q[5] + q[6]) * w5 - u * cos(q[6]) * sq(v[6]);
    return c;
  }
};

}  // namespace mbfmu
