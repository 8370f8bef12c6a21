// The C functions of FMI 3.0: each checks the instance and its state by the table of state_machine.h, calls Instance,
// and lets no exception pass.
#include <exception>
#include <string>
#include <utility>

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
                                         fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
                                         const fmi3ValueReference requiredIntermediateVariables[],
                                         size_t nRequiredIntermediateVariables,
                                         fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback intermediateUpdate) {
  try {
    const mbfmu::Log log(instanceEnvironment, logMessage, loggingOn);
    const size_t count = nRequiredIntermediateVariables;
    const char* problem = !instanceName || !*instanceName               ? "instanceName is NULL or empty"
                          : !instantiationToken                         ? "instantiationToken is NULL"
                          : count > 0 && !requiredIntermediateVariables ? "requiredIntermediateVariables is NULL"
                                                                        : nullptr;
    if (problem) {
      log.write(fmi3Error, problem);
      return nullptr;
    }
    mbfmu::InstanceOptions options{eventModeUsed, earlyReturnAllowed, {}, intermediateUpdate, instanceEnvironment};
    if (count > 0)
      options.intermediateVariables.assign(requiredIntermediateVariables, requiredIntermediateVariables + count);
    return Instance::create(instantiationToken, resourcePath, std::move(options), log).release();
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

void fmi3FreeInstance(fmi3Instance instance) {
  auto* its = static_cast<Instance*>(instance);
  // The step that calls back is still at work on it.
  if (its && its->mode() == mbfmu::Mode::intermediate) {
    static_cast<void>(its->failQuietly("fmi3FreeInstance", "not allowed in Intermediate Update Mode"));
    return;
  }
  delete its;
}

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

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return call(instance, Function::EnterEventMode, [](Instance& i) { return i.enterEventMode(); });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return call(instance, Function::EnterStepMode, [](Instance& i) { return i.enterStepMode(); });
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation, fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged, fmi3Boolean* nextEventTimeDefined,
                                    fmi3Float64* nextEventTime) {
  return call(instance, Function::UpdateDiscreteStates, [&](Instance& i) {
    if (!discreteStatesNeedUpdate || !terminateSimulation || !nominalsOfContinuousStatesChanged ||
        !valuesOfContinuousStatesChanged || !nextEventTimeDefined || !nextEventTime) {
      return i.fail("fmi3UpdateDiscreteStates: a pointer for a result is NULL");
    }
    *discreteStatesNeedUpdate = *terminateSimulation = *nominalsOfContinuousStatesChanged = fmi3False;
    *valuesOfContinuousStatesChanged = fmi3False;
    mbfmu::DiscreteUpdate update;
    const fmi3Status status = i.updateDiscreteStates(update);
    *terminateSimulation = update.terminateSimulation;
    *nextEventTimeDefined = update.nextEventTimeDefined;
    *nextEventTime = update.nextEventTime;
    return status;
  });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
                      fmi3Boolean, fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return call(instance, Function::DoStep, [&](Instance& i) {
    if (!eventHandlingNeeded || !terminateSimulation || !earlyReturn || !lastSuccessfulTime) {
      return i.fail("fmi3DoStep: a pointer for a result is NULL");
    }
    mbfmu::StepResult result;
    const fmi3Status status = i.doStep(currentCommunicationPoint, communicationStepSize, result);
    *eventHandlingNeeded = result.eventHandlingNeeded;
    *terminateSimulation = result.terminateSimulation;
    *earlyReturn = result.earlyReturn;
    *lastSuccessfulTime = result.lastSuccessfulTime;
    return status;
  });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                    const fmi3Int32 orders[], fmi3Float64 values[], size_t nValues) {
  return call(instance, Function::GetOutputDerivatives,
              [&](Instance& i) { return i.getOutputDerivatives(references, count, orders, values, nValues); });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                        const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                        size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity) {
  return call(instance, Function::GetDirectionalDerivative, [&](Instance& i) {
    return i.getDerivative(false, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity, nSensitivity);
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                    size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity) {
  return call(instance, Function::GetAdjointDerivative, [&](Instance& i) {
    return i.getDerivative(true, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity, nSensitivity);
  });
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference, size_t* count) {
  return call(instance, Function::GetNumberOfVariableDependencies,
              [&](Instance& i) { return i.countDependencies(reference, count); });
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t elementIndicesOfDependent[], fmi3ValueReference independents[],
                                       size_t elementIndicesOfIndependents[], fmi3DependencyKind dependencyKinds[],
                                       size_t count) {
  return call(instance, Function::GetVariableDependencies, [&](Instance& i) {
    return i.getDependencies(dependent, elementIndicesOfDependent, independents, elementIndicesOfIndependents,
                             dependencyKinds, count);
  });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size) {
  return call(instance, Function::SerializedFMUStateSize, [&](Instance& i) { return i.stateSize(state, size); });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return call(instance, Function::SerializeFMUState, [&](Instance& i) { return i.serialize(state, bytes, size); });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  return call(instance, Function::DeserializeFMUState, [&](Instance& i) { return i.deserialize(bytes, size, state); });
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

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                        const fmi3Int64 values[], size_t nValues) {
  return call(instance, Function::SetInt64,
              [&](Instance& i) { return i.setInt64(references, count, values, nValues); });
}

fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          fmi3Boolean values[], size_t nValues) {
  return call(instance, Function::GetBoolean,
              [&](Instance& i) { return i.getBoolean(references, count, values, nValues); });
}

fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          const fmi3Boolean values[], size_t nValues) {
  return call(instance, Function::SetBoolean,
              [&](Instance& i) { return i.setBoolean(references, count, values, nValues); });
}

// No variable of this FMU can be reached through the following types.
#define MBFMU_OTHER_TYPE(Type)                                                                                       \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference references[], size_t count, fmi3##Type[], \
                           size_t) {                                                                                 \
    return otherType(instance, Function::Get##Type, #Type, references, count);                                       \
  }                                                                                                                  \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference references[], size_t count,               \
                           const fmi3##Type[], size_t) {                                                             \
    return otherType(instance, Function::Set##Type, #Type, references, count);                                       \
  }
MBFMU_OTHER_TYPE(Float32)
MBFMU_OTHER_TYPE(Int8)
MBFMU_OTHER_TYPE(UInt8)
MBFMU_OTHER_TYPE(Int16)
MBFMU_OTHER_TYPE(UInt16)
MBFMU_OTHER_TYPE(Int32)
MBFMU_OTHER_TYPE(UInt32)
MBFMU_OTHER_TYPE(UInt64)
MBFMU_OTHER_TYPE(String)
#undef MBFMU_OTHER_TYPE

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

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                  fmi3Float64[], fmi3IntervalQualifier[]) {
  return otherType(instance, Function::GetIntervalDecimal, "Clock", references, count);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                   fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]) {
  return otherType(instance, Function::GetIntervalFraction, "Clock", references, count);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                               fmi3Float64[]) {
  return otherType(instance, Function::GetShiftDecimal, "Clock", references, count);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                fmi3UInt64[], fmi3UInt64[]) {
  return otherType(instance, Function::GetShiftFraction, "Clock", references, count);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                  const fmi3Float64[]) {
  return otherType(instance, Function::SetIntervalDecimal, "Clock", references, count);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                   const fmi3UInt64[], const fmi3UInt64[]) {
  return otherType(instance, Function::SetIntervalFraction, "Clock", references, count);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                               const fmi3Float64[]) {
  return otherType(instance, Function::SetShiftDecimal, "Clock", references, count);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                                const fmi3UInt64[], const fmi3UInt64[]) {
  return otherType(instance, Function::SetShiftFraction, "Clock", references, count);
}

}  // extern "C"
