// Bytes written are bytes read; damaged ones are refused without reading past the end.
#include "integrators/archive.h"

#include <gtest/gtest.h>

namespace mbfmu {
namespace {

enum class Kind { one, two };

struct Thing {
  double a = 0;
  int b = 0;
  bool c = false;
  Kind kind = Kind::one;
  std::string name;
  std::vector<double> list;
  std::vector<std::vector<int>> lists;
  Eigen::VectorXd vector{};
  Eigen::MatrixXd matrix{};
  Eigen::Vector3d fixed = Eigen::Vector3d::Zero();
  void transfer(Archive& archive) { archive(a, b, c, kind, name, list, lists, vector, matrix, fixed); }
};

Archive::Bytes written(Thing& thing) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  archive(thing);
  return bytes;
}

Thing example() {
  Thing thing{
      .a = 0.1, .b = -7, .c = true, .kind = Kind::two, .name = "arm", .list = {1, 2, 3}, .lists = {{1}, {}, {2, 3}}};
  thing.vector = Eigen::VectorXd::LinSpaced(4, 0, 1);
  thing.matrix = Eigen::MatrixXd::Identity(2, 3);
  thing.fixed << 1, 2, 3;
  return thing;
}

TEST(Archive, ReadsWhatWasWritten) {
  Thing thing = example(), back;
  const Archive::Bytes bytes = written(thing);
  Archive reader = Archive::reader(bytes.data(), bytes.size());
  reader(back);
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(written(back), bytes);
  EXPECT_EQ(back.lists, thing.lists);
  EXPECT_EQ(back.matrix, thing.matrix);
  EXPECT_EQ(back.kind, Kind::two);
}

TEST(Archive, RefusesEveryTruncation) {
  Thing thing = example();
  const Archive::Bytes bytes = written(thing);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Thing back;
    Archive reader = Archive::reader(bytes.data(), size);
    reader(back);
    EXPECT_FALSE(reader.ok()) << size << " of " << bytes.size();
  }
}

TEST(Archive, RefusesAbsurdSizes) {
  const Archive::Bytes bytes(64, 0xff);
  std::vector<double> list;
  Eigen::MatrixXd matrix{};
  Archive first = Archive::reader(bytes.data(), bytes.size());
  first(list);
  EXPECT_FALSE(first.ok());
  Archive second = Archive::reader(bytes.data(), bytes.size());
  second(matrix);
  EXPECT_FALSE(second.ok());
}

}  // namespace
}  // namespace mbfmu
