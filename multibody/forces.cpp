#include "multibody/elements.h"

namespace mbfmu {

std::vector<Coupling> claimCouplings(const Coordinate& coordinate, const Layout& layout, Slots& slots) {
  std::vector<Coupling> couplings;
  for (int i = 0; i < coordinate.size(); ++i) {
    for (int j = 0; j < coordinate.size(); ++j) {
      if (!coordinate.couples(i, j)) continue;
      const int slot = slots.claim(coordinate.column(layout, i), coordinate.column(layout, j));
      if (slot >= 0) couplings.push_back({static_cast<std::size_t>(i), static_cast<std::size_t>(j), slot});
    }
  }
  return couplings;
}

void CoordinateForce::claim(const Layout& layout, Slots& slots) {
  rows_.clear();
  for (int i = 0; i < coordinate_.size(); ++i) rows_.push_back(coordinate_.column(layout, i));
  products_.clear();
  const bool hasSpring = spring_.stiffness != kZero || spring_.damping != kZero;
  for (std::size_t i = 0; hasSpring && i < rows_.size(); ++i) {
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      const int slot = slots.claim(rows_[i], rows_[j]);
      if (slot >= 0) products_.push_back({i, j, slot});
    }
  }
  couplings_ = claimCouplings(coordinate_, layout, slots);
  if (!value_) return;
  value_->findColumns(layout);
  valueSlots_.clear();
  for (int row : rows_) {
    for (int column : value_->columns()) valueSlots_.push_back(slots.claim(row, column));
  }
}

double CoordinateForce::force(const Evaluation& at, const CoordinateValue& c) const {
  return (value_ ? value_->value(at) : 0) - at.constant(spring_.stiffness) * (c.s - at.constant(spring_.rest)) -
         at.constant(spring_.damping) * c.rate;
}

double CoordinateForce::force(const Evaluation& at) const {
  CoordinateValue c;
  coordinate_.evaluate(at, 2, c);
  return force(at, c);
}

void CoordinateForce::addResidual(const Evaluation& at, Level, Vector& r) const {
  CoordinateValue c;
  coordinate_.evaluate(at, 2, c);
  const double f = force(at, c);
  for (std::size_t i = 0; i < rows_.size(); ++i) addTo(r, rows_[i], -c.sq[i] * f);
}

// -Q_q = -s_qq f - s_q^T f_q  and  -Q_v = -s_q^T f_v.
void CoordinateForce::addLinearisation(const Evaluation& at, Level, Linearisation& p) const {
  CoordinateValue c;
  coordinate_.evaluate(at, 3, c);
  const double f = force(at, c), k = at.constant(spring_.stiffness), d = at.constant(spring_.damping);
  for (const auto& [i, j, slot] : couplings_) addTo(p.p2, slot, -c.sqq[i][j] * f);
  for (const auto& [i, j, slot] : products_) {
    addTo(p.p2, slot, c.sq[i] * (k * c.sq[j] + d * c.sqv[j]));
    addTo(p.p1, slot, c.sq[i] * d * c.sq[j]);
  }
  if (!value_ || value_->columns().empty()) return;
  Quantity::Gradient g;
  value_->gradient(at, g);
  const std::size_t columns = value_->columns().size();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      addTo(p.p2, valueSlots_[i * columns + j], -c.sq[i] * g.byPosition[j]);
      addTo(p.p1, valueSlots_[i * columns + j], -c.sq[i] * g.byVelocity[j]);
    }
  }
}

double CoordinateForce::potentialEnergy(const Evaluation& at) const {
  CoordinateValue c;
  coordinate_.evaluate(at, 1, c);
  const double stretch = c.s - at.constant(spring_.rest);
  return at.constant(spring_.stiffness) * stretch * stretch / 2;
}

void BodyForce::claim(const Layout& layout, Slots& slots) {
  for (std::size_t i = 0; i < 3; ++i) rows_[i] = layout.column(point_.body, static_cast<int>(i));
  for (std::size_t i = 0; i < 3; ++i) turnSlots_[i] = slots.claim(rows_[i], rows_[2]);
  for (std::size_t k = 0; k < 2; ++k) {
    f_[k].findColumns(layout);
    valueSlots_[k].clear();
    for (int row : rows_) {
      for (int column : f_[k].columns()) valueSlots_[k].push_back(slots.claim(row, column));
    }
  }
}

std::array<double, 3> BodyForce::direction(const Evaluation& at, int k) const {
  const BodyPose& pose = at.pose(point_.body);
  const double x = at.constant(point_.position[0]), y = at.constant(point_.position[1]);
  if (k == 0) return {pose.cosine, pose.sine, -y};
  return {-pose.sine, pose.cosine, x};
}

void BodyForce::addResidual(const Evaluation& at, Level, Vector& r) const {
  for (int k = 0; k < 2; ++k) {
    const double f = f_[static_cast<std::size_t>(k)].value(at);
    const auto e = direction(at, k);
    for (std::size_t i = 0; i < 3; ++i) addTo(r, rows_[i], -e[i] * f);
  }
}

void BodyForce::addLinearisation(const Evaluation& at, Level, Linearisation& p) const {
  Quantity::Gradient g;
  for (std::size_t k = 0; k < 2; ++k) {
    const double f = f_[k].value(at);
    const auto e = direction(at, static_cast<int>(k));
    addTo(p.p2, turnSlots_[0], e[1] * f);
    addTo(p.p2, turnSlots_[1], -e[0] * f);
    const std::size_t columns = f_[k].columns().size();
    if (columns == 0) continue;
    f_[k].gradient(at, g);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        addTo(p.p2, valueSlots_[k][i * columns + j], -e[i] * g.byPosition[j]);
        addTo(p.p1, valueSlots_[k][i * columns + j], -e[i] * g.byVelocity[j]);
      }
    }
  }
}

void FirstOrderState::claim(const Layout& layout, Slots& slots) {
  row_ = layout.state(index_);
  diagonal_ = slots.claim(row_, row_);
  derivative_.findColumns(layout);
  slots_.clear();
  for (int column : derivative_.columns()) slots_.push_back(slots.claim(row_, column));
}

void FirstOrderState::addResidual(const Evaluation& at, Level, Vector& r) const {
  r[row_] += at.rates->xdot[index_] - derivative_.value(at);
}

void FirstOrderState::addLinearisation(const Evaluation& at, Level, Linearisation& p) const {
  addTo(p.p0, diagonal_, 1);
  if (slots_.empty()) return;
  Quantity::Gradient g;
  derivative_.gradient(at, g);
  for (std::size_t j = 0; j < slots_.size(); ++j) {
    addTo(p.p2, slots_[j], -g.byPosition[j]);
    addTo(p.p1, slots_[j], -g.byVelocity[j]);
  }
}

}  // namespace mbfmu
