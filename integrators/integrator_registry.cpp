#include "integrators/integrator_registry.h"

#include <cmath>
#include <locale>
#include <sstream>

#include "integrators/block_integrator.h"

namespace mbfmu {
namespace {

// The whole text as a number, whatever the program's locale.
template <class Number>
bool parse(const std::string& text, Number& value) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  char rest = 0;
  return (in >> value) && !(in >> rest);
}

template <class List, class Name>
std::string known(const List& list, Name name) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + name(item);
  return text;
}

std::string choose(const std::string& option, const std::string& value, const std::vector<std::string>& choices,
                   int& index) {
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i] == value) index = static_cast<int>(i);
  if (index >= 0) return "";
  return option + ": unknown value \"" + value +
         "\"; known: " + known(choices, [](const std::string& choice) { return choice; });
}

std::string readBlockOptions(const std::map<std::string, std::string>& text, BlockOptions& out) {
  const std::string& r = text.at("r");
  if (!parse(r, out.r) || out.r < 2 || out.r > 8) return "r: \"" + r + "\" is not a whole number from 2 to 8";
  int nodes = -1, pade = -1, index = -1;
  std::string problem = choose("nodes", text.at("nodes"), {"equidistant", "chebyshev", "legendre", "radau"}, nodes);
  if (problem.empty()) problem = choose("pade", text.at("pade"), {"r", "r-1", "r-2"}, pade);
  if (problem.empty()) problem = choose("index", text.at("index"), {"3", "2", "1", "2-stabilised"}, index);
  if (!problem.empty()) return problem;
  out.nodes = static_cast<Nodes>(nodes);
  out.k = out.r - pade;
  out.stabilised = index == 3;
  out.level = out.stabilised ? Level::velocity : static_cast<Level>(index);
  if (out.k < 1) return "pade: r-2 needs r of at least 3";
  if (pade == 0 && out.level == Level::position) return "pade: r is not L-stable and unfit for index 3; use r-1 or r-2";
  int kernel = -1;
  problem = choose("kernel", text.at("kernel"), {"auto", "baseline"}, kernel);
  if (!problem.empty()) return problem;
  out.kernel = static_cast<KernelChoice>(kernel);
  const std::string& h = text.at("fixedStep");
  if (!parse(h, out.fixedStep) || !(out.fixedStep >= 0) || !std::isfinite(out.fixedStep))
    return "fixedStep: \"" + h + "\" is not a number of at least 0";
  return "";
}

}  // namespace

const std::vector<IntegratorInfo>& integrators() {
  static const std::vector<IntegratorInfo> list = {
      {"lstable",
       "L-stable block method: implicit, high order, for stiff and constrained mechanisms",
       {{"r", "nodes per step, 2 to 8", "5"},
        {"nodes", "equidistant, chebyshev, legendre or radau", "radau"},
        {"pade", "degree of the stability function's numerator: r-1, r-2 (L-stable) or r (A-stable)", "r-1"},
        {"index",
         "constraints at position (3), velocity (2) or acceleration level (1), or 2-stabilised: 2 and 3 at once", "2"},
        {"fixedStep", "step size without error control; 0: variable steps", "0"},
        {"kernel", "auto: the fastest code for this processor; baseline: the same bits on every one", "auto"}}}};
  return list;
}

std::unique_ptr<Integrator> makeIntegrator(const std::string& name, const std::map<std::string, std::string>& options,
                                           std::string& problem) {
  problem.clear();
  const IntegratorInfo* info = nullptr;
  for (const IntegratorInfo& candidate : integrators())
    if (candidate.name == name) info = &candidate;
  if (!info) {
    problem =
        "unknown integrator \"" + name + "\"; known: " + known(integrators(), [](const auto& i) { return i.name; });
    return nullptr;
  }
  std::map<std::string, std::string> values;
  for (const IntegratorOption& option : info->options) values[option.name] = option.defaultValue;
  for (const auto& [key, value] : options) {
    if (!values.count(key)) {
      problem = name + ": unknown option \"" + key +
                "\"; known: " + known(info->options, [](const auto& o) { return o.name; });
      return nullptr;
    }
    values[key] = value;
  }
  BlockOptions block;
  problem = readBlockOptions(values, block);
  if (!problem.empty()) {
    problem = name + ": " + problem;
    return nullptr;
  }
  return std::make_unique<BlockIntegrator>(block);
}

std::string check(const Tolerances& tolerances) {
  if (!(tolerances.rtol >= 1e-13 && tolerances.rtol <= 0.1)) return "rtol must be from 1e-13 to 0.1";
  for (const double atol : {tolerances.atolPosition, tolerances.atolVelocity, tolerances.atolState})
    if (!(atol > 0 && std::isfinite(atol))) return "absolute tolerances must be positive";
  return "";
}

std::string check(const Limits& limits) {
  if (!(limits.maxStep > 0)) return "maxStep must be positive";
  if (!(limits.minStep >= 0 && limits.minStep <= limits.maxStep)) return "minStep must be from 0 to maxStep";
  if (!(limits.initialStep >= 0 && std::isfinite(limits.initialStep))) return "initialStep must be 0 or positive";
  if (limits.maxSteps < 1) return "maxSteps must be at least 1";
  return "";
}

}  // namespace mbfmu
