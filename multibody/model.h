// A model file as plain data. Nothing here changes after reading; a running Mechanism evaluates the expressions with
// its own parameter values.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "multibody/expression.h"
#include "multibody/rotation.h"

namespace mbfmu {

// A number of the model file, written as a number or as an expression. `path` is its place in the file.
struct Scalar {
  Expression expression;
  std::string path;
};
using Scalar3 = std::array<Scalar, 3>;  // in the plane the third is 0

// How a frame is turned: one of three ways to write it.
struct Orientation {
  enum class Kind { quaternion, rotationVector, rollPitchYaw };
  Kind kind = Kind::quaternion;
  std::vector<Scalar> values;  // w x y z, or three
};
// Values beyond the given kind's are not looked at.
Quaternion orientationOf(Orientation::Kind kind, const std::array<double, 4>& values);

struct Parameter {
  std::string name, unit, description;
  Scalar expression;  // of parameters above it in the file
  double value = 0;   // as the file gives it
  bool tunable = false;
};

struct Marker {
  std::string name;
  Scalar3 position;                        // in the body's frame, from its origin
  std::optional<Orientation> orientation;  // in space
};

struct Body {
  enum class Kind { ground, rigid, point };
  std::string name;
  Kind kind = Kind::rigid;
  Scalar mass, inertia;  // about the centre of mass
  std::vector<Marker> markers;
  // Initial values at the centre of mass, where given.
  std::optional<Scalar3> position, velocity;
  std::optional<Scalar> angle, rate;
  // In space.
  std::optional<Scalar3> centre;  // centre of mass in the body's frame, whose origin it is if absent
  std::array<Scalar, 9> tensor;   // of inertia about the centre of mass, in the axes of the body's frame
  std::optional<Orientation> orientation;
  std::optional<Scalar3> spin;  // angular velocity, world axes
  bool fixed = false;           // what is given is kept by the assembly

  std::string path() const { return "/bodies/" + name; }
};

// A point: a marker of a body, or its centre of mass (marker -1).
struct PointRef {
  int body = -1, marker = -1;
};

// Rigid contact: how it bounces (Newton's restitution), and up to which speed of approach it does not.
struct Impact {
  Scalar restitution, restingSpeed;
};

struct Joint {
  enum class Kind {
    revolute,
    prismatic,
    weld,
    rod,
    slot,
    gear,
    driven,
    // in space
    spherical,
    cylindrical,
    universal,
    planar,
    screw,
    pointOnPlane,
    rackAndPinion
  };
  std::string name;
  Kind kind = Kind::revolute;
  std::array<PointRef, 2> between;
  // Prismatic, slot in the plane: direction in the frame of the first body. In space: in the frames of both markers.
  Scalar3 axis;
  Scalar3 axis2;                      // universal: in the frame of the second marker
  Scalar pitch;                       // screw: advance per turn
  Scalar angle;                       // prismatic, weld: angle of the second body against the first
  Scalar length;                      // rod
  std::array<int, 2> joints{-1, -1};  // gear: angle of the second = ratio * angle of the first + offset
  Scalar ratio, offset;
  std::optional<Scalar> start, startRate;  // of the joint's coordinate
  std::optional<Scalar> viscous;           // friction: -viscous * rate along the coordinate
  std::optional<Scalar> coulomb;           // friction: -coulomb * rate / sqrt(rate^2 + speed^2)
  Scalar speed;
  std::optional<Scalar> stiction;      // friction: sticks up to this, exactly; then coulomb is not regularised
  std::optional<Scalar> lower, upper;  // stops of the coordinate
  Impact impact;
  std::optional<Scalar> motion;                // coordinate = motion(time)
  std::array<std::optional<Scalar>, 3> along;  // driven: second point - first point, world axes, = along(time)
  std::optional<Scalar> slide, slideRate;      // cylindrical: start of its position

