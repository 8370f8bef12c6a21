// One running mechanism: the equations, the integrator, and time as the master sees it. The FMU and `mbfmu simulate`
// both run this class, so that their results agree bit for bit. Copying it copies everything (roll-back).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "integrators/archive.h"
#include "integrators/integrator.h"
#include "model_description/variables.h"
#include "multibody/initial_conditions.h"
#include "multibody/mechanism.h"

namespace mbfmu {

// A new value for an input, a parameter, a setting or an option of an integrator.
struct Change {
  Source source;
  double value = 0;
};

class Simulation {
 public:
  // An empty problem in the result of any call below means success.
  static std::unique_ptr<Simulation> create(std::shared_ptr<const Model> model, Diagnostics& diagnostics);
  Simulation(const Simulation& other);
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  // All of them or none. An input that gets the value it has is no change and no restart.
  std::string change(std::span<const Change> changes);
  // A value to get, of the same kinds.
  double value(Source source) const;
  void setInput(int index, double value);
  // An option of any kind by its name in the model file, before initialise().
  std::string setSolverOption(const std::string& key, const std::string& value);

  // Consistent initial values at startTime. May be called again after inputs or parameters changed, until advanceTo.
  std::string initialise(double startTime);
  // What the last call found unusual, such as redundant constraints.
  const std::vector<std::string>& notes() const;
  // The integrator never steps beyond this time (a defined stopTime).
  void setStopTime(double stopTime);

  // Integrate to the communication point t (the integrator may step past it). After a failure everything is as before.
  // `atEvents`: stop at the first event after time() and leave it pending; otherwise events are handled on the way.
  enum class Stop { never, atEvents };
  std::string advanceTo(double t, Stop stop = Stop::never);
  // The same, but at most one step of the integrator: time() may then be less than t.
  std::string stepTowards(double t, Stop stop = Stop::never);
  // An event at time() that advanceTo has stopped at; everything is as just before it.
  bool eventPending() const;
  // Take it, and what was set since.
  std::string handleEvents();
  double nextTimeEvent() const;  // infinite if none is known
  // Bring changed inputs and parameters into the equations now. The accessors below do so by themselves and go on with
  // the old values if it fails; this tells why.
  std::string settle() const;

  double time() const;
  const Vector& outputs() const;  // at time(), with the inputs as they are now
  const State& state() const;     // at time()
  const Rates& rates() const;
  double energy() const;
  double constraintResidual() const;
  const Statistics& statistics() const;
  double lastEventTime() const;        // the start time before the first event
  bool stopped() const;                // an event has asked for the end of the simulation
  const Mechanism& mechanism() const;  // with the inputs as they are now
  const Model& model() const;

  // Everything that decides how the simulation goes on; read into one made of the same model. What does not fit is
  // refused (see Archive::ok) and leaves a simulation that must not be used.
  void transfer(Archive& archive);

 private:
  struct Data;
  explicit Simulation(std::unique_ptr<Data> data);
  std::string advance(double t, bool once, Stop stop);
  std::unique_ptr<Data> data_;
};

}  // namespace mbfmu
