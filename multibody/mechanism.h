// A model assembled into the equations the integrators solve, with its inputs, parameters and outputs.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "integrators/archive.h"
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
  // Rows that events switch are activated by them alone.
  virtual void setRowActive(int row, bool active) = 0;
  virtual bool rowActive(int row) const = 0;

  // The model's outputs, in its order, at a consistent point.
  virtual void outputs(double t, const State& y, const Rates& w, Vector& values) const = 0;
  // Kinetic and potential energy.
  virtual double energy(double t, const State& y) const = 0;

  // Discrete behaviour: a mode of the mechanism lasts while all event functions are positive and until the next time
  // event.
  virtual int eventCount() const { return 0; }
  virtual const std::string& eventName(int function) const = 0;
  virtual void eventFunctions(double t, const State& y, const Rates& w, Vector& g) const = 0;
  virtual double nextTimeEvent() const { return std::numeric_limits<double>::infinity(); }
  // Takes the mechanism to its modes after t. `crossed` are the event functions that have become negative; time events
  // up to t happen as well. The state may jump; y and w are consistent afterwards. Returns what went wrong.
  virtual std::string handleEvents(double t, const std::vector<int>& crossed, State& y, Rates& w) = 0;
  // The same at the start, where all modes follow from the state.
  virtual std::string startEvents(double t, State& y, Rates& w) = 0;
  // An event has asked for the end of the simulation.
  virtual bool stopped() const { return false; }

  // Writes or restores inputs, parameters, modes and active rows: all that can differ between mechanisms of one model.
  virtual void transfer(Archive& archive) = 0;
};

}  // namespace mbfmu
