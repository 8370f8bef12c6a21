// Everything modelDescription.xml says about a model, as plain data.
#pragma once

#include <string>
#include <vector>

#include "model_description/units.h"
#include "model_description/variables.h"

namespace mbfmu {

struct UnitDefinition {
  std::string name;
  BaseUnit base;
};

// An entry of ModelStructure. Without known dependencies the attribute is left out, which means "on everything"; a
// known empty list means "on nothing" (FMI 3.0, 2.4.8).
struct Unknown {
  std::uint32_t valueReference = 0;
  bool dependenciesKnown = false;
  std::vector<std::uint32_t> dependencies;
};

struct LogCategory {
  std::string name, description;
};

// Attributes of <CoSimulation>.
struct Capabilities {
  bool needsExecutionTool = false;
  bool canBeInstantiatedOnlyOncePerProcess = false;
  bool canGetAndSetFMUState = true;
  bool canSerializeFMUState = false;
  bool canHandleVariableCommunicationStepSize = true;
  bool hasEventMode = false;
  bool mightReturnEarlyFromDoStep = false;
  bool providesIntermediateUpdate = false;
  bool canReturnEarlyAfterIntermediateUpdate = false;
  bool providesDirectionalDerivatives = false;
  bool providesAdjointDerivatives = false;
  bool providesPerElementDependencies = false;
  bool providesEvaluateDiscreteStates = false;
  int maxOutputDerivativeOrder = 0;
};

struct DefaultExperiment {
  double startTime = 0, stopTime = 1, tolerance = 1e-6, stepSize = 0.01;
};

struct FmiDescription {
  std::string modelName, modelIdentifier, description, token;
  DefaultExperiment experiment;
  VariableTable variables;
  std::vector<UnitDefinition> units;  // every unit in use, once, in order of first use
  std::vector<Unknown> outputs, initialUnknowns;
  std::vector<LogCategory> logCategories;
  Capabilities capabilities;
  std::vector<std::string> problems;  // units that cannot be understood; nothing is exported then
};

FmiDescription describeModel(const Model& model);

// The categories that the FMU logs under.
std::vector<LogCategory> logCategories();

}  // namespace mbfmu
