// Every quantity of a model that has a name, for outputs and for expressions:
//
//   BODY.x .y .angle            centre of mass and angle        BODY.vx .vy .rate    BODY.ax .ay .alpha
//   BODY.MARKER.x .y            point of a body                 BODY.MARKER.vx .vy   BODY.MARKER.ax .ay
//   JOINT.angle                 revolute                        JOINT.rate           JOINT.acceleration
//   JOINT.position              prismatic, slot                 JOINT.rate           JOINT.acceleration
//   JOINT.force.x .force.y      reaction on the second body, world axes; JOINT.force is both
//   JOINT.torque                reaction on the second body about its marker
//   JOINT.drive                 what the motion of the joint needs along its coordinate
//   JOINT.setpoint .setpoint_rate  what a motion from an input follows
//   FORCE.value                 torque or force along a joint, torque on a body, force of a spring (pull is negative)
//   SPRING.length .angle .rate  translational and torsion spring
//   CONTACT.distance .rate      of the point or centre from the plane; .value is the normal force, .friction the other
//   JOINT.stop                  force of the stops along the coordinate
//   JOINT.friction .sticking    exact friction along the coordinate; 1 while it sticks
//   CONTACT.closed .sticking    rigid contact: 1 while it touches, while it sticks
//   CLUTCH.locked               1 while it does not slip
//   ACTUATOR.state              what an actuator has reached of its value
//   energy.kinetic .potential .total
//   In space, with .z beside .x and .y everywhere and the origin of the body's frame in place of the centre of mass:
//   BODY.quaternion.w .x .y .z  BODY.rotation.x .y .z  BODY.roll .pitch .yaw       orientation, three times
//   BODY.omega.x .y .z .alpha.x .y .z                  angular velocity and acceleration, world axes
//   BODY.body_omega.x .y .z .body_alpha.x .y .z        the same in the body's axes
//   JOINT.position .position_rate .position_acceleration  cylindrical, screw: beside the angle
//   JOINT.torque.x .y .z; JOINT.torque is all three
//   STATE, DISCRETE, INPUT, PARAMETER, time by their names
//
// Accelerations, reactions, force values and energies exist in outputs only: an equation of motion cannot use them.
#pragma once

#include <string>
#include <vector>

#include "multibody/model.h"

namespace mbfmu {

struct NamedPath {
  enum class What {
    bodyCoordinate,
    markerCoordinate,
    jointCoordinate,
    springCoordinate,  // with an order 0, 1, 2
    worldSpin,
    bodySpin,  // angular velocity and acceleration: order 1, 2
    quaternion,
    rotationVector,
    rollPitchYaw,
    reactionForce,
    reactionTorque,
    motionForce,
    forceValue,
    frictionValue,
    kinetic,
    potential,
    total,
    stopForce,
    jointFriction,
    closed,    // of a rigid contact: 1 or 0
    sticking,  // of a joint's friction (component 0), of a contact or clutch (1): 1 or 0
    state,
    discrete,
    input,
    parameter,
    time
  };
  std::string name, unit;
  What what = What::time;
  int index = 0;      // body, joint, force, state, input or parameter
  int marker = -1;    // markerCoordinate
  int component = 0;  // x, y, angle of a body; x, y of a marker or reaction
  int order = 0;      // of the time derivative

  bool inEquations() const;  // may be used by forces and states, not only by outputs
};

std::vector<NamedPath> namedPaths(const Model& model);

// Whether a joint has a coordinate ("angle" or "position", else "").
std::string coordinateName(const Joint& joint);
// Whether it has a position beside its angle.
bool hasSlide(const Joint& joint);

}  // namespace mbfmu
