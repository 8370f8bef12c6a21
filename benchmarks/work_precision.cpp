// CPU time over achieved error: the integrators of this project and SUNDIALS IDA on the reference problems, in one
// process.
//   work_precision [--quick] [--problem NAME] --json FILE
// Writes one row per run to FILE, one SVG per problem beside it, and prints the times relative to the first method at
// equal error.
#include <time.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "benchmarks/curves.h"
#include "benchmarks/ida_solver.h"
#include "benchmarks/svg_plot.h"
#include "integrators/integrator_registry.h"
#include "tests/problems/reference_problems.h"

namespace mbfmu {
namespace {

constexpr double kTargets[] = {1e-3, 1e-5, 1e-6, 1e-7};
constexpr double kLongest = 0.5;  // seconds for the repetitions of one run

struct Run {
  bool ok = false;
  State y;
  Statistics statistics;
};

struct Method {
  std::string name;
  std::function<Run(const ReferenceProblem& problem, const Rates& w, double rtol)> run;
};

double cpuTime() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Method ours(const std::string& label, const std::string& name, const std::map<std::string, std::string>& options) {
  return {label, [name, options](const ReferenceProblem& problem, const Rates& w, double rtol) {
            std::string fault;
            const auto integrator = makeIntegrator(name, options, fault);
            if (!integrator) std::fprintf(stderr, "%s\n", fault.c_str());
            if (!integrator) return Run{};
            integrator->setTolerances(problem.tolerances(rtol));
            integrator->setLimits({.maxSteps = 100'000});
            integrator->start(*problem.system, 0, problem.initial, w);
            Failure failure;
            while (integrator->time() < problem.end && !failure)
              failure = integrator->step(*problem.system, problem.end);
            return Run{!failure, integrator->state(), integrator->statistics()};
          }};
}

Method ida(const std::string& label, IdaLinearSolver solver) {
  return {label, [solver](const ReferenceProblem& problem, const Rates& w, double rtol) {
            const IdaResult r =
                runIda(*problem.system, problem.initial, w, problem.end, problem.tolerances(rtol), solver);
            return Run{r.ok, r.y, r.statistics};
          }};
}

std::vector<Method> methodsFor(const ReferenceProblem& problem) {
  std::vector<Method> methods;
  const auto known = [](const std::string& name) {
    for (const IntegratorInfo& info : integrators())
      if (info.name == name) return true;
    return false;
  };
  methods.push_back(ours("lstable", "lstable", {}));
  methods.push_back(ours("lstable r=3", "lstable", {{"r", "3"}}));
  if (known("bdf")) methods.push_back(ours("bdf", "bdf", {}));
  methods.push_back(ours("generalized-alpha", "generalized-alpha", {}));
  methods.push_back(ours("explicit 8", "explicit", {}));
  methods.push_back(ours("explicit 5", "explicit", {{"order", "5"}}));
  const int size = problem.system->dimensions().unknowns();
  if (size < 100) methods.push_back(ida("IDA dense", IdaLinearSolver::dense));
  if (size > 20) methods.push_back(ida("IDA KLU", IdaLinearSolver::klu));
  return methods;
}

Measurement measure(const ReferenceProblem& problem, const Method& method, double rtol, int repetitions) {
  const Rates w = consistentRates(*problem.system, 0, problem.initial);
  Measurement out{.problem = problem.name, .method = method.name, .rtol = rtol, .cpuSeconds = 1e300};
  double spent = 0;
  for (int i = 0; i < repetitions && spent < kLongest; ++i) {
    const double before = cpuTime();
    const Run run = method.run(problem, w, rtol);
    const double seconds = cpuTime() - before;
    spent += seconds;
    out.cpuSeconds = std::min(out.cpuSeconds, seconds);
    out.ok = run.ok;
    out.error = run.ok ? problem.error(run.y) : 0;
    out.steps = run.statistics.steps;
    out.newtonIterations = run.statistics.newtonIterations;
    out.jacobianEvaluations = run.statistics.jacobianEvaluations;
    out.factorizations = run.statistics.factorizations;
  }
  return out;
}

void print(const Measurement& m) {
  std::printf("%-20s %-18s %.0e  error %8.1e  cpu %9.3f ms  steps %6ld  newton %6ld  jac %5ld  lu %5ld%s\n",
              m.problem.c_str(), m.method.c_str(), m.rtol, m.error, 1e3 * m.cpuSeconds, m.steps, m.newtonIterations,
              m.jacobianEvaluations, m.factorizations, m.ok ? "" : "  FAILED");
}

// Rows: methods; columns: CPU time at equal error, in ms and relative to the first method.
void printRatios(const std::string& problem, const std::vector<Curve>& curves) {
  std::printf("\n%s: CPU ms at error (times the first row's)\n%-20s", problem.c_str(), "");
  for (const double target : kTargets) std::printf("%20.0e", target);
  std::printf("\n");
  for (const Curve& curve : curves) {
    std::printf("%-20s", curve.method.c_str());
    for (const double target : kTargets) {
      const auto cost = costAt(curve, target), first = costAt(curves.front(), target);
      if (cost && first)
        std::printf("%12.3f (%5.2f)", 1e3 * *cost, *cost / *first);
      else if (cost)
        std::printf("%12.3f        ", 1e3 * *cost);
      else
        std::printf("%20s", "-");
    }
    std::printf("\n");
  }
  std::printf("\n");
}

nlohmann::json toJson(const Measurement& m) {
  return {{"problem", m.problem},
          {"method", m.method},
          {"rtol", m.rtol},
          {"error", m.ok ? nlohmann::json(m.error) : nlohmann::json()},
          {"cpu_seconds", m.cpuSeconds},
          {"steps", m.steps},
          {"newton_iterations", m.newtonIterations},
          {"jacobian_evaluations", m.jacobianEvaluations},
          {"factorizations", m.factorizations}};
}

struct Arguments {
  bool quick = false, ok = true;
  std::string problem, json;
};

Arguments parse(int count, char** words) {
  Arguments a;
  for (int i = 1; i < count && a.ok; ++i) {
    const std::string word = words[i];
    if (word == "--quick")
      a.quick = true;
    else if ((word == "--problem" || word == "--json") && i + 1 < count)
      (word == "--json" ? a.json : a.problem) = words[++i];
    else
      a.ok = false;
  }
  a.ok = a.ok && !a.json.empty();
  return a;
}

int run(const Arguments& arguments) {
  std::vector<Measurement> all;
  const std::vector<double> rtols =
      arguments.quick ? std::vector<double>{1e-4, 1e-6} : std::vector<double>{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  bool found = false;
  for (const ReferenceProblem& problem : referenceProblems()) {
    if (!arguments.problem.empty() && arguments.problem != problem.name) continue;
    found = true;
    for (const Method& method : methodsFor(problem)) {
      for (const double rtol : rtols) {
        all.push_back(measure(problem, method, rtol, arguments.quick ? 1 : 9));
        print(all.back());
        if (all.back().cpuSeconds > 10 * kLongest) break;  // tighter tolerances only take longer
      }
    }
    const std::vector<Curve> curves = curvesOf(all, problem.name);
    printRatios(problem.name, curves);
    const std::string stem = arguments.json.substr(0, arguments.json.rfind(".json"));
    std::ofstream svg(stem + "_" + problem.name + ".svg");
    plot(svg, problem.name, curves);
  }
  if (!found) {
    std::fprintf(stderr, "unknown problem \"%s\"; known:", arguments.problem.c_str());
    for (const ReferenceProblem& problem : referenceProblems()) std::fprintf(stderr, " %s", problem.name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const Measurement& m : all) rows.push_back(toJson(m));
  std::ofstream file(arguments.json);
  file << rows.dump(1) << '\n';
  if (!file) std::fprintf(stderr, "%s: cannot be written\n", arguments.json.c_str());
  return file ? 0 : 1;
}

}  // namespace
}  // namespace mbfmu

int main(int count, char** words) {
  const mbfmu::Arguments arguments = mbfmu::parse(count, words);
  if (arguments.ok) return mbfmu::run(arguments);
  std::fprintf(stderr, "usage: work_precision [--quick] [--problem NAME] --json FILE\n");
  return 2;
}
