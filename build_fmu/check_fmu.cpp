#include "build_fmu/check_fmu.h"

#include "build_fmu/compare_xml.h"
#include "build_fmu/elf.h"
#include "build_fmu/fmu_contents.h"
#include "build_fmu/model_description_xml.h"
#include "model_description/description.h"
#include "multibody/mechanism.h"
#include "multibody/reader.h"

namespace mbfmu {
namespace {

class FmuCheck {
 public:
  explicit FmuCheck(const Entries& entries) : entries_(entries) {}

  std::vector<std::string> problems() {
    names();
    description();
    binary();
    model();
    return std::move(problems_);
  }

 private:
  void add(const std::string& entry, const std::string& problem) { problems_.push_back(entry + ": " + problem); }

  const std::string* find(const std::string& name) {
    const auto entry = entries_.find(name);
    if (entry != entries_.end()) return &entry->second;
    add(name, "missing");
    return nullptr;
  }

  // What would leave the folder that the FMU is unpacked to, or is no path at all elsewhere.
  void names() {
    for (const auto& [name, contents] : entries_) {
      const bool outside = name.starts_with("/") || name.starts_with("../") || name.find("/../") != std::string::npos;
      if (outside) add(name, "leads out of the FMU");
      if (name.find('\\') != std::string::npos) add(name, "contains a backslash; folders are separated by slashes");
    }
  }

  void description() {
    const std::string* xml = find(kDescription);
    if (!xml) return;
    identity_ = readIdentity(*xml);
    if (!identity_.problem.empty()) add(kDescription, identity_.problem);
  }

  void binary() {
    if (identity_.modelIdentifier.empty()) return;
    const std::string name = binaryName(identity_.modelIdentifier);
    if (const std::string* contents = find(name)) {
      for (const std::string& problem : binaryProblems(*contents)) add(name, problem);
    }
  }

  void model() {
    const std::string* text = find(kModel);
    if (!text) return;
    Diagnostics diagnostics(kModel);
    const std::shared_ptr<const Model> model = readModel(*text, diagnostics);
    if (model) Mechanism::build(model, diagnostics);
    if (!diagnostics.ok()) {
      problems_.push_back(diagnostics.text());
      return;
    }
    // The description of a model with arrays differs, and so does its token.
    Vectors vectors = Vectors::scalars;
    if (!identity_.token.empty() && describeModel(*model).token != identity_.token) {
      vectors = Vectors::arrays;
      if (describeModel(*model, vectors).token != identity_.token) {
        vectors = Vectors::scalars;
        add(kDescription, std::string("instantiationToken does not belong to ") + kModel + "; export the model again");
      }
    }
    for (const auto& [name, contents] : fmuContents(kModel, *model, "", vectors)) compare(name, contents);
  }

  void compare(const std::string& name, const std::string& expected) {
    if (name == kModel || name.starts_with("binaries/")) return;
    const auto entry = entries_.find(name);
    if (entry == entries_.end()) {
      if (name != kDescription) add(name, "missing");
      return;
    }
    const bool described = name == kDescription || name == kTerminals;
    if (!described || (name == kDescription && !identity_.problem.empty())) return;
    for (const std::string& difference : differences(entry->second, expected)) add(name, difference);
  }

  const Entries& entries_;
  Identity identity_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> problemsOf(const Entries& entries) { return FmuCheck(entries).problems(); }

}  // namespace mbfmu
