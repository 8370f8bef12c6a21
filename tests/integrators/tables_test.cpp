// The tables of the L-stable block papers, digit for digit where they reproduce.
#include <gtest/gtest.h>

#include "tests/problems/paper_tables.h"

namespace mbfmu {
namespace {

TEST(PaperTables, AreReproduced) {
  for (const PaperRow& row : paperRows()) {
    SCOPED_TRACE("table " + row.table + ", " + row.row);
    const Drifts ours = reproduce(row);
    const auto compare = [](const char* printed, double reference, double value, const char* what) {
      if (std::isnan(reference)) return;
      EXPECT_NEAR(value, reference, 1e-3 * reference) << what;
      const std::string text = printed;  // and the digits the paper has: 0.0021 is anything that rounds to it
      const bool decimal = text.find('e') == std::string::npos;
      const double unit = decimal ? std::pow(10.0, -static_cast<double>(text.size() - text.find('.') - 1)) : 0;
      const double read = std::stod(text);
      EXPECT_NEAR(value, read, decimal ? 0.501 * unit : 1e-3 * read) << what;
    };
    compare(row.printed.energy, row.reference.energy, ours.energy, "energy");
    compare(row.printed.position, row.reference.position, ours.position, "position");
    compare(row.printed.velocity, row.reference.velocity, ours.velocity, "velocity");
    compare(row.printed.acceleration, row.reference.acceleration, ours.acceleration, "acceleration");
    // What the level enforces holds as well as Newton's iteration is solved; accelerations count 1/h of velocities.
    if (row.level == Level::acceleration) {
      EXPECT_LT(ours.acceleration, 1e-9);
    } else {
      EXPECT_LT(row.level == Level::velocity ? ours.velocity : ours.position, 1e-12);
    }
  }
}

// Table 1, h = 0.001: errors of the size of round-off, which differs from machine to machine.
TEST(PaperTables, TheFinestRowIsReproducedToRoundOff) {
  for (const PaperRow& row : paperRows()) {
    if (row.h != 0.001) continue;
    const Drifts ours = reproduce(row);
    EXPECT_NEAR(ours.energy, 5.5e-11, 0.5e-11);
    EXPECT_LT(ours.position, 5e-12);
    EXPECT_LT(ours.velocity, 3e-12);
    EXPECT_LT(ours.acceleration, 1e-12);
    return;
  }
  FAIL() << "no such row";
}

TEST(PaperTables, RadauAndLobattoMethodsAreAsGoodAsTheyShouldBe) {
  for (const ComparisonRow& row : comparisonRows()) {
    const Drifts ours = reproduce(row);
    const auto compare = [&](double reference, double value) {
      if (std::isnan(reference)) return;
      EXPECT_NEAR(value, reference, 1e-3 * reference) << row.name;
    };
    compare(row.reference.energy, ours.energy);
    compare(row.reference.position, ours.position);
    compare(row.reference.velocity, ours.velocity);
  }
}

// Table 6: the A-stable formula has no bounded solution at position level.
TEST(PaperTables, AStableIndex3Diverges) {
  const Drifts ours =
      reproduce({.table = "6", .row = "", .k = 4, .level = Level::position, .printed = {}, .reference = {}});
  EXPECT_GT(ours.energy, 1e3);
}

}  // namespace
}  // namespace mbfmu
