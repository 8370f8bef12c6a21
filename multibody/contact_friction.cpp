#include "multibody/elements.h"

namespace mbfmu {

void ContactFriction::claim(const Layout& layout, Slots& slots) {
  rows_.clear();
  normalSlots_.clear();
  for (int i = 0; i < along_.size(); ++i) {
    rows_.push_back(along_.column(layout, i));
    normalSlots_.push_back(slots.claim(rows_.back(), layout.row(normalRow_)));
  }
  couplings_ = claimCouplings(along_, layout, slots);
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
  for (std::size_t i = 0; i < rows_.size(); ++i) addTo(r, rows_[i], -c.sq[i] * f);
}

void ContactFriction::addLinearisation(const Evaluation& at, Level, Linearisation& p) const {
  const double k = factor(at), f = force(at);
  if (k == 0) return;
  CoordinateValue c;
  along_.evaluate(at, 3, c);
  for (std::size_t i = 0; i < rows_.size(); ++i) addTo(p.p0, normalSlots_[i], -c.sq[i] * k);
  for (const auto& [i, j, slot] : couplings_) addTo(p.p2, slot, -c.sqq[i][j] * f);
}

}  // namespace mbfmu
