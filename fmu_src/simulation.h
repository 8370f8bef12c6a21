// One running mechanism: the equations, the integrator, and time as the master sees it. The FMU and `mbfmu simulate`
// both run this class, so that their results agree bit for bit. Copying it copies everything (roll-back).
#pragma once

#include <memory>
#include <string>

#include "integrators/integrator.h"
#include "model_description/variables.h"
#include "multibody/initial_conditions.h"
#include "multibody/mechanism.h"

namespace mbfmu {

class Simulation {
 public:
  // An empty problem in the result of any call below means success.
  static std::unique_ptr<Simulation> create(std::shared_ptr<const Model> model, Diagnostics& diagnostics);
  Simulation(const Simulation& other);
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  // Before initialise(): integrator and options; afterwards only tolerances and maxStep.
  std::string setSolverOption(const std::string& key, const std::string& value);
  double setting(Setting setting) const;
  std::string setSetting(Setting setting, double value);

  // Consistent initial values at startTime. May be called again after inputs or parameters changed, until advanceTo.
  std::string initialise(double startTime);
  // The integrator never steps beyond this time (a defined stopTime).
  void setStopTime(double stopTime);

  // Integrate to the communication point t (the integrator may step past it). After a failure everything is as before.
  std::string advanceTo(double t);
  // Bring changed inputs and parameters into the equations now. The accessors below do so by themselves and go on with
  // the old values if it fails; this tells why.
  std::string settle() const;

  double time() const;
  double input(int index) const;
  void setInput(int index, double value);  // the value it has already: no change, no restart
  double parameter(int index) const;
  std::string setParameter(int index, double value);

  const Vector& outputs() const;  // at time(), with the inputs as they are now
  const State& state() const;     // at time()
  const Rates& rates() const;
  const Statistics& statistics() const;
  const InitialConditions& initialConditions() const;
  const Model& model() const;

 private:
  struct Data;
  explicit Simulation(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace mbfmu
