#include "multibody/assembly.h"

#include <algorithm>
#include <map>

namespace mbfmu {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

class Assembler {
 public:
  Assembler(const Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), paths_(namedPaths(model)), out_(std::make_unique<Assembly>()) {
    for (std::size_t i = 0; i < paths_.size(); ++i) pathIndex_.try_emplace(paths_[i].name, i);
  }

  std::unique_ptr<Assembly> run() {
    bodies();
    initialValues();
    for (const Joint& joint : model_.joints) addJoint(joint);
    // Coordinates first: forces and states may use those of forces further down.
    for (const Force& force : model_.forces) out_->forces.push_back({nullptr, nullptr, coordinateOf(force)});
    for (std::size_t i = 0; i < model_.forces.size(); ++i) addForce(model_.forces[i], out_->forces[i]);
    for (std::size_t i = 0; i < model_.states.size(); ++i) {
      const StateVariable& state = model_.states[i];
      add<FirstOrderState>(static_cast<int>(i), state.actuator < 0 ? quantity(state.derivative)
                                                                   : actuatorRate(model_.forces[at_(state.actuator)]));
    }
    for (const Output& output : model_.outputs) addOutput(output);
    out_->layout.dimensions.nx = static_cast<int>(model_.states.size());
    out_->layout.dimensions.m = static_cast<int>(out_->rows.size());
    Slots slots;
    for (auto& element : out_->elements) element->claim(out_->layout, slots);
    out_->pattern = std::move(slots.pattern);
    return std::move(out_);
  }

 private:
  template <class E, class... Arguments>
  E* add(Arguments&&... arguments) {
    auto element = std::make_unique<E>(std::forward<Arguments>(arguments)...);
    E* raw = element.get();
    out_->elements.push_back(std::move(element));
    return raw;
  }

  void bodies() {
    const std::array<int, 2> gravity = out_->constants.add(model_.gravity);
    int column = 0;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const Body& body = model_.bodies[i];
      std::array<int, 3> columns{-1, -1, -1};
      if (body.kind != Body::Kind::ground) {
        columns = {column, column + 1, body.kind == Body::Kind::rigid ? column + 2 : -1};
        column += body.kind == Body::Kind::rigid ? 3 : 2;
        const int mass = out_->constants.add(body.mass, Constants::Check::positive);
        const int inertia =
            body.kind == Body::Kind::rigid ? out_->constants.add(body.inertia, Constants::Check::positive) : kZero;
        add<Inertia>(static_cast<int>(i), mass, inertia, gravity);
      }
      out_->layout.columns.push_back(columns);
      markers_.emplace_back();
      for (const Marker& marker : body.markers) markers_.back().push_back(out_->constants.add(marker.position));
    }
    out_->layout.dimensions.nq = out_->layout.dimensions.nv = column;
  }

  // Used before assembly only (placement), but checked like every other constant.
  void initialValues() {
    const auto check = [&](const std::optional<Scalar>& scalar) {
      if (scalar) out_->constants.add(*scalar);
    };
    for (const Body& body : model_.bodies) {
      if (body.position) out_->constants.add(*body.position);
      if (body.velocity) out_->constants.add(*body.velocity);
      check(body.angle);
      check(body.rate);
    }
    for (const Joint& joint : model_.joints) check(joint.start), check(joint.startRate);
    for (const StateVariable& state : model_.states) out_->constants.add(state.start);
  }

  BodyPoint point(const PointRef& ref) const {
    if (ref.marker < 0) return {ref.body, true, {kZero, kZero}};
    return {ref.body, false, markers_[at_(ref.body)][at_(ref.marker)]};
  }
  Coordinate relativeAngle(const Joint& joint) const {
    return Coordinate::angles({{joint.between[0].body, kMinusOne}, {joint.between[1].body, kOne}});
  }

  void row(const Joint& joint, const char* what, const Coordinate& coordinate, int target,
           std::optional<Quantity> motion = {}) {
    out_->rows.push_back(add<Constraint>(static_cast<int>(out_->rows.size()), coordinate, target, std::move(motion)));
    out_->rowNames.push_back(joint.name + ": " + what);
  }

