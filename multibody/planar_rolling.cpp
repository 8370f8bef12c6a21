#include "multibody/planar_coordinates.h"

namespace mbfmu::planar {
namespace {

constexpr std::size_t kFirstAngle = 2, kSecondAngle = 5;

// along - radius * (angle of the second body - angle of the first).
class Rolling final : public CoordinateForm {
 public:
  Rolling(Coordinate along, int radius) : along_(std::move(along)), radius_(radius) {
    count = along_.bodyCount();
    for (int b = 0; b < count; ++b) bodies[static_cast<std::size_t>(b)] = along_.body(b);
  }

  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    along_.evaluate(at, order, out);
    const BodyPose &first = at.pose(bodies[0]), &second = at.pose(bodies[1]);
    const double r = at.constant(radius_);
    out.s -= r * (second.angle - first.angle);
    out.sq[kFirstAngle] += r;
    out.sq[kSecondAngle] -= r;
    if (order > 1) out.rate -= r * (second.rate - first.rate);
  }
  bool depends(int i) const override {
    const auto k = static_cast<std::size_t>(i);
    return k == kFirstAngle || k == kSecondAngle || along_.depends(i);
  }
  bool couples(int i, int j) const override { return along_.couples(i, j); }

 private:
  Coordinate along_;
  int radius_;
};

}  // namespace

Coordinate rolling(const BodyPoint& first, const BodyPoint& second, const std::array<int, 3>& axis, int radius) {
  return Coordinate(std::make_shared<Rolling>(along(first, second, axis, true), radius));
}

}  // namespace mbfmu::planar
