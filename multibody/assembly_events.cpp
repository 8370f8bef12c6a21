#include "multibody/assembler.h"
#include "multibody/planar_coordinates.h"

namespace mbfmu {

// A place in Evaluation::inputs that starts with the value of a constant.
int Assembler::hold(int startConstant) {
  out_->heldStart.push_back(startConstant);
  return static_cast<int>(model_.inputs.size() + out_->heldStart.size()) - 1;
}

// A row that events switch; its number.
int Assembler::switchedRow(const std::string& name, const Coordinate& coordinate, int target) {
  const int number = static_cast<int>(out_->rows.size());
  out_->rows.push_back(add<Constraint>(number, coordinate, target));
  out_->rowNames.push_back(name);
  return number;
}

int Assembler::addUnilateral(const std::string& name, const Coordinate& coordinate, int target, double sign,
                             const Impact& impact) {
  const auto nonNegative = Constants::Check::nonNegative;
  out_->events.unilaterals.push_back({name, switchedRow(name, coordinate, target), sign,
                                      out_->constants.add(impact.restitution, nonNegative),
                                      out_->constants.add(impact.restingSpeed, nonNegative)});
  return static_cast<int>(out_->events.unilaterals.size()) - 1;
}

void Assembler::addStops(const Joint& joint, Assembly::JointParts& parts) {
  const auto limit = [&](const std::optional<Scalar>& value, const char* what, double sign) {
    if (!value) return;
    const int target = out_->constants.add(*value);
    parts.stops.push_back(addUnilateral(joint.name + ": " + what, *parts.coordinate, target, sign, joint.impact));
  };
  limit(joint.lower, "lower stop", 1);
  limit(joint.upper, "upper stop", -1);
}

// Force along the coordinate of -limit while it slides forwards, +limit backwards; none while it sticks.
int Assembler::addFriction(const std::string& name, const Coordinate& coordinate, std::optional<Quantity> sticking,
                           CoordinateForce** sliding, const Scalar& limit) {
  const int direction = hold(kZero);
  Friction friction{name, switchedRow(name, coordinate, kZero), direction, -1, std::move(sticking), std::nullopt};
  std::string problem;
  const Scalar law{Expression::parse("-(own.limit)*own.direction", problem).substitute("own.limit", limit.expression),
                   limit.path};
  *sliding = add<CoordinateForce>(coordinate, CoordinateForce::Spring{},
                                  quantity(law, {{"own.direction", {Symbol::Kind::input, direction, {}}}}));
  out_->events.frictions.push_back(std::move(friction));
  return static_cast<int>(out_->events.frictions.size()) - 1;
}

void Assembler::addStiction(const Joint& joint, Assembly::JointParts& parts) {
  const auto nonNegative = Constants::Check::nonNegative;
  out_->constants.add(*joint.coulomb, nonNegative);
  const Quantity sticking = formula("c", {{"c", constant(*joint.stiction, nonNegative)}});
  parts.friction = addFriction(joint.name + ": friction", *parts.coordinate, sticking, &parts.sliding, *joint.coulomb);
}

void Assembler::addClutch(const Force& force, Assembly::ForceParts& parts) {
  std::optional<Quantity> sticking;
  if (force.stiction) sticking = quantity(*force.stiction);
  parts.switching = addFriction(force.name, *parts.coordinate, std::move(sticking), &parts.element, force.value[0]);
  const Quantity engaged = quantity(force.engaged);
  out_->events.frictions.back().engaged = engaged;
  std::string problem;
  const Scalar half{Expression::parse("own.on - 0.5", problem).substitute("own.on", force.engaged.expression),
                    force.engaged.path};
  out_->events.watches.push_back({force.name, quantity(half), 0, -1});
}

void Assembler::addRigidContact(const Force& force, Assembly::ForceParts& parts) {
  const auto nonNegative = Constants::Check::nonNegative;
  const int radius = out_->constants.add(force.radius, nonNegative);
  parts.contact = addUnilateral(force.name, *parts.coordinate, radius, 1, force.impact);
  if (!force.stiction) return;
  const Coordinate along =
      planar::rolling(point(force.between[0]), point(force.between[1]), out_->constants.add(force.normal), radius);
  const int direction = hold(kZero), coefficient = out_->constants.add(force.friction, nonNegative);
  const std::string name = force.name + ": friction";
  Friction friction{name,
                    switchedRow(name, along, kZero),
                    direction,
                    parts.contact,
                    formula("c", {{"c", constant(*force.stiction, nonNegative)}}),
                    std::nullopt};
  const Unilateral& contact = out_->events.unilaterals[at_(parts.contact)];
  parts.slidingContact = add<ContactFriction>(along, contact.row, contact.sign, coefficient, direction);
  out_->events.frictions.push_back(std::move(friction));
  parts.switching = static_cast<int>(out_->events.frictions.size()) - 1;
}

void Assembler::addEvent(const EventRule& rule) {
  EventParts& events = out_->events;
  Action action;
  action.stop = rule.stop;
  for (const EventRule::Assignment& assignment : rule.set) {
    const bool isState = assignment.state >= 0;
    const bool whole = !isState && model_.discrete[at_(assignment.discrete)].type != ValueType::real;
    const int place = isState ? assignment.state : static_cast<int>(model_.inputs.size()) + assignment.discrete;
    action.set.push_back({place, quantity(assignment.value), isState, whole});
  }
  const int index = static_cast<int>(events.actions.size());
  events.actions.push_back(std::move(action));
  if (rule.when) {
    events.watches.push_back({rule.name, quantity(*rule.when), 1, index});
    return;
  }
  const int period = rule.every ? out_->constants.add(*rule.every, Constants::Check::positive) : kZero;
  events.clocks.push_back({rule.name, rule.at ? out_->constants.add(*rule.at) : period, period, index});
}

}  // namespace mbfmu
