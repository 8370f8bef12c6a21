// The functions of other interface types and of capabilities that this FMU declares absent. They exist because
// importers look up all of them.
#include "fmi3Functions.h"
#include "fmu_src/entry.h"

using mbfmu::Function;
using mbfmu::unsupported;

extern "C" {

fmi3Status fmi3EnterEventMode(fmi3Instance instance) { return unsupported(instance, Function::EnterEventMode); }

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference, size_t*) {
  return unsupported(instance, Function::GetNumberOfVariableDependencies);
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference, size_t[], fmi3ValueReference[],
                                       size_t[], fmi3DependencyKind[], size_t) {
  return unsupported(instance, Function::GetVariableDependencies);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState, size_t*) {
  return unsupported(instance, Function::SerializedFMUStateSize);
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState, fmi3Byte[], size_t) {
  return unsupported(instance, Function::SerializeFMUState);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte[], size_t, fmi3FMUState*) {
  return unsupported(instance, Function::DeserializeFMUState);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference[], size_t,
                                        const fmi3ValueReference[], size_t, const fmi3Float64[], size_t, fmi3Float64[],
                                        size_t) {
  return unsupported(instance, Function::GetDirectionalDerivative);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference[], size_t,
                                    const fmi3ValueReference[], size_t, const fmi3Float64[], size_t, fmi3Float64[],
                                    size_t) {
  return unsupported(instance, Function::GetAdjointDerivative);
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return unsupported(instance, Function::EnterConfigurationMode);
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return unsupported(instance, Function::ExitConfigurationMode);
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return unsupported(instance, Function::GetIntervalDecimal);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                   fmi3UInt64[], fmi3IntervalQualifier[]) {
  return unsupported(instance, Function::GetIntervalFraction);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Float64[]) {
  return unsupported(instance, Function::GetShiftDecimal);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]) {
  return unsupported(instance, Function::GetShiftFraction);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return unsupported(instance, Function::SetIntervalDecimal);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                   const fmi3UInt64[]) {
  return unsupported(instance, Function::SetIntervalFraction);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return unsupported(instance, Function::SetShiftDecimal);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return unsupported(instance, Function::SetShiftFraction);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return unsupported(instance, Function::EvaluateDiscreteStates);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Float64*) {
  return unsupported(instance, Function::UpdateDiscreteStates);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return unsupported(instance, Function::EnterContinuousTimeMode);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return unsupported(instance, Function::CompletedIntegratorStep);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64) { return unsupported(instance, Function::SetTime); }

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64[], size_t) {
  return unsupported(instance, Function::SetContinuousStates);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, Function::GetContinuousStateDerivatives);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, Function::GetEventIndicators);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, Function::GetContinuousStates);
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, Function::GetNominalsOfContinuousStates);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t*) {
  return unsupported(instance, Function::GetNumberOfEventIndicators);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t*) {
  return unsupported(instance, Function::GetNumberOfContinuousStates);
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) { return unsupported(instance, Function::EnterStepMode); }

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Int32[],
                                    fmi3Float64[], size_t) {
  return unsupported(instance, Function::GetOutputDerivatives);
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference, fmi3Float64) {
  return unsupported(instance, Function::ActivateModelPartition);
}

}  // extern "C"
