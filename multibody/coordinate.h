// A scalar s(q) of a few planar bodies with all derivatives the equations need. Joints are rows s = target, forces act
// along s, sensors show s: one set of formulas for all of them.
//
// Every coordinate is built from vectors u that depend on body b through a translation and a turned arm,
//   u = sum_b  sign_b r_b + A(angle_b) arm_b,
// so that, with n = arm turned by 90 degrees, w the angular velocity and e a tangent direction of body b,
//   u_e = sign (translation) or n (angle),   u_(angle,angle) = -arm,
//   u_v = sum sign rdot + w n,   u_vv = -sum w^2 arm,   u_v,angle = -w arm,   u_vv,angle = -w^2 n.
#pragma once

#include <array>
#include <vector>

#include "multibody/evaluation.h"

namespace mbfmu {

// A point of a body; position holds indices into Evaluation::constants.
struct BodyPoint {
  int body = 0;
  bool centre = true;  // the centre of mass: has no arm
  std::array<int, 2> position{kZero, kZero};
};

constexpr int kMaxLocal = 9;  // three bodies with x, y and angle

struct CoordinateValue {
  using Row = std::array<double, kMaxLocal>;
  double s, rate, curvature;  // s, s_q v and (s_q v)_q v, so that s'' = s_q a + curvature
  Row sq;                     // s_q
  Row sqv;                    // (s_q v)_q
  Row sqvv;                   // ((s_q v)_q v)_q
  std::array<Row, kMaxLocal> sqq;
};

class Coordinate {
 public:
  // With d = p_second - p_first:
  static Coordinate component(const BodyPoint& first, const BodyPoint& second, int k);  // d[k], world axes
  static Coordinate length(const BodyPoint& first, const BodyPoint& second);            // |d|
  // d along an axis fixed in the first body, or (across) along the axis turned by 90 degrees.
  static Coordinate along(const BodyPoint& first, const BodyPoint& second, std::array<int, 2> axis, bool across);
  // Sum of coefficient * angle; coefficients are indices of constants.
  static Coordinate angles(const std::vector<std::pair<int, int>>& bodyAndCoefficient);

  // s, s_q; and from order 2 on the rate and curvature, from order 3 on the other derivatives.
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const;

  // Local tangent directions: x, y, angle of bodies(0), of bodies(1), ...
  int size() const { return 3 * count_; }
  int body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  int bodyCount() const { return count_; }
  // Whether s_q[i] and s_qq[i][j] can be other than zero.
  bool depends(int i) const;
  bool couples(int i, int j) const;

 private:
  enum class Kind { component, along, length, angles };
  struct Form;
  Form connection(const Evaluation& at) const;
  Form axis(const Evaluation& at) const;
  void evaluateComponent(const Evaluation& at, int order, CoordinateValue& out) const;
  void evaluateProduct(const Form& u, const Form& w, int order, CoordinateValue& out) const;
  void squareRoot(int order, CoordinateValue& out) const;
  void evaluateAngles(const Evaluation& at, int order, CoordinateValue& out) const;

  Kind kind_ = Kind::angles;
  int count_ = 0, component_ = 0;
  bool across_ = false;
  std::array<int, 3> bodies_{}, coefficients_{};
  std::array<BodyPoint, 2> points_;
  std::array<int, 2> axis_{kZero, kZero};
};

}  // namespace mbfmu
