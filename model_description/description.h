// Everything modelDescription.xml says about a model, as plain data.
#pragma once

#include <string>
#include <vector>

#include "model_description/variables.h"
#include "multibody/units.h"

namespace mbfmu {

struct UnitDefinition {
  std::string name;
  BaseUnit base;
  std::vector<DisplayUnit> displays;
};

// A type of Float64 variables, which have this unit.
struct QuantityType {
  std::string name, quantity, unit, displayUnit;
};
struct EnumerationItem {
  std::string name, description;
};
// Values count from 1.
struct EnumerationType {
  std::string name, description;
  std::vector<EnumerationItem> items;
};

// An entry of ModelStructure with everything that it depends on.
struct Unknown {
  std::uint32_t valueReference = 0;
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
  bool canSerializeFMUState = true;
  bool canHandleVariableCommunicationStepSize = true;
  bool hasEventMode = true;
  bool mightReturnEarlyFromDoStep = true;
  bool providesIntermediateUpdate = true;
  bool canReturnEarlyAfterIntermediateUpdate = true;
  bool providesDirectionalDerivatives = true;
  bool providesAdjointDerivatives = true;
  bool providesPerElementDependencies = true;
  bool providesEvaluateDiscreteStates = false;
  int maxOutputDerivativeOrder = 2;
  int recommendedIntermediateInputSmoothness = 1;
};

struct DefaultExperiment {
  double startTime = 0, stopTime = 1, tolerance = 1e-6, stepSize = 0.01;
};

struct FmiDescription {
  std::string modelName, modelIdentifier, description, token;
  DefaultExperiment experiment;
  VariableTable variables;
  std::vector<UnitDefinition> units;  // every unit in use, once, in order of first use
  std::vector<QuantityType> types;    // the type of a unit in use, in the same order
  std::vector<EnumerationType> enumerations;
  std::vector<Unknown> outputs, initialUnknowns;

  // The type of a variable; "" if it has none.
  std::string typeOf(const Variable& variable) const;
  std::vector<LogCategory> logCategories;
  Capabilities capabilities;
  std::vector<std::string> problems;  // units that cannot be understood; nothing is exported then
};

FmiDescription describeModel(const Model& model, Vectors vectors = Vectors::scalars);

// The categories that the FMU logs under.
std::vector<LogCategory> logCategories();

}  // namespace mbfmu
