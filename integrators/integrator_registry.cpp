#include "integrators/integrator_registry.h"

#include <cmath>

#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

// The first one is the default.
const std::vector<IntegratorFamily>& families() {
  static const std::vector<IntegratorFamily> list = {blockFamily(),    bdfFamily(),        generalizedAlphaFamily(),
                                                     explicitFamily(), classicalFamily(),  radauIAFamily(),
                                                     radauIIAFamily(), lobattoIIICFamily()};
  return list;
}

template <class List>
std::string namesOf(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return commaSeparated(names);
}

}  // namespace

const std::vector<IntegratorInfo>& integrators() {
  static const std::vector<IntegratorInfo> list = [] {
    std::vector<IntegratorInfo> infos;
    for (const IntegratorFamily& family : families()) infos.push_back(family.info);
    return infos;
  }();
  return list;
}

std::unique_ptr<Integrator> makeIntegrator(const std::string& name, const std::map<std::string, std::string>& options,
                                           std::string& problem) {
  problem.clear();
  for (const IntegratorFamily& family : families()) {
    if (family.info.name != name) continue;
    OptionTexts texts;
    for (const IntegratorOption& option : family.info.options) texts[option.name] = option.defaultValue;
    OptionReader reader(family.info.options, texts);
    for (const auto& [key, value] : options) {
      if (!texts.count(key)) reader.refuse("unknown option \"" + key + "\"; known: " + namesOf(family.info.options));
      texts[key] = value;
    }
    auto integrator = reader.problem().empty() ? family.make(reader) : nullptr;
    if (!integrator) problem = name + ": " + reader.problem();
    return integrator;
  }
  problem = "unknown integrator \"" + name + "\"; known: " + namesOf(integrators());
  return nullptr;
}

std::string check(const Tolerances& tolerances) {
  if (!(tolerances.rtol >= leastRelativeTolerance && tolerances.rtol <= largestRelativeTolerance))
    return "rtol must be from 1e-13 to 0.1";
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