  void addJoint(const Joint& joint) {
    Assembly::JointParts parts;
    parts.first = static_cast<int>(out_->rows.size());
    if (joint.kind == Joint::Kind::gear) {
      row(joint, "angle", gearCoordinate(joint), out_->constants.add(joint.offset));
      parts.second.body = joint.between[1].body;
    } else {
      const BodyPoint first = point(joint.between[0]), second = point(joint.between[1]);
      parts.second = second;
      const bool pinned = joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::weld;
      const bool slides = joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::slot;
      const bool keepsAngle = joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::weld;
      if (pinned) {
        row(joint, "x", Coordinate::component(first, second, 0), kZero);
        row(joint, "y", Coordinate::component(first, second, 1), kZero);
      }
      if (slides) {
        const auto axis = out_->constants.addDirection(joint.axis, joint.path() + "/axis");
        row(joint, "across", Coordinate::along(first, second, axis, true), kZero);
        parts.coordinate = Coordinate::along(first, second, axis, false);
      }
      for (int k = 0; k < 2; ++k) {
        const auto& along = joint.path2[at_(k)];
        if (along) row(joint, k == 0 ? "x" : "y", Coordinate::component(first, second, k), kZero, motion(*along));
      }
      if (keepsAngle) row(joint, "angle", relativeAngle(joint), out_->constants.add(joint.angle));
      if (joint.kind == Joint::Kind::rod) {
        row(joint, "length", Coordinate::length(first, second),
            out_->constants.add(joint.length, Constants::Check::positive));
      }
      if (joint.kind == Joint::Kind::revolute) parts.coordinate = relativeAngle(joint);
    }
    if (joint.motion) {
      parts.motion = static_cast<int>(out_->rows.size());
      row(joint, "motion", *parts.coordinate, kZero, motion(*joint.motion));
    }
    parts.last = static_cast<int>(out_->rows.size());
    if (joint.viscous) {
      const int damping = out_->constants.add(*joint.viscous, Constants::Check::nonNegative);
      add<CoordinateForce>(*parts.coordinate, CoordinateForce::Spring{kZero, damping, kZero});
    }
    if (joint.coulomb) {
      add<CoordinateForce>(
          *parts.coordinate, CoordinateForce::Spring{},
          formula("-c*s/sqrt(s^2 + w^2)", {{"c", constant(*joint.coulomb, Constants::Check::nonNegative)},
                                           {"s", {Symbol::Kind::rate, 0, *parts.coordinate}},
                                           {"w", constant(joint.speed, Constants::Check::positive)}}));
    }
    out_->joints.push_back(std::move(parts));
  }

  // angle of the second joint - ratio * angle of the first; a body that both joints share appears once.
  Coordinate gearCoordinate(const Joint& gear) {
    const auto& first = model_.joints[at_(gear.joints[0])].between;
    const auto& second = model_.joints[at_(gear.joints[1])].between;
    std::vector<std::pair<int, int>> terms;
    const auto coefficientOf = [&](int body) {
      const double fromSecond = (body == second[1].body ? 1 : 0) - (body == second[0].body ? 1 : 0);
      const double fromFirst = (body == first[1].body ? -1 : 0) + (body == first[0].body ? 1 : 0);
      Scalar scalar{gear.ratio.expression.affine(fromFirst, fromSecond), gear.ratio.path};
      return out_->constants.add(scalar);
    };
    for (int body : {first[0].body, first[1].body, second[0].body, second[1].body}) {
      const auto same = [&](const auto& term) { return term.first == body; };
      if (std::none_of(terms.begin(), terms.end(), same)) terms.emplace_back(body, coefficientOf(body));
    }
    return Coordinate::angles(terms);
  }

  std::optional<Coordinate> coordinateOf(const Force& force) {
    switch (force.kind) {
      case Force::Kind::contact:
        return planeCoordinate(force, false);
      case Force::Kind::jointDrive:
      case Force::Kind::actuator:
      case Force::Kind::torsionSpring:
        return out_->joints[at_(force.joint)].coordinate;
      case Force::Kind::bodyTorque:
        return Coordinate::angles({{force.at.body, kOne}});
      case Force::Kind::spring:
        return Coordinate::length(point(force.between[0]), point(force.between[1]));
      case Force::Kind::pointForce:
        break;
    }
    return std::nullopt;
  }