  std::string path() const { return "/joints/" + name; }
};

struct Force {
  enum class Kind {
    jointDrive,
    bodyTorque,
    pointForce,
    spring,
    torsionSpring,
    actuator,
    contact,
    rigidContact,
    clutch,
    bushing
  };
  std::string name;
  Kind kind = Kind::jointDrive;
  int joint = -1;                   // jointDrive, torsionSpring: along the joint's coordinate, on its second body
  PointRef at;                      // bodyTorque, pointForce
  bool bodyFrame = false;           // pointForce: components along the axes of the body
  std::array<PointRef, 2> between;  // spring
  Scalar3 value;                    // jointDrive, bodyTorque: value[0]; pointForce: both
  Scalar stiffness, damping, rest;  // springs; rest: length or angle without force
  std::optional<Scalar> law;        // springs: the whole force as an expression or a table of the coordinate
  // actuator: timeConstant * x' = value[0] limited to +-limit - x, and x acts along the joint; state is x.
  Scalar timeConstant;
  std::optional<Scalar> limit;
  int state = -1;
  // contact of between[1], a point or circle, with the plane through between[0] (Hunt & Crossley 1975).
  Scalar3 normal;
  bool slides = false;  // jointDrive, actuator on a joint with angle and position: along the position
  std::array<Scalar, 6> stiffness6, damping6;  // bushing: along and about the axes of its first marker
  Scalar radius, exponent, friction, speed;
  // rigidContact: the same without penetration.
  Impact impact;
  // friction of a rigid contact and torque or force of a clutch: while it sticks; clutch without: whatever is needed
  std::optional<Scalar> stiction;
  Scalar engaged;  // clutch: engaged while this is above one half

  std::string path() const { return "/forces/" + name; }
};

// A first-order state: name' = derivative.
struct StateVariable {
  std::string name, unit, description;
  Scalar derivative, start;
  int actuator = -1;                   // the force that has this state, instead of a derivative
  int input = -1;                      // it starts at the value of this input, instead of at `start`
  std::optional<Scalar> timeConstant;  // "own.T" in the derivative
};

// Of inputs and discrete states; true is 1.
enum class ValueType { real, integer, boolean };

struct Input {
  std::string name, unit, description;
  double start = 0;
  ValueType type = ValueType::real;
};

// Constant but for what events set it to.
struct DiscreteState {
  std::string name, unit, description;
  ValueType type = ValueType::real;
  Scalar start;
};

// Something that happens when a condition becomes true, or at given times.
struct EventRule {
  std::string name;
  std::optional<Scalar> when;  // becomes positive
  std::optional<Scalar> at, every;
  struct Assignment {
    int discrete = -1, state = -1;  // one of them
    Scalar value;
  };
  std::vector<Assignment> set;
  bool stop = false;
};

struct Output {
  std::string name, unit, description;
  Scalar expression;
};

struct SolverSettings {
  std::string integrator;  // empty: the default one
  double rtol = 1e-6, atol = 1e-6;
  std::map<std::string, std::string> options;  // every further key, for the integrator
};

struct Experiment {
  double start = 0, stop = 1, step = 0.01;
};

enum class Space { planar, spatial };

struct Model {
  std::string text;  // the file itself
  std::string name, description;
  Space space = Space::planar;
  Scalar3 gravity;
  std::vector<Parameter> parameters;
  std::vector<Body> bodies;  // bodies[0] is ground
  std::vector<Joint> joints;
  std::vector<Force> forces;
  std::vector<StateVariable> states;
  std::vector<Input> inputs;
  std::vector<DiscreteState> discrete;
  std::vector<EventRule> events;
  std::vector<Output> outputs;
  SolverSettings solver;
  Experiment experiment;
};

// The values of all parameters when some are set and the others follow their expressions.
std::vector<double> parameterValues(const Model& model, const std::vector<std::optional<double>>& set);

// The value of an expression that uses parameters only.
double evaluate(const Model& model, const Expression& expression, const std::vector<double>& parameters);

}  // namespace mbfmu
