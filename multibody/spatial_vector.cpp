#include "multibody/spatial_vector.h"

namespace mbfmu::spatial {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void addBlock(CoordinateValue& out, int block1, int half1, int block2, int half2, const Matrix3& m) {
  for (int i = 0; i < 3; ++i) {
    auto& row = out.sqq[at_(6 * block1 + 3 * half1 + i)];
    for (int j = 0; j < 3; ++j) row[at_(6 * block2 + 3 * half2 + j)] += m(i, j);
  }
}

void clear(int size, int order, CoordinateValue& out) {
  for (int i = 0; i < size; ++i) {
    out.sq[at_(i)] = 0;
    if (order < 3) continue;
    out.sqv[at_(i)] = out.sqdot[at_(i)] = out.sqvv[at_(i)] = 0;
    for (int j = 0; j < size; ++j) out.sqq[at_(i)][at_(j)] = 0;
  }
}

namespace {

// What one share of u gives to the derivatives of u.w.
void addShare(const Share& p, const BodyVector& w, int order, CoordinateValue& out) {
  const Vector3 y = p.pose->rotation.transpose() * w.value;
  if (p.sign != 0) part(out.sq, p.block, kMove) += p.sign * w.value;
  if (p.turns) part(out.sq, p.block, kTurn) += p.arm.cross(y);
  if (order < 3) return;
  if (p.sign != 0) {
    part(out.sqv, p.block, kMove) += p.sign * w.v;
    part(out.sqdot, p.block, kMove) += p.sign * w.v;
    part(out.sqvv, p.block, kMove) += p.sign * w.vv;
  }
  if (!p.turns) return;
  const Vector3 yv = p.pose->rotation.transpose() * w.v, yvv = p.pose->rotation.transpose() * w.vv;
  part(out.sqv, p.block, kTurn) += p.armV.cross(y) + p.arm.cross(yv);
  part(out.sqdot, p.block, kTurn) += p.arm.cross(yv - p.pose->omega.cross(y));
  part(out.sqvv, p.block, kTurn) += p.armVV.cross(y) + 2 * p.armV.cross(yv) + p.arm.cross(yvv);
  addBlock(out, p.block, kTurn, p.block, kTurn, skew(p.arm) * skew(y));
}

// u_i.w_j of one share of u and one of w, and the same with i and j exchanged.
void addPair(const Share& p, const Share& q, CoordinateValue& out) {
  const auto add = [&](int half1, int half2, const Matrix3& m) {
    addBlock(out, p.block, half1, q.block, half2, m);
    addBlock(out, q.block, half2, p.block, half1, m.transpose());
  };
  const Matrix3 turnP = p.turns ? Matrix3(-p.pose->rotation * skew(p.arm)) : Matrix3::Zero();
  const Matrix3 turnQ = q.turns ? Matrix3(-q.pose->rotation * skew(q.arm)) : Matrix3::Zero();
  if (p.sign != 0 && q.sign != 0) add(kMove, kMove, p.sign * q.sign * Matrix3::Identity());
  if (p.sign != 0 && q.turns) add(kMove, kTurn, p.sign * turnQ);
  if (p.turns && q.sign != 0) add(kTurn, kMove, q.sign * turnP.transpose());
  if (p.turns && q.turns) add(kTurn, kTurn, turnP.transpose() * turnQ);
}

}  // namespace

void addProduct(const BodyVector& u, const BodyVector& w, int order, CoordinateValue& out) {
  out.s = u.value.dot(w.value);
  out.rate = u.v.dot(w.value) + u.value.dot(w.v);
  out.curvature = u.vv.dot(w.value) + 2 * u.v.dot(w.v) + u.value.dot(w.vv);
  for (int i = 0; i < u.count; ++i) addShare(u.shares[at_(i)], w, order, out);
  for (int i = 0; i < w.count; ++i) addShare(w.shares[at_(i)], u, order, out);
  if (order < 3) return;
  for (int i = 0; i < u.count; ++i) {
    for (int j = 0; j < w.count; ++j) addPair(u.shares[at_(i)], w.shares[at_(j)], out);
  }
}

}  // namespace mbfmu::spatial
