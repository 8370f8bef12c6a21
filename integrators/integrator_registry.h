// The integrators by name, with their options: what the command line lists and a model file selects.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "integrators/integrator.h"
#include "integrators/integrator_option.h"

namespace mbfmu {

struct IntegratorInfo {
  std::string name, summary;
  std::vector<IntegratorOption> options;
};

const std::vector<IntegratorInfo>& integrators();

// Null with a problem that names what is wrong and what is known, if the name or an option is not valid.
std::unique_ptr<Integrator> makeIntegrator(const std::string& name, const std::map<std::string, std::string>& options,
                                           std::string& problem);

// Below the first, rounding errors alone fail the error test.
inline constexpr double leastRelativeTolerance = 1e-13, largestRelativeTolerance = 0.1;

// Empty if valid, else what is wrong.
std::string check(const Tolerances& tolerances);
std::string check(const Limits& limits);

}  // namespace mbfmu
