#include "multibody/assembler.h"
#include "multibody/spatial_coordinates.h"

namespace mbfmu {

std::optional<Coordinate> Assembler::spatialCoordinateOf(const Force& force) {
  switch (force.kind) {
    case Force::Kind::jointDrive:
    case Force::Kind::actuator:
    case Force::Kind::clutch:
    case Force::Kind::torsionSpring: {
      const auto& joint = out_->joints[at_(force.joint)];
      return force.slides && joint.slide ? joint.slide : joint.coordinate;
    }
    case Force::Kind::spring:
      return spatial::length(point(force.between[0]), point(force.between[1]));
    case Force::Kind::contact: {
      const BodyFrame plane = frame(force.between[0], force.normal, force.path() + "/normal");
      return spatial::along(point(force.between[0]), point(force.between[1]), plane.z);
    }
    case Force::Kind::bodyTorque:
    case Force::Kind::pointForce:
    case Force::Kind::bushing:
    case Force::Kind::rigidContact:  // in the plane only
      break;
  }
  return std::nullopt;
}

void Assembler::addSpatialForce(const Force& force, Assembly::ForceParts& parts) {
  if (force.kind == Force::Kind::bushing) return addBushing(force);
  if (force.kind == Force::Kind::contact) return addSpatialContact(force, parts);
  // Components of a force or torque along the axes of the world, or of the marker or body it acts on.
  for (int k = 0; k < 3; ++k) {
    PointRef carrier = force.at;
    if (!force.bodyFrame) carrier = {0, -1};
    const BodyAxis axis = frame(carrier, worldAxis(k), force.path()).z;
    const Coordinate direction = force.kind == Force::Kind::bodyTorque
                                     ? spatial::spin(0, force.at.body, axis)
                                     : spatial::push(BodyPoint{}, point(force.at), axis);
    add<CoordinateForce>(direction, CoordinateForce::Spring{}, quantity(force.value[at_(k)]));
  }
}

// Along the axes of the first end's frame: -k s - d s' of the three distances and of the three angles that the second
// frame's axes make with the first's when projected along each axis.
void Assembler::addBushing(const Force& force) {
  const auto nonNegative = Constants::Check::nonNegative;
  for (int k = 0; k < 3; ++k) {
    const BodyFrame first = frame(force.between[0], worldAxis(k), force.path());
    const BodyFrame second = frame(force.between[1], worldAxis(k), force.path());
    const auto spring = [&](int i) {
      return CoordinateForce::Spring{out_->constants.add(force.stiffness6[at_(i)], nonNegative),
                                     out_->constants.add(force.damping6[at_(i)], nonNegative), kZero};
    };
    add<CoordinateForce>(spatial::along(point(force.between[0]), point(force.between[1]), first.z), spring(k));
    add<CoordinateForce>(turnBetween(first, second), spring(3 + k));
  }
}

// Normal force as in the plane (assembly_forces.cpp). The velocity of the sphere's lowest point along the plane is that
// of its centre and what its spin about the two axes of the plane adds: with the triad x, y, z and z the normal,
//   v_x = (x.d)' - r y.spin,   v_y = (y.d)' + r x.spin,   friction -mu N v / sqrt(v^2 + w^2).
void Assembler::addSpatialContact(const Force& force, Assembly::ForceParts& parts) {
  const auto nonNegative = Constants::Check::nonNegative;
  const BodyFrame plane = frame(force.between[0], force.normal, force.path() + "/normal");
  const BodyPoint first = point(force.between[0]), second = point(force.between[1]);
  const std::array<Coordinate, 2> slide{spatial::along(first, second, plane.x), spatial::along(first, second, plane.y)};
  const std::array<Coordinate, 2> spin{spatial::spin(first.body, second.body, plane.x),
                                       spatial::spin(first.body, second.body, plane.y)};
  const Symbols symbols{{"k", constant(force.stiffness, nonNegative)},
                        {"n", constant(force.exponent, Constants::Check::positive)},
                        {"c", constant(force.damping, nonNegative)},
                        {"r", constant(force.radius, nonNegative)},
                        {"mu", constant(force.friction, nonNegative)},
                        {"w", constant(force.speed, Constants::Check::positive)},
                        {"s", {Symbol::Kind::coordinate, 0, *parts.coordinate}},
                        {"ds", {Symbol::Kind::rate, 0, *parts.coordinate}},
                        {"vx", {Symbol::Kind::rate, 0, slide[0]}},
                        {"vy", {Symbol::Kind::rate, 0, slide[1]}},
                        {"wx", {Symbol::Kind::rate, 0, spin[0]}},
                        {"wy", {Symbol::Kind::rate, 0, spin[1]}}};
  const std::string normal = "k*max(r - s, 0)^n*max(1 - c*ds, 0)";
  const std::string vx = "(vx - r*wy)", vy = "(vy + r*wx)";
  const std::string size = "*(" + normal + ")/sqrt(" + vx + "^2 + " + vy + "^2 + w^2)";
  const auto along = [&](const Coordinate& coordinate, const std::string& text) {
    return add<CoordinateForce>(coordinate, CoordinateForce::Spring{}, formula(text, symbols));
  };
  parts.element = along(*parts.coordinate, normal);
  parts.friction = along(slide[0], "-mu*" + vx + size);
  parts.friction2 = along(slide[1], "-mu*" + vy + size);
  along(spin[1], "mu*r*" + vx + size);
  along(spin[0], "-mu*r*" + vy + size);
}

}  // namespace mbfmu
