#include "multibody/assembler.h"
#include "multibody/planar_coordinates.h"

namespace mbfmu {

std::optional<Coordinate> Assembler::coordinateOf(const Force& force) {
  if (spatial()) return spatialCoordinateOf(force);
  switch (force.kind) {
    case Force::Kind::contact:
    case Force::Kind::rigidContact:
      return planeCoordinate(force, false);
    case Force::Kind::jointDrive:
    case Force::Kind::actuator:
    case Force::Kind::torsionSpring:
    case Force::Kind::clutch:
      return out_->joints[at_(force.joint)].coordinate;
    case Force::Kind::bodyTorque:
      return planar::angles({{force.at.body, kOne}});
    case Force::Kind::spring:
      return planar::length(point(force.between[0]), point(force.between[1]));
    case Force::Kind::pointForce:
    case Force::Kind::bushing:
      break;
  }
  return std::nullopt;
}

void Assembler::addForce(const Force& force, Assembly::ForceParts& parts) {
  if (spatial() && !(parts.coordinate && force.kind != Force::Kind::contact)) return addSpatialForce(force, parts);
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
    case Force::Kind::rigidContact:
      addRigidContact(force, parts);
      break;
    case Force::Kind::clutch:
      addClutch(force, parts);
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
    case Force::Kind::bushing:  // in space only
      break;
    case Force::Kind::pointForce:
      if (force.bodyFrame) {
        add<BodyForce>(point(force.at), quantity(force.value[0]), quantity(force.value[1]));
      } else {
        for (int k = 0; k < 2; ++k) {
          add<CoordinateForce>(planar::component(BodyPoint{}, point(force.at), k), CoordinateForce::Spring{},
                               quantity(force.value[at_(k)]));
        }
      }
      break;
  }
}

// T x' = u - x, with u within +-limit.
Quantity Assembler::actuatorRate(const Force& force) {
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
Coordinate Assembler::planeCoordinate(const Force& force, bool across) {
  const auto normal = across ? out_->constants.add(force.normal)  // checked by the other one
                             : out_->constants.addDirection(force.normal, force.path() + "/normal");
  return planar::along(point(force.between[0]), point(force.between[1]), normal, across);
}

// Hunt & Crossley 1975: N = k d^n (1 + c d'), d = r - s, never pulling; friction -mu N v / sqrt(v^2 + w^2) with the
// velocity v of the circle's lowest point along the plane. Its lever about the circle's centre is r.
void Assembler::addContact(const Force& force, Assembly::ForceParts& parts) {
  const auto nonNegative = Constants::Check::nonNegative;
  const Coordinate along = planeCoordinate(force, true);
  const Coordinate turn = planar::angles({{force.between[0].body, kMinusOne}, {force.between[1].body, kOne}});
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

}  // namespace mbfmu
