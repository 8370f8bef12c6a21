#include "multibody/elements.h"

namespace mbfmu {

void Inertia::claim(const Layout& layout, Slots& slots) {
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    rows_[k] = layout.column(body_, i);
    slots_[k] = slots.claim(rows_[k], rows_[k]);
  }
}

void Inertia::addResidual(const Evaluation& at, Level, Vector& r) const {
  const BodyPose& pose = at.pose(body_);
  const double mass = at.constant(mass_);
  addTo(r, rows_[0], mass * (pose.ax - at.constant(gravity_[0])));
  addTo(r, rows_[1], mass * (pose.ay - at.constant(gravity_[1])));
  addTo(r, rows_[2], at.constant(inertia_) * pose.alpha);
}

void Inertia::addLinearisation(const Evaluation& at, Level, Linearisation& p) const {
  addTo(p.p0, slots_[0], at.constant(mass_));
  addTo(p.p0, slots_[1], at.constant(mass_));
  addTo(p.p0, slots_[2], at.constant(inertia_));
}

double Inertia::kineticEnergy(const Evaluation& at) const {
  const BodyPose& pose = at.pose(body_);
  return (at.constant(mass_) * (pose.vx * pose.vx + pose.vy * pose.vy) +
          at.constant(inertia_) * pose.rate * pose.rate) /
         2;
}

double Inertia::potentialEnergy(const Evaluation& at) const {
  const BodyPose& pose = at.pose(body_);
  return -at.constant(mass_) * (at.constant(gravity_[0]) * pose.x + at.constant(gravity_[1]) * pose.y);
}

}  // namespace mbfmu
