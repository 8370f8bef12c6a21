// One instance of the FMU: the FMI state machine, access to variables, roll-back. The functions here assume that the
// call is legal in the present state; entry.h checks that first. Each returns an FMI status and has logged the reason
// if it is not fmi3OK.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi3FunctionTypes.h"
#include "fmu_src/log.h"
#include "fmu_src/sensitivity.h"
#include "fmu_src/simulation.h"
#include "fmu_src/state_machine.h"
#include "model_description/variables.h"

namespace mbfmu {

// What fmi3InstantiateCoSimulation is told.
struct InstanceOptions {
  bool eventModeUsed = false, earlyReturnAllowed = false;
  std::vector<fmi3ValueReference> intermediateVariables;
  fmi3IntermediateUpdateCallback intermediateUpdate = nullptr;
  fmi3InstanceEnvironment environment = nullptr;
};

// What fmi3DoStep tells.
struct StepResult {
  bool earlyReturn = false, eventHandlingNeeded = false, terminateSimulation = false;
  double lastSuccessfulTime = 0;
};

// What fmi3UpdateDiscreteStates tells.
struct DiscreteUpdate {
  bool terminateSimulation = false, nextEventTimeDefined = false;
  double nextEventTime = 0;
};

class Instance {
 public:
  // nullptr, with the reason logged, if the resources cannot be read or do not belong to the token.
  static std::unique_ptr<Instance> create(const std::string& token, const char* resourcePath, InstanceOptions options,
                                          const Log& log);

  Mode mode() const { return part_.mode; }
  // Logs; after an error the instance is terminated.
  fmi3Status fail(const std::string& message);
  // The same after an exception: not even a lack of memory for the message gets out.
  fmi3Status failQuietly(const char* function, const char* reason) noexcept;

  fmi3Status setDebugLogging(bool on, std::size_t count, const fmi3String categories[]);
  fmi3Status enterInitialization(bool toleranceDefined, double tolerance, double startTime, bool stopTimeDefined,
                                 double stopTime);
  fmi3Status exitInitialization();
  fmi3Status enterEventMode();
  fmi3Status enterStepMode();
  fmi3Status updateDiscreteStates(DiscreteUpdate& update);
  fmi3Status terminate();
  fmi3Status reset();
  // result.lastSuccessfulTime is set in every case.
  fmi3Status doStep(double currentPoint, double stepSize, StepResult& result);

  fmi3Status getFloat64(const fmi3ValueReference references[], std::size_t count, double values[], std::size_t nValues);
  fmi3Status setFloat64(const fmi3ValueReference references[], std::size_t count, const double values[],
                        std::size_t nValues);
  fmi3Status getInt64(const fmi3ValueReference references[], std::size_t count, fmi3Int64 values[],
                      std::size_t nValues);
  fmi3Status setInt64(const fmi3ValueReference references[], std::size_t count, const fmi3Int64 values[],
                      std::size_t nValues);
  fmi3Status getBoolean(const fmi3ValueReference references[], std::size_t count, fmi3Boolean values[],
                        std::size_t nValues);
  fmi3Status setBoolean(const fmi3ValueReference references[], std::size_t count, const fmi3Boolean values[],
                        std::size_t nValues);
  // For types of which this FMU has no variable: legal only with nothing to get or set.
  fmi3Status refuseType(const char* type, const fmi3ValueReference references[], std::size_t count);

  fmi3Status getOutputDerivatives(const fmi3ValueReference references[], std::size_t count, const fmi3Int32 orders[],
                                  double values[], std::size_t nValues);
  // Seeds belong to the knowns (directional) or to the unknowns (adjoint), sensitivities to the others.
  fmi3Status getDerivative(bool adjoint, const fmi3ValueReference unknowns[], std::size_t nUnknowns,
                           const fmi3ValueReference knowns[], std::size_t nKnowns, const double seed[],
                           std::size_t nSeed, double sensitivity[], std::size_t nSensitivity);
  fmi3Status countDependencies(fmi3ValueReference reference, std::size_t* count);
  fmi3Status getDependencies(fmi3ValueReference reference, std::size_t elementsOfDependent[],
                             fmi3ValueReference independents[], std::size_t elementsOfIndependents[],
                             fmi3DependencyKind kinds[], std::size_t count);

  fmi3Status getState(fmi3FMUState* state);
  fmi3Status setState(fmi3FMUState state);
  fmi3Status freeState(fmi3FMUState* state);
  fmi3Status stateSize(fmi3FMUState state, std::size_t* size);
  fmi3Status serialize(fmi3FMUState state, fmi3Byte bytes[], std::size_t size);
  fmi3Status deserialize(const fmi3Byte bytes[], std::size_t size, fmi3FMUState* state);

 private:
  // What fmi3GetFMUState saves.
  struct Part {
    std::unique_ptr<Simulation> simulation;
    Mode mode = Mode::instantiated;
    double startTime = 0, stopTime = 0;
    bool stopTimeDefined = false;
    bool toleranceSet = false;  // solver.relativeTolerance was set by name
    bool initialised = false;   // the simulation has consistent values for everything set so far
    Part clone() const;
    void transfer(Archive& archive);
  };

  Instance(std::unique_ptr<Simulation> start, VariableTable table, std::string token, InstanceOptions options,
           const Log& log);

  // Access to variables. The first three return nullptr or false after logging.
  const Variable* find(const char* function, fmi3ValueReference reference);
  const Variable* gettable(const char* function, fmi3ValueReference reference, bool rightType(VariableType));
  const Variable* settable(const char* function, fmi3ValueReference reference, bool rightType(VariableType));
  bool sizesFit(const char* function, const void* references, std::size_t count, const void* values,
                std::size_t nValues);
  template <typename Number>
  fmi3Status getNumbers(const char* function, bool rightType(VariableType), const fmi3ValueReference references[],
                        std::size_t count, Number values[], std::size_t nValues);
  template <typename Number>
  fmi3Status setNumbers(const char* function, bool rightType(VariableType), const fmi3ValueReference references[],
                        std::size_t count, const Number values[], std::size_t nValues);
  bool mayChange(const Variable& variable) const;
  bool intermediate(fmi3ValueReference reference) const;
  std::string prepare(SourceKind kind);
  double number(Source source) const;
  bool collect(const char* function, const fmi3ValueReference references[], std::size_t count, bool unknowns,
               std::vector<Source>& sources);

  std::string initialise();
  // Tells what the integrator has done, to those who asked for it.
  void report(long eventsBefore, StepResult& result) const;
  fmi3Status discard(const std::string& problem);
  // With event mode a step ends at the first event, if it may; else events are handled on the way.
  Simulation::Stop stopAtEvents() const {
    return options_.eventModeUsed && options_.earlyReturnAllowed ? Simulation::Stop::atEvents : Simulation::Stop::never;
  }
  fmi3Status stepWithUpdates(double target, StepResult& result);
  Part* saved(fmi3FMUState state);
  fmi3Status keep(std::unique_ptr<Part> part, const char* function, fmi3FMUState* state);

  Log log_;
  VariableTable table_;
  std::string token_;
  InstanceOptions options_;
  std::unique_ptr<const Simulation> start_;  // as instantiated, for reset()
  Part part_;
  bool setInUpdate_ = false;  // the master has set a variable in the present intermediate update
  std::vector<Change> changes_;
  Sensitivity sensitivity_;
  std::vector<std::unique_ptr<Part>> saved_;
  std::pair<const Part*, Archive::Bytes> serialized_;  // the last state whose size was asked for
};

}  // namespace mbfmu
