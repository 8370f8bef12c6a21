// Base of the test systems: full matrices written by hand, every entry in the pattern.
#pragma once

#include <string>

#include "integrators/system.h"

namespace mbfmu {

// The terms of the equations and their derivatives, named as in system.h. Products are with the rates at hand.
struct Terms {
  Eigen::MatrixXd M, Phi_q;
  Vector Q, f, Phi, Phi_t, gamma;
  Eigen::MatrixXd force_q;  // (M a + Phi_q^T lambda - Q)_q
  Eigen::MatrixXd Q_v, Q_x;
  Eigen::MatrixXd f_q, f_v, f_x;
  Eigen::MatrixXd velocity_q;      // (Phi_q v + Phi_t)_q
  Eigen::MatrixXd acceleration_q;  // (Phi_q a - gamma)_q
  Eigen::MatrixXd gamma_v;
};

class DenseSystem : public System {
 public:
  explicit DenseSystem(Dimensions n) : n_(n) {
    const int size = n.unknowns();
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        pattern_.row.push_back(i);
        pattern_.col.push_back(j);
      }
    }
    const auto zero = [](int rows, int cols) { return Eigen::MatrixXd::Zero(rows, cols).eval(); };
    k_.M = k_.force_q = k_.Q_v = zero(n.nv, n.nv);
    k_.Phi_q = k_.velocity_q = k_.acceleration_q = k_.gamma_v = zero(n.m, n.nv);
    k_.Q_x = zero(n.nv, n.nx);
    k_.f_q = k_.f_v = zero(n.nx, n.nv);
    k_.f_x = zero(n.nx, n.nx);
    k_.Q = zero(n.nv, 1);
    k_.f = zero(n.nx, 1);
    k_.Phi = k_.Phi_t = k_.gamma = zero(n.m, 1);
    for (auto& p : P_) p = zero(size, size);
  }

  Dimensions dimensions() const override { return n_; }
  const Pattern& pattern() const override { return pattern_; }
  std::string constraintName(int row) const override { return "row " + std::to_string(row); }

  void residual(double t, const State& y, const Rates& w, Level level, Vector& r) const override {
    evaluate(t, y, w, k_);
    r.head(n_.nv) = k_.M.lazyProduct(w.a) + k_.Phi_q.transpose().lazyProduct(w.lambda) - k_.Q;
    r.segment(n_.nv, n_.nx) = w.xdot - k_.f;
    if (level == Level::position) r.tail(n_.m) = k_.Phi;
    if (level == Level::velocity) r.tail(n_.m) = k_.Phi_q.lazyProduct(y.v) + k_.Phi_t;
    if (level == Level::acceleration) r.tail(n_.m) = k_.Phi_q.lazyProduct(w.a) - k_.gamma;
  }

  void constraints(double t, const State& y, Level level, Vector& c) const override {
    evaluate(t, y, atRest(), k_);
    c = k_.Phi;
    if (level == Level::velocity) c = k_.Phi_q.lazyProduct(y.v) + k_.Phi_t;
  }

  void linearise(double t, const State& y, const Rates& w, Level level, Linearisation& p) const override {
    evaluate(t, y, w, k_);
    for (auto& matrix : P_) matrix.setZero();
    const int nv = n_.nv, nx = n_.nx, m = n_.m;
    P_[0].topLeftCorner(nv, nv) = k_.M;
    P_[0].topRightCorner(nv, m) = k_.Phi_q.transpose();
    P_[0].block(nv, nv, nx, nx).setIdentity();
    P_[0].bottomLeftCorner(m, nv) = k_.Phi_q;
    P_[1].topLeftCorner(nv, nv) = -k_.Q_v;
    P_[1].block(0, nv, nv, nx) = -k_.Q_x;
    P_[1].block(nv, 0, nx, nv) = -k_.f_v;
    P_[1].block(nv, nv, nx, nx) = -k_.f_x;
    P_[2].topLeftCorner(nv, nv) = k_.force_q;
    P_[2].block(nv, 0, nx, nv) = -k_.f_q;
    if (level == Level::velocity) P_[1].bottomLeftCorner(m, nv) = k_.velocity_q;
    if (level == Level::acceleration) P_[1].bottomLeftCorner(m, nv) = -k_.gamma_v;
    if (level == Level::acceleration) P_[2].bottomLeftCorner(m, nv) = k_.acceleration_q;
    p.p0.resize(pattern_.size());
    p.p1.resize(pattern_.size());
    p.p2.resize(pattern_.size());
    for (std::size_t e = 0; e < pattern_.size(); ++e) {
      p.p0[e] = P_[0](pattern_.row[e], pattern_.col[e]);
      p.p1[e] = P_[1](pattern_.row[e], pattern_.col[e]);
      p.p2[e] = P_[2](pattern_.row[e], pattern_.col[e]);
    }
  }

 protected:
  virtual void evaluate(double t, const State& y, const Rates& w, Terms& k) const = 0;

 private:
  const Rates& atRest() const {
    rest_.a.setZero(n_.nv);
    rest_.xdot.setZero(n_.nx);
    rest_.lambda.setZero(n_.m);
    return rest_;
  }
  Dimensions n_;
  Pattern pattern_;
  mutable Terms k_;
  mutable Eigen::MatrixXd P_[3];
  mutable Rates rest_;
};

}  // namespace mbfmu
