#include <gtest/gtest.h>

#include <numbers>

#include "multibody/units.h"

namespace mbfmu {
namespace {

using Exponents = std::array<int, 8>;  // kg m s A K mol cd rad

BaseUnit parsed(const std::string& text) {
  BaseUnit unit;
  EXPECT_EQ(parseUnit(text, unit), "");
  return unit;
}

TEST(Units, ProductsPowersAndQuotients) {
  EXPECT_EQ(parsed("N.m.s/rad").exponents, (Exponents{1, 2, -1, 0, 0, 0, 0, -1}));
  EXPECT_EQ(parsed("kg.m2").exponents, (Exponents{1, 2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(parsed("m/s2").exponents, (Exponents{0, 1, -2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(parsed("m.s-2").exponents, (Exponents{0, 1, -2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(parsed("W/(m2.K)").exponents, (Exponents{1, 0, -3, 0, -1, 0, 0, 0}));
  EXPECT_EQ(parsed("1/s").exponents, (Exponents{0, 0, -1, 0, 0, 0, 0, 0}));
}

TEST(Units, FactorsAndOffsets) {
  EXPECT_DOUBLE_EQ(parsed("deg").factor, std::numbers::pi / 180);
  EXPECT_DOUBLE_EQ(parsed("rpm").factor, std::numbers::pi / 30);
  EXPECT_DOUBLE_EQ(parsed("mm2").factor, 1e-6);
  EXPECT_DOUBLE_EQ(parsed("kN.m").factor, 1e3);
  EXPECT_DOUBLE_EQ(parsed("min").factor, 60);
  EXPECT_EQ(parsed("kg").factor, 1);
  EXPECT_EQ(parsed("degC").offset, 273.15);
}

TEST(Units, RefusesWhatItDoesNotUnderstandAndKeepsTheOldValue) {
  for (const char* text : {"", "furlong", "N.", "/s", "N.m/s.kg", "m^2", "(m", "m)", "degC/s", "s-", "m2000"}) {
    BaseUnit unit;
    unit.factor = 7;
    EXPECT_NE(parseUnit(text, unit), "") << text;
    EXPECT_EQ(unit.factor, 7);
  }
}

}  // namespace
}  // namespace mbfmu
