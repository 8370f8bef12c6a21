// Planar mechanisms in absolute coordinates (x, y, angle of each body's centre of mass) with revolute joints, springs
// to the ground, constant torques and gravity; only structural non-zeros in the pattern. The joints of a mechanism may
// be switched off row by row.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "integrators/system.h"

namespace mbfmu {

class PlanarSystem : public System {
 public:
  struct Body {
    double mass, inertia;
  };
  struct Point {
    double x, y;
  };
  struct Joint {
    int i;
    Point onI;
    int j;  // -1: the ground, onJ is then a point in space
    Point onJ;
  };
  struct Spring {
    int i;
    Point onI, ground;
    double stiffness, length;
  };
  struct Torque {
    int i;
    double value;
  };

  std::vector<char> rowOff;  // one flag per constraint row

  Dimensions dimensions() const override { return n_; }
  const Pattern& pattern() const override { return pattern_; }
  std::string constraintName(int row) const override { return "row " + std::to_string(row); }

  void residual(double, const State& y, const Rates& w, Level level, Vector& r) const override {
    turn(y.q);
    for (int b = 0; b < bodies(); ++b) {
      const Body& body = body_[at(b)];
      r[3 * b] = body.mass * w.a[3 * b];
      r[3 * b + 1] = body.mass * (w.a[3 * b + 1] + gravity_);
      r[3 * b + 2] = body.inertia * w.a[3 * b + 2];
    }
    for (const Torque& torque : torque_) r[3 * torque.i + 2] -= torque.value;
    for (const Spring& spring : spring_) {
      const int o = 3 * spring.i;
      const Point arm = rotated(spring.i, spring.onI);
      const double dx = y.q[o] + arm.x - spring.ground.x, dy = y.q[o + 1] + arm.y - spring.ground.y;
      const double pull = spring.stiffness * (1 - spring.length / std::hypot(dx, dy));
      r[o] += pull * dx;
      r[o + 1] += pull * dy;
      r[o + 2] += pull * (arm.x * dy - arm.y * dx);
    }
    for (int k = 0; k < joints(); ++k) {
      const double lx = w.lambda[2 * k], ly = w.lambda[2 * k + 1];
      forEachEnd(k, [&](int b, double sign, const Point& arm) {
        if (!off(2 * k)) r[3 * b] += sign * lx;
        if (!off(2 * k + 1)) r[3 * b + 1] += sign * ly;
        r[3 * b + 2] += sign * ((off(2 * k + 1) ? 0 : arm.x * ly) - (off(2 * k) ? 0 : arm.y * lx));
      });
    }
    joint(y, &w.a, level, r, n_.nv);
    for (int i = 0; i < n_.m; ++i)
      if (off(i)) r[n_.nv + i] = w.lambda[i];
  }

  void constraints(double, const State& y, Level level, Vector& c) const override {
    turn(y.q);
    joint(y, nullptr, level, c, 0);
    for (int i = 0; i < n_.m; ++i)
      if (off(i)) c[i] = 0;
  }

  void linearise(double, const State& y, const Rates& w, Level level, Linearisation& p) const override {
    turn(y.q);
    for (auto* values : {&p.p0, &p.p1, &p.p2}) values->assign(pattern_.size(), 0.0);
    std::size_t e = 0;
    for (int b = 0; b < bodies(); ++b) {  // each body: its 3 x 3 block, column by column
      p.p0[e] = p.p0[e + 4] = body_[at(b)].mass;
      p.p0[e + 8] = body_[at(b)].inertia;
      e += 9;
    }
    for (const Spring& spring : spring_) {
      const Point arm = rotated(spring.i, spring.onI);
      const double dx = y.q[3 * spring.i] + arm.x - spring.ground.x,
                   dy = y.q[3 * spring.i + 1] + arm.y - spring.ground.y;
      const double length = std::hypot(dx, dy), pull = spring.stiffness * (1 - spring.length / length);
      Eigen::Matrix2d K = pull * Eigen::Matrix2d::Identity();
      const Eigen::Vector2d d(dx, dy), lever(-arm.y, arm.x);
      K += spring.stiffness * spring.length / (length * length * length) * d * d.transpose();
      Eigen::Map<Eigen::Matrix3d> block(&p.p2[9 * at(spring.i)]);
      block.topLeftCorner<2, 2>() += K;
      block.topRightCorner<2, 1>() += K * lever;
      block.bottomLeftCorner<1, 2>() += (K * lever).transpose();
      block(2, 2) += lever.dot(K * lever) - pull * (arm.x * dx + arm.y * dy);
    }
    for (int k = 0; k < joints(); ++k) {
      forEachEnd(k, [&](int b, double sign, const Point& arm) {
        const double rate = y.v[3 * b + 2], turning = w.a[3 * b + 2];
        const double lever[2] = {-arm.y, arm.x}, length[2] = {arm.x, arm.y};
        for (int row = 0; row < 2; ++row, e += 4) {
          if (off(2 * k + row)) continue;
          p.p0[e] = p.p0[e + 1] = sign;
          p.p0[e + 2] = p.p0[e + 3] = sign * lever[row];
          p.p2[9 * at(b) + 8] -= sign * length[row] * w.lambda[2 * k + row];
          if (level == Level::velocity) p.p1[e + 2] = -sign * length[row] * rate;
          if (level == Level::acceleration) p.p1[e + 2] = -2 * sign * length[row] * rate;
          if (level == Level::acceleration) p.p2[e + 2] = -sign * (length[row] * turning + lever[row] * rate * rate);
        }
      });
    }
    for (int i = 0; i < n_.m; ++i) p.p0[e++] = off(i) ? 1 : 0;
  }

