#include "build_fmu/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "build_fmu/package.h"

namespace mbfmu {
namespace {

TEST(Table, InterpolatesAndHoldsTheEnds) {
  const Table table = parseCsv("in.csv", "time, a,\"b\"\r\n0,1,10\r\n2,3,20\r\n");
  ASSERT_EQ(table.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.at(0, -1), 1);
  EXPECT_EQ(table.at(0, 0), 1);
  EXPECT_EQ(table.at(0, 1), 2);
  EXPECT_EQ(table.at(1, 0.5), 12.5);
  EXPECT_EQ(table.at(1, 2), 20);
  EXPECT_EQ(table.at(1, 3), 20);
}

TEST(Table, RefusesWhatIsNotATable) {
  for (const char* text : {"", "t,a\n0,1\n", "time,a\n", "time,a\n0\n", "time,a\n0,1,2\n", "time,a\n0,x\n",
                           "time,a\n0,inf\n", "time,a\n1,0\n0,0\n", "time,a\n0,\n"}) {
    EXPECT_THROW(parseCsv("in.csv", text), FileError) << text;
  }
}

TEST(Table, NumbersReadBackAsTheSameBits) {
  for (const double value : {0.1, -1.0 / 3, 1e-300, 12345678.9, std::nextafter(1.0, 2.0), 0.0}) {
    EXPECT_EQ(std::stod(number(value)), value);
    EXPECT_EQ(std::stod(shortNumber(value)), value);
  }
}

}  // namespace
}  // namespace mbfmu
