// Expressions of a running model: parameters, time, inputs, states and coordinates with their rates.
#pragma once

#include <array>
#include <vector>

#include "multibody/coordinate.h"
#include "multibody/element.h"
#include "multibody/expression.h"

namespace mbfmu {

// What a name in an expression stands for.
struct Symbol {
  enum class Kind { constant, time, input, state, coordinate, rate };
  Kind kind = Kind::constant;
  int index = 0;  // of the constant, input or state
  Coordinate coordinate;
};

class Quantity {
 public:
  static constexpr std::size_t kMaxSymbols = 12;
  static constexpr std::size_t kMaxColumns = kMaxSymbols * kMaxLocal;

  // At most kMaxSymbols symbols, in the order of expression.names().
  Quantity(Expression expression, std::vector<Symbol> symbols)
      : expression_(std::move(expression)), symbols_(std::move(symbols)) {}

  double value(const Evaluation& at) const;
  // Value with first and second derivative by time alone, everything else at rest. A state here is the setpoint of a
  // motion: the state behind it is its rate, and the second derivative that state's (known where rates are).
  Jet alongTime(const Evaluation& at) const;
  // The state behind the setpoint if this is one, else -1.
  int setpointRate() const;

  // Columns of the unknowns it depends on through q, v or x (one may occur twice), and the derivatives there: by q
  // (belongs to P2), and by v or x (belongs to P1).
  void findColumns(const Layout& layout);
  const std::vector<int>& columns() const { return columns_; }
  struct Gradient {
    std::array<double, kMaxColumns> byPosition, byVelocity;
  };
  void gradient(const Evaluation& at, Gradient& out) const;

 private:
  using Values = std::array<double, kMaxSymbols>;
  void symbolValues(const Evaluation& at, Values& values) const;

  Expression expression_;
  std::vector<Symbol> symbols_;
  std::vector<int> columns_;
};

}  // namespace mbfmu
