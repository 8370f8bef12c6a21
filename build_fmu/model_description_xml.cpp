#include "build_fmu/model_description_xml.h"

#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include "build_fmu/table.h"

namespace mbfmu {
namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name) = value.c_str();
}

void setUnlessEmpty(pugi::xml_node node, const char* name, const std::string& value) {
  if (!value.empty()) set(node, name, value);
}

// An attribute whose default is false is written only when it is true.
void setFlag(pugi::xml_node node, const char* name, bool value) {
  if (value) set(node, name, "true");
}

void addCoSimulation(pugi::xml_node root, const FmiDescription& description) {
  const Capabilities& can = description.capabilities;
  pugi::xml_node node = root.append_child("CoSimulation");
  set(node, "modelIdentifier", description.modelIdentifier);
  setFlag(node, "needsExecutionTool", can.needsExecutionTool);
  setFlag(node, "canBeInstantiatedOnlyOncePerProcess", can.canBeInstantiatedOnlyOncePerProcess);
  setFlag(node, "canGetAndSetFMUState", can.canGetAndSetFMUState);
  setFlag(node, "canSerializeFMUState", can.canSerializeFMUState);
  setFlag(node, "providesDirectionalDerivatives", can.providesDirectionalDerivatives);
  setFlag(node, "providesAdjointDerivatives", can.providesAdjointDerivatives);
  setFlag(node, "providesPerElementDependencies", can.providesPerElementDependencies);
  setFlag(node, "canHandleVariableCommunicationStepSize", can.canHandleVariableCommunicationStepSize);
  if (can.maxOutputDerivativeOrder > 0) {
    set(node, "maxOutputDerivativeOrder", std::to_string(can.maxOutputDerivativeOrder));
  }
  setFlag(node, "providesIntermediateUpdate", can.providesIntermediateUpdate);
  set(node, "recommendedIntermediateInputSmoothness", std::to_string(can.recommendedIntermediateInputSmoothness));
  setFlag(node, "mightReturnEarlyFromDoStep", can.mightReturnEarlyFromDoStep);
  setFlag(node, "canReturnEarlyAfterIntermediateUpdate", can.canReturnEarlyAfterIntermediateUpdate);
  setFlag(node, "hasEventMode", can.hasEventMode);
  setFlag(node, "providesEvaluateDiscreteStates", can.providesEvaluateDiscreteStates);
}

void addUnits(pugi::xml_node root, const FmiDescription& description) {
  if (description.units.empty()) return;
  pugi::xml_node units = root.append_child("UnitDefinitions");
  for (const UnitDefinition& unit : description.units) {
    pugi::xml_node node = units.append_child("Unit");
    set(node, "name", unit.name);
    pugi::xml_node base = node.append_child("BaseUnit");
    for (std::size_t i = 0; i < baseUnitNames.size(); ++i) {
      if (unit.base.exponents[i] != 0) set(base, baseUnitNames[i], std::to_string(unit.base.exponents[i]));
    }
    if (unit.base.factor != 1) set(base, "factor", shortNumber(unit.base.factor));
    if (unit.base.offset != 0) set(base, "offset", shortNumber(unit.base.offset));
    for (const DisplayUnit& display : unit.displays) {
      pugi::xml_node child = node.append_child("DisplayUnit");
      set(child, "name", display.name);
      set(child, "factor", shortNumber(display.factor));
    }
  }
}

void addTypes(pugi::xml_node root, const FmiDescription& description) {
  pugi::xml_node types = root.append_child("TypeDefinitions");
  for (const QuantityType& type : description.types) {
    pugi::xml_node node = types.append_child("Float64Type");
    set(node, "name", type.name);
    set(node, "quantity", type.quantity);
    set(node, "unit", type.unit);
    setUnlessEmpty(node, "displayUnit", type.displayUnit);
  }
  for (const EnumerationType& type : description.enumerations) {
    pugi::xml_node node = types.append_child("EnumerationType");
    set(node, "name", type.name);
    set(node, "description", type.description);
    int value = 1;
    for (const EnumerationItem& item : type.items) {
      pugi::xml_node child = node.append_child("Item");
      set(child, "name", item.name);
      set(child, "value", std::to_string(value++));
      setUnlessEmpty(child, "description", item.description);
    }
  }
}

void addLogCategories(pugi::xml_node root, const FmiDescription& description) {
  if (description.logCategories.empty()) return;
  pugi::xml_node categories = root.append_child("LogCategories");
  for (const LogCategory& category : description.logCategories) {
    pugi::xml_node node = categories.append_child("Category");
    set(node, "name", category.name);
    setUnlessEmpty(node, "description", category.description);
  }
}