  void addForce(const Force& force, Assembly::ForceParts& parts) {
    switch (force.kind) {
      case Force::Kind::jointDrive:
      case Force::Kind::bodyTorque:
        parts.element = add<CoordinateForce>(*parts.coordinate, CoordinateForce::Spring{}, quantity(force.value[0]));
        break;
      case Force::Kind::actuator:
        parts.element = add<CoordinateForce>(*parts.coordinate, CoordinateForce::Spring{},
                                             formula("x", {{"x", {Symbol::Kind::state, force.state, {}}}}));
        break;
      case Force::Kind::contact:
        addContact(force, parts);
        break;
      case Force::Kind::spring:
      case Force::Kind::torsionSpring:
        if (force.law) {
          parts.element = add<CoordinateForce>(*parts.coordinate, CoordinateForce::Spring{}, quantity(*force.law));
          break;
        }
        parts.element = add<CoordinateForce>(
            *parts.coordinate,
            CoordinateForce::Spring{out_->constants.add(force.stiffness, Constants::Check::nonNegative),
                                    out_->constants.add(force.damping, Constants::Check::nonNegative),
                                    out_->constants.add(force.rest)});
        break;
      case Force::Kind::pointForce:
        if (force.bodyFrame) {
          add<BodyForce>(point(force.at), quantity(force.value[0]), quantity(force.value[1]));
        } else {
          for (int k = 0; k < 2; ++k) {
            add<CoordinateForce>(Coordinate::component(BodyPoint{}, point(force.at), k), CoordinateForce::Spring{},
                                 quantity(force.value[at_(k)]));
          }
        }
        break;
    }
  }

  using Symbols = std::map<std::string, Symbol>;
  Symbol constant(const Scalar& scalar, Constants::Check check = Constants::Check::finite) {
    return {Symbol::Kind::constant, out_->constants.add(scalar, check), {}};
  }
  // A law of an element, written with names of its own.
  static Quantity formula(const std::string& text, const Symbols& symbols) {
    std::string problem;
    const Expression expression = Expression::parse(text, problem);
    std::vector<Symbol> ordered;
    for (const std::string& name : expression.names()) ordered.push_back(symbols.at(name));
    return {expression, std::move(ordered)};
  }

  // T x' = u - x, with u within +-limit.
  Quantity actuatorRate(const Force& force) {
    const Symbols own{{"own.T", constant(force.timeConstant, Constants::Check::positive)},
                      {"own.limit", force.limit ? constant(*force.limit, Constants::Check::positive) : Symbol{}},
                      {"own.x", {Symbol::Kind::state, force.state, {}}}};
    std::string problem;
    const char* text = force.limit ? "(min(max(own.u, -own.limit), own.limit) - own.x)/own.T" : "(own.u - own.x)/own.T";
    const Scalar whole{Expression::parse(text, problem).substitute("own.u", force.value[0].expression),
                       force.value[0].path};
    return quantity(whole, own);
  }

  // Distance of the second point from the plane (or along it) through the first.
  Coordinate planeCoordinate(const Force& force, bool across) {
    const auto normal = across ? out_->constants.add(force.normal)  // checked by the other one
                               : out_->constants.addDirection(force.normal, force.path() + "/normal");
    return Coordinate::along(point(force.between[0]), point(force.between[1]), normal, across);
  }

  // Hunt & Crossley 1975: N = k d^n (1 + c d'), d = r - s, never pulling; friction -mu N v / sqrt(v^2 + w^2) with the
  // velocity v of the circle's lowest point along the plane. Its lever about the circle's centre is r.
  void addContact(const Force& force, Assembly::ForceParts& parts) {
    const auto nonNegative = Constants::Check::nonNegative;
    const Coordinate along = planeCoordinate(force, true);
    const Coordinate turn = Coordinate::angles({{force.between[0].body, kMinusOne}, {force.between[1].body, kOne}});
    const Symbols symbols{{"k", constant(force.stiffness, nonNegative)},
                          {"n", constant(force.exponent, Constants::Check::positive)},
                          {"c", constant(force.damping, nonNegative)},
                          {"r", constant(force.radius, nonNegative)},
                          {"mu", constant(force.friction, nonNegative)},
                          {"w", constant(force.speed, Constants::Check::positive)},
                          {"s", {Symbol::Kind::coordinate, 0, *parts.coordinate}},
                          {"ds", {Symbol::Kind::rate, 0, *parts.coordinate}},
                          {"v", {Symbol::Kind::rate, 0, along}},
                          {"turn", {Symbol::Kind::rate, 0, turn}}};
    const std::string normal = "k*max(r - s, 0)^n*max(1 - c*ds, 0)";
    const std::string friction = "-mu*(" + normal + ")*(v - r*turn)/sqrt((v - r*turn)^2 + w^2)";
    parts.element = add<CoordinateForce>(*parts.coordinate, CoordinateForce::Spring{}, formula(normal, symbols));
    parts.friction = add<CoordinateForce>(along, CoordinateForce::Spring{}, formula(friction, symbols));
    add<CoordinateForce>(turn, CoordinateForce::Spring{}, formula("-r*(" + friction + ")", symbols));
  }

