// Saved midway and restored into a fresh integrator, the integration goes on with the same bits; what does not fit is
// refused.
#include <gtest/gtest.h>

#include <functional>

#include "integrators/block_integrator.h"
#include "integrators/generalized_alpha.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {
namespace {

using Maker = std::function<std::unique_ptr<Integrator>()>;

std::unique_ptr<Integrator> block(const BlockOptions& options) { return std::make_unique<BlockIntegrator>(options); }
std::unique_ptr<Integrator> alpha(const GeneralizedAlphaOptions& options) {
  return std::make_unique<GeneralizedAlpha>(options);
}

const std::vector<Maker>& makers() {
  static const std::vector<Maker> list = {
      [] { return block({}); },
      [] { return block({.r = 3, .nodes = Nodes::chebyshev, .k = 1, .level = Level::acceleration}); },
      [] { return block({.r = 4, .nodes = Nodes::legendre, .k = 3, .level = Level::position}); },
      [] { return block({.r = 8, .k = 7, .fixedStep = 0.03}); },
      [] { return alpha({}); },
      [] { return alpha({.variant = AlphaVariant::hht, .rho = 0.9, .level = Level::position, .fixedStep = 0.01}); }};
  return list;
}

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

TEST(Transfer, GoesOnWithTheSameBits) {
  for (std::size_t i = 0; i < makers().size(); ++i) {
    for (const int steps : {0, 1, 2, 7, 8}) {
      SCOPED_TRACE(testing::Message() << "maker " << i << ", saved after " << steps << " steps");
      Pendulum system;
      system.force = 1;
      const std::unique_ptr<Integrator> original = makers()[i](), fresh = makers()[i]();
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
      EXPECT_GT(fresh->statistics().newtonIterations, 20);
    }
  }
}

TEST(Transfer, ReplacesWhatTheIntegratorHeld) {
  const Pendulum system;
  for (const Maker& make : makers()) {
    const std::unique_ptr<Integrator> a = make(), b = make();
    for (const auto& integrator : {a.get(), b.get()})
      integrator->start(system, 0, Pendulum::initial(), consistentRates(system, 0, Pendulum::initial()));
    for (int i = 0; i < 9; ++i) ASSERT_FALSE(b->step(system, 1e9));
    const Archive::Bytes bytes = saved(system, *a);
    ASSERT_TRUE(restore(system, bytes, bytes.size(), *b));
    for (int i = 0; i < 9; ++i) ASSERT_FALSE(a->step(system, 1e9) || b->step(system, 1e9));
    expectSameBits(system, *a, *b);
  }
}

TEST(Transfer, RefusesWhatDoesNotFit) {
  const Pendulum system;
  const TwoLink otherSystem;
  for (const Maker& make : makers()) {
    const std::unique_ptr<Integrator> integrator = make();
    integrator->start(system, 0, Pendulum::initial(), consistentRates(system, 0, Pendulum::initial()));
    for (int i = 0; i < 3; ++i) ASSERT_FALSE(integrator->step(system, 1e9));
    const Archive::Bytes bytes = saved(system, *integrator);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
      EXPECT_FALSE(restore(system, bytes, size, *make())) << size << " of " << bytes.size();
    }
    EXPECT_FALSE(restore(otherSystem, bytes, bytes.size(), *make()));
    for (std::size_t i = 0; i + 8 <= bytes.size(); ++i) {  // no damage may crash
      Archive::Bytes damaged = bytes;
      damaged[i] ^= 0x55;
      restore(system, damaged, damaged.size(), *make());
    }
  }
}

}  // namespace
}  // namespace mbfmu
