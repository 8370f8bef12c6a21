// Every coordinate but an angle is built from vectors u that depend on body b through a translation and a turned arm,
//   u = sum_b  sign_b r_b + A(angle_b) arm_b,
// so that, with n = arm turned by 90 degrees, w the angular velocity and e a tangent direction of body b,
//   u_e = sign (translation) or n (angle),   u_(angle,angle) = -arm,
//   u_v = sum sign rdot + w n,   u_vv = -sum w^2 arm,   u_v,angle = -w arm,   u_vv,angle = -w^2 n.
#include "multibody/planar_coordinates.h"

#include <cmath>

namespace mbfmu::planar {

namespace {

struct Vec {
  double x = 0, y = 0;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
Vec operator*(double k, Vec a) { return {k * a.x, k * a.y}; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y; }
Vec turned(Vec a) { return {-a.y, a.x}; }
double part(Vec a, int k) { return k == 0 ? a.x : a.y; }

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

Vec rotate(const BodyPose& pose, double x, double y) {
  return {pose.cosine * x - pose.sine * y, pose.sine * x + pose.cosine * y};
}

// u and its derivatives, for two bodies.
struct BodyVector {
  Vec value, v, vv;
  Vec arm[2];
  double sign[2] = {0, 0}, rate[2] = {0, 0};

  void motion(const BodyPose& p0, const BodyPose& p1) {
    const BodyPose* pose[2] = {&p0, &p1};
    for (int b = 0; b < 2; ++b) {
      rate[b] = pose[b]->rate;
      v = v + sign[b] * Vec{pose[b]->vx, pose[b]->vy} + rate[b] * turned(arm[b]);
      vv = vv + (-rate[b] * rate[b]) * arm[b];
    }
  }
  Vec e(int i) const {
    const int b = i / 3;
    if (i % 3 == 2) return turned(arm[b]);
    return i % 3 == 0 ? Vec{sign[b], 0} : Vec{0, sign[b]};
  }
  Vec ee(int i, int j) const { return i == j && i % 3 == 2 ? -1.0 * arm[i / 3] : Vec{}; }
  Vec ve(int i) const { return i % 3 == 2 ? -rate[i / 3] * arm[i / 3] : Vec{}; }
  Vec vve(int i) const { return i % 3 == 2 ? (-rate[i / 3] * rate[i / 3]) * turned(arm[i / 3]) : Vec{}; }
};

// s = u.w by the product rule.
void evaluateProduct(const BodyVector& u, const BodyVector& w, int order, CoordinateValue& out) {
  out.s = dot(u.value, w.value);
  out.rate = dot(u.v, w.value) + dot(u.value, w.v);
  out.curvature = dot(u.vv, w.value) + 2 * dot(u.v, w.v) + dot(u.value, w.vv);
  for (int i = 0; i < 6; ++i) out.sq[at_(i)] = dot(u.e(i), w.value) + dot(u.value, w.e(i));
  if (order < 3) return;
  for (int i = 0; i < 6; ++i) {
    out.sqv[at_(i)] = dot(u.ve(i), w.value) + dot(u.v, w.e(i)) + dot(u.e(i), w.v) + dot(u.value, w.ve(i));
    out.sqdot[at_(i)] = out.sqv[at_(i)];
    out.sqvv[at_(i)] = dot(u.vve(i), w.value) + dot(u.vv, w.e(i)) + 2 * dot(u.ve(i), w.v) + 2 * dot(u.v, w.ve(i)) +
                       dot(u.e(i), w.vv) + dot(u.value, w.vve(i));
    for (int j = 0; j < 6; ++j) {
      out.sqq[at_(i)][at_(j)] =
          dot(u.ee(i, j), w.value) + dot(u.value, w.ee(i, j)) + dot(u.e(i), w.e(j)) + dot(u.e(j), w.e(i));
    }
  }
}

class PlanarForm final : public CoordinateForm {
 public:
  enum class Kind { component, along, across, length, angles };

  PlanarForm(Kind kind, const BodyPoint& first, const BodyPoint& second, const std::array<int, 3>& axis = {})
      : kind_(kind), points_{first, second}, axis_(axis) {
    count = 2;
    bodies = {first.body, second.body, 0};
  }
  PlanarForm(const BodyPoint& first, const BodyPoint& second, int component)
      : PlanarForm(Kind::component, first, second) {
    component_ = component;
  }
  explicit PlanarForm(const std::vector<std::pair<int, int>>& bodyAndCoefficient) {
    for (const auto& [body, coefficient] : bodyAndCoefficient) {
      bodies[at_(count)] = body;
      coefficients_[at_(count)] = coefficient;
      ++count;
    }
  }
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override;
  bool depends(int i) const override;
  bool couples(int i, int j) const override;

 private:
  bool slides() const { return kind_ == Kind::along || kind_ == Kind::across; }
  BodyVector connection(const Evaluation& at) const;
  BodyVector axis(const Evaluation& at) const;
  void evaluateComponent(const Evaluation& at, int order, CoordinateValue& out) const;
  void evaluateAngles(const Evaluation& at, int order, CoordinateValue& out) const;