  int parameterConstant(const NamedPath& path) {
    std::string problem;
    return out_->constants.add(Scalar{Expression::parse(path.name, problem), "/parameters/" + path.name});
  }

  Coordinate coordinateOf(const NamedPath& path) const {
    switch (path.what) {
      case NamedPath::What::bodyCoordinate:
        if (path.component == 2) return Coordinate::angles({{path.index, kOne}});
        return Coordinate::component(BodyPoint{}, {path.index, true, {kZero, kZero}}, path.component);
      case NamedPath::What::markerCoordinate:
        return Coordinate::component(BodyPoint{}, point({path.index, path.marker}), path.component);
      case NamedPath::What::jointCoordinate:
        return *out_->joints[at_(path.index)].coordinate;
      case NamedPath::What::springCoordinate:
        return *out_->forces[at_(path.index)].coordinate;
      default:
        return {};
    }
  }

  const NamedPath* find(const std::string& name, const std::string& place, bool equations) {
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

  // `own` are names that only this expression knows.
  Quantity quantity(const Scalar& scalar, const Symbols& own = {}) {
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

  Symbol symbol(const NamedPath& path) {
    switch (path.what) {
      case NamedPath::What::time:
        return {Symbol::Kind::time, 0, {}};
      case NamedPath::What::input:
        return {Symbol::Kind::input, path.index, {}};
      case NamedPath::What::state:
        return {Symbol::Kind::state, path.index, {}};
      case NamedPath::What::parameter:
        return {Symbol::Kind::constant, parameterConstant(path), {}};
      default:
        return {path.order == 0 ? Symbol::Kind::coordinate : Symbol::Kind::rate, 0, coordinateOf(path)};
    }
  }

  // A motion is known beforehand: it may use time and parameters only.
  Quantity motion(const Scalar& scalar) {
    for (const std::string& name : scalar.expression.names()) {
      const auto found = pathIndex_.find(name);
      if (found == pathIndex_.end()) continue;
      const auto what = paths_[found->second].what;
      if (what == NamedPath::What::time || what == NamedPath::What::parameter) continue;
      diagnostics_.error(scalar.path, "a motion may use time and parameters, not \"" + name + "\"");
      return {Expression(), {}};
    }
    return quantity(scalar);
  }

  void addOutput(const Output& output) {
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

  const Model& model_;
  Diagnostics& diagnostics_;
  std::vector<NamedPath> paths_;
  std::unordered_map<std::string, std::size_t> pathIndex_;
  std::unique_ptr<Assembly> out_;
  std::vector<std::vector<std::array<int, 2>>> markers_;  // constants of each marker by body
};

}  // namespace

Assembly::Assembly(const Assembly& other)
    : layout(other.layout),
      constants(other.constants),
      rows(other.rows),
      rowNames(other.rowNames),
      joints(other.joints),
      forces(other.forces),
      outputs(other.outputs),
      events(other.events),
      heldStart(other.heldStart),
      pattern(other.pattern) {
  // Pointers into the other's elements become pointers to the same place here.
  std::unordered_map<const Element*, Element*> copyOf;
  for (const auto& element : other.elements) {
    elements.push_back(element->clone());
    copyOf[element.get()] = elements.back().get();
  }
  for (auto& row : rows) row = static_cast<Constraint*>(copyOf.at(row));
  for (auto& force : forces) {
    if (force.element) force.element = static_cast<CoordinateForce*>(copyOf.at(force.element));
    if (force.friction) force.friction = static_cast<CoordinateForce*>(copyOf.at(force.friction));
  }
}

std::unique_ptr<Assembly> assemble(const Model& model, Diagnostics& diagnostics) {
  return Assembler(model, diagnostics).run();
}

}  // namespace mbfmu
