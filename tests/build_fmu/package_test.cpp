#include "build_fmu/package.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace mbfmu {
namespace {

namespace fs = std::filesystem;

class Package : public testing::Test {
 protected:
  Package() { fs::create_directory(folder_); }
  ~Package() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  long files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("mbfmu_package_" + std::to_string(getpid()));
};

const Entries kEntries = {
    {"modelDescription.xml", "<a/>"}, {"binaries/x/y.so", std::string(100'000, 'b')}, {"empty", ""}};

TEST_F(Package, ReadsBackWhatItWrote) {
  writePackage(path("a.fmu"), kEntries);
  std::vector<std::string> problems;
  EXPECT_EQ(readPackage(path("a.fmu"), problems), kEntries);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(files(), 1);
}

TEST_F(Package, EqualEntriesGiveEqualBytes) {
  writePackage(path("a.fmu"), kEntries);
  writePackage(path("b.fmu"), kEntries);
  EXPECT_EQ(readFile(path("a.fmu")), readFile(path("b.fmu")));
}

TEST_F(Package, LeavesNothingBehindWhenItFails) {
  fs::create_directory(path("taken"));
  EXPECT_THROW(writePackage(path("taken"), kEntries), FileError);
  EXPECT_THROW(writeFile(path("taken"), "text"), FileError);
  EXPECT_THROW(writePackage(path("missing/a.fmu"), kEntries), FileError);
  EXPECT_EQ(files(), 1);
}

TEST_F(Package, RefusesDamagedArchives) {
  std::vector<std::string> problems;
  writePackage(path("a.fmu"), kEntries);
  const std::string bytes = readFile(path("a.fmu"));
  writeFile(path("cut.fmu"), bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(readPackage(path("cut.fmu"), problems), FileError);
  writeFile(path("text.fmu"), "text");
  EXPECT_THROW(readPackage(path("text.fmu"), problems), FileError);
  EXPECT_THROW(readPackage(path("absent.fmu"), problems), FileError);
}

}  // namespace
}  // namespace mbfmu
