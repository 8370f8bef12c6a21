// The mechanisms of the integrator tests, with initial states.
#pragma once

#include <cmath>

#include "integrators/consistency.h"
#include "tests/integrators/dense_system.h"

namespace mbfmu {

inline Rates consistentRates(const System& system, double t, const State& y) {
  const Dimensions n = system.dimensions();
  Rates w{Vector::Zero(n.nv), Vector::Zero(n.nx), Vector::Zero(n.m)};
  ConsistencySolver solver;
  solver.setUp(system);
  if (solver.factor(system, t, y, w)) solver.solveRates(system, t, y, w);
  return w;
}

// Planar double pendulum of two bars in absolute coordinates (x1, y1, th1, x2, y2, th2), starting at rest:
// Li, Ding, Li 2019, second joint written relative to body 1.
class TwoLink : public DenseSystem {
 public:
  TwoLink() : DenseSystem({6, 6, 0, 4}) {}

  static State initial() {
    const double th1 = M_PI / 3, th2 = -M_PI / 6;
    State y{Vector(6), Vector::Zero(6), Vector(0)};
    y.q << L1 / 2 * std::cos(th1), L1 / 2 * std::sin(th1), th1, L1 * std::cos(th1) + L2 / 2 * std::cos(th2),
        L1 * std::sin(th1) + L2 / 2 * std::sin(th2), th2;
    return y;
  }
  static double energy(const State& y) {
    const Vector& v = y.v;
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + I1 * v[2] * v[2] + 2 * v[3] * v[3] + 2 * v[4] * v[4] + I2 * v[5] * v[5]) +
           g * (y.q[1] + 2 * y.q[4]);
  }

 protected:
  void evaluate(double, const State& y, const Rates& w, Terms& k) const override {
    const Vector &q = y.q, &v = y.v, &l = w.lambda;
    const double s1 = L1 / 2 * std::sin(q[2]), c1 = L1 / 2 * std::cos(q[2]);
    const double s2 = L2 / 2 * std::sin(q[5]), c2 = L2 / 2 * std::cos(q[5]);
    const double w1 = v[2], w2 = v[5], a1 = w.a[2], a2 = w.a[5];
    k.M.diagonal() << 1, 1, I1, 2, 2, I2;
    k.Q << 0, -g, 0, 0, -2 * g, 0;
    k.Phi << q[0] - c1, q[1] - s1, q[3] - q[0] - c1 - c2, q[4] - q[1] - s1 - s2;
    k.Phi_q << 1, 0, s1, 0, 0, 0, 0, 1, -c1, 0, 0, 0, -1, 0, s1, 1, 0, s2, 0, -1, -c1, 0, 1, -c2;
    k.gamma << -c1 * w1 * w1, -s1 * w1 * w1, -c1 * w1 * w1 - c2 * w2 * w2, -s1 * w1 * w1 - s2 * w2 * w2;
    k.force_q(2, 2) = (l[0] + l[2]) * c1 + (l[1] + l[3]) * s1;
    k.force_q(5, 5) = l[2] * c2 + l[3] * s2;
    k.velocity_q.col(2) << c1 * w1, s1 * w1, c1 * w1, s1 * w1;
    k.velocity_q.col(5) << 0, 0, c2 * w2, s2 * w2;
    k.gamma_v = -2 * k.velocity_q;
    const double x1 = c1 * a1 - s1 * w1 * w1, y1 = s1 * a1 + c1 * w1 * w1;
    k.acceleration_q.col(2) << x1, y1, x1, y1;
    k.acceleration_q.col(5) << 0, 0, c2 * a2 - s2 * w2 * w2, s2 * a2 + c2 * w2 * w2;
  }

 private:
  static constexpr double g = 9.81, L1 = 1, L2 = 1.7320508075688772, I1 = 1.0 / 12, I2 = 0.5;
};

// Pendulum of unit mass and length in Cartesian coordinates. A filter x' = (q_0 - x) / tau + v_1 pulls back with force
// k x; a sideways force is the input. `copies` > 1 repeats the constraint, which makes it redundant.
class Pendulum : public DenseSystem {
 public:
  explicit Pendulum(int copies = 1) : DenseSystem({2, 2, 1, copies}) {}
  double force = 0, stiffness = 3, tau = 0.2;