void addExperiment(pugi::xml_node root, const DefaultExperiment& experiment) {
  pugi::xml_node node = root.append_child("DefaultExperiment");
  set(node, "startTime", shortNumber(experiment.startTime));
  set(node, "stopTime", shortNumber(experiment.stopTime));
  set(node, "tolerance", shortNumber(experiment.tolerance));
  set(node, "stepSize", shortNumber(experiment.stepSize));
}

std::string startOf(const Variable& variable) {
  if (variable.type == VariableType::boolean && variable.size == 1) return variable.start != 0 ? "true" : "false";
  if (variable.type != VariableType::float64 && variable.size == 1)
    return std::to_string(static_cast<long long>(variable.start));
  if (variable.size == 1) return shortNumber(variable.start);
  std::string list;
  for (const double value : variable.startValues) list += (list.empty() ? "" : " ") + shortNumber(value);
  return list;
}

void addVariable(pugi::xml_node variables, const FmiDescription& description, const Variable& variable) {
  pugi::xml_node node = variables.append_child(text(variable.type));
  set(node, "name", variable.name);
  set(node, "valueReference", std::to_string(variable.valueReference));
  setUnlessEmpty(node, "description", variable.description);
  set(node, "causality", text(variable.causality));
  set(node, "variability", text(variable.variability));
  setFlag(node, "intermediateUpdate", hasIntermediateUpdate(variable));
  if (variable.initial != Initial::none) set(node, "initial", text(variable.initial));
  setUnlessEmpty(node, "declaredType", description.typeOf(variable));
  setUnlessEmpty(node, "unit", variable.unit);
  if (std::isfinite(variable.least)) set(node, "min", shortNumber(variable.least));
  if (std::isfinite(variable.most)) set(node, "max", shortNumber(variable.most));
  if (variable.hasStart) set(node, "start", startOf(variable));
  if (variable.size > 1) set(node.append_child("Dimension"), "start", std::to_string(variable.size));
}

void addUnknown(pugi::xml_node structure, const char* element, const Unknown& unknown) {
  pugi::xml_node node = structure.append_child(element);
  set(node, "valueReference", std::to_string(unknown.valueReference));
  std::string list, kinds;
  for (const std::uint32_t reference : unknown.dependencies) {
    if (!list.empty()) list += ' ', kinds += ' ';
    list += std::to_string(reference);
    kinds += "dependent";
  }
  set(node, "dependencies", list);
  set(node, "dependenciesKind", kinds);
}

}  // namespace

std::string modelDescriptionXml(const FmiDescription& description) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node root = document.append_child("fmiModelDescription");
  set(root, "fmiVersion", "3.0");
  set(root, "modelName", description.modelName);
  set(root, "instantiationToken", description.token);
  setUnlessEmpty(root, "description", description.description);
  // No date and time: the same model gives the same bytes.
  set(root, "generationTool", "mbfmu");
  set(root, "variableNamingConvention", "structured");

  addCoSimulation(root, description);
  addUnits(root, description);
  addTypes(root, description);
  addLogCategories(root, description);
  addExperiment(root, description.experiment);
  pugi::xml_node variables = root.append_child("ModelVariables");
  for (const Variable& variable : description.variables.variables()) {
    addVariable(variables, description, variable);
  }
  pugi::xml_node structure = root.append_child("ModelStructure");
  for (const Unknown& output : description.outputs) addUnknown(structure, "Output", output);
  for (const Unknown& unknown : description.initialUnknowns) addUnknown(structure, "InitialUnknown", unknown);

  std::ostringstream out;
  document.save(out, "  ");
  return std::move(out).str();
}

Identity readIdentity(const std::string& xml) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(xml.data(), xml.size());
  Identity identity;
  if (!parsed) {
    identity.problem =
        std::string("not well-formed: ") + parsed.description() + " at byte " + std::to_string(parsed.offset);
    return identity;
  }
  const pugi::xml_node root = document.child("fmiModelDescription");
  identity.token = root.attribute("instantiationToken").value();
  identity.modelIdentifier = root.child("CoSimulation").attribute("modelIdentifier").value();
  if (std::string(root.attribute("fmiVersion").value()) != "3.0") {
    identity.problem = "not a description of an FMI 3.0 FMU";
  } else if (identity.token.empty()) {
    identity.problem = "no instantiationToken";
  } else if (identity.modelIdentifier.empty()) {
    identity.problem = "no CoSimulation with a modelIdentifier";
  }
  return identity;
}

}  // namespace mbfmu
