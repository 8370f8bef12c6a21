#include "multibody/elements.h"

namespace mbfmu {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void SpatialInertia::claim(const Layout& layout, Slots& slots) {
  column_ = layout.column(body_, 0);
  for (int i = 0; i < 3; ++i) massSlots_[at_(i)] = slots.claim(column_ + i, column_ + i);
  for (int i = 0; i < 3 && inertia_; ++i) {
    for (int j = 0; j < 3; ++j) turnSlots_[at_(i)][at_(j)] = slots.claim(column_ + 3 + i, column_ + 3 + j);
  }
}

Matrix3 SpatialInertia::tensor(const Evaluation& at) const {
  Matrix3 tensor;
  for (int i = 0; i < 9; ++i) tensor(i / 3, i % 3) = at.constant((*inertia_)[at_(i)]);
  return tensor;
}

void SpatialInertia::addResidual(const Evaluation& at, Level, Vector& r) const {
  const SpatialPose& pose = at.spatialPose(body_);
  r.segment<3>(column_) += at.constant(mass_) * (pose.acceleration - at.constant(gravity_));
  if (!inertia_) return;
  const Matrix3 J = tensor(at);
  r.segment<3>(column_ + 3) += J * pose.alpha + pose.omega.cross(J * pose.omega);
}

// The derivative of omega x J omega is [omega] J - [J omega].
void SpatialInertia::addLinearisation(const Evaluation& at, Level, Linearisation& p) const {
  for (int slot : massSlots_) addTo(p.p0, slot, at.constant(mass_));
  if (!inertia_) return;
  const Vector3& omega = at.spatialPose(body_).omega;
  const Matrix3 J = tensor(at), gyroscopic = skew(omega) * J - skew(J * omega);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      addTo(p.p0, turnSlots_[at_(i)][at_(j)], J(i, j));
      addTo(p.p1, turnSlots_[at_(i)][at_(j)], gyroscopic(i, j));
    }
  }
}

double SpatialInertia::kineticEnergy(const Evaluation& at) const {
  const SpatialPose& pose = at.spatialPose(body_);
  const double translation = at.constant(mass_) * pose.velocity.squaredNorm() / 2;
  return inertia_ ? translation + pose.omega.dot(tensor(at) * pose.omega) / 2 : translation;
}

double SpatialInertia::potentialEnergy(const Evaluation& at) const {
  return -at.constant(mass_) * at.constant(gravity_).dot(at.spatialPose(body_).position);
}

}  // namespace mbfmu
