#include "multibody/model.h"

namespace mbfmu {

Quaternion orientationOf(Orientation::Kind kind, const std::array<double, 4>& values) {
  const Vector3 three(values[0], values[1], values[2]);
  if (kind == Orientation::Kind::rotationVector) return exponential(three);
  if (kind == Orientation::Kind::rollPitchYaw) return fromRollPitchYaw(three);
  return Quaternion(values[0], values[1], values[2], values[3]).normalized();
}

double evaluate(const Model& model, const Expression& expression, const std::vector<double>& parameters) {
  std::vector<double> values;
  for (const auto& name : expression.names()) {
    double value = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (model.parameters[i].name == name) value = parameters[i];
    }
    values.push_back(value);
  }
  return expression.evaluate(values);
}

std::vector<double> parameterValues(const Model& model, const std::vector<std::optional<double>>& set) {
  std::vector<double> values;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const bool given = i < set.size() && set[i];
    values.push_back(given ? *set[i] : evaluate(model, model.parameters[i].expression.expression, values));
  }
  return values;
}

}  // namespace mbfmu
