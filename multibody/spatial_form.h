// What the coordinates of bodies in space share: which of their local directions matter, and the vectors they are made
// of.
#pragma once

#include "multibody/spatial_vector.h"

namespace mbfmu::spatial {

class SpatialForm : public CoordinateForm {
 public:
  SpatialForm() { directions = 6; }
  bool depends(int i) const override { return depends_[at_(i)]; }
  bool couples(int i, int j) const override { return couples_[at_(i)][at_(j)]; }

 protected:
  static std::size_t at_(int i) { return static_cast<std::size_t>(i); }
  int addBody(int body) {
    for (int b = 0; b < count; ++b) {
      if (bodies[at_(b)] == body) return b;
    }
    bodies[at_(count)] = body;
    return count++;
  }
  void setDepends(int block, int half) {
    for (int k = 0; k < 3; ++k) depends_[at_(6 * block + 3 * half + k)] = true;
  }
  // Between halves of blocks that s depends on.
  void setCouples(int block1, int half1, int block2, int half2) {
    for (int i = 6 * block1 + 3 * half1, n = 0; n < 3; ++n, ++i) {
      for (int j = 6 * block2 + 3 * half2, k = 0; k < 3; ++k, ++j) {
        couples_[at_(i)][at_(j)] = couples_[at_(j)][at_(i)] = depends_[at_(i)] && depends_[at_(j)];
      }
    }
  }
  // The rotation of one block with everything.
  void turnCouplesAll(int block) {
    for (int b = 0; b < count; ++b) setCouples(block, kTurn, b, kMove), setCouples(block, kTurn, b, kTurn);
  }
  int size() const { return 6 * count; }

  static BodyVector axisVector(const Evaluation& at, const BodyAxis& axis, int block) {
    BodyVector u;
    u.addArm(u.add(block, at.spatialPose(axis.body), 0), at.constant(axis.direction));
    return u;
  }

  std::array<bool, kMaxLocal> depends_{};
  std::array<std::array<bool, kMaxLocal>, kMaxLocal> couples_{};
};

// What is made of the connection d of two points.
class Connected : public SpatialForm {
 public:
  Connected(const BodyPoint& first, const BodyPoint& second) : points_{first, second} {
    for (const BodyPoint& point : points_) {
      const int block = addBody(point.body);
      setDepends(block, kMove);
      if (!point.centre) setDepends(block, kTurn);
    }
  }

 protected:
  BodyVector connection(const Evaluation& at) const {
    BodyVector d;
    for (int b = 0; b < 2; ++b) {
      const BodyPoint& point = points_[at_(b)];
      const double sign = b == 0 ? -1 : 1;
      Share& share = d.add(b, at.spatialPose(point.body), sign);
      if (!point.centre) d.addArm(share, sign * at.constant(point.position));
    }
    return d;
  }

  std::array<BodyPoint, 2> points_;
};

// Along and push: an axis that may belong to either end or to a third body.
class Directed : public Connected {
 public:
  Directed(const BodyPoint& first, const BodyPoint& second, const BodyAxis& axis)
      : Connected(first, second), axis_(axis), carrier_(addBody(axis.body)) {
    setDepends(carrier_, kTurn);
    turnCouplesAll(carrier_);
    for (int b = 0; b < 2; ++b) setCouples(b, kTurn, b, kTurn);
  }

 protected:
  BodyVector axis(const Evaluation& at) const { return axisVector(at, axis_, carrier_); }

  BodyAxis axis_;
  int carrier_;
};

}  // namespace mbfmu::spatial