  static State initial() {
    State y{Vector(2), Vector::Zero(2), Vector::Zero(1)};
    y.q << 1, 0;
    return y;
  }

 protected:
  void evaluate(double, const State& y, const Rates& w, Terms& k) const override {
    const Vector &q = y.q, &v = y.v;
    k.M.setIdentity();
    k.Q << force - stiffness * y.x[0], -9.81 - 0.1 * v[1];
    k.Q_v(1, 1) = -0.1;
    k.Q_x << -stiffness, 0;
    k.f << (q[0] - y.x[0]) / tau + v[1];
    k.f_q << 1 / tau, 0;
    k.f_v << 0, 1;
    k.f_x << -1 / tau;
    k.Phi.setConstant((q.squaredNorm() - 1) / 2);
    k.gamma.setConstant(-v.squaredNorm());
    k.Phi_q.rowwise() = q.transpose();
    k.velocity_q.rowwise() = v.transpose();
    k.gamma_v.rowwise() = -2 * v.transpose();
    k.acceleration_q.rowwise() = w.a.transpose();
    k.force_q.diagonal().setConstant(w.lambda.sum());
  }
};

// Free rigid body: orientation as unit quaternion (w, x, y, z), body angular velocity, J = diag(1, 2, 3).
class AsymmetricTop : public DenseSystem {
 public:
  AsymmetricTop() : DenseSystem({4, 3, 0, 0}) {}

  static State initial() {
    State y{Vector(4), Vector(3), Vector(0)};
    y.q << 1, 0, 0, 0;
    y.v << 0.1, 2, 0.2;
    return y;
  }
  static Eigen::Vector3d inertia() { return {1, 2, 3}; }
  static Eigen::Vector3d momentum(const State& y) {
    const Eigen::Quaterniond p(y.q[0], y.q[1], y.q[2], y.q[3]);
    return p * inertia().cwiseProduct(y.v.head<3>());
  }

  // p exp(theta / 2)
  void advance(const Vector& q0, const Vector& theta, Vector& q) const override {
    const double phi = theta.norm(), half = phi > 1e-8 ? std::sin(phi / 2) / phi : 0.5;
    const Eigen::Quaterniond turn(std::cos(phi / 2), half * theta[0], half * theta[1], half * theta[2]);
    const Eigen::Quaterniond p = (Eigen::Quaterniond(q0[0], q0[1], q0[2], q0[3]) * turn).normalized();
    q << p.w(), p.x(), p.y(), p.z();
  }
  void difference(const Vector& q0, const Vector& q1, Vector& theta) const override {
    const Eigen::Quaterniond p0(q0[0], q0[1], q0[2], q0[3]), p1(q1[0], q1[1], q1[2], q1[3]);
    const Eigen::AngleAxisd turn(p0.conjugate() * p1);
    theta = turn.angle() * turn.axis();
  }
  // theta' = (I + [theta]/2 + e [theta]^2) omega,  e = (1 - (phi/2) cot(phi/2)) / phi^2
  void chartRate(const Vector& theta, const Vector& v, Vector& rate) const override {
    const Eigen::Vector3d th = theta.head<3>(), omega = v.head<3>();
    const double phi = th.norm();
    const double e = phi > 0.05 ? (1 - phi / 2 / std::tan(phi / 2)) / (phi * phi) : 1.0 / 12 + phi * phi / 720;
    rate = omega + 0.5 * th.cross(omega) + e * th.cross(th.cross(omega));
  }

 protected:
  void evaluate(double, const State& y, const Rates&, Terms& k) const override {
    const Eigen::Vector3d J = inertia(), v = y.v.head<3>(), L = J.cwiseProduct(v);
    k.M.diagonal() = J;
    k.Q = -v.cross(L);
    k.Q_v = skew(L) - skew(v) * J.asDiagonal().toDenseMatrix();
  }

 private:
  static Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
    Eigen::Matrix3d s;
    s << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
    return s;
  }
};

}  // namespace mbfmu
