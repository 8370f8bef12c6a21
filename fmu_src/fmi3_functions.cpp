// The C functions of FMI 3.0: each checks the instance and its state by the table of state_machine.h, calls Instance,
// and lets no exception pass.
#include <exception>
#include <string>

#include "fmi3Functions.h"
#include "fmu_src/entry.h"
#include "fmu_src/instance.h"

namespace {

using mbfmu::call;
using mbfmu::Function;
using mbfmu::Instance;

fmi3Status otherType(fmi3Instance handle, Function function, const char* type, const fmi3ValueReference references[],
                     size_t count) noexcept {
  return call(handle, function, [&](Instance& instance) { return instance.refuseType(type, references, count); });
}

// The interface types that this FMU does not have.
fmi3Instance refuseInterface(const char* type, fmi3Boolean loggingOn, fmi3InstanceEnvironment environment,
                             fmi3LogMessageCallback logMessage) noexcept {
  if (loggingOn && logMessage) logMessage(environment, fmi3Error, "logStatusError", type);
  return nullptr;
}

}  // namespace

extern "C" {

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String instanceName, fmi3String instantiationToken,
                                         fmi3String resourcePath, fmi3Boolean, fmi3Boolean loggingOn,
                                         fmi3Boolean eventModeUsed, fmi3Boolean, const fmi3ValueReference[], size_t,
                                         fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback) {
  try {
    const mbfmu::Log log(instanceEnvironment, logMessage, loggingOn);
    const char* problem = !instanceName || !*instanceName ? "instanceName is NULL or empty"
                          : !instantiationToken           ? "instantiationToken is NULL"
                          : eventModeUsed                 ? "eventModeUsed is true, but this FMU has no event mode"
                                                          : nullptr;
    if (problem) {
      log.write(fmi3Error, problem);
      return nullptr;
    }
    return Instance::create(instantiationToken, resourcePath, log).release();
  } catch (const std::exception& error) {
    return refuseInterface(error.what(), loggingOn, instanceEnvironment, logMessage);
  } catch (...) {
    return nullptr;
  }
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  return refuseInterface("this FMU does not support Model Exchange", loggingOn, instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean loggingOn,
                                               fmi3InstanceEnvironment instanceEnvironment,
                                               fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
  return refuseInterface("this FMU does not support Scheduled Execution", loggingOn, instanceEnvironment, logMessage);
}

void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Instance*>(instance); }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[]) {
  return call(instance, Function::SetDebugLogging,
              [&](Instance& i) { return i.setDebugLogging(loggingOn, nCategories, categories); });
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  return call(instance, Function::EnterInitializationMode, [&](Instance& i) {
    return i.enterInitialization(toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime);
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return call(instance, Function::ExitInitializationMode, [](Instance& i) { return i.exitInitialization(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call(instance, Function::Terminate, [](Instance& i) { return i.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return call(instance, Function::Reset, [](Instance& i) { return i.reset(); });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
                      fmi3Boolean, fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return call(instance, Function::DoStep, [&](Instance& i) {
    if (!eventHandlingNeeded || !terminateSimulation || !earlyReturn || !lastSuccessfulTime) {
      return i.fail("fmi3DoStep: a pointer for a result is NULL");
    }
    *eventHandlingNeeded = *terminateSimulation = *earlyReturn = fmi3False;
    return i.doStep(currentCommunicationPoint, communicationStepSize, lastSuccessfulTime);
  });
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call(instance, Function::GetFMUState, [&](Instance& i) { return i.getState(state); });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return call(instance, Function::SetFMUState, [&](Instance& i) { return i.setState(state); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call(instance, Function::FreeFMUState, [&](Instance& i) { return i.freeState(state); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          fmi3Float64 values[], size_t nValues) {
  return call(instance, Function::GetFloat64,
              [&](Instance& i) { return i.getFloat64(references, count, values, nValues); });
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t nValues) {
  return call(instance, Function::SetFloat64,
              [&](Instance& i) { return i.setFloat64(references, count, values, nValues); });
}

fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference references[], size_t count, fmi3Int64 values[],
                        size_t nValues) {
  return call(instance, Function::GetInt64,
              [&](Instance& i) { return i.getInt64(references, count, values, nValues); });
}

// No variable of this FMU can be reached through the following types.
#define MBFMU_OTHER_TYPE(Type)                                                                                       \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference references[], size_t count, fmi3##Type[], \
                           size_t) {                                                                                 \
    return otherType(instance, Function::Get##Type, #Type, references, count);                                       \
  }                                                                                                                  \
  MBFMU_NOT_SETTABLE(Type)
#define MBFMU_NOT_SETTABLE(Type)                                                                       \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference references[], size_t count, \
                           const fmi3##Type[], size_t) {                                               \
    return otherType(instance, Function::Set##Type, #Type, references, count);                         \
  }
MBFMU_OTHER_TYPE(Float32)
MBFMU_OTHER_TYPE(Int8)
MBFMU_OTHER_TYPE(UInt8)
MBFMU_OTHER_TYPE(Int16)
MBFMU_OTHER_TYPE(UInt16)
MBFMU_OTHER_TYPE(Int32)
MBFMU_OTHER_TYPE(UInt32)
MBFMU_OTHER_TYPE(UInt64)
MBFMU_OTHER_TYPE(Boolean)
MBFMU_OTHER_TYPE(String)
MBFMU_NOT_SETTABLE(Int64)
#undef MBFMU_OTHER_TYPE
#undef MBFMU_NOT_SETTABLE

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t count, size_t[],
                         fmi3Binary[], size_t) {
  return otherType(instance, Function::GetBinary, "Binary", references, count);
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t count, const size_t[],
                         const fmi3Binary[], size_t) {
  return otherType(instance, Function::SetBinary, "Binary", references, count);
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t count, fmi3Clock[]) {
  return otherType(instance, Function::GetClock, "Clock", references, count);
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t count, const fmi3Clock[]) {
  return otherType(instance, Function::SetClock, "Clock", references, count);
}

}  // extern "C"
