// States as bytes: restored elsewhere they go on with the same bits; what does not belong here is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

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
