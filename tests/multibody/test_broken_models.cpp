// Broken model files: each begins with the lines that a user is to read, and with no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "multibody/reader.h"

using namespace mbfmu;

namespace {

std::vector<std::filesystem::path> brokenModels() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MBFMU_SOURCE_DIR "/tests/multibody/broken")) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> sortedLines(std::istream& text, const std::string& prefix) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line) && line.starts_with(prefix);)
    lines.push_back(line.substr(prefix.size()));
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(BrokenModels, EachIsExplained) {
  const auto files = brokenModels();
  EXPECT_GE(files.size(), 100u);
  for (const auto& file : files) {
    std::ifstream text(file);
    const auto expected = sortedLines(text, "// ");
    EXPECT_FALSE(expected.empty()) << file;
    Diagnostics diagnostics("model");
    EXPECT_FALSE(readModelFile(file.string(), diagnostics)) << file;
    std::istringstream reported(diagnostics.text());
    EXPECT_EQ(sortedLines(reported, "model: "), expected) << file;
  }
}

struct Hostile {
  std::string text, message;
};

TEST(BrokenModels, HostileText) {
  const std::string deep(100000, '[');
  for (const Hostile& hostile :
       std::vector<Hostile>{{"", "the file is empty"},
                            {"{\n  \"name\": }", "line 2, column 11: not valid JSON"},
                            {"{\"name\": 1e999}", "line 1, column 10: the number 1e999 is too large"},
                            {"{\"name\": NaN}", "line 1, column 10: not valid JSON"},
                            {"{\"name\": \"a\xff\"}", "line 1, column 12: not valid JSON: syntax error"},
                            {deep, "nested deeper than 64 levels"},
                            {"{\"name\": " + deep + std::string(100000, ']') + "}", "nested deeper than 64 levels"},
                            {"{\"a\": 1, \"b\": {\"c\": 1, \"c\": 2}}", "/b/c: \"c\" appears twice"},
                            {"{\"name\": \"" + std::string(100000, 'x'), "not valid JSON"}}) {
    Diagnostics diagnostics("model");
    EXPECT_FALSE(readModel(hostile.text, diagnostics));
    EXPECT_NE(diagnostics.text().find(hostile.message), std::string::npos) << diagnostics.text().substr(0, 500);
    EXPECT_LT(diagnostics.text().size(), 1000u);
  }
}

}  // namespace
