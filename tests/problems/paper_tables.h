// The tables of the L-stable block papers (Li, Ding, Li 2019; tables 1 to 7): two_link for 10 s with fixed steps, and
// the largest values over all step ends of |H - H(0)|, |Phi|, |Phi_q v + Phi_t| and |Phi_q a - gamma|.
//
// Read as: second joint relative to body 1, infinity norms, r = 4 is the (2,4), r = 3 the (1,3) Pade formula,
// consistent a_0 and lambda_0, the start rate of a step the end rate of the one before, no projection.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "integrators/block_integrator.h"
#include "integrators/explicit_integrator.h"
#include "tests/integrators/test_systems.h"

namespace mbfmu {

struct Drifts {
  double energy = 0, position = 0, velocity = 0, acceleration = 0;
};

// The four values of a row as the paper prints them, "" where it prints none.
struct Printed {
  const char *energy = "", *position = "", *velocity = "", *acceleration = "";
};

// Where the paper prints fewer than five digits, the reference has more, from a computation independent of this code.
// NaN: round-off in the paper, or not printed.
struct PaperRow {
  std::string table, row;
  bool block = true;  // else the classical Runge-Kutta method
  Nodes nodes = Nodes::equidistant;
  int r = 4, k = 2;
  Level level = Level::acceleration;
  double h = 0.01;
  Printed printed;
  Drifts reference;
};

inline std::vector<PaperRow> paperRows() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr auto equi = Nodes::equidistant, cheb = Nodes::chebyshev, leg = Nodes::legendre;
  constexpr auto i1 = Level::acceleration, i2 = Level::velocity, i3 = Level::position;
  return {{"1",
           "h = 0.01",
           true,
           equi,
           4,
           2,
           i1,
           0.01,
           {"7.0007e-05", "6.8459e-07", "3.7480e-07", "5.6595e-12"},
           {7.0007e-5, 6.8459e-7, 3.7480e-7, none}},
          {"1",
           "h = 0.005",
           true,
           equi,
           4,
           2,
           i1,
           0.005,
           {"8.8078e-07", "1.9154e-09", "6.6686e-09", "1.9846e-12"},
           {8.8078e-7, 1.9154e-9, 6.6686e-9, none}},
          {"1",
           "h = 0.001",
           true,
           equi,
           4,
           2,
           i1,
           0.001,
           {"5.5074e-11", "7.6766e-13", "4.1800e-13", "1.4211e-13"},
           {none, none, none, none}},
          {"2",
           "r = 3",
           true,
           equi,
           3,
           1,
           i1,
           0.01,
           {"0.0021", "5.8212e-05", "3.9267e-04", "6.2629e-12"},
           {2.1449e-3, 5.8212e-5, 3.9267e-4, none}},
          {"3",
           "ERK4",
           false,
           equi,
           4,
           2,
           i1,
           0.01,
           {"0.2628", "0.0087", "0.0021", "9.9476e-14"},
           {0.26276, 8.7134e-3, 2.0681e-3, none}},
          {"4",
           "index 2",
           true,
           equi,
           4,
           2,
           i2,
           0.01,
           {"3.2163e-05", "4.3949e-09", "1.7764e-14", "0.0704"},
           {3.2163e-5, 4.3949e-9, none, 7.0402e-2}},
          {"4",
           "index 3",
           true,
           equi,
           4,
           2,
           i3,
           0.01,
           {"0.0011", "2.7756e-15", "5.9405e-04", "0.9854"},
           {1.0830e-3, none, 5.9405e-4, 0.98536}},
          {"5",
           "Chebyshev, index 3",
           true,
           cheb,
           4,
           2,
           i3,
           0.01,
           {"4.3245e-05", "2.9976e-15", "1.8094e-04", "0.6880"},
           {4.3245e-5, none, 1.8094e-4, 0.68804}},
          {"5",
           "Legendre, index 3",
           true,
           leg,
           4,
           2,
           i3,
           0.01,
           {"2.5327e-04", "2.8866e-15", "2.9047e-04", "0.7560"},
           {2.5327e-4, none, 2.9047e-4, 0.75599}},
          {"6",
           "A-stable, index 1",
           true,
           equi,
           4,
           4,
           i1,
           0.01,
           {"3.8045e-05", "2.3863e-07", "2.0615e-07", "5.6648e-12"},
           {3.8045e-5, 2.3863e-7, 2.0615e-7, none}},
          {"6",
           "A-stable, index 2",
           true,
           equi,
           4,
           4,
           i2,
           0.01,
           {"1.1145e-05", "1.6059e-09", "1.7729e-14", "0.0214"},
           {1.1145e-5, 1.6059e-9, none, 2.1420e-2}}};
}

