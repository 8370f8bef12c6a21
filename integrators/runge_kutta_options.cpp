#include "integrators/block_integrator.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::vector<IntegratorOption> options(const std::string& levels) {
  return {{"stages", "stages per step, 2 to 4", "3"},
          {"index", "constraints at " + levels, "2"},
          {"fixedStep", "step size without error control; 0: variable steps", "0"}};
}

std::unique_ptr<Integrator> make(OptionReader& read, Formula formula, const std::vector<std::string>& indices) {
  BlockOptions out;
  out.formula = formula;
  out.r = read.whole("stages", 2, 4);
  out.k = out.r - 1;
  out.level = static_cast<Level>(static_cast<int>(Level::acceleration) - read.choice("index", indices));
  out.fixedStep = read.notNegative("fixedStep");
  if (formula == Formula::lobattoIIIC && out.level == Level::position && out.r < 3)
    read.refuse("index: 3 needs at least 3 stages; with 2 the multipliers do not converge");
  if (!read.problem().empty()) return nullptr;
  return std::make_unique<BlockIntegrator>(out);
}

}  // namespace

IntegratorFamily radauIAFamily() {
  return {{"radau-ia", "Radau IA: implicit Runge-Kutta of order 2s - 1 with s stages, L-stable; for comparisons",
           options("velocity (2) or acceleration level (1)")},
          [](OptionReader& read) {
            return make(read, Formula::radauIA, {"1", "2"});
          }};
}

IntegratorFamily radauIIAFamily() {
  return {{"radau-iia", "Radau IIA: implicit Runge-Kutta of order 2s - 1 with s stages, L-stable; for comparisons",
           options("position (3), velocity (2) or acceleration level (1)")},
          [](OptionReader& read) {
            return make(read, Formula::block, {"1", "2", "3"});
          }};
}

IntegratorFamily lobattoIIICFamily() {
  return {
      {"lobatto-iiic", "Lobatto IIIC: implicit Runge-Kutta of order 2s - 2 with s stages, L-stable; for comparisons",
       options("position (3), velocity (2) or acceleration level (1)")},
      [](OptionReader& read) {
        return make(read, Formula::lobattoIIIC, {"1", "2", "3"});
      }};
}

}  // namespace mbfmu
