// The problems that integrators are measured on, each with an end time and the error there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "integrators/integrator.h"
#include "tests/integrators/planar_mechanisms.h"
#include "tests/integrators/test_systems.h"
#include "tests/problems/andrews_minimal.h"
#include "tests/problems/pendulums.h"
#include "tests/problems/slider_crank.h"

namespace mbfmu {

struct ReferenceProblem {
  std::string name;
  std::shared_ptr<const System> system;
  State initial;
  double end = 0;
  double atolPosition = 1, atolVelocity = 1;  // relative to rtol
  std::function<double(const State&)> error;

  Tolerances tolerances(double rtol) const { return {rtol, rtol * atolPosition, rtol * atolVelocity, rtol}; }
};

inline ReferenceProblem andrewsMinimal() {
  return {"andrews_7", std::make_shared<AndrewsMinimal>(), AndrewsMinimal::initial(), 0.03, 1, 1, [](const State& y) {
            return AndrewsData::relativeError(y.q);
          }};
}

inline ReferenceProblem andrewsAbsolute() {
  return {
      "andrews_21", std::make_shared<AndrewsAbsolute>(), AndrewsAbsolute::initial(), 0.03, 1, 1, [](const State& y) {
        return AndrewsData::relativeError(AndrewsAbsolute::angles(y));
      }};
}

// The vibration alone counts: what the modes do relative to their amplitudes.
inline ReferenceProblem sliderCrank(bool damped) {
  return {damped ? "slider_crank_damped" : "slider_crank",
          std::make_shared<SliderCrank>(damped),
          SliderCrank::initial(),
          0.1,
          0.01,
          100,
          [damped](const State& y) {
            const Vector d = (y.q - SliderCrank::end(damped)).cwiseAbs();
            return std::max(d.segment(3, 2).maxCoeff() / 2e-4, d.tail(2).maxCoeff() / 2e-5);
          }};
}

// Positions at t = 1 and t = 2 in quadruple precision.
inline Vector twoLinkAt(int t) {
  Vector q(6);
  if (t == 1)
    q << -0.410713150699204142939, -0.285157338749562655249, -2.53470376259002433119, -0.855455335269664788866,
        -1.43567126576421090640, -1.61009978882828570452;
  else
    q << -0.482714965717540941653, -0.130331354141331906185, -2.87788407571755047892, -0.106180468509465579284,
        -0.152540737980417041645, -6.15801017489294767867;
  return q;
}

inline ReferenceProblem twoLink() {
  return {"two_link", std::make_shared<TwoLink>(), TwoLink::initial(), 2, 1, 1, [](const State& y) {
            return (y.q - twoLinkAt(2)).cwiseAbs().maxCoeff();
          }};
}

// IFToMM A02, the tip of the first crank against the motion of the parallelogram: N = 2 at t = 4, N = 40 at t = 5.
inline ReferenceProblem fourBars(int count) {
  auto system = std::make_shared<FourBars>(count);
  Vector tip(2);
  if (count == 2)
    tip << 0.11761610237680861171, 0.99305913845132510096;
  else
    tip << -0.54019005067552627413, -0.84154305246444305486;
  const State start = system->initial();
  return {"four_bars_" + std::to_string(count),
          std::move(system),
          start,
          count == 2 ? 4.0 : 5.0,
          1,
          1,
          [tip](const State& y) { return (FourBars::tip(y) - tip).cwiseAbs().maxCoeff(); }};
}

inline ReferenceProblem cartesianPendulum() {
  return {"pendulum", std::make_shared<CartesianPendulum>(), CartesianPendulum::initial(), 1, 1, 1, [](const State& y) {
            return (y.q - CartesianPendulum::end().head(2)).cwiseAbs().maxCoeff();
          }};
}

inline std::vector<ReferenceProblem> referenceProblems() {
  return {andrewsMinimal(), andrewsAbsolute(), sliderCrank(true), sliderCrank(false),
          twoLink(),        fourBars(2),       fourBars(40),      cartesianPendulum()};
}

}  // namespace mbfmu
