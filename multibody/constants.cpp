#include "multibody/constants.h"

#include <cmath>

namespace mbfmu {

Constants::Constants() {
  for (double value : {0.0, 1.0, -1.0}) entries_.push_back({{Expression(value), ""}, Check::finite});
}

int Constants::add(const Scalar& scalar, Check check) {
  entries_.push_back({scalar, check});
  return static_cast<int>(entries_.size()) - 1;
}

std::vector<double> Constants::evaluate(const Model& model, const std::vector<double>& parameters,
                                        std::vector<Problem>& problems) const {
  std::vector<double> values;
  values.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    const double value = mbfmu::evaluate(model, entry.scalar.expression, parameters);
    values.push_back(value);
    if (!std::isfinite(value)) {
      problems.push_back({entry.scalar.path, "is not a finite number; check the expression and its parameters"});
    } else if (entry.check == Check::positive && !(value > 0)) {
      problems.push_back({entry.scalar.path, "must be positive, is " + std::to_string(value)});
    } else if (entry.check == Check::nonNegative && value < 0) {
      problems.push_back({entry.scalar.path, "must not be negative, is " + std::to_string(value)});
    }
  }
  return values;
}

}  // namespace mbfmu
