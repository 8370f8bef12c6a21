#include "multibody/quantity.h"

namespace mbfmu {

void Quantity::symbolValues(const Evaluation& at, Values& values) const {
  CoordinateValue c;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const Symbol& symbol = symbols_[i];
    switch (symbol.kind) {
      case Symbol::Kind::constant:
        values[i] = at.constant(symbol.index);
        break;
      case Symbol::Kind::time:
        values[i] = at.t;
        break;
      case Symbol::Kind::input:
        values[i] = at.inputs[static_cast<std::size_t>(symbol.index)];
        break;
      case Symbol::Kind::state:
        values[i] = at.state->x[symbol.index];
        break;
      case Symbol::Kind::coordinate:
        symbol.coordinate.evaluate(at, 1, c);
        values[i] = c.s;
        break;
      case Symbol::Kind::rate:
        symbol.coordinate.evaluate(at, 2, c);
        values[i] = c.rate;
        break;
    }
  }
}

double Quantity::value(const Evaluation& at) const {
  Values values;
  symbolValues(at, values);
  return expression_.evaluate(std::span<const double>(values));
}

Jet Quantity::alongTime(const Evaluation& at) const {
  Values values;
  symbolValues(at, values);
  std::array<Jet, kMaxSymbols> jets;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    jets[i] = {values[i], symbols_[i].kind == Symbol::Kind::time ? 1.0 : 0.0, 0};
  }
  if (const int rate = setpointRate(); rate >= 0) {
    jets[0] = {values[0], at.state->x[rate], at.rates ? at.rates->xdot[rate] : 0};
  }
  return expression_.evaluate(std::span<const Jet>(jets));
}

int Quantity::setpointRate() const {
  return !symbols_.empty() && symbols_[0].kind == Symbol::Kind::state ? symbols_[0].index + 1 : -1;
}

void Quantity::findColumns(const Layout& layout) {
  columns_.clear();
  for (const Symbol& symbol : symbols_) {
    if (symbol.kind == Symbol::Kind::state) columns_.push_back(layout.state(symbol.index));
    if (symbol.kind != Symbol::Kind::coordinate && symbol.kind != Symbol::Kind::rate) continue;
    for (int j = 0; j < symbol.coordinate.size(); ++j) columns_.push_back(symbol.coordinate.column(layout, j));
  }
}

void Quantity::gradient(const Evaluation& at, Gradient& out) const {
  Values values;
  symbolValues(at, values);
  CoordinateValue c;
  std::size_t k = 0;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const Symbol& symbol = symbols_[i];
    const bool isRate = symbol.kind == Symbol::Kind::rate;
    const bool isState = symbol.kind == Symbol::Kind::state;
    if (!isRate && !isState && symbol.kind != Symbol::Kind::coordinate) continue;
    const double d = expression_.derivative(values, i);
    if (isState) {
      out.byPosition[k] = 0;
      out.byVelocity[k++] = d;
      continue;
    }
    symbol.coordinate.evaluate(at, isRate ? 3 : 1, c);
    for (std::size_t j = 0; j < static_cast<std::size_t>(symbol.coordinate.size()); ++j, ++k) {
      out.byPosition[k] = d * (isRate ? c.sqv[j] : c.sq[j]);
      out.byVelocity[k] = isRate ? d * c.sq[j] : 0;
    }
  }
}

}  // namespace mbfmu
