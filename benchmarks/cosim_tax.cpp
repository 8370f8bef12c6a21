// What communication points cost: Andrews' mechanism (21 + 20 unknowns) over [0, 0.03] s in 1, 10, 100 and 1000
// communication steps, with the same torque all the time and with another one, within +-5 %, at every point. All runs
// in one process, relative to the run with N = 1; SUNDIALS IDA re-initialised at the points, and merely stopped there.
//   cosim_tax [--quick] [--rtol R] [--json FILE]
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "benchmarks/ida_solver.h"
#include "tests/problems/communication.h"

namespace mbfmu {
namespace {

constexpr int kPoints[] = {1, 10, 100, 1000};
constexpr double kLongest = 1.5;  // seconds for the repetitions of one run
constexpr double kReferenceAgreement = 1e-9;

double cpuTime() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Method {
  std::string name;
  bool keepsPace;  // makes sense when nothing changes
  // Timed by the caller; what can be prepared is.
  std::function<std::function<Course(const Drive&)>(const std::shared_ptr<const Model>&, double rtol)> prepare;
};

Method ours(const std::string& label, const std::string& integrator,
            const std::vector<std::pair<std::string, std::string>>& options) {
  return {label, true, [=](const std::shared_ptr<const Model>& model, double rtol) {
            std::shared_ptr<Simulation> simulation = simulationOf(model, integrator, rtol, options);
            return [simulation](const Drive& drive) {
              Simulation run(*simulation);
              const double before = cpuTime();
              Course course = follow(run, drive);
              course.seconds = cpuTime() - before;
              return course;
            };
          }};
}

enum class AtPoint { reinitialise, stop, passBy };

Course followWithIda(Mechanism& mechanism, const InitialConditions& initial, double rtol, AtPoint atPoint,
                     const Drive& drive) {
  Course course{"", Eigen::MatrixXd(7, drive.points()), {}};
  Vector outputs = Vector::Zero(static_cast<Eigen::Index>(mechanism.model().outputs.size()));
  const double before = cpuTime();
  mechanism.setInput(0, drive.torque[0]);
  ConsistencySolver consistency;
  consistency.setUp(mechanism);
  Rates w = initial.w;
  consistency.factor(mechanism, 0, initial.y, w);
  consistency.solveRates(mechanism, 0, initial.y, w);
  IdaSolver ida(mechanism, initial.y, w, {rtol, rtol, rtol, rtol}, IdaLinearSolver::klu);
  for (int k = 0; k < drive.points(); ++k) {
    const double torque = drive.torque[static_cast<std::size_t>(k)];
    if (atPoint == AtPoint::reinitialise && k > 0 && torque != mechanism.input(0)) {
      mechanism.setInput(0, torque);
      const State y = ida.state();
      w = ida.rates();
      consistency.factor(mechanism, drive.time(k), y, w);
      consistency.solveRates(mechanism, drive.time(k), y, w);
      ida.restart(drive.time(k), y, w);
    }
    mechanism.setInput(0, torque);
    if (!ida.advance(drive.time(k + 1), atPoint != AtPoint::passBy)) course.problem = "IDA failed";
    mechanism.outputs(drive.time(k + 1), ida.state(), ida.rates(), outputs);
    course.angles.col(k) = outputs.head(7);
  }
  course.statistics = ida.statistics();
  course.seconds = cpuTime() - before;
  return course;
}

Method ida(const std::string& label, AtPoint atPoint) {
  return {label, atPoint != AtPoint::reinitialise, [=](const std::shared_ptr<const Model>& model, double rtol) {
            Diagnostics diagnostics("model");
            std::shared_ptr<Mechanism> mechanism = Mechanism::build(model, diagnostics);
            const auto initial = std::make_shared<InitialConditions>(findInitialConditions(*mechanism, 0));
            return [=](const Drive& drive) { return followWithIda(*mechanism, *initial, rtol, atPoint, drive); };
          }};
}

std::vector<Method> methods() {
  return {ours("lstable", "lstable", {}),
          ours("lstable r=3", "lstable", {{"r", "3"}}),
          ours("bdf", "bdf", {}),
          ours("generalized-alpha", "generalized-alpha", {}),
          ours("explicit", "explicit", {}),
          ida("IDA re-initialised", AtPoint::reinitialise),
          ida("IDA with stop time", AtPoint::stop),
          ida("IDA passing by", AtPoint::passBy)};
}

struct Row {
  std::string method, drive, problem;
  int points = 0;
  double seconds = 1e300, largest = 0;
  Statistics statistics;
};

nlohmann::json toJson(const Row& row) {
  return {{"method", row.method},
          {"inputs", row.drive},
          {"points", row.points},
          {"problem", row.problem},
          {"cpu_seconds", row.seconds},
          {"largest_error", row.largest},
          {"steps", row.statistics.steps},
          {"rejected_steps", row.statistics.rejectedSteps},
          {"newton_iterations", row.statistics.newtonIterations},
          {"residual_evaluations", row.statistics.residualEvaluations},
          {"jacobian_evaluations", row.statistics.jacobianEvaluations},
          {"factorizations", row.statistics.factorizations},
          {"warm_restarts", row.statistics.warmRestarts}};
}

// The four grids in turn, so that a busy machine spoils all of them alike.
std::vector<Row> measure(const Method& method, const std::shared_ptr<const Model>& model, double rtol,
                         const std::string& label, const std::vector<Drive>& drives, const std::vector<Course>& exact,
                         bool quick) {
  const auto run = method.prepare(model, rtol);
  std::vector<Row> rows(drives.size());
  double spent = 0;
  for (int repetition = 0; repetition == 0 || (!quick && repetition < 25 && spent < kLongest); ++repetition) {
    for (std::size_t i = 0; i < drives.size(); ++i) {
      const Course course = run(drives[i]);
      Row& row = rows[i];
      row = {method.name,
             label,
             course.problem,
             drives[i].points(),
             std::min(row.seconds, course.seconds),
             largestError(course, exact[i]),
             course.statistics};
      spent += course.seconds;
    }
  }
  return rows;
}

void print(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    std::printf(
        "%-20s %5d  cpu %9.3f ms (%6.2f)  error %7.1e  steps %5ld - %3ld  newton %5ld  res %6ld  jac %5ld  lu %5ld%s\n",
        row.method.c_str(), row.points, 1e3 * row.seconds, row.seconds / rows.front().seconds, row.largest,
        row.statistics.steps, row.statistics.rejectedSteps, row.statistics.newtonIterations,
        row.statistics.residualEvaluations, row.statistics.jacobianEvaluations, row.statistics.factorizations,
        row.problem.empty() ? "" : ("  FAILED: " + row.problem).c_str());
}

int run(bool quick, double rtol, const std::string& json) {
  const auto model = andrewsModel();
  std::vector<Row> all;
  for (const bool changing : {false, true}) {
    std::vector<Drive> drives;
    std::vector<Course> exact;
    double doubt = 0;
    for (const int points : kPoints) {
      drives.push_back(changing ? randomDrive(points) : constantDrive(points));
      exact.push_back(exactCourse(model, drives.back(), "lstable", {{"r", "7"}}));
      doubt = std::max(doubt, largestError(exactCourse(model, drives.back(), "explicit", {}), exact.back()));
    }
    const std::string label = changing ? "random" : "constant";
    std::printf("%s torque, rtol %.0e; references agree to %.1e\n", label.c_str(), rtol, doubt);
    if (!(doubt < kReferenceAgreement)) std::fprintf(stderr, "the references disagree\n");
    if (!(doubt < kReferenceAgreement)) return 1;
    for (const Method& method : methods()) {
      if (!changing && !method.keepsPace) continue;
      const std::vector<Row> rows = measure(method, model, rtol, label, drives, exact, quick);
      print(rows);
      all.insert(all.end(), rows.begin(), rows.end());
    }
    std::printf("\n");
  }
  const auto seconds = [&all](const std::string& method) {
    for (const Row& row : all)
      if (row.method == method && row.drive == "random" && row.points == 1000) return row.seconds;
    return 0.0;
  };
  std::printf("IDA re-initialised at 1000 points takes %.1f times as long as lstable\n",
              seconds("IDA re-initialised") / seconds("lstable"));
  if (json.empty()) return 0;
  nlohmann::json rows = nlohmann::json::array();
  for (const Row& row : all) rows.push_back(toJson(row));
  std::ofstream file(json);
  file << rows.dump(1) << '\n';
  if (!file) std::fprintf(stderr, "%s: cannot be written\n", json.c_str());
  return file ? 0 : 1;
}

}  // namespace
}  // namespace mbfmu

int main(int count, char** words) {
  bool quick = false;
  double rtol = 1e-6;
  std::string json;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--quick") {
      quick = true;
    } else if (word == "--json" && i + 1 < count) {
      json = words[++i];
    } else if (word == "--rtol" && i + 1 < count) {
      rtol = std::atof(words[++i]);
    } else {
      std::fprintf(stderr, "usage: cosim_tax [--quick] [--rtol R] [--json FILE]\n");
      return 2;
    }
  }
  return mbfmu::run(quick, rtol, json);
}
