#include "integrators/block_integrator.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::vector<IntegratorOption> options(std::vector<std::string> indices) {
  return {
      {"stages", "stages per step", "3", wholeNumber(2, 4)},
      {"index", "constraints at acceleration (1), velocity (2) or position level (3)", "2", oneOf(std::move(indices))},
      {"fixedStep", "step size without error control; 0: variable steps", "0", realNumber(0)}};
}

std::unique_ptr<Integrator> make(OptionReader& read, Formula formula) {
  BlockOptions out;
  out.formula = formula;
  out.r = read.whole("stages");
  out.k = out.r - 1;
  out.level = static_cast<Level>(static_cast<int>(Level::acceleration) - read.choice("index"));
  out.fixedStep = read.number("fixedStep");
  if (formula == Formula::lobattoIIIC && out.level == Level::position && out.r < 3)
    read.refuse("index: 3 needs at least 3 stages; with 2 the multipliers do not converge");
  if (!read.problem().empty()) return nullptr;
  return std::make_unique<BlockIntegrator>(out);
}

}  // namespace

IntegratorFamily radauIAFamily() {
  return {{"radau-ia", "Radau IA: implicit Runge-Kutta of order 2s - 1 with s stages, L-stable; for comparisons",
           options({"1", "2"})},
          [](OptionReader& read) { return make(read, Formula::radauIA); }};
}

IntegratorFamily radauIIAFamily() {
  return {{"radau-iia", "Radau IIA: implicit Runge-Kutta of order 2s - 1 with s stages, L-stable; for comparisons",
           options({"1", "2", "3"})},
          [](OptionReader& read) { return make(read, Formula::block); }};
}

IntegratorFamily lobattoIIICFamily() {
  return {
      {"lobatto-iiic", "Lobatto IIIC: implicit Runge-Kutta of order 2s - 2 with s stages, L-stable; for comparisons",
       options({"1", "2", "3"})},
      [](OptionReader& read) { return make(read, Formula::lobattoIIIC); }};
}

}  // namespace mbfmu
