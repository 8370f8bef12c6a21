// The functions of other interface types and of capabilities that this FMU declares absent. They exist because
// importers look up all of them.
#include "fmi3Functions.h"
#include "fmu_src/entry.h"

using mbfmu::Function;
using mbfmu::unsupported;

extern "C" {

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return unsupported(instance, Function::EnterConfigurationMode);
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return unsupported(instance, Function::ExitConfigurationMode);
}

// Ignored without providesEvaluateDiscreteStates.
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return mbfmu::call(instance, Function::EvaluateDiscreteStates, [](mbfmu::Instance&) { return fmi3OK; });
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

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference, fmi3Float64) {
  return unsupported(instance, Function::ActivateModelPartition);
}

}  // extern "C"
