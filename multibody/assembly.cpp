#include "multibody/assembler.h"

namespace mbfmu {

std::unique_ptr<Assembly> Assembler::run() {
  spatial() ? spatialBodies() : bodies();
  initialValues();
  out_->inputs = model_.inputs.size();
  for (const DiscreteState& state : model_.discrete) hold(out_->constants.add(state.start));
  for (const Joint& joint : model_.joints) addJoint(joint);
  // Coordinates first: forces and states may use those of forces further down.
  for (const Force& force : model_.forces) out_->forces.push_back({.coordinate = coordinateOf(force)});
  for (std::size_t i = 0; i < model_.forces.size(); ++i) addForce(model_.forces[i], out_->forces[i]);
  for (std::size_t i = 0; i < model_.states.size(); ++i) {
    add<FirstOrderState>(static_cast<int>(i), derivative(model_.states[i]));
  }
  for (const EventRule& rule : model_.events) addEvent(rule);
  for (const Output& output : model_.outputs) addOutput(output);
  out_->layout.dimensions.nx = static_cast<int>(model_.states.size());
  out_->layout.dimensions.m = static_cast<int>(out_->rows.size());
  Slots slots;
  for (auto& element : out_->elements) element->claim(out_->layout, slots);
  out_->pattern = std::move(slots.pattern);
  return std::move(out_);
}

void Assembler::bodies() {
  const std::array<int, 3> gravity = out_->constants.add(model_.gravity);
  int column = 0;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const Body& body = model_.bodies[i];
    std::array<int, 6> columns{-1, -1, -1, -1, -1, -1};
    if (body.kind != Body::Kind::ground) {
      columns[0] = column;
      columns[1] = column + 1;
      if (body.kind == Body::Kind::rigid) columns[2] = column + 2;
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
void Assembler::initialValues() {
  const auto check = [&](const std::optional<Scalar>& scalar) {
    if (scalar) out_->constants.add(*scalar);
  };
  for (const Body& body : model_.bodies) {
    if (body.position) out_->constants.add(*body.position);
    if (body.velocity) out_->constants.add(*body.velocity);
    check(body.angle);
    check(body.rate);
    if (body.spin) out_->constants.add(*body.spin);
    if (body.orientation) out_->constants.addFrame(body.orientation, worldAxis(2), body.path() + "/pose");
  }
  for (const Joint& joint : model_.joints) {
    for (const auto* given : {&joint.start, &joint.startRate, &joint.slide, &joint.slideRate}) check(*given);
  }
  for (const StateVariable& state : model_.states) out_->constants.add(state.start);
}

BodyPoint Assembler::point(const PointRef& ref) const {
  if (ref.marker < 0) {
    const bool offset = spatial() && model_.bodies[at_(ref.body)].centre;
    return {ref.body, !offset, offset ? origins_[at_(ref.body)] : std::array<int, 3>{kZero, kZero, kZero}};
  }
  return {ref.body, false, markers_[at_(ref.body)][at_(ref.marker)]};
}

Assembly::Assembly(const Assembly& other)
    : layout(other.layout),
      constants(other.constants),
      rows(other.rows),
      rowNames(other.rowNames),
      joints(other.joints),
      forces(other.forces),
      outputs(other.outputs),
      events(other.events),
      inputs(other.inputs),
      heldStart(other.heldStart),
      pattern(other.pattern) {
  // Pointers into the other's elements become pointers to the same place here.
  std::unordered_map<const Element*, Element*> copyOf;
  for (const auto& element : other.elements) {
    elements.push_back(element->clone());
    copyOf[element.get()] = elements.back().get();
  }
  for (auto& row : rows) row = static_cast<Constraint*>(copyOf.at(row));
  for (auto& joint : joints) {
    if (joint.sliding) joint.sliding = static_cast<CoordinateForce*>(copyOf.at(joint.sliding));
  }
  for (auto& force : forces) {
    if (force.element) force.element = static_cast<CoordinateForce*>(copyOf.at(force.element));
    if (force.friction) force.friction = static_cast<CoordinateForce*>(copyOf.at(force.friction));
    if (force.friction2) force.friction2 = static_cast<CoordinateForce*>(copyOf.at(force.friction2));
    if (force.slidingContact) force.slidingContact = static_cast<ContactFriction*>(copyOf.at(force.slidingContact));
  }
}

std::unique_ptr<Assembly> assemble(const Model& model, Diagnostics& diagnostics) {
  return Assembler(model, diagnostics).run();
}

}  // namespace mbfmu
