// Andrews' mechanism from its model file, driven over a grid of communication points: what a master sees of it, and
// what is exact.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fmu_src/simulation.h"
#include "integrators/consistency.h"
#include "integrators/integrator_registry.h"
#include "multibody/reader.h"

namespace mbfmu {

constexpr double kCommunicationEnd = 0.03, kNominalTorque = 0.033;

inline std::shared_ptr<const Model> andrewsModel() {
  Diagnostics diagnostics("andrews.json");
  return readModelFile(std::string(MBFMU_SOURCE_DIR) + "/examples/andrews.json", diagnostics);
}

// The drive torque on each of the intervals between communication points.
struct Drive {
  std::vector<double> times, torque;  // one time more than intervals
  int points() const { return static_cast<int>(torque.size()); }
  double time(int k) const { return times[static_cast<std::size_t>(k)]; }
};

// The same torque all the time, over an even grid.
inline Drive constantDrive(int points) {
  Drive drive{{0}, std::vector<double>(static_cast<std::size_t>(points), kNominalTorque)};
  for (int k = 1; k <= points; ++k) drive.times.push_back(kCommunicationEnd * k / points);
  return drive;
}

// A number in [-1, 1] for each k, the same on every machine.
inline double scattered(int k) {
  std::uint64_t x = 0x9E3779B97F4A7C15u * (static_cast<std::uint64_t>(k) + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

// Another torque within +-5 % at every `every`-th point.
inline Drive randomDrive(int points, int every = 1) {
  Drive drive = constantDrive(points);
  for (int k = 0; k < points; ++k) drive.torque[static_cast<std::size_t>(k)] *= 1 + 0.05 * scattered(k / every);
  return drive;
}

// The torque reversed at 20 times.
inline Drive reversingDrive() {
  constexpr int reversals = 20;
  Drive drive{{0}, {}};
  for (int k = 1; k <= reversals; ++k) drive.times.push_back(kCommunicationEnd * (k - 0.37) / (reversals + 0.6));
  drive.times.push_back(kCommunicationEnd);
  for (int k = 0; k <= reversals; ++k) drive.torque.push_back(k % 2 == 0 ? kNominalTorque : -kNominalTorque);
  return drive;
}

// The mechanism's seven angles at the points, one column each, and the work.
struct Course {
  std::string problem;
  Eigen::MatrixXd angles;
  Statistics statistics;
  double seconds = 0;  // if measured
};

inline std::unique_ptr<Simulation> simulationOf(const std::shared_ptr<const Model>& model,
                                                const std::string& integrator, double rtol,
                                                const std::vector<std::pair<std::string, std::string>>& options = {}) {
  Diagnostics diagnostics("model");
  auto simulation = Simulation::create(model, diagnostics);
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", rtol);
  std::string problem = simulation->setSolverOption("integrator", integrator);
  for (const char* tolerance : {"rtol", "atol"})
    if (problem.empty()) problem = simulation->setSolverOption(tolerance, text);
  for (const auto& [key, value] : options)
    if (problem.empty()) problem = simulation->setSolverOption(key, value);
  if (problem.empty()) problem = simulation->initialise(0);
  return problem.empty() ? std::move(simulation) : nullptr;
}

inline Course follow(Simulation& simulation, const Drive& drive) {
  Course course{"", Eigen::MatrixXd(7, drive.points()), {}};
  for (int k = 0; k < drive.points() && course.problem.empty(); ++k) {
    simulation.setInput(0, drive.torque[static_cast<std::size_t>(k)]);
    course.problem = simulation.advanceTo(drive.time(k + 1));
    course.angles.col(k) = simulation.outputs().head(7);
  }
  course.statistics = simulation.statistics();
  return course;
}

// The same with tight tolerances and every interval an integration of its own.
inline Course exactCourse(const std::shared_ptr<const Model>& model, const Drive& drive, const std::string& name,
                          const std::map<std::string, std::string>& options, double rtol = 1e-12) {
  Diagnostics diagnostics("model");
  Course course{"", Eigen::MatrixXd(7, drive.points()), {}};
  const auto mechanism = Mechanism::build(model, diagnostics);
  auto integrator = makeIntegrator(name, options, course.problem);
  const InitialConditions initial = findInitialConditions(*mechanism, 0);
  if (!integrator || !initial.ok) return course;
  integrator->setTolerances({rtol, rtol, rtol, rtol});
  State y = initial.y;
  Rates w = initial.w;
  Vector outputs = Vector::Zero(static_cast<Eigen::Index>(model->outputs.size()));
  ConsistencySolver consistency;
  consistency.setUp(*mechanism);
  for (int k = 0; k < drive.points() && course.problem.empty(); ++k) {
    mechanism->setInput(0, drive.torque[static_cast<std::size_t>(k)]);
    if (!consistency.factor(*mechanism, drive.time(k), y, w) ||
        !consistency.solveRates(*mechanism, drive.time(k), y, w))
      course.problem = "no consistent rates";
    integrator->start(*mechanism, drive.time(k), y, w);
    while (integrator->time() < drive.time(k + 1) && course.problem.empty()) {
      if (const Failure failure = integrator->step(*mechanism, drive.time(k + 1)))
        course.problem = describe(failure, *mechanism);
    }
    y = integrator->state();
    w = integrator->rates();
    mechanism->outputs(drive.time(k + 1), y, w, outputs);
    course.angles.col(k) = outputs.head(7);
  }
  course.statistics = integrator->statistics();
  return course;
}

// The largest difference of an angle over all points, relative to the largest value of that angle.
inline double largestError(const Course& course, const Course& exact) {
  const Vector scale = exact.angles.cwiseAbs().rowwise().maxCoeff();
  return ((course.angles - exact.angles).array().colwise() / scale.array()).abs().maxCoeff();
}

}  // namespace mbfmu
