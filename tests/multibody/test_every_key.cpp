// The reader uses every key of the schema: a name that means nothing is found wherever it is put.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "multibody/json_text.h"
#include "multibody/reader.h"

using namespace mbfmu;

namespace {

constexpr const char* kNonsense = "no_such_name";

bool isForPeopleOnly(const std::string& path) {
  return path == "/$schema" || path == "/name" || path.ends_with("/description") ||
         path.starts_with("/solver/integrator") || path.starts_with("/solver/m") ||
         path.starts_with("/solver/initial");  // the integrator checks its options
}

// Every number and word in the document; a model without it is not read.
void poisonEach(Json& node, const std::string& path, const std::function<void(const std::string&)>& check) {
  if (node.is_structured()) {
    for (auto item : node.items()) poisonEach(item.value(), path + "/" + item.key(), check);
  } else if (!node.is_boolean() && !isForPeopleOnly(path)) {
    const Json kept = std::exchange(node, Json(kNonsense));
    check(path);
    node = kept;
  }
}

TEST(EveryKey, IsReadWithItsMeaning) {
  int files = 0, places = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MBFMU_SOURCE_DIR "/tests/multibody/models")) {
    if (!entry.path().string().ends_with("_every_key.json")) continue;
    ++files;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    Diagnostics diagnostics("model");
    ASSERT_TRUE(readModel(text.str(), diagnostics)) << diagnostics.text();
    Json document = parseJson(text.str(), diagnostics);
    poisonEach(document, "", [&](const std::string& path) {
      Diagnostics poisoned("model");
      EXPECT_FALSE(readModel(document.dump(), poisoned)) << path;
      const auto here = [&](const Diagnostic& error) { return path.starts_with(error.path); };
      EXPECT_TRUE(std::any_of(poisoned.errors().begin(), poisoned.errors().end(), here)) << path << "\n"
                                                                                         << poisoned.text();
      ++places;
    });
  }
  EXPECT_GE(files, 1);
  EXPECT_GE(places, 100);
}

}  // namespace
