// Saved midway and restored into a fresh integrator, the integration goes on with the same bits; what does not fit is
// refused.
#include <gtest/gtest.h>

#include "tests/integrators/every_integrator.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

Archive::Bytes saved(const System& system, Integrator& integrator) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  integrator.transfer(system, archive);
  return bytes;
}

bool restore(const System& system, const Archive::Bytes& bytes, std::size_t size, Integrator& integrator) {
  Archive archive = Archive::reader(bytes.data(), size);
  integrator.transfer(system, archive);
  return archive.finished();
}

void expectSameBits(const System& system, const Integrator& a, const Integrator& b) {
  EXPECT_EQ(a.time(), b.time());
  EXPECT_EQ(a.lastStepStart(), b.lastStepStart());
  State ya = a.state(), yb = ya;
  Rates wa = a.rates(), wb = wa;
  for (const double part : {0.0, 0.3, 1.0}) {
    const double t = a.time() + part * (a.lastStepStart() - a.time());
    a.interpolate(system, t, ya, wa);
    b.interpolate(system, t, yb, wb);
    EXPECT_EQ(ya.q, yb.q);
    EXPECT_EQ(ya.v, yb.v);
    EXPECT_EQ(ya.x, yb.x);
    EXPECT_EQ(wa.a, wb.a);
    EXPECT_EQ(wa.xdot, wb.xdot);
    EXPECT_EQ(wa.lambda, wb.lambda);
  }
}

// Steps, a cut, a jump: what an FMU asks for.
void goOn(Pendulum& system, Integrator& integrator, int steps) {
  for (int i = 0; i < steps; ++i) {
    ASSERT_FALSE(integrator.step(system, 1e9));
    if (i % 4 == 1) {
      ASSERT_FALSE(integrator.cutBack(system, 0.5 * (integrator.lastStepStart() + integrator.time())));
    }
    if (i % 4 == 3) {
      system.force = -system.force;
      ASSERT_FALSE(integrator.jump(system));
    }
  }
}

class Transfer : public testing::TestWithParam<Choice> {};

TEST_P(Transfer, GoesOnWithTheSameBits) {
  for (const int steps : {0, 1, 2, 7, 8}) {
    SCOPED_TRACE(testing::Message() << "saved after " << steps << " steps");
    Pendulum system;
    system.force = 1;
    const std::unique_ptr<Integrator> original = GetParam().make(), fresh = GetParam().make();
    original->setTolerances({1e-7, 1e-7, 1e-8, 1e-7});
    original->setLimits({.maxStep = 0.1});
    original->start(system, 0, Pendulum::initial(), consistentRates(system, 0, Pendulum::initial()));
    goOn(system, *original, steps);
    const Archive::Bytes bytes = saved(system, *original);
    ASSERT_TRUE(restore(system, bytes, bytes.size(), *fresh));
    expectSameBits(system, *original, *fresh);
    Pendulum other = system;
    goOn(system, *original, 20);
    goOn(other, *fresh, 20);
    expectSameBits(system, *original, *fresh);
    EXPECT_EQ(saved(system, *original), saved(system, *fresh));  // statistics and all
    EXPECT_GE(fresh->statistics().steps, 20 + steps);
  }
}

TEST_P(Transfer, ReplacesWhatTheIntegratorHeld) {
  const Pendulum system;
  const std::unique_ptr<Integrator> a = GetParam().make(), b = GetParam().make();
  for (const auto& integrator : {a.get(), b.get()})
    integrator->start(system, 0, Pendulum::initial(), consistentRates(system, 0, Pendulum::initial()));
  for (int i = 0; i < 9; ++i) ASSERT_FALSE(b->step(system, 1e9));
  const Archive::Bytes bytes = saved(system, *a);
  ASSERT_TRUE(restore(system, bytes, bytes.size(), *b));
  for (int i = 0; i < 9; ++i) ASSERT_FALSE(a->step(system, 1e9) || b->step(system, 1e9));
  expectSameBits(system, *a, *b);
}

TEST_P(Transfer, RefusesWhatDoesNotFit) {
  const Pendulum system;
  const TwoLink otherSystem;
  const std::unique_ptr<Integrator> integrator = GetParam().make();
  integrator->start(system, 0, Pendulum::initial(), consistentRates(system, 0, Pendulum::initial()));
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(integrator->step(system, 1e9));
  const Archive::Bytes bytes = saved(system, *integrator);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
    EXPECT_FALSE(restore(system, bytes, size, *GetParam().make())) << size << " of " << bytes.size();
  }
  EXPECT_FALSE(restore(otherSystem, bytes, bytes.size(), *GetParam().make()));
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 1 + i / 500) {  // no damage may crash
    Archive::Bytes damaged = bytes;
    damaged[i] ^= 0x55;
    restore(system, damaged, damaged.size(), *GetParam().make());
  }
}

std::string label(const testing::TestParamInfo<Choice>& info) { return info.param.label; }
INSTANTIATE_TEST_SUITE_P(Every, Transfer, testing::ValuesIn(everyIntegrator()), label);

}  // namespace
}  // namespace mbfmu
