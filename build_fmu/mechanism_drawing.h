// A picture of a mechanism at its start: bodies as rounded links and plates, joints, springs, supports and drives in
// the symbols of textbooks.
#pragma once

#include "build_fmu/drawing.h"
#include "build_fmu/pose.h"

namespace mbfmu {

struct MechanismDrawing {
  Drawing drawing;
  std::vector<Point> joints;  // where each joint of the model is in the drawing
};

MechanismDrawing drawMechanism(const Model& model, const Pose& pose, double width, double height);

// The symbol of a mechanical connection.
Drawing flangeDrawing(double size);

}  // namespace mbfmu
