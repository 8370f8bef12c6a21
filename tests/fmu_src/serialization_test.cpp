// States as bytes: restored elsewhere they go on with the same bits; what does not belong here is refused.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "integrators/integrator_registry.h"
#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

using Bytes = std::vector<fmi3Byte>;

Bytes save(Fmu& fmu) {
  fmi3FMUState state = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(FMI(fmi3GetFMUState)(fmu, &state), fmi3OK);
  EXPECT_EQ(FMI(fmi3SerializedFMUStateSize)(fmu, state, &size), fmi3OK);
  Bytes bytes(size);
  EXPECT_EQ(FMI(fmi3SerializeFMUState)(fmu, state, bytes.data(), size), fmi3OK);
  EXPECT_EQ(FMI(fmi3FreeFMUState)(fmu, &state), fmi3OK);
  return bytes;
}

fmi3Status load(Fmu& fmu, const Bytes& bytes) {
  fmi3FMUState state = nullptr;
  const fmi3Status status = FMI(fmi3DeserializeFMUState)(fmu, bytes.data(), bytes.size(), &state);
  if (status != fmi3OK) return status;
  EXPECT_EQ(FMI(fmi3SetFMUState)(fmu, state), fmi3OK);
  return FMI(fmi3FreeFMUState)(fmu, &state);
}

double input(int k) { return k % 4 == 0 ? 0.3 * (k % 7) : 1.0; }
double stepSize(int k) { return k % 3 == 0 ? 0.013 : 0.004; }

// Time, and the outputs at the end of each step.
double run(Fmu& fmu, double t, int from, int to, std::vector<double>& values) {
  for (int k = from; k < to; ++k) {
    EXPECT_EQ(fmu.set(torque, input(k)), fmi3OK);
    EXPECT_EQ(fmu.step(t, stepSize(k)), fmi3OK);
    t = fmu.lastSuccessfulTime;
    for (const fmi3ValueReference reference : {angle, acceleration, energy}) values.push_back(fmu.get(reference));
  }
  return t;
}

class EveryIntegrator : public testing::TestWithParam<int> {};

TEST_P(EveryIntegrator, RandomSnapshotsRepeatBitForBit) {
  const fmi3Int64 choice = GetParam() + 1;
  Fmu fmu, other;
  ASSERT_EQ(FMI(fmi3SetInt64)(fmu, &integratorChoice, 1, &choice, 1), fmi3OK);
  fmu.toStepMode();
  std::mt19937 random(7);
  double t = 0;
  std::vector<double> ignored;
  for (int snapshot = 0; snapshot < 200; ++snapshot) {
    const int at = static_cast<int>(random() % 5), length = 1 + static_cast<int>(random() % 4);
    t = run(fmu, t, snapshot, snapshot + at, ignored);
    fmi3FMUState state = nullptr;
    ASSERT_EQ(FMI(fmi3GetFMUState)(fmu, &state), fmi3OK);
    const Bytes bytes = save(fmu);
    std::vector<double> first, again, elsewhere;
    const double end = run(fmu, t, 0, length, first);
    ASSERT_EQ(FMI(fmi3SetFMUState)(fmu, state), fmi3OK);
    run(fmu, t, 0, length, again);
    ASSERT_EQ(first, again) << "snapshot " << snapshot;
    // Into an instance that has never been initialised, later into one that has gone elsewhere.
    ASSERT_EQ(load(other, bytes), fmi3OK);
    run(other, t, 0, length, elsewhere);
    ASSERT_EQ(first, elsewhere) << "snapshot " << snapshot;
    ASSERT_EQ(FMI(fmi3FreeFMUState)(fmu, &state), fmi3OK);
    t = end;
  }
}

INSTANTIATE_TEST_SUITE_P(Serialization, EveryIntegrator, testing::Range(0, static_cast<int>(integrators().size())),
                         [](const auto& info) {
                           std::string name = integrators()[static_cast<std::size_t>(info.param)].name;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Serialization, HoldsModesTolerancesAndParameters) {
  Fmu fmu(Wishes{.eventMode = true}), other(Wishes{.eventMode = true});
  ASSERT_EQ(fmu.set(length, 0.8), fmi3OK);
  ASSERT_EQ(fmu.set(relativeTolerance, 1e-5), fmi3OK);
  Bytes bytes = save(fmu);  // Instantiated
  ASSERT_EQ(load(other, bytes), fmi3OK);
  other.initialise();
  EXPECT_EQ(other.get(length), 0.8);
  EXPECT_EQ(other.get(relativeTolerance), 1e-5);
  fmu.initialise(1);
  bytes = save(fmu);  // Initialization Mode
  ASSERT_EQ(load(other, bytes), fmi3OK);
  ASSERT_EQ(FMI(fmi3ExitInitializationMode)(other), fmi3OK);
  bytes = save(other);  // Event Mode
  ASSERT_EQ(load(fmu, bytes), fmi3OK);
  ASSERT_EQ(FMI(fmi3EnterStepMode)(fmu), fmi3OK);
  EXPECT_EQ(fmu.step(0, 0.5), fmi3OK);
  EXPECT_EQ(fmu.step(0.5, 0.6), fmi3Error);  // past the stop time, which travelled along
}

TEST(Serialization, RefusesForeignTruncatedAndDamagedBytes) {
  Fmu fmu;
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
  const Bytes good = save(fmu);
  EXPECT_LT(good.size(), 64u * 1024);
  const auto refused = [](const Bytes& bytes) {
    Fmu reader;
    return load(reader, bytes) == fmi3Error && reader.messages.size() == 1;
  };
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    EXPECT_TRUE(refused(Bytes(good.begin(), good.begin() + static_cast<long>(random() % good.size()))));
    Bytes damaged = good;
    damaged[random() % good.size()] ^= static_cast<fmi3Byte>(1 + random() % 255);
    EXPECT_TRUE(refused(damaged));
  }
  std::string model = pendulumText;
  model.replace(model.find("0.3,"), 4, "0.4,");
  Fmu foreign(true, model);
  EXPECT_EQ(load(foreign, good), fmi3Error);
}

// With a right checksum the contents decide, and must not lead anywhere else.
TEST(Serialization, SurvivesForgedContents) {
  Fmu fmu;
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.1), fmi3OK);
  const Bytes good = save(fmu);
  constexpr std::size_t header = 24;
  std::mt19937 random(5);
  int accepted = 0;
  for (int k = 0; k < 2000; ++k) {
    Bytes forged = good;
    for (int n = 0; n < 3; ++n) forged[header + random() % (good.size() - header)] = static_cast<fmi3Byte>(random());
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = header; i < forged.size(); ++i) hash = (hash ^ forged[i]) * 0x100000001b3;
    std::memcpy(forged.data() + 16, &hash, sizeof hash);
    Fmu reader(false);
    if (load(reader, forged) != fmi3OK) continue;
    ++accepted;
    reader.step(0.1, 0.001);
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace mbfmu::test
