// A model assembled into the equations the integrators solve, with its inputs, parameters and outputs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrators/system.h"
#include "multibody/diagnostics.h"
#include "multibody/model.h"

namespace mbfmu {

class Mechanism : public System {
 public:
  // nullptr if there are errors in diagnostics; every error of the model that is not there yet is added.
  static std::unique_ptr<Mechanism> build(std::shared_ptr<const Model> model, Diagnostics& diagnostics);
  virtual std::unique_ptr<Mechanism> clone() const = 0;

  virtual const Model& model() const = 0;

  // Inputs and parameters by their index in the Model. A refused value leaves the old one; the reason is returned.
  virtual double input(int index) const = 0;
  virtual void setInput(int index, double value) = 0;
  virtual double parameter(int index) const = 0;
  virtual std::string setParameter(int index, double value) = 0;

  // Positions and velocities as the model file gives them, before assembly; and the weight of each tangent direction
  // in the assembly (infinite: kept).
  virtual State guess() const = 0;
  virtual void assemblyWeights(Vector& positions, Vector& velocities) const = 0;
  virtual void setRowActive(int row, bool active) = 0;
  virtual bool rowActive(int row) const = 0;

  // The model's outputs, in its order, at a consistent point.
  virtual void outputs(double t, const State& y, const Rates& w, Vector& values) const = 0;
};

}  // namespace mbfmu
