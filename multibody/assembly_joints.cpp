#include <algorithm>

#include "multibody/assembler.h"
#include "multibody/planar_coordinates.h"

namespace mbfmu {

void Assembler::row(const Joint& joint, const char* what, const Coordinate& coordinate, int target,
                    std::optional<Quantity> motion) {
  out_->rows.push_back(add<Constraint>(static_cast<int>(out_->rows.size()), coordinate, target, std::move(motion)));
  out_->rowNames.push_back(joint.name + ": " + what);
}

Coordinate Assembler::relativeAngle(const Joint& joint) const {
  return planar::angles({{joint.between[0].body, kMinusOne}, {joint.between[1].body, kOne}});
}

void Assembler::addJoint(const Joint& joint) {
  Assembly::JointParts parts;
  parts.first = static_cast<int>(out_->rows.size());
  if (joint.kind == Joint::Kind::gear || joint.kind == Joint::Kind::rackAndPinion) {
    row(joint, "angle", spatial() ? geared(joint) : gearCoordinate(joint), out_->constants.add(joint.offset));
    parts.second.body = joint.between[1].body;
  } else {
    parts.second = point(joint.between[1]);
    spatial() ? addSpatialRows(joint, parts) : addPlanarRows(joint, parts);
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
  addStops(joint, parts);
  if (joint.stiction) addStiction(joint, parts);
  if (joint.coulomb && !joint.stiction) {
    add<CoordinateForce>(
        *parts.coordinate, CoordinateForce::Spring{},
        formula("-c*s/sqrt(s^2 + w^2)", {{"c", constant(*joint.coulomb, Constants::Check::nonNegative)},
                                         {"s", {Symbol::Kind::rate, 0, *parts.coordinate}},
                                         {"w", constant(joint.speed, Constants::Check::positive)}}));
  }
  out_->joints.push_back(std::move(parts));
}

void Assembler::addPlanarRows(const Joint& joint, Assembly::JointParts& parts) {
  const BodyPoint first = point(joint.between[0]), second = point(joint.between[1]);
  const bool pinned = joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::weld;
  const bool slides = joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::slot;
  const bool keepsAngle = joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::weld;
  if (pinned) {
    row(joint, "x", planar::component(first, second, 0), kZero);
    row(joint, "y", planar::component(first, second, 1), kZero);
  }
  if (slides) {
    const auto axis = out_->constants.addDirection(joint.axis, joint.path() + "/axis");
    row(joint, "across", planar::along(first, second, axis, true), kZero);
    parts.coordinate = planar::along(first, second, axis, false);
  }
  for (int k = 0; k < 2; ++k) {
    const auto& along = joint.along[at_(k)];
    if (along) row(joint, k == 0 ? "x" : "y", planar::component(first, second, k), kZero, motion(*along));
  }
  if (keepsAngle) row(joint, "angle", relativeAngle(joint), out_->constants.add(joint.angle));
  if (joint.kind == Joint::Kind::rod) {
    row(joint, "length", planar::length(first, second), out_->constants.add(joint.length, Constants::Check::positive));
  }
  if (joint.kind == Joint::Kind::revolute) parts.coordinate = relativeAngle(joint);
}

// angle of the second joint - ratio * angle of the first; a body that both joints share appears once.
Coordinate Assembler::gearCoordinate(const Joint& gear) {
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
  return planar::angles(terms);
}

}  // namespace mbfmu