// Stops early, at infinity, if a step fails.
inline Drifts measureDrifts(Integrator& integrator, double rtol, double end = 10) {
  const TwoLink system;
  const State start = TwoLink::initial();
  integrator.setTolerances({rtol, rtol, rtol, rtol});
  integrator.start(system, 0, start, consistentRates(system, 0, start));
  Drifts worst;
  Vector c(4), r(10);
  const auto largest = [](double& value, const auto& v) { value = std::max(value, v.cwiseAbs().maxCoeff()); };
  while (integrator.time() < end) {
    if (integrator.step(system, end)) {
      worst.energy = std::numeric_limits<double>::infinity();
      return worst;
    }
    const State& y = integrator.state();
    worst.energy = std::max(worst.energy, std::abs(TwoLink::energy(y) - TwoLink::energy(start)));
    system.constraints(integrator.time(), y, Level::position, c);
    largest(worst.position, c);
    system.constraints(integrator.time(), y, Level::velocity, c);
    largest(worst.velocity, c);
    system.residual(integrator.time(), y, integrator.rates(), Level::acceleration, r);
    c = r.tail(4);
    largest(worst.acceleration, c);
  }
  return worst;
}

inline Drifts reproduce(const PaperRow& row) {
  const double rtol = row.level == Level::position ? 1e-10 : 1e-12;
  if (!row.block) {
    ExplicitIntegrator integrator({.order = 4, .stabilisation = Stabilisation::none, .fixedStep = row.h});
    return measureDrifts(integrator, rtol);
  }
  BlockIntegrator integrator({.r = row.r,
                              .nodes = row.nodes,
                              .k = row.k,
                              .level = row.level,
                              .project = false,
                              .fixedStep = row.h,
                              .toRoundOff = true});
  return measureDrifts(integrator, rtol);
}

// Table 7 with Radau and Lobatto methods as they are: index 1, h = 0.01. References of an independent computation where
// there is one, for energy, position and velocity.
struct ComparisonRow {
  std::string name;
  Formula formula = Formula::block;  // on Radau nodes: Radau IIA
  int stages = 3;
  Drifts reference;
};

inline std::vector<ComparisonRow> comparisonRows() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {{"Radau IA s = 2", Formula::radauIA, 2, {none, none, none, none}},
          {"Radau IA s = 3", Formula::radauIA, 3, {4.4205e-4, none, none, none}},
          {"Radau IA s = 4", Formula::radauIA, 4, {none, none, none, none}},
          {"Radau IIA s = 2", Formula::block, 2, {3.8659e-2, none, none, none}},
          {"Radau IIA s = 3", Formula::block, 3, {1.3007e-4, 2.9589e-7, 3.8254e-6, none}},
          {"Radau IIA s = 4", Formula::block, 4, {none, none, none, none}},
          {"Lobatto IIIC s = 2", Formula::lobattoIIIC, 2, {none, none, none, none}},
          {"Lobatto IIIC s = 3", Formula::lobattoIIIC, 3, {4.2721e-3, none, none, none}},
          {"Lobatto IIIC s = 4", Formula::lobattoIIIC, 4, {none, none, none, none}}};
}

inline Drifts reproduce(const ComparisonRow& row) {
  BlockIntegrator integrator({.r = row.stages,
                              .k = row.stages - 1,
                              .formula = row.formula,
                              .level = Level::acceleration,
                              .project = false,
                              .fixedStep = 0.01});
  return measureDrifts(integrator, 1e-12);
}

}  // namespace mbfmu
