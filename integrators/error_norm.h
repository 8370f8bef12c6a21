// Weighted maximum norm: 1 is an error as large as the tolerances allow, separately for q, v and x.
#pragma once

#include "integrators/integrator.h"
#include "integrators/system.h"

namespace mbfmu {

class ErrorNorm {
 public:
  // Weights 1 / (scale (rtol |y| + atol)).
  void update(const System& system, const Tolerances& tolerances, double scale, const State& y);

  template <class Derived>
  double position(const Eigen::MatrixBase<Derived>& dq) const {
    return largest(dq, position_);
  }
  template <class Derived>
  double velocity(const Eigen::MatrixBase<Derived>& dv) const {
    return largest(dv, velocity_);
  }
  template <class Derived>
  double state(const Eigen::MatrixBase<Derived>& dx) const {
    return largest(dx, state_);
  }

 private:
  template <class Derived>
  static double largest(const Eigen::MatrixBase<Derived>& d, const Vector& weight) {
    return d.size() == 0 ? 0.0 : (d.array().abs() * weight.array()).maxCoeff();
  }
  Vector position_, velocity_, state_;
};

}  // namespace mbfmu
