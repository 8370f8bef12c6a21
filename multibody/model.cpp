#include "multibody/model.h"

namespace mbfmu {

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
