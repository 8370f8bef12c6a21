#include "build_fmu/fmu_contents.h"

#include "build_fmu/commands.h"
#include "build_fmu/documentation.h"
#include "build_fmu/licences.h"
#include "build_fmu/mechanism_drawing.h"
#include "build_fmu/model_description_xml.h"
#include "build_fmu/terminals.h"
#include "model_description/description.h"

namespace mbfmu {
namespace {

constexpr double iconSize = 256, diagramWidth = 720, diagramHeight = 480;

void addPictures(const FmiDescription& description, const Model& model, Entries& entries) {
  const Pose pose(model);
  const std::string title = "The mechanism " + model.name + " at the start";
  const Drawing diagram = drawMechanism(model, pose, diagramWidth, diagramHeight).drawing;
  const std::string picture = svg(diagram, title);
  entries["documentation/diagram.svg"] = picture;
  entries["documentation/diagram.png"] = png(diagram, 1);
  entries["documentation/index.html"] = documentationHtml(description, model, picture);

  const MechanismDrawing icon = drawMechanism(model, pose, iconSize, iconSize);
  entries["terminalsAndIcons/icon.svg"] = svg(icon.drawing, title);
  entries["terminalsAndIcons/icon.png"] = png(icon.drawing, 1);
  entries[kTerminals] = terminalsXml(description, model, icon.joints, iconSize);
  if (entries[kTerminals].find("<Terminal ") == std::string::npos) return;
  const Drawing flange = flangeDrawing(64);
  entries["terminalsAndIcons/flange.svg"] = svg(flange, "Flange");
  entries["terminalsAndIcons/flange.png"] = png(flange, 2);
}

}  // namespace

std::string binaryName(const std::string& modelIdentifier) {
  return "binaries/x86_64-linux/" + modelIdentifier + ".so";
}

Entries fmuContents(const std::string& source, const Model& model, const std::string& runtime, Vectors vectors) {
  const FmiDescription description = describeModel(model, vectors);
  std::string problems;
  for (const std::string& problem : description.problems) {
    problems += (problems.empty() ? "" : "\n") + source + ": " + problem;
  }
  if (!problems.empty()) throw Failed(problems);
  Entries entries = {{kDescription, modelDescriptionXml(description)},
                     {binaryName(description.modelIdentifier), runtime},
                     {kModel, model.text},
                     {"documentation/licenses/license.txt", licenceSummary}};
  for (const LicenceText& licence : licenceTexts()) entries["documentation/licenses/" + licence.file] = licence.text;
  addPictures(description, model, entries);
  return entries;
}

}  // namespace mbfmu
