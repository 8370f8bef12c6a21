// What every element needs at one evaluation point: time, poses with their sines and cosines, inputs, constants.
#pragma once

#include <vector>

#include "integrators/system.h"
#include "multibody/rotation.h"

namespace mbfmu {

// Of a body in the plane.
struct BodyPose {
  double x = 0, y = 0, angle = 0, cosine = 1, sine = 0;
  double vx = 0, vy = 0, rate = 0;
  double ax = 0, ay = 0, alpha = 0;
};

// Of a body in space: position of the centre of mass in world axes, rotation from body to world axes, angular velocity
// and acceleration in body axes.
struct SpatialPose {
  Vector3 position = Vector3::Zero(), velocity = Vector3::Zero(), acceleration = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  Vector3 omega = Vector3::Zero(), alpha = Vector3::Zero();
};

// Indices into Evaluation::constants that every mechanism has.
constexpr int kZero = 0, kOne = 1, kMinusOne = 2;

struct Evaluation {
  double t = 0;
  // Ground first; the one that belongs to the space of the model.
  std::vector<BodyPose> bodies;
  std::vector<SpatialPose> spatialBodies;
  std::vector<double> constants;  // every scalar of the model that depends on parameters only
  // What changes at events only: inputs, then discrete states, then directions of sliding (+1, -1; 0: none).
  std::vector<double> inputs;
  std::vector<char> active;            // constraint rows
  std::vector<double> offset;          // of constraint rows: where one that sticks holds its coordinate
  std::vector<char> closed, sticking;  // rigid contacts and frictions, see Modes
  // Borrowed for the duration of one evaluation.
  const State* state = nullptr;
  const Rates* rates = nullptr;

  double constant(int i) const { return constants[static_cast<std::size_t>(i)]; }
  Vector3 constant(const std::array<int, 3>& i) const { return {constant(i[0]), constant(i[1]), constant(i[2])}; }
  const BodyPose& pose(int body) const { return bodies[static_cast<std::size_t>(body)]; }
  const SpatialPose& spatialPose(int body) const { return spatialBodies[static_cast<std::size_t>(body)]; }
};

}  // namespace mbfmu
