#include "build_fmu/fmu_contents.h"

#include "build_fmu/commands.h"
#include "build_fmu/documentation.h"
#include "build_fmu/model_description_xml.h"
#include "model_description/description.h"
#include "multibody/reader.h"

namespace mbfmu {
namespace {

constexpr const char* kDescription = "modelDescription.xml";
constexpr const char* kModel = "resources/model.json";
constexpr const char* kPlatform = "x86_64-linux";

std::string binaryName(const std::string& modelIdentifier) {
  return std::string("binaries/") + kPlatform + "/" + modelIdentifier + ".so";
}

}  // namespace

Entries fmuContents(const std::string& source, const Model& model, const std::string& runtime, Vectors vectors) {
  const FmiDescription description = describeModel(model, vectors);
  std::string problems;
  for (const std::string& problem : description.problems) {
    problems += (problems.empty() ? "" : "\n") + source + ": " + problem;
  }
  if (!problems.empty()) throw Failed(problems);
  return {{kDescription, modelDescriptionXml(description)},
          {binaryName(description.modelIdentifier), runtime},
          {kModel, model.text},
          {"documentation/index.html", documentationHtml(description, model)}};
}

std::vector<std::string> problemsOf(const Entries& entries) {
  std::vector<std::string> problems;
  Identity identity;
  if (const auto xml = entries.find(kDescription); xml == entries.end()) {
    problems.push_back(std::string(kDescription) + ": missing");
  } else {
    identity = readIdentity(xml->second);
    if (!identity.problem.empty()) problems.push_back(std::string(kDescription) + ": " + identity.problem);
  }
  if (!identity.modelIdentifier.empty()) {
    const std::string name = binaryName(identity.modelIdentifier);
    const auto binary = entries.find(name);
    if (binary == entries.end()) {
      problems.push_back(name + ": missing");
    } else if (!binary->second.starts_with("\x7f"
                                           "ELF")) {
      problems.push_back(name + ": not a shared object");
    }
  }
  const auto text = entries.find(kModel);
  if (text == entries.end()) {
    problems.push_back(std::string(kModel) + ": missing");
    return problems;
  }
  Diagnostics diagnostics(kModel);
  const std::shared_ptr<const Model> model = readModel(text->second, diagnostics);
  if (!model) {
    problems.push_back(diagnostics.text());
    return problems;
  }
  if (!identity.token.empty() && describeModel(*model).token != identity.token &&
      describeModel(*model, Vectors::arrays).token != identity.token) {
    problems.push_back(std::string(kDescription) + ": instantiationToken does not belong to " + kModel +
                       "; export the model again");
  }
  return problems;
}

}  // namespace mbfmu
