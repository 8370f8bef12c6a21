// One instance of the FMU: the FMI state machine, access to variables, roll-back. The functions here assume that the
// call is legal in the present state; fmi3_functions.cpp checks that first. Each returns an FMI status and has logged
// the reason if it is not fmi3OK.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi3FunctionTypes.h"
#include "fmu_src/log.h"
#include "fmu_src/simulation.h"
#include "fmu_src/state_machine.h"
#include "model_description/variables.h"

namespace mbfmu {

class Instance {
 public:
  // nullptr, with the reason logged, if the resources cannot be read or do not belong to the token.
  static std::unique_ptr<Instance> create(const std::string& token, const char* resourcePath, const Log& log);

  Mode mode() const { return part_.mode; }
  // Logs; after an error the instance is terminated (FMI 3.0, 2.2.3).
  fmi3Status fail(const std::string& message);
  // The same after an exception: not even a lack of memory for the message gets out.
  fmi3Status failQuietly(const char* function, const char* reason) noexcept;

  fmi3Status setDebugLogging(bool on, std::size_t count, const fmi3String categories[]);
  fmi3Status enterInitialization(bool toleranceDefined, double tolerance, double startTime, bool stopTimeDefined,
                                 double stopTime);
  fmi3Status exitInitialization();
  fmi3Status terminate();
  fmi3Status reset();
  // *lastSuccessfulTime is set in every case.
  fmi3Status doStep(double currentPoint, double stepSize, double* lastSuccessfulTime);

  fmi3Status getFloat64(const fmi3ValueReference references[], std::size_t count, double values[], std::size_t nValues);
  fmi3Status setFloat64(const fmi3ValueReference references[], std::size_t count, const double values[],
                        std::size_t nValues);
  fmi3Status getInt64(const fmi3ValueReference references[], std::size_t count, fmi3Int64 values[],
                      std::size_t nValues);
  // For types of which this FMU has no settable or no variable at all: legal only with nothing to get or set.
  fmi3Status refuseType(const char* type, const fmi3ValueReference references[], std::size_t count);

  fmi3Status getState(fmi3FMUState* state);
  fmi3Status setState(fmi3FMUState state);
  fmi3Status freeState(fmi3FMUState* state);

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
  };

  Instance(std::unique_ptr<Simulation> start, VariableTable table, const Log& log);
  // The variable of that type, or nullptr after logging.
  const Variable* find(fmi3ValueReference reference, VariableType type);
  std::string checkArguments(const void* references, std::size_t count, const void* values, std::size_t nValues) const;
  std::string initialise();
  std::string prepare(const Variable& variable);
  double number(const Variable& variable) const;
  bool settable(const Variable& variable) const;
  std::string assign(const Variable& variable, double value);

  Log log_;
  VariableTable table_;
  std::unique_ptr<const Simulation> start_;  // as instantiated, for reset()
  Part part_;
  std::vector<std::unique_ptr<Part>> saved_;
};

}  // namespace mbfmu
