// Snapshots at random points along runs of the examples: restored, in memory and from bytes, and repeated with the same
// bits, with every integrator.
#include <gtest/gtest.h>

#include "tests/fmu_src/fuzz.h"
#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

constexpr fmi3ValueReference firstInput = 1000000, firstOutput = 2000000;

class Driver {
 public:
  explicit Driver(const std::string& text)
      : model_(modelOf(text)), step_(model_->experiment.step), values_(model_->outputs.size()) {
    for (std::size_t i = 0; i < values_.size(); ++i) outputs_.push_back(firstOutput + static_cast<unsigned>(i));
  }

  // Steps number `from` to `to` begin at t and have inputs and sizes by their number. Returns the time at the end; adds
  // outputs and work counts to `all`.
  double operator()(Fmu& fmu, double t, unsigned from, unsigned to, std::vector<double>& all) {
    for (unsigned k = from; k < to; ++k) {
      for (unsigned i = 0; i < model_->inputs.size(); ++i) {
        EXPECT_EQ(fmu.set(firstInput + i, k % 4 == 0 ? 0.02 * (k % 7) : 0.03), fmi3OK);
      }
      EXPECT_EQ(fmu.step(t, (k % 3 == 0 ? 1.3 : 0.4) * step_), fmi3OK) << (fmu.messages.empty() ? "" : fmu.messages[0]);
      t = fmu.lastSuccessfulTime;
      EXPECT_EQ(FMI(fmi3GetFloat64)(fmu, outputs_.data(), outputs_.size(), values_.data(), values_.size()), fmi3OK);
      all.insert(all.end(), values_.begin(), values_.end());
      all.push_back(fmu.get(steps));
    }
    return t;
  }

 private:
  std::shared_ptr<const Model> model_;
  double step_;
  std::vector<fmi3ValueReference> outputs_;
  std::vector<double> values_;
};

class Snapshots : public testing::TestWithParam<Variant> {};

TEST_P(Snapshots, RepeatBitForBit) {
  const Variant& variant = GetParam();
  const bool plain = variant.option == 0;
  for (const char* name : {"two_link", "slider_crank", "quarter_car"}) {
    const std::string text = example(name);
    Driver run(text);
    Fmu fmu(true, text), other(true, text);
    choose(fmu, variant);
    for (const fmi3ValueReference tolerance : {relativeTolerance, absoluteTolerance}) {
      ASSERT_EQ(fmu.set(tolerance, 1e-5), fmi3OK);
    }
    fmu.toStepMode();
    Random random(7);
    double t = 0;
    std::vector<double> ignored;
    for (unsigned snapshot = 0; snapshot < (plain ? 200 : 20); ++snapshot) {
      const unsigned at = static_cast<unsigned>(random.below(4)), length = 1 + static_cast<unsigned>(random.below(3));
      t = run(fmu, t, snapshot, snapshot + at, ignored);
      fmi3FMUState state = nullptr;
      ASSERT_EQ(FMI(fmi3GetFMUState)(fmu, &state), fmi3OK);
      const Bytes bytes = save(fmu);
      EXPECT_LT(bytes.size(), 64u * 1024) << name;
      std::vector<double> first, again, elsewhere;
      const double end = run(fmu, t, 0, length, first);
      ASSERT_EQ(FMI(fmi3SetFMUState)(fmu, state), fmi3OK);
      run(fmu, t, 0, length, again);
      ASSERT_EQ(first, again) << name << ", snapshot " << snapshot;
      // Into an instance that has never been initialised, later into one that has gone elsewhere.
      ASSERT_EQ(load(other, bytes), fmi3OK);
      run(other, t, 0, length, elsewhere);
      ASSERT_EQ(first, elsewhere) << name << ", snapshot " << snapshot;
      ASSERT_EQ(FMI(fmi3FreeFMUState)(fmu, &state), fmi3OK);
      t = end;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryIntegrator, Snapshots, testing::ValuesIn(integratorVariants()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mbfmu::test