  Kind kind_ = Kind::angles;
  int component_ = 0;
  std::array<int, 3> coefficients_{};
  std::array<BodyPoint, 2> points_;
  std::array<int, 3> axis_{};
};

bool PlanarForm::depends(int i) const {
  const bool angle = i % 3 == 2;
  if (kind_ == Kind::angles) return angle;
  if (angle) return !points_[at_(i / 3)].centre || (slides() && i == 2);
  return kind_ != Kind::component || i % 3 == component_;
}

bool PlanarForm::couples(int i, int j) const {
  if (kind_ == Kind::angles || !depends(i) || !depends(j)) return false;
  if (kind_ == Kind::length) return true;
  if (slides() && (i == 2 || j == 2)) return true;
  return i == j && i % 3 == 2;
}

BodyVector PlanarForm::connection(const Evaluation& at) const {
  BodyVector d;
  const BodyPose* pose[2] = {&at.pose(bodies[0]), &at.pose(bodies[1])};
  for (int b = 0; b < 2; ++b) {
    const BodyPoint& point = points_[at_(b)];
    d.sign[b] = b == 0 ? -1 : 1;
    if (!point.centre) {
      d.arm[b] = d.sign[b] * rotate(*pose[b], at.constant(point.position[0]), at.constant(point.position[1]));
    }
    d.value = d.value + d.sign[b] * Vec{pose[b]->x, pose[b]->y} + d.arm[b];
  }
  d.motion(*pose[0], *pose[1]);
  return d;
}

BodyVector PlanarForm::axis(const Evaluation& at) const {
  BodyVector n;
  const double x = at.constant(axis_[0]), y = at.constant(axis_[1]), norm = std::hypot(x, y);
  const BodyPose& pose = at.pose(bodies[0]);
  n.arm[0] = kind_ == Kind::across ? rotate(pose, -y / norm, x / norm) : rotate(pose, x / norm, y / norm);
  n.value = n.arm[0];
  n.motion(pose, at.pose(bodies[1]));
  return n;
}

void PlanarForm::evaluate(const Evaluation& at, int order, CoordinateValue& out) const {
  switch (kind_) {
    case Kind::angles:
      return evaluateAngles(at, order, out);
    case Kind::component:
      return evaluateComponent(at, order, out);
    case Kind::along:
    case Kind::across:
      return evaluateProduct(axis(at), connection(at), order, out);
    case Kind::length: {
      const BodyVector d = connection(at);
      evaluateProduct(d, d, order, out);
      return squareRoot(6, order, out);
    }
  }
}

void PlanarForm::evaluateAngles(const Evaluation& at, int order, CoordinateValue& out) const {
  out.s = out.rate = out.curvature = 0;
  for (int b = 0; b < count; ++b) {
    out.sq[at_(3 * b)] = out.sq[at_(3 * b + 1)] = 0;
    const double k = at.constant(coefficients_[at_(b)]);
    out.s += k * at.pose(bodies[at_(b)]).angle;
    out.rate += k * at.pose(bodies[at_(b)]).rate;
    out.sq[at_(3 * b + 2)] = k;
  }
  if (order < 3) return;
  for (int i = 0; i < 3 * count; ++i) out.sqv[at_(i)] = out.sqdot[at_(i)] = out.sqvv[at_(i)] = 0;
}

void PlanarForm::evaluateComponent(const Evaluation& at, int order, CoordinateValue& out) const {
  const BodyVector d = connection(at);
  out.s = part(d.value, component_);
  out.rate = part(d.v, component_);
  out.curvature = part(d.vv, component_);
  for (int i = 0; i < 6; ++i) out.sq[at_(i)] = part(d.e(i), component_);
  if (order < 3) return;
  for (int i = 0; i < 6; ++i) {
    out.sqv[at_(i)] = out.sqdot[at_(i)] = part(d.ve(i), component_);
    out.sqvv[at_(i)] = part(d.vve(i), component_);
    out.sqq[at_(i)][at_(i)] = part(d.ee(i, i), component_);
  }
}

}  // namespace

Coordinate component(const BodyPoint& first, const BodyPoint& second, int k) {
  return Coordinate(std::make_shared<PlanarForm>(first, second, k));
}

Coordinate length(const BodyPoint& first, const BodyPoint& second) {
  return Coordinate(std::make_shared<PlanarForm>(PlanarForm::Kind::length, first, second));
}

Coordinate along(const BodyPoint& first, const BodyPoint& second, const std::array<int, 3>& axis, bool across) {
  const auto kind = across ? PlanarForm::Kind::across : PlanarForm::Kind::along;
  return Coordinate(std::make_shared<PlanarForm>(kind, first, second, axis));
}

Coordinate angles(const std::vector<std::pair<int, int>>& bodyAndCoefficient) {
  return Coordinate(std::make_shared<PlanarForm>(bodyAndCoefficient));
}

}  // namespace mbfmu::planar
