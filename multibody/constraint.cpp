#include "multibody/elements.h"

namespace mbfmu {

void Constraint::claim(const Layout& layout, Slots& slots) {
  global_ = layout.row(row_);
  diagonal_ = slots.claim(global_, global_);
  directions_.clear();
  for (int i = 0; i < coordinate_.size(); ++i) {
    const int column = coordinate_.column(layout, i);
    directions_.push_back({column, slots.claim(global_, column), slots.claim(column, global_)});
  }
  couplings_ = claimCouplings(coordinate_, layout, slots);
  const int setpointRate = motion_ ? motion_->setpointRate() : -1;
  setpointSlot_ = setpointRate < 0 ? -1 : slots.claim(global_, layout.state(setpointRate));
}

double Constraint::violation(const Evaluation& at, Level level, const CoordinateValue& c) const {
  const Jet motion = motion_ ? motion_->alongTime(at) : Jet{};
  if (level == Level::position)
    return c.s - at.constant(target_) - at.offset[static_cast<std::size_t>(row_)] - motion.value;
  if (level == Level::velocity) return c.rate - motion.first;
  return c.curvature - motion.second;
}

double Constraint::violation(const Evaluation& at, Level level) const {
  if (!active(at)) return 0;
  CoordinateValue c;
  coordinate_.evaluate(at, 2, c);
  return violation(at, level, c);
}

double Constraint::measure(const Evaluation& at, Level level) const {
  CoordinateValue c;
  coordinate_.evaluate(at, level == Level::position ? 1 : 2, c);
  if (level == Level::position) return c.s - at.constant(target_);
  if (level == Level::velocity) return c.rate;
  double acceleration = c.curvature;
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    if (directions_[i].column >= 0) acceleration += c.sq[i] * at.rates->a[directions_[i].column];
  }
  return acceleration;
}

void Constraint::addResidual(const Evaluation& at, Level level, Vector& r) const {
  const double lambda = at.rates->lambda[row_];
  if (!active(at)) {
    r[global_] += lambda;
    return;
  }
  CoordinateValue c;
  coordinate_.evaluate(at, 2, c);
  double value = violation(at, level, c);
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    const int column = directions_[i].column;
    if (column < 0) continue;
    r[column] += c.sq[i] * lambda;
    if (level == Level::acceleration) value += c.sq[i] * at.rates->a[column];
  }
  r[global_] += value;
}

void Constraint::addLinearisation(const Evaluation& at, Level level, Linearisation& p) const {
  if (!active(at)) {
    addTo(p.p0, diagonal_, 1);
    return;
  }
  CoordinateValue c;
  coordinate_.evaluate(at, 3, c);
  const double lambda = at.rates->lambda[row_];
  // At position level exact where the setpoint moves with its rate, x_i = mu x_(i+1), which the rows of the states say.
  addTo(p.p0, setpointSlot_, -1);
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    const Direction& direction = directions_[i];
    if (direction.column < 0) continue;
    addTo(p.p0, direction.inRow, c.sq[i]);
    addTo(p.p0, direction.inColumn, c.sq[i]);
    if (level == Level::velocity) addTo(p.p1, direction.inRow, c.sqv[i]);
    if (level == Level::acceleration) {
      // gamma = motion'' - curvature, and the curvature is quadratic in v.
      addTo(p.p1, direction.inRow, c.sqv[i] + c.sqdot[i]);
      addTo(p.p2, direction.inRow, c.sqvv[i]);
    }
  }
  for (const Coupling& coupling : couplings_) {
    const double sqq = c.sqq[coupling.i][coupling.j];
    addTo(p.p2, coupling.slot, sqq * lambda);
    if (level == Level::acceleration) {
      addTo(p.p2, directions_[coupling.j].inRow, sqq * at.rates->a[directions_[coupling.i].column]);
    }
  }
}

}  // namespace mbfmu
