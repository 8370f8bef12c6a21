#include "multibody/coordinate.h"

#include <cmath>

namespace mbfmu {

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

}  // namespace

// u and its derivatives, for two bodies (see the header).
struct Coordinate::Form {
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

Coordinate Coordinate::component(const BodyPoint& first, const BodyPoint& second, int k) {
  Coordinate c = length(first, second);
  c.kind_ = Kind::component;
  c.component_ = k;
  return c;
}

Coordinate Coordinate::length(const BodyPoint& first, const BodyPoint& second) {
  Coordinate c;
  c.kind_ = Kind::length;
  c.count_ = 2;
  c.points_ = {first, second};
  c.bodies_ = {first.body, second.body, 0};
  return c;
}

Coordinate Coordinate::along(const BodyPoint& first, const BodyPoint& second, std::array<int, 2> axis, bool across) {
  Coordinate c = length(first, second);
  c.kind_ = Kind::along;
  c.axis_ = axis;
  c.across_ = across;
  return c;
}

Coordinate Coordinate::angles(const std::vector<std::pair<int, int>>& bodyAndCoefficient) {
  Coordinate c;
  c.kind_ = Kind::angles;
  for (const auto& [body, coefficient] : bodyAndCoefficient) {
    c.bodies_[at_(c.count_)] = body;
    c.coefficients_[at_(c.count_)] = coefficient;
    ++c.count_;
  }
  return c;
}

bool Coordinate::depends(int i) const {
  const bool angle = i % 3 == 2;
  if (kind_ == Kind::angles) return angle;
  if (angle) return !points_[at_(i / 3)].centre || (kind_ == Kind::along && i == 2);
  return kind_ != Kind::component || i % 3 == component_;
}

bool Coordinate::couples(int i, int j) const {
  if (kind_ == Kind::angles || !depends(i) || !depends(j)) return false;
  if (kind_ == Kind::length) return true;
  if (kind_ == Kind::along && (i == 2 || j == 2)) return true;
  return i == j && i % 3 == 2;
}

Coordinate::Form Coordinate::connection(const Evaluation& at) const {
  Form d;
  const BodyPose* pose[2] = {&at.pose(bodies_[0]), &at.pose(bodies_[1])};
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

Coordinate::Form Coordinate::axis(const Evaluation& at) const {
  Form n;
  const double x = at.constant(axis_[0]), y = at.constant(axis_[1]), norm = std::hypot(x, y);
  const BodyPose& pose = at.pose(bodies_[0]);
  n.arm[0] = across_ ? rotate(pose, -y / norm, x / norm) : rotate(pose, x / norm, y / norm);
  n.value = n.arm[0];
  n.motion(pose, at.pose(bodies_[1]));
  return n;
}

void Coordinate::evaluate(const Evaluation& at, int order, CoordinateValue& out) const {
  switch (kind_) {
    case Kind::angles:
      return evaluateAngles(at, order, out);
    case Kind::component:
      return evaluateComponent(at, order, out);
    case Kind::along:
      return evaluateProduct(axis(at), connection(at), order, out);
    case Kind::length: {
      const Form d = connection(at);
      evaluateProduct(d, d, order, out);
      return squareRoot(order, out);
    }
  }
}

void Coordinate::evaluateAngles(const Evaluation& at, int order, CoordinateValue& out) const {
  out.s = out.rate = out.curvature = 0;
  out.sq.fill(0);
  for (int b = 0; b < count_; ++b) {
    const double k = at.constant(coefficients_[at_(b)]);
    out.s += k * at.pose(body(b)).angle;
    out.rate += k * at.pose(body(b)).rate;
    out.sq[at_(3 * b + 2)] = k;
  }
  if (order < 3) return;
  out.sqv.fill(0);
  out.sqvv.fill(0);
  for (auto& row : out.sqq) row.fill(0);
}

void Coordinate::evaluateComponent(const Evaluation& at, int order, CoordinateValue& out) const {
  const Form d = connection(at);
  out.s = part(d.value, component_);
  out.rate = part(d.v, component_);
  out.curvature = part(d.vv, component_);
  for (int i = 0; i < 6; ++i) out.sq[at_(i)] = part(d.e(i), component_);
  if (order < 3) return;
  for (int i = 0; i < 6; ++i) {
    out.sqv[at_(i)] = part(d.ve(i), component_);
    out.sqvv[at_(i)] = part(d.vve(i), component_);
    for (int j = 0; j < 6; ++j) out.sqq[at_(i)][at_(j)] = part(d.ee(i, j), component_);
  }
}

// s = u.w by the product rule.
void Coordinate::evaluateProduct(const Form& u, const Form& w, int order, CoordinateValue& out) const {
  out.s = dot(u.value, w.value);
  out.rate = dot(u.v, w.value) + dot(u.value, w.v);
  out.curvature = dot(u.vv, w.value) + 2 * dot(u.v, w.v) + dot(u.value, w.vv);
  for (int i = 0; i < 6; ++i) out.sq[at_(i)] = dot(u.e(i), w.value) + dot(u.value, w.e(i));
  if (order < 3) return;
  for (int i = 0; i < 6; ++i) {
    out.sqv[at_(i)] = dot(u.ve(i), w.value) + dot(u.v, w.e(i)) + dot(u.e(i), w.v) + dot(u.value, w.ve(i));
    out.sqvv[at_(i)] = dot(u.vve(i), w.value) + dot(u.vv, w.e(i)) + 2 * dot(u.ve(i), w.v) + 2 * dot(u.v, w.ve(i)) +
                       dot(u.e(i), w.vv) + dot(u.value, w.vve(i));
    for (int j = 0; j < 6; ++j) {
      out.sqq[at_(i)][at_(j)] =
          dot(u.ee(i, j), w.value) + dot(u.value, w.ee(i, j)) + dot(u.e(i), w.e(j)) + dot(u.e(j), w.e(i));
    }
  }
}

// From f to s = sqrt(f), by differentiating s^2 = f.
void Coordinate::squareRoot(int order, CoordinateValue& out) const {
  const double s = std::sqrt(out.s);
  out.s = s;
  out.rate /= 2 * s;
  out.curvature = (out.curvature / 2 - out.rate * out.rate) / s;
  for (int i = 0; i < 6; ++i) out.sq[at_(i)] /= 2 * s;
  if (order < 3) return;
  for (int i = 0; i < 6; ++i) {
    out.sqv[at_(i)] = (out.sqv[at_(i)] / 2 - out.rate * out.sq[at_(i)]) / s;
    out.sqvv[at_(i)] = (out.sqvv[at_(i)] / 2 - 2 * out.rate * out.sqv[at_(i)] - out.curvature * out.sq[at_(i)]) / s;
    for (int j = 0; j < 6; ++j) {
      out.sqq[at_(i)][at_(j)] = (out.sqq[at_(i)][at_(j)] / 2 - out.sq[at_(i)] * out.sq[at_(j)]) / s;
    }
  }
}

}  // namespace mbfmu
