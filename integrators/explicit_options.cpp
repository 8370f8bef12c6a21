#include "integrators/explicit_integrator.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::vector<IntegratorOption> withStabilisation(std::vector<IntegratorOption> options, const char* standard) {
  options.push_back({"stabilisation", "constraints kept by projection or baumgarte, or left to drift: none", standard,
                     oneOf({"none", "baumgarte", "projection"})});
  options.push_back(
      {"baumgarteTime", "time in seconds in which Baumgarte's terms undo a violation", "0.1", realNumber(1e-12)});
  return options;
}

std::unique_ptr<Integrator> make(OptionReader& read, ExplicitOptions options) {
  options.stabilisation = static_cast<Stabilisation>(read.choice("stabilisation"));
  options.baumgarteTime = read.number("baumgarteTime");
  options.fixedStep = read.number("fixedStep");
  if (options.order == 4 && !(options.fixedStep > 0))
    read.refuse("fixedStep: must be positive; there is no error control");
  return read.problem().empty() ? std::make_unique<ExplicitIntegrator>(options) : nullptr;
}

}  // namespace

IntegratorFamily explicitFamily() {
  return {
      {"explicit", "explicit Runge-Kutta of order 8 or 5 with error control: for smooth mechanisms without stiffness",
       withStabilisation({{"order", "order of the method", "8", oneOf({"8", "5"})},
                          {"fixedStep", "step size without error control; 0: variable steps", "0", realNumber(0)}},
                         "projection")},
      [](OptionReader& read) {
        const int order = read.choice("order") == 0 ? 8 : 5;
        return make(read, {.order = order});
      }};
}

IntegratorFamily classicalFamily() {
  return {{"rk4", "classical explicit Runge-Kutta of order 4 with fixed steps: for comparisons",
           withStabilisation({{"fixedStep", "step size", "0.001", realNumber(0)}}, "none")},
          [](OptionReader& read) { return make(read, {.order = 4}); }};
}

}  // namespace mbfmu
