// Directions without a scalar: their row s_q is not the derivative of anything.
#include "multibody/spatial_coordinates.h"
#include "multibody/spatial_form.h"

namespace mbfmu::spatial {

namespace {

// s_q = u.d_q with d_q the directions of the connection: the products without what a change of d itself would give.
class Push final : public Directed {
 public:
  using Directed::Directed;
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    const BodyVector d = connection(at), u = axis(at);
    clear(size(), order, out);
    out.s = 0;
    out.rate = u.value.dot(d.v);
    out.curvature = u.v.dot(d.v) + u.value.dot(d.vv);
    for (const Share& p : d.shares) addEnd(p, u, order, out);
    if (order < 3) return;
    const Share& c = u.shares[0];
    const Vector3 dv = c.pose->rotation.transpose() * d.v, dvv = c.pose->rotation.transpose() * d.vv;
    part(out.sqv, c.block, kTurn) += c.arm.cross(dv);
    part(out.sqvv, c.block, kTurn) += c.armV.cross(dv) + c.arm.cross(dvv);
  }

 private:
  static void addEnd(const Share& p, const BodyVector& u, int order, CoordinateValue& out) {
    const Matrix3 inverse = p.pose->rotation.transpose();
    const Vector3 y = inverse * u.value;
    part(out.sq, p.block, kMove) += p.sign * u.value;
    if (p.turns) part(out.sq, p.block, kTurn) += p.arm.cross(y);
    if (order < 3) return;
    const Share& c = u.shares[0];
    const Matrix3 turned = -c.pose->rotation * skew(c.arm);
    part(out.sqdot, p.block, kMove) += p.sign * u.v;
    addBlock(out, p.block, kMove, c.block, kTurn, p.sign * turned);
    if (!p.turns) return;
    const Vector3 yv = inverse * u.v;
    part(out.sqv, p.block, kTurn) += p.armV.cross(y);
    part(out.sqdot, p.block, kTurn) += p.arm.cross(yv - p.pose->omega.cross(y));
    part(out.sqvv, p.block, kTurn) += p.armV.cross(yv) + p.armVV.cross(y);
    addBlock(out, p.block, kTurn, p.block, kTurn, skew(p.arm) * skew(y));
    addBlock(out, p.block, kTurn, c.block, kTurn, skew(p.arm) * inverse * turned);
  }
};

class Spin final : public SpatialForm {
 public:
  Spin(int first, int second, const BodyAxis& axis)
      : first_(addBody(first)), second_(addBody(second)), carrier_(addBody(axis.body)), axis_(axis) {
    for (int b = 0; b < count; ++b) setDepends(b, kTurn);
    for (int b = 0; b < count; ++b) setCouples(b, kTurn, b, kTurn), setCouples(b, kTurn, carrier_, kTurn);
  }
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    const BodyVector u = axisVector(at, axis_, carrier_);
    Vector3 spin = Vector3::Zero();
    clear(size(), order, out);
    for (int side = 0; side < 2; ++side) {
      const int block = side == 0 ? first_ : second_;
      const double sign = side == 0 ? -1 : 1;
      const SpatialPose& pose = at.spatialPose(bodies[at_(block)]);
      const Matrix3 inverse = sign * pose.rotation.transpose();
      const Vector3 y = inverse * u.value;
      spin += sign * (pose.rotation * pose.omega);
      part(out.sq, block, kTurn) += y;
      if (order < 3) continue;
      const Vector3 yv = inverse * u.v;
      part(out.sqv, block, kTurn) += pose.omega.cross(y);
      part(out.sqdot, block, kTurn) += yv - pose.omega.cross(y);
      part(out.sqvv, block, kTurn) += pose.omega.cross(yv);
      const Share& c = u.shares[0];
      addBlock(out, block, kTurn, block, kTurn, skew(y));
      addBlock(out, block, kTurn, c.block, kTurn, -inverse * c.pose->rotation * skew(c.arm));
    }
    out.s = 0;
    out.rate = u.value.dot(spin);
    out.curvature = u.v.dot(spin);
    if (order < 3) return;
    const Share& c = u.shares[0];
    const Vector3 y = c.pose->rotation.transpose() * spin;
    part(out.sqv, c.block, kTurn) += c.arm.cross(y);
    part(out.sqvv, c.block, kTurn) += c.armV.cross(y);
  }

 private:
  int first_, second_, carrier_;
  BodyAxis axis_;
};

}  // namespace

Coordinate spin(int first, int second, const BodyAxis& axis) {
  return Coordinate(std::make_shared<Spin>(first, second, axis));
}
Coordinate push(const BodyPoint& first, const BodyPoint& second, const BodyAxis& axis) {
  return Coordinate(std::make_shared<Push>(first, second, axis));
}

}  // namespace mbfmu::spatial
