#include "multibody/elements.h"

namespace mbfmu {

void Constraint::claim(const Layout& layout, Slots& slots) {
  global_ = layout.row(row_);
  diagonal_ = slots.claim(global_, global_);
  const auto n = static_cast<std::size_t>(coordinate_.size());
  for (std::size_t i = 0; i < n; ++i) {
    const int local = static_cast<int>(i);
    columns_[i] = coordinate_.depends(local) ? layout.column(coordinate_.body(local / 3), local % 3) : -1;
    rowSlots_[i] = slots.claim(global_, columns_[i]);
    columnSlots_[i] = slots.claim(columns_[i], global_);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool couples = coordinate_.couples(static_cast<int>(i), static_cast<int>(j));
      stiffnessSlots_[i][j] = couples ? slots.claim(columns_[i], columns_[j]) : -1;
    }
  }
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
  for (std::size_t i = 0; i < static_cast<std::size_t>(coordinate_.size()); ++i) {
    if (columns_[i] >= 0) acceleration += c.sq[i] * at.rates->a[columns_[i]];
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
  for (std::size_t i = 0; i < static_cast<std::size_t>(coordinate_.size()); ++i) {
    if (columns_[i] < 0) continue;
    r[columns_[i]] += c.sq[i] * lambda;
    if (level == Level::acceleration) value += c.sq[i] * at.rates->a[columns_[i]];
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
  const auto n = static_cast<std::size_t>(coordinate_.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (columns_[i] < 0) continue;
    addTo(p.p0, rowSlots_[i], c.sq[i]);
    addTo(p.p0, columnSlots_[i], c.sq[i]);
    if (level == Level::velocity) addTo(p.p1, rowSlots_[i], c.sqv[i]);
    if (level == Level::acceleration) {
      // gamma = motion'' - curvature, and the curvature is quadratic in v.
      addTo(p.p1, rowSlots_[i], 2 * c.sqv[i]);
      addTo(p.p2, rowSlots_[i], c.sqvv[i]);
    }
    for (std::size_t j = 0; j < n; ++j) {
      addTo(p.p2, stiffnessSlots_[i][j], c.sqq[i][j] * lambda);
      if (level == Level::acceleration && stiffnessSlots_[i][j] >= 0) {
        addTo(p.p2, rowSlots_[j], c.sqq[i][j] * at.rates->a[columns_[i]]);
      }
    }
  }
}

}  // namespace mbfmu
