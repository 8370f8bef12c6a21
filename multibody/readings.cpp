#include "multibody/readings.h"

namespace mbfmu {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

double coordinateValue(const Assembly& parts, const Evaluation& at, const Coordinate& coordinate, int order) {
  CoordinateValue c;
  coordinate.evaluate(at, 2, c);
  if (order == 0) return c.s;
  if (order == 1) return c.rate;
  double acceleration = c.curvature;
  for (int i = 0; i < coordinate.size(); ++i) {
    const int column = coordinate.column(parts.layout, i);
    if (column >= 0) acceleration += c.sq[at_(i)] * at.rates->a[column];
  }
  return acceleration;
}

Quaternion quaternion(const Assembly& parts, const Evaluation& at, int body) {
  return at.state->q.segment<4>(parts.layout.positions[at_(body)] + 3);
}

// -Phi_q^T lambda of a joint's rows on its second body, along the body's tangent directions.
std::array<double, 6> generalisedReaction(const Assembly& parts, const Evaluation& at,
                                          const Assembly::JointParts& joint) {
  std::array<double, 6> sum{};
  CoordinateValue c;
  for (int row = joint.first; row < joint.last; ++row) {
    if (row == joint.motion || row == joint.slideMotion) continue;
    const Coordinate& coordinate = parts.rows[at_(row)]->coordinate();
    coordinate.evaluate(at, 1, c);
    const int n = coordinate.directions();
    for (int b = 0; b < coordinate.bodyCount(); ++b) {
      if (coordinate.body(b) != joint.second.body) continue;
      for (int k = 0; k < n; ++k) sum[at_(k)] -= c.sq[at_(n * b + k)] * at.rates->lambda[row];
    }
  }
  return sum;
}

// Force and torque about the joint's second marker, world axes; in the plane the torque is the third of them.
struct Reaction {
  std::array<double, 3> force, torque;
};

Reaction planarReaction(const Assembly& parts, const Evaluation& at, const Assembly::JointParts& joint) {
  const auto sum = generalisedReaction(parts, at, joint);
  const BodyPose& pose = at.pose(joint.second.body);
  const double x = at.constant(joint.second.position[0]), y = at.constant(joint.second.position[1]);
  const double armX = pose.cosine * x - pose.sine * y, armY = pose.sine * x + pose.cosine * y;
  return {{sum[0], sum[1], 0}, {0, 0, sum[2] - armX * sum[1] + armY * sum[0]}};
}

Reaction spatialReaction(const Assembly& parts, const Evaluation& at, const Assembly::JointParts& joint) {
  const auto sum = generalisedReaction(parts, at, joint);
  const SpatialPose& pose = at.spatialPose(joint.second.body);
  const Vector3 force(sum[0], sum[1], sum[2]), arm = pose.rotation * at.constant(joint.second.position);
  const Vector3 torque = pose.rotation * Vector3(sum[3], sum[4], sum[5]) - arm.cross(force);
  return {{force[0], force[1], force[2]}, {torque[0], torque[1], torque[2]}};
}

Reaction reactionOf(const Assembly& parts, const Evaluation& at, const Assembly::JointParts& joint) {
  return parts.layout.spatial ? spatialReaction(parts, at, joint) : planarReaction(parts, at, joint);
}

// While a friction sticks, its row gives the force, else its force element; the other one is zero.
double stickingForce(const Assembly& parts, const Evaluation& at, int friction) {
  return -at.rates->lambda[parts.events.frictions[at_(friction)].row];
}

double forceOf(const Assembly& parts, const Evaluation& at, const Assembly::ForceParts& force) {
  if (force.contact >= 0) return -at.rates->lambda[parts.events.unilaterals[at_(force.contact)].row];
  return force.element->force(at) + (force.switching < 0 ? 0 : stickingForce(parts, at, force.switching));
}

}  // namespace

double energyOf(const Assembly& parts, const Evaluation& at, bool kinetic, bool potential) {
  double sum = 0;
  for (const auto& element : parts.elements) {
    if (kinetic) sum += element->kineticEnergy(at);
    if (potential) sum += element->potentialEnergy(at);
  }
  return sum;
}

double readingOf(const Assembly& parts, const Evaluation& at, const Assembly::Output& output, std::size_t k) {
  using What = NamedPath::What;
  const NamedPath& path = output.names[k];
  switch (path.what) {
    case What::bodyCoordinate:
    case What::markerCoordinate:
    case What::jointCoordinate:
    case What::springCoordinate:
    case What::worldSpin:
    case What::bodySpin:
      return coordinateValue(parts, at, output.coordinates[k], path.order);
    case What::quaternion:
      return quaternion(parts, at, path.index)[path.component];
    case What::rotationVector:
      return logarithm(quaternion(parts, at, path.index))[path.component];
    case What::rollPitchYaw:
      return rollPitchYaw(at.spatialPose(path.index).rotation)[path.component];
    case What::reactionForce:
      return reactionOf(parts, at, parts.joints[at_(path.index)]).force[at_(path.component)];
    case What::reactionTorque:
      return reactionOf(parts, at, parts.joints[at_(path.index)]).torque[at_(path.component)];
    case What::motionForce:
      return -at.rates->lambda[path.component == 0 ? parts.joints[at_(path.index)].motion
                                                   : parts.joints[at_(path.index)].slideMotion];
    case What::forceValue:
      return forceOf(parts, at, parts.forces[at_(path.index)]);
    case What::frictionValue: {
      const auto& contact = parts.forces[at_(path.index)];
      if (contact.slidingContact)
        return stickingForce(parts, at, contact.switching) + contact.slidingContact->force(at);
      return (path.component == 0 ? contact.friction : contact.friction2)->force(at);
    }
    case What::jointFriction: {
      const auto& joint = parts.joints[at_(path.index)];
      return stickingForce(parts, at, joint.friction) + joint.sliding->force(at);
    }
    case What::stopForce: {
      double sum = 0;
      for (const int i : parts.joints[at_(path.index)].stops)
        sum -= at.rates->lambda[parts.events.unilaterals[at_(i)].row];
      return sum;
    }
    case What::closed:
      return at.closed[at_(parts.forces[at_(path.index)].contact)];
    case What::sticking:
      return at.sticking[at_(path.component == 0 ? parts.joints[at_(path.index)].friction
                                                 : parts.forces[at_(path.index)].switching)];
    case What::discrete:
      return at.inputs[parts.inputs + at_(path.index)];
    case What::kinetic:
      return energyOf(parts, at, true, false);
    case What::potential:
      return energyOf(parts, at, false, true);
    case What::total:
      return energyOf(parts, at, true, true);
    case What::state:
      return at.state->x[path.index];
    case What::input:
      return at.inputs[at_(path.index)];
    case What::parameter:
      return at.constant(output.constants[k]);
    case What::time:
      return at.t;
  }
  return 0;
}

}  // namespace mbfmu
