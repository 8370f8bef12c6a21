#include "fmu_src/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mbfmu {
namespace {

// First derivative from five equidistant samples (Abramowitz & Stegun, table 25.2), central and one-sided.
struct Stencil {
  std::array<int, 5> offsets;
  std::array<double, 5> first;
};
constexpr Stencil stencils[] = {{{-2, -1, 0, 1, 2}, {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12}},
                                {{0, 1, 2, 3, 4}, {-25.0 / 12, 48.0 / 12, -36.0 / 12, 16.0 / 12, -3.0 / 12}},
                                {{0, -1, -2, -3, -4}, {25.0 / 12, -48.0 / 12, 36.0 / 12, -16.0 / 12, 3.0 / 12}}};
constexpr std::array<double, 5> second = {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12};

Vector combine(const std::array<Vector, 5>& samples, const std::array<double, 5>& weights, double scale) {
  // The weights add up to zero: differences make the derivative of what is constant exactly zero.
  Vector sum = weights[1] * (samples[1] - samples[0]);
  for (std::size_t i = 2; i < 5; ++i) sum += weights[i] * (samples[i] - samples[0]);
  return sum / scale;
}

// Parameters may enter in any way, inputs mostly enter linearly.
double increment(Source known, double value) {
  const double size = std::abs(value);
  if (known.kind == SourceKind::input) return 1e-2 * std::max(1.0, size);
  return size > 0 ? 1e-3 * size : 1e-3;
}

bool apply(Mechanism& mechanism, Source known, double value) {
  if (known.kind == SourceKind::parameter) return mechanism.setParameter(known.index, value).empty();
  mechanism.setInput(known.index, value);
  return true;
}

}  // namespace

bool Sensitivity::solveRates(const Simulation& simulation) {
  const Mechanism& mechanism = simulation.mechanism();
  const double t = simulation.time();
  rates_ = simulation.rates();
  solver_.setUp(mechanism);
  return solver_.factor(mechanism, t, simulation.state(), rates_) &&
         solver_.solveRates(mechanism, t, simulation.state(), rates_);
}

bool Sensitivity::byKnown(const Simulation& simulation, Source known, Vector& derivative) {
  const double t = simulation.time();
  const State& y = simulation.state();
  if (!solveRates(simulation)) return false;
  const Rates& w = rates_;
  const Mechanism& mechanism = simulation.mechanism();
  const Dimensions n = mechanism.dimensions();
  const double value = simulation.value(known), delta = increment(known, value);

  lu_.setPattern(n.unknowns(), mechanism.pattern());
  mechanism.linearise(t, y, w, Level::acceleration, p_);
  std::copy(p_.p0.begin(), p_.p0.end(), lu_.entries.begin());
  if (!lu_.factor()) return false;

  // One-sided where the other side makes no sense, such as a negative damping.
  for (const Stencil& stencil : stencils) {
    moved_ = mechanism.clone();
    const auto sample = [&](auto evaluate) {
      for (std::size_t i = 0; i < 5; ++i) {
        if (!apply(*moved_, known, value + stencil.offsets[i] * delta)) return false;
        evaluate(stencil.offsets[i] * delta, samples_[i]);
        if (!samples_[i].allFinite()) return false;
      }
      return true;
    };
    if (!sample([&](double, Vector& r) { moved_->residual(t, y, w, Level::acceleration, r); })) continue;
    const Vector rhs = -combine(samples_, stencil.first, delta);
    std::copy(rhs.begin(), rhs.end(), lu_.rhs.begin());
    lu_.solve();
    const Eigen::Map<const Vector> dw(lu_.solution.data(), n.unknowns());
    const auto outputs = [&](double step, Vector& values) {
      w_.a = w.a + step * dw.head(n.nv);
      w_.xdot = w.xdot + step * dw.segment(n.nv, n.nx);
      w_.lambda = w.lambda + step * dw.tail(n.m);
      moved_->outputs(t, y, w_, values);
    };
    if (!sample(outputs)) continue;
    derivative = combine(samples_, stencil.first, delta);
    return true;
  }
  return false;
}

bool Sensitivity::ofInitialValues(const Simulation& simulation, double startTime, Source known, Vector& derivative) {
  const double value = simulation.value(known), delta = increment(known, value);
  for (const Stencil& stencil : stencils) {
    const auto sample = [&](std::size_t i) {
      Simulation moved(simulation);
      const Change change{known, value + stencil.offsets[i] * delta};
      if (!moved.change({&change, 1}).empty() || !moved.initialise(startTime).empty()) return false;
      samples_[i] = moved.outputs();
      return samples_[i].allFinite();
    };
    bool all = true;
    for (std::size_t i = 0; i < 5 && all; ++i) all = sample(i);
    if (!all) continue;
    derivative = combine(samples_, stencil.first, delta);
    return true;
  }
  return false;
}

bool Sensitivity::along(const Simulation& simulation, double offset, Vector& outputs) {
  const Mechanism& mechanism = simulation.mechanism();
  const State& y = simulation.state();
  const Rates& w = rates_;
  const Dimensions n = mechanism.dimensions();
  const double t = simulation.time() + offset, half = offset * offset / 2;
  theta_ = offset * y.v + half * w.a;
  mechanism.advance(y.q, theta_, y_.q);
  y_.v = y.v + offset * w.a + half * jerk_.head(n.nv);
  y_.x = y.x + offset * w.xdot + half * jerk_.tail(n.nx);
  w_ = w;
  if (!solver_.factor(mechanism, t, y_, w_) || !solver_.solveRates(mechanism, t, y_, w_)) return false;
  mechanism.outputs(t, y_, w_, outputs);
  return outputs.allFinite() && w_.a.allFinite() && w_.xdot.allFinite();
}

bool Sensitivity::byTime(const Simulation& simulation, Vector& first, Vector& secondDerivative) {
  const Mechanism& mechanism = simulation.mechanism();
  const Dimensions n = mechanism.dimensions();
  y_ = simulation.state();
  if (!solveRates(simulation)) return false;
  // The last step shows how fast the motion changes.
  const double delta = std::clamp(simulation.statistics().lastStepSize / 50, 1e-5, 1e-2);
  const Stencil& central = stencils[0];
  jerk_.setZero(n.nv + n.nx);
  Vector outputs;
  for (std::size_t i = 0; i < 5; ++i) {
    if (!along(simulation, central.offsets[i] * delta, outputs)) return false;
    samples_[i].resize(n.nv + n.nx);
    samples_[i] << w_.a, w_.xdot;
  }
  jerk_ = combine(samples_, central.first, delta);
  for (std::size_t i = 0; i < 5; ++i) {
    if (!along(simulation, central.offsets[i] * delta, samples_[i])) return false;
  }
  first = combine(samples_, central.first, delta);
  secondDerivative = combine(samples_, second, delta * delta);
  return true;
}

}  // namespace mbfmu
