#include "multibody/assembler.h"
#include "multibody/planar_coordinates.h"
#include "multibody/spatial_coordinates.h"

namespace mbfmu {

Symbol Assembler::constant(const Scalar& scalar, Constants::Check check) {
  return {Symbol::Kind::constant, out_->constants.add(scalar, check), {}};
}

Quantity Assembler::formula(const std::string& text, const Symbols& symbols) {
  std::string problem;
  const Expression expression = Expression::parse(text, problem);
  std::vector<Symbol> ordered;
  for (const std::string& name : expression.names()) ordered.push_back(symbols.at(name));
  return {expression, std::move(ordered)};
}

int Assembler::parameterConstant(const NamedPath& path) {
  std::string problem;
  return out_->constants.add(Scalar{Expression::parse(path.name, problem), "/parameters/" + path.name});
}

Coordinate Assembler::coordinateOf(const NamedPath& path) {
  switch (path.what) {
    case NamedPath::What::bodyCoordinate:
    case NamedPath::What::markerCoordinate: {
      const BodyPoint end = point({path.index, path.marker});
      if (spatial()) return spatial::component(BodyPoint{}, end, path.component);
      if (path.marker < 0 && path.component == 2) return planar::angles({{path.index, kOne}});
      return planar::component(BodyPoint{}, end, path.component);
    }
    case NamedPath::What::worldSpin:
    case NamedPath::What::bodySpin: {
      const int carrier = path.what == NamedPath::What::worldSpin ? 0 : path.index;
      return spatial::spin(0, path.index, frame({carrier, -1}, worldAxis(path.component), "").z);
    }
    case NamedPath::What::jointCoordinate: {
      const auto& joint = out_->joints[at_(path.index)];
      return path.component == 1 ? *joint.slide : *joint.coordinate;
    }
    case NamedPath::What::springCoordinate:
      return *out_->forces[at_(path.index)].coordinate;
    default:
      return {};
  }
}

const NamedPath* Assembler::find(const std::string& name, const std::string& place, bool equations) {
  const auto found = pathIndex_.find(name);
  if (found != pathIndex_.end() && (!equations || paths_[found->second].inEquations())) {
    return &paths_[found->second];
  }
  if (found != pathIndex_.end()) {
    diagnostics_.error(place, "\"" + name + "\" is known in outputs only; an equation cannot use it");
    return nullptr;
  }
  if (diagnostics_.spoilt(name)) return nullptr;
  std::vector<std::string> known;
  for (const auto& path : paths_) known.push_back(path.name);
  const std::string near = nearest(name, known);
  diagnostics_.error(place, "unknown name \"" + name + "\"" +
                                (near.empty() ? "; use a parameter, an input, time or a path such as body.x"
                                              : "; did you mean \"" + near + "\"?"));
  return nullptr;
}

Quantity Assembler::quantity(const Scalar& scalar, const Symbols& own) {
  std::vector<Symbol> symbols;
  if (scalar.expression.names().size() > Quantity::kMaxSymbols) {
    diagnostics_.error(scalar.path, "uses more than " + std::to_string(Quantity::kMaxSymbols) +
                                        " names; split it with the help of parameters or states");
    return {Expression(), {}};
  }
  for (const std::string& name : scalar.expression.names()) {
    if (const auto known = own.find(name); known != own.end()) {
      symbols.push_back(known->second);
      continue;
    }
    const NamedPath* path = find(name, scalar.path, true);
    if (path) symbols.push_back(symbol(*path));
  }
  if (symbols.size() < scalar.expression.names().size()) return {Expression(), {}};
  return {scalar.expression, std::move(symbols)};
}

Quantity Assembler::derivative(const StateVariable& state) {
  if (state.actuator >= 0) return actuatorRate(model_.forces[at_(state.actuator)]);
  if (!state.timeConstant) return quantity(state.derivative);
  return quantity(state.derivative, {{"own.T", constant(*state.timeConstant, Constants::Check::positive)}});
}

Symbol Assembler::symbol(const NamedPath& path) {
  switch (path.what) {
    case NamedPath::What::time:
      return {Symbol::Kind::time, 0, {}};
    case NamedPath::What::input:
      return {Symbol::Kind::input, path.index, {}};
    case NamedPath::What::discrete:
      return {Symbol::Kind::input, static_cast<int>(model_.inputs.size()) + path.index, {}};
    case NamedPath::What::state:
      return {Symbol::Kind::state, path.index, {}};
    case NamedPath::What::parameter:
      return {Symbol::Kind::constant, parameterConstant(path), {}};
    default:
      return {path.order == 0 ? Symbol::Kind::coordinate : Symbol::Kind::rate, 0, coordinateOf(path)};
  }
}

Quantity Assembler::motion(const Scalar& scalar) {
  for (const std::string& name : scalar.expression.names()) {
    const auto found = pathIndex_.find(name);
    if (found == pathIndex_.end()) continue;
    const auto what = paths_[found->second].what;
    if (what == NamedPath::What::time || what == NamedPath::What::parameter) continue;
    if (what == NamedPath::What::state && model_.states[at_(paths_[found->second].index)].input >= 0) continue;
    diagnostics_.error(scalar.path, "a motion may use time and parameters, not \"" + name + "\"");
    return {Expression(), {}};
  }
  return quantity(scalar);
}

void Assembler::addOutput(const Output& output) {
  Assembly::Output result;
  result.expression = output.expression.expression;
  if (result.expression.names().size() > Quantity::kMaxSymbols) {
    diagnostics_.error(output.expression.path,
                       "uses more than " + std::to_string(Quantity::kMaxSymbols) + " names; make it two outputs");
    return;
  }
  for (const std::string& name : result.expression.names()) {
    const NamedPath* path = find(name, output.expression.path, false);
    if (!path) return;
    result.names.push_back(*path);
    result.coordinates.push_back(coordinateOf(*path));
    result.constants.push_back(path->what == NamedPath::What::parameter ? parameterConstant(*path) : kZero);
  }
  out_->outputs.push_back(std::move(result));
}

}  // namespace mbfmu
