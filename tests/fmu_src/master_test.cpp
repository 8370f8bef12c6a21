// A master as OMSimulator's with step size control: logging on, tolerance and stop time undefined, no event mode; every
// step is done whole and in halves from a saved state, and the halves are kept if the two agree. It always says that it
// will set no earlier state, and does so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

class Master {
 public:
  Master() { fmu_.toStepMode(); }

  // A controller of the angle, evaluated at communication points.
  void step(double h) {
    EXPECT_EQ(fmu_.set(torque, -5 * (fmu_.get(angle) - 1)), fmi3OK);
    EXPECT_EQ(fmu_.step(time_, h), fmi3OK);
    time_ += h;
  }

  // The sizes of the steps that were kept.
  std::vector<double> run(double end) {
    constexpr double tolerance = 1e-4;
    std::vector<double> kept;
    double h = 0.001;
    while (time_ < end) {
      const double begin = time_;
      EXPECT_EQ(FMI(fmi3GetFMUState)(fmu_, &state_), fmi3OK);
      step(h);
      const double whole = fmu_.get(angle);
      goBack(begin);
      step(h / 2);
      step(h / 2);
      const double error = std::abs(fmu_.get(angle) - whole);
      if (error > tolerance && h > 0.001) {
        goBack(begin);
        ++rejected_;
      } else {
        kept.insert(kept.end(), {h / 2, h / 2});
      }
      h = std::clamp(0.9 * h * std::sqrt(tolerance / std::max(error, 1e-12)), 0.001, 0.1);
    }
    EXPECT_EQ(FMI(fmi3FreeFMUState)(fmu_, &state_), fmi3OK);
    return kept;
  }

  void goBack(double time) {
    EXPECT_EQ(FMI(fmi3SetFMUState)(fmu_, state_), fmi3OK);
    time_ = time;
  }

  Fmu fmu_;
  fmi3FMUState state_ = nullptr;  // reused, as masters do
  double time_ = 0;
  int rejected_ = 0;
};

TEST(Master, WithStepSizeControlAndRollBack) {
  Master adaptive, straight;
  const std::vector<double> steps = adaptive.run(8);
  EXPECT_GT(adaptive.rejected_, 5);
  EXPECT_GT(*std::max_element(steps.begin(), steps.end()), 0.01);
  // A run that never goes back: the same bits, statistics and all.
  for (const double h : steps) straight.step(h);
  EXPECT_EQ(save(adaptive.fmu_), save(straight.fmu_));
  EXPECT_TRUE(adaptive.fmu_.messages.empty()) << adaptive.fmu_.messages[0];
}

}  // namespace
}  // namespace mbfmu::test
