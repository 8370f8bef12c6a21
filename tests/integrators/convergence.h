// Measured orders of convergence: errors at the end of runs with fixed steps against a far more accurate solution, and
// the slope of log(error) over log(h).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "integrators/integrator.h"
#include "tests/integrators/test_systems.h"
#include "tests/problems/andrews_minimal.h"
#include "tests/problems/pendulums.h"

namespace mbfmu {

struct ConvergenceProblem {
  std::string name;
  std::shared_ptr<const System> system;
  State initial;
  double end = 0;
};

// The last one has a constraint that depends on time.
inline std::vector<ConvergenceProblem> convergenceProblems() {
  return {{"two_link", std::make_shared<TwoLink>(), TwoLink::initial(), 1},
          {"andrews", std::make_shared<AndrewsMinimal>(), AndrewsMinimal::initial(), 0.015},
          {"driven pendulum", std::make_shared<DrivenPendulum>(), DrivenPendulum::initial(), 2}};
}

// Makes an integrator with the given fixed step.
using FixedStepMaker = std::function<std::unique_ptr<Integrator>(double h)>;

// At the ends of the four quarters of a run, one column each: so that no error passes for small because it changes
// sign.
struct Solution {
  bool ok = false;
  Eigen::MatrixXd q, v, lambda;
};
inline constexpr int kQuarters = 4;

// rtol stops Newton's iteration: as small as round-off lets it. steps: per quarter.
inline Solution solve(const ConvergenceProblem& problem, const FixedStepMaker& make, double rtol, int steps) {
  const Dimensions n = problem.system->dimensions();
  Solution s{false, Eigen::MatrixXd(n.nq, kQuarters), Eigen::MatrixXd(n.nv, kQuarters),
             Eigen::MatrixXd(n.m, kQuarters)};
  const auto integrator = make(problem.end / (kQuarters * steps));
  integrator->setTolerances({rtol, rtol, rtol, rtol});
  integrator->start(*problem.system, 0, problem.initial, consistentRates(*problem.system, 0, problem.initial));
  for (int quarter = 0; quarter < kQuarters; ++quarter) {
    const double end = problem.end * (quarter + 1) / kQuarters;
    while (integrator->time() < end)
      if (integrator->step(*problem.system, end)) return s;
    s.q.col(quarter) = integrator->state().q;
    s.v.col(quarter) = integrator->state().v;
    s.lambda.col(quarter) = integrator->rates().lambda;
  }
  s.ok = true;
  return s;
}

// Least-squares slopes of all runs of four successive h whose errors stand clear of round-off: their median, or the one
// at the finest h if that is larger. One error that happens to be small, or h that are too long, do not matter then.
class Slope {
 public:
  explicit Slope(double roundOff) : roundOff_(roundOff) {}
  // False if the error is lost in round-off.
  bool add(double h, double error) {
    if (!(error > roundOff_)) return false;
    h_.push_back(std::log(h));
    error_.push_back(std::log(error));
    return true;
  }
  std::size_t points() const { return h_.size(); }
  double value() const {
    std::vector<double> slopes;
    for (std::size_t first = 0; first + kWindow <= points(); ++first) slopes.push_back(slope(first));
    if (slopes.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double finest = slopes.back();
    std::nth_element(slopes.begin(), slopes.begin() + static_cast<long>(slopes.size() / 2), slopes.end());
    return std::max(slopes[slopes.size() / 2], finest);
  }

 private:
  static constexpr std::size_t kWindow = 4;
  double slope(std::size_t first) const {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = first; i < first + kWindow; ++i) {
      x += h_[i];
      y += error_[i];
      xx += h_[i] * h_[i];
      xy += h_[i] * error_[i];
    }
    return (kWindow * xy - x * y) / (kWindow * xx - x * x);
  }
  double roundOff_;
  std::vector<double> h_, error_;
};

struct Slopes {
  Slope q, v, lambda;
};

// From `coarsest` steps per quarter on until round-off or `finest`. Steps too long for Newton's iteration are left out.
inline Slopes measureSlopes(const ConvergenceProblem& problem, const Solution& exact, const FixedStepMaker& make,
                            Level level, int coarsest, int finest) {
  constexpr double kFiner = 1.25;
  const bool index3 = level == Level::position;  // round-off of positions counts 1/h in v, 1/h^2 in lambda
  Slopes slopes{Slope(1e-9), Slope(index3 ? 1e-6 : 1e-9), Slope(index3 ? 1e-4 : 1e-8)};
  bool more = true;
  for (double count = coarsest; more && count <= finest; count = std::max(count + 1, kFiner * count)) {
    const int steps = static_cast<int>(std::lround(count));
    const Solution s = solve(problem, make, index3 ? 1e-10 : 1e-13, steps);
    if (!s.ok) continue;
    const auto error = [](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
      return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
    };
    const double h = problem.end / (kQuarters * steps);
    more = slopes.q.add(h, error(s.q, exact.q));
    more = slopes.v.add(h, error(s.v, exact.v)) || more;
    more = slopes.lambda.add(h, error(s.lambda, exact.lambda)) || more;
  }
  return slopes;
}

}  // namespace mbfmu
