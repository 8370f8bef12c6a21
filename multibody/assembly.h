// From a Model to elements: which coordinates a joint constrains, which forces act along which coordinate, what a name
// in an expression stands for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "multibody/constants.h"
#include "multibody/diagnostics.h"
#include "multibody/elements.h"
#include "multibody/event_parts.h"
#include "multibody/paths.h"

namespace mbfmu {

struct Assembly {
  Layout layout;
  Constants constants;
  std::vector<std::unique_ptr<Element>> elements;
  std::vector<Constraint*> rows;  // among the elements
  std::vector<std::string> rowNames;

  // By joint: its coordinate (if any), its rows [first, last), the row of its motion (or -1), the point of reference.
  struct JointParts {
    std::optional<Coordinate> coordinate;
    std::optional<Coordinate> slide;  // cylindrical, screw: position, beside the angle
    int first = 0, last = 0, motion = -1, slideMotion = -1;
    int angle = -1;  // where q keeps its last angle
    BodyPoint second;
    std::vector<int> stops;  // unilaterals
    int friction = -1;       // that sticks
    CoordinateForce* sliding = nullptr;
  };
  std::vector<JointParts> joints;
  // By force: the element (nullptr for a force at a point) and the coordinate it acts along.
  struct ForceParts {
    CoordinateForce* element = nullptr;
    CoordinateForce* friction = nullptr;   // contact
    CoordinateForce* friction2 = nullptr;  // contact in space: along the other direction
    ContactFriction* slidingContact = nullptr;
    int contact = -1, switching = -1;  // rigid contact: unilateral; its friction or that of a clutch
    std::optional<Coordinate> coordinate = std::nullopt;
  };
  std::vector<ForceParts> forces;

  // An output: a quantity of the state, or one of the values that need accelerations, reactions or energies.
  struct Output {
    Expression expression;
    std::vector<NamedPath> names;         // in the order of expression.names()
    std::vector<Coordinate> coordinates;  // of the names that are coordinates, else unused
    std::vector<int> constants;           // of the names that are parameters, else unused
  };
  std::vector<Output> outputs;
  EventParts events;
  std::size_t inputs = 0;  // of the model
  // Constants: the first values of Evaluation::inputs beyond the inputs.
  std::vector<int> heldStart;
  Pattern pattern;

  Assembly() = default;
  Assembly(const Assembly& other);
  Assembly& operator=(const Assembly&) = delete;
};

// Names that mean nothing, or too many names in an expression, are reported in diagnostics; the assembly is then not
// to be used for anything but further checks.
std::unique_ptr<Assembly> assemble(const Model& model, Diagnostics& diagnostics);

}  // namespace mbfmu