 protected:
  // To be called once the lists are filled.
  void finish() {
    n_ = {3 * bodies(), 3 * bodies(), 0, 2 * joints()};
    rowOff.assign(at(n_.m), 0);
    cos_.resize(at(bodies()));
    sin_ = cos_;
    for (int b = 0; b < bodies(); ++b) {
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) add(3 * b + r, 3 * b + c);
      }
    }
    for (int k = 0; k < joints(); ++k) {
      for (const int b : {joint_[at(k)].i, joint_[at(k)].j}) {
        for (int row = 0; b >= 0 && row < 2; ++row) {
          const int constraint = n_.nv + 2 * k + row;
          add(constraint, 3 * b + row);
          add(3 * b + row, constraint);
          add(constraint, 3 * b + 2);
          add(3 * b + 2, constraint);
        }
      }
    }
    for (int i = 0; i < n_.m; ++i) add(n_.nv + i, n_.nv + i);
  }

  std::vector<Body> body_;
  std::vector<Joint> joint_;
  std::vector<Spring> spring_;
  std::vector<Torque> torque_;
  double gravity_ = 0;

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int bodies() const { return static_cast<int>(body_.size()); }
  int joints() const { return static_cast<int>(joint_.size()); }
  bool off(int row) const { return rowOff[at(row)] != 0; }
  void add(int row, int col) {
    pattern_.row.push_back(row);
    pattern_.col.push_back(col);
  }
  void turn(const Vector& q) const {
    for (int b = 0; b < bodies(); ++b) {
      const double angle = q[3 * b + 2];  // one sincos
      cos_[at(b)] = std::cos(angle);
      sin_[at(b)] = std::sin(angle);
    }
  }
  Point rotated(int b, const Point& p) const {
    return {cos_[at(b)] * p.x - sin_[at(b)] * p.y, sin_[at(b)] * p.x + cos_[at(b)] * p.y};
  }
  template <class Visit>
  void forEachEnd(int k, Visit visit) const {
    const Joint& joint = joint_[at(k)];
    visit(joint.i, 1.0, rotated(joint.i, joint.onI));
    if (joint.j >= 0) visit(joint.j, -1.0, rotated(joint.j, joint.onJ));
  }
  // The joints' rows at the given level, from out[first] on.
  void joint(const State& y, const Vector* a, Level level, Vector& out, int first) const {
    for (int k = 0; k < joints(); ++k) {
      double x = 0, z = 0;
      if (level == Level::position && joint_[at(k)].j < 0) x = -joint_[at(k)].onJ.x;
      if (level == Level::position && joint_[at(k)].j < 0) z = -joint_[at(k)].onJ.y;
      forEachEnd(k, [&](int b, double sign, const Point& arm) {
        const double rate = y.v[3 * b + 2];
        if (level == Level::position) {
          x += sign * (y.q[3 * b] + arm.x);
          z += sign * (y.q[3 * b + 1] + arm.y);
        } else if (level == Level::velocity) {
          x += sign * (y.v[3 * b] - arm.y * rate);
          z += sign * (y.v[3 * b + 1] + arm.x * rate);
        } else {
          x += sign * ((*a)[3 * b] - arm.y * (*a)[3 * b + 2] - arm.x * rate * rate);
          z += sign * ((*a)[3 * b + 1] + arm.x * (*a)[3 * b + 2] - arm.y * rate * rate);
        }
      });
      out[first + 2 * k] = x;
      out[first + 2 * k + 1] = z;
    }
  }

  Dimensions n_;
  Pattern pattern_;
  mutable std::vector<double> cos_, sin_;
};

}  // namespace mbfmu
