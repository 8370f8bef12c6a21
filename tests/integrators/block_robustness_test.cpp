// The block integrator where others fail: units far from one, masses far apart, stiff springs, fast spins, systems at
// rest, long runs, and multipliers without spikes.
#include <gtest/gtest.h>

#include "integrators/block_integrator.h"
#include "tests/problems/reference_problems.h"

namespace mbfmu {
namespace {

BlockIntegrator started(const System& system, const State& y, const Tolerances& tolerances,
                        const BlockOptions& options = {}) {
  BlockIntegrator integrator(options);
  integrator.setTolerances(tolerances);
  integrator.start(system, 0, y, consistentRates(system, 0, y));
  return integrator;
}

void run(BlockIntegrator& integrator, const System& system, double end) {
  while (integrator.time() < end) {
    const Failure failure = integrator.step(system, end);
    ASSERT_FALSE(failure) << describe(failure, system);
  }
}

// Andrews' mechanism with other units of mass and length: forces and torques scale along.
class RescaledAndrews : public AndrewsAbsolute {
 public:
  RescaledAndrews(double massUnit, double lengthUnit) : length_(lengthUnit) {
    for (Body& body : body_) body = {body.mass * massUnit, body.inertia * massUnit * lengthUnit * lengthUnit};
    for (Joint& joint : joint_) joint = {joint.i, scaled(joint.onI), joint.j, scaled(joint.onJ)};
    for (Spring& spring : spring_)
      spring = {spring.i, scaled(spring.onI), scaled(spring.ground), spring.stiffness * massUnit,
                spring.length * lengthUnit};
    for (Torque& torque : torque_) torque.value *= massUnit * lengthUnit * lengthUnit;
  }
  State initial() const {
    State y = AndrewsAbsolute::initial();
    for (int i = 0; i < 21; ++i)
      if (i % 3 != 2) y.q[i] *= length_;
    return y;
  }

 private:
  Point scaled(const Point& p) const { return {p.x * length_, p.y * length_}; }
  double length_;
};

TEST(BlockRobustness, UnitsOfMassDoNotMatter) {
  for (const double unit : {1e-9, 1e-6, 1e6, 1e9}) {
    const RescaledAndrews system(unit, 1);
    BlockIntegrator integrator = started(system, system.initial(), {1e-6, 1e-6, 1e-6, 1e-6});
    run(integrator, system, 0.03);
    EXPECT_LT(AndrewsData::relativeError(AndrewsAbsolute::angles(integrator.state())), 1e-6) << unit;
    EXPECT_NEAR(static_cast<double>(integrator.statistics().newtonIterations), 281, 15) << unit;
  }
}

TEST(BlockRobustness, UnitsOfLengthDoNotMatter) {
  for (const double unit : {1e-6, 1e-3, 1e3, 1e6}) {
    const RescaledAndrews system(1, unit);
    BlockIntegrator integrator = started(system, system.initial(), {1e-6, 1e-6 * unit, 1e-6 * unit, 1e-6});
    run(integrator, system, 0.03);
    EXPECT_LT(AndrewsData::relativeError(AndrewsAbsolute::angles(integrator.state())), 1e-5) << unit;
    EXPECT_LE(integrator.statistics().steps, 80) << unit;
  }
}

// Bars of 1e6 and 1e-6 kg by turns.
class UnevenChain : public Chain {
 public:
  explicit UnevenChain(int count, double ratio) : Chain(count) {
    for (std::size_t i = 0; i < body_.size(); ++i) {
      const double mass = i % 2 == 0 ? 1.0 : ratio;
      body_[i] = {mass, mass / 12};
    }
  }
  double energy(const State& y) const {
    double sum = 0;
    for (std::size_t i = 0; i < body_.size(); ++i) {
      const auto v = y.v.segment<3>(static_cast<Eigen::Index>(3 * i));
      sum += 0.5 * body_[i].mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * body_[i].inertia * v[2] * v[2] +
             body_[i].mass * 9.81 * y.q[static_cast<Eigen::Index>(3 * i + 1)];
    }
    return sum;
  }
};

TEST(BlockRobustness, MassesFarApart) {
  for (const double ratio : {1e-6, 1e6}) {
    const UnevenChain system(4, ratio);
    BlockIntegrator integrator = started(system, system.initial(), {1e-7, 1e-7, 1e-7, 1e-7});
    const double before = system.energy(integrator.state());
    run(integrator, system, 1);
    EXPECT_LT(std::abs(system.energy(integrator.state()) - before), 1e-4 * std::max(1.0, ratio)) << ratio;
    Vector c(system.dimensions().m);
    system.constraints(1, integrator.state(), Level::position, c);
    EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-9) << ratio;
  }
}

// A mass in space that a spring of any stiffness and damping holds to its place.
class Oscillator : public DenseSystem {
 public:
  Oscillator(double stiffness, double damping) : DenseSystem({1, 1, 0, 0}), k_(stiffness), d_(damping) {}

 protected:
  void evaluate(double t, const State& y, const Rates&, Terms& k) const override {
    k.M.setIdentity();
    k.Q << -k_ * (y.q[0] - std::sin(t)) - d_ * (y.v[0] - std::cos(t));
    k.force_q << k_;
    k.Q_v << -d_;
  }

