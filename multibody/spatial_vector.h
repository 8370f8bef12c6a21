// Every coordinate of bodies in space is built from vectors u that depend on body b through a translation and an arm
// fixed in the body,
//   u = sum_b  sign_b r_b + R_b s_b.
// A rotation by phi about the body's own axes changes R y to R (y + phi x y). So, with k the k-th of these axes, w the
// angular velocity in body axes and sums over the bodies,
//   u_v = sign r' + R (w x s),   u_vv = R (w x (w x s)),   D_k R y = R (k x y)  for y = s, w x s and w x (w x s),
// and a row  R (k x y) . W  of all k is  y x R^T W.
#pragma once

#include "multibody/coordinate.h"

namespace mbfmu::spatial {

// The share of one body in a vector; arms in body axes.
struct Share {
  int block = 0;  // of local directions
  const SpatialPose* pose = nullptr;
  double sign = 0;
  bool turns = false;
  Vector3 arm = Vector3::Zero(), armV = Vector3::Zero(), armVV = Vector3::Zero();
};

struct BodyVector {
  Vector3 value = Vector3::Zero(), v = Vector3::Zero(), vv = Vector3::Zero();
  int count = 0;
  std::array<Share, 2> shares;

  Share& add(int block, const SpatialPose& pose, double sign) {
    Share& share = shares[static_cast<std::size_t>(count++)];
    share.block = block;
    share.pose = &pose;
    share.sign = sign;
    if (sign != 0) {
      value += sign * pose.position;
      v += sign * pose.velocity;
    }
    return share;
  }
  void addArm(Share& share, const Vector3& arm) {
    share.turns = true;
    share.arm = arm;
    share.armV = share.pose->omega.cross(arm);
    share.armVV = share.pose->omega.cross(share.armV);
    value += share.pose->rotation * share.arm;
    v += share.pose->rotation * share.armV;
    vv += share.pose->rotation * share.armVV;
  }
};

// The directions of a block: of the centre of mass, and rotations.
constexpr int kMove = 0, kTurn = 1;
inline Eigen::Map<Vector3> part(CoordinateValue::Row& row, int block, int half) {
  return Eigen::Map<Vector3>(row.data() + 6 * block + 3 * half);
}

void clear(int size, int order, CoordinateValue& out);
void addBlock(CoordinateValue& out, int block1, int half1, int block2, int half2, const Matrix3& m);
// s = u.w by the product rule; out is cleared before.
void addProduct(const BodyVector& u, const BodyVector& w, int order, CoordinateValue& out);

}  // namespace mbfmu::spatial
