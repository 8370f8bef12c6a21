#include "multibody/elements.h"

namespace mbfmu {

void ContactFriction::claim(const Layout& layout, Slots& slots) {
  const auto n = static_cast<std::size_t>(along_.size());
  for (std::size_t i = 0; i < n; ++i) {
    const int local = static_cast<int>(i);
    rows_[i] = along_.depends(local) ? layout.column(along_.body(local / 3), local % 3) : -1;
    normalSlots_[i] = slots.claim(rows_[i], layout.row(normalRow_));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool couples = along_.couples(static_cast<int>(i), static_cast<int>(j));
      slots_[i][j] = couples ? slots.claim(rows_[i], rows_[j]) : -1;
    }
  }
}

// N = -sign lambda of the contact's row.
double ContactFriction::force(const Evaluation& at) const { return factor(at) * at.rates->lambda[normalRow_]; }

double ContactFriction::factor(const Evaluation& at) const {
  return at.inputs[static_cast<std::size_t>(direction_)] * at.constant(coefficient_) * sign_;
}

void ContactFriction::addResidual(const Evaluation& at, Level, Vector& r) const {
  const double f = force(at);
  if (f == 0) return;
  CoordinateValue c;
  along_.evaluate(at, 1, c);
  for (std::size_t i = 0; i < static_cast<std::size_t>(along_.size()); ++i) addTo(r, rows_[i], -c.sq[i] * f);
}

void ContactFriction::addLinearisation(const Evaluation& at, Level, Linearisation& p) const {
  const double k = factor(at), f = force(at);
  if (k == 0) return;
  CoordinateValue c;
  along_.evaluate(at, 3, c);
  const auto n = static_cast<std::size_t>(along_.size());
  for (std::size_t i = 0; i < n; ++i) {
    addTo(p.p0, normalSlots_[i], -c.sq[i] * k);
    for (std::size_t j = 0; j < n; ++j) addTo(p.p2, slots_[i][j], -c.sqq[i][j] * f);
  }
}

}  // namespace mbfmu