 private:
  double k_, d_;
};

// The fast part dies at once, the slow one is a sine: the steps follow that.
TEST(BlockRobustness, StiffSprings) {
  for (const double stiffness : {1e6, 1e8, 1e10, 1e12, 1e14}) {
    const Oscillator system(stiffness, 2 * std::sqrt(stiffness));
    State y{Vector::Zero(1), Vector::Ones(1), Vector(0)};
    BlockIntegrator integrator = started(system, y, {1e-6, 1e-6, 1e-6, 1e-6});
    run(integrator, system, 10);
    EXPECT_NEAR(integrator.state().q[0], std::sin(10.0), 1e-5) << stiffness;
    EXPECT_LT(integrator.statistics().steps, 60) << stiffness;
  }
}

TEST(BlockRobustness, FastSpin) {
  const AsymmetricTop system;
  State y = AsymmetricTop::initial();
  y.v *= 5e3;  // 10,000 rad/s
  BlockIntegrator integrator = started(system, y, {1e-9, 1e-9, 1e-9, 1e-9});
  const Eigen::Vector3d before = AsymmetricTop::momentum(y);
  run(integrator, system, 0.1);
  EXPECT_LT((AsymmetricTop::momentum(integrator.state()) - before).norm(), 1e-6 * before.norm());
  EXPECT_NEAR(integrator.state().q.norm(), 1, 1e-12);
}

// Nothing happens, and costs nothing.
TEST(BlockRobustness, AtRest) {
  const AsymmetricTop top;
  State still = AsymmetricTop::initial();
  still.v.setZero();
  BlockIntegrator free = started(top, still, {1e-6, 1e-6, 1e-6, 1e-6});
  run(free, top, 1e6);
  EXPECT_EQ(free.state().v, still.v);
  EXPECT_EQ(free.state().q, still.q);
  EXPECT_LT(free.statistics().steps, 20);

  const Chain chain(3);
  State hanging = chain.initial();
  for (int i = 0; i < 3; ++i) hanging.q.segment(3 * i, 3) << 0, -(i + 0.5), -M_PI / 2;
  BlockIntegrator integrator = started(chain, hanging, {1e-6, 1e-6, 1e-6, 1e-6});
  run(integrator, chain, 1000);
  EXPECT_LT((integrator.state().q - hanging.q).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(integrator.statistics().steps, 100);
}

// 50 s of a double pendulum: energy does not wander off, the constraints stay met.
TEST(BlockRobustness, LongRun) {
  const TwoLink system;
  BlockIntegrator integrator = started(system, TwoLink::initial(), {1e-8, 1e-8, 1e-8, 1e-8});
  run(integrator, system, 50);
  EXPECT_NEAR(TwoLink::energy(integrator.state()), TwoLink::energy(TwoLink::initial()), 1e-5);
  Vector c(4);
  for (const Level level : {Level::position, Level::velocity}) {
    system.constraints(50, integrator.state(), level, c);
    EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-9);
  }
}

// The largest error of the multipliers over all step ends, against those that belong to the state there.
double multiplierError(const BlockOptions& options) {
  const TwoLink system;
  BlockIntegrator integrator = started(system, TwoLink::initial(), {1e-6, 1e-6, 1e-6, 1e-6}, options);
  double worst = 0;
  while (integrator.time() < 5) {
    const Failure failure = integrator.step(system, 5);
    EXPECT_FALSE(failure) << describe(failure, system);
    if (failure) break;
    const Rates exact = consistentRates(system, integrator.time(), integrator.state());
    worst = std::max(worst, (integrator.rates().lambda - exact.lambda).norm() / (1 + exact.lambda.norm()));
  }
  return worst;
}

TEST(BlockMultipliers, FreeOfTheSpikesOfIndex3) {
  const double index1 = multiplierError({.level = Level::acceleration}), index2 = multiplierError({}),
               stabilised = multiplierError({.stabilised = true}), index3 = multiplierError({.level = Level::position});
  RecordProperty("index1", std::to_string(index1));
  RecordProperty("index2", std::to_string(index2));
  RecordProperty("stabilised", std::to_string(stabilised));
  RecordProperty("index3", std::to_string(index3));
  EXPECT_LT(index1, 1e-4);
  EXPECT_LT(index2, 1e-3);
  EXPECT_LT(stabilised, 1e-3);
  EXPECT_GT(index3, 10 * index2);
}

// The vibration of the flexible rod itself to four digits.
TEST(BlockSliderCrank, FourDigits) {
  for (const bool damped : {true, false}) {
    const ReferenceProblem problem = sliderCrank(damped);
    const double rtol = damped ? 1e-9 : 1e-11;
    BlockIntegrator integrator = started(*problem.system, problem.initial, problem.tolerances(rtol));
    run(integrator, *problem.system, problem.end);
    EXPECT_LT(problem.error(integrator.state()), 1e-4);
  }
}

// Counts at rtol = atol = 1e-4, 1e-6, 1e-8; they may differ a little where products and sums are contracted.
TEST(BlockAndrews, StepCounts) {
  const auto steps = [](const ReferenceProblem& problem, double rtol, const BlockOptions& options) {
    BlockIntegrator integrator = started(*problem.system, problem.initial, problem.tolerances(rtol), options);
    run(integrator, *problem.system, problem.end);
    return static_cast<double>(integrator.statistics().steps);
  };
  const double rtol[] = {1e-4, 1e-6, 1e-8}, small[] = {30, 43, 66}, large[] = {32, 47, 68};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(steps(andrewsMinimal(), rtol[i], {}), small[i], 2);
    EXPECT_NEAR(steps(andrewsAbsolute(), rtol[i], {}), large[i], 2);
  }
}

}  // namespace
}  // namespace mbfmu
