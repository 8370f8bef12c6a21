#include "integrators/generalized_alpha.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::unique_ptr<Integrator> make(OptionReader& options) {
  GeneralizedAlphaOptions out;
  out.rho = options.number("rho", 0, 1);
  out.variant = static_cast<AlphaVariant>(options.choice("variant", {"chung-hulbert", "hht", "newmark"}));
  out.level = static_cast<Level>(options.choice("index", {"3", "2"}));
  out.fixedStep = options.notNegative("fixedStep");
  if (out.variant == AlphaVariant::hht && out.rho < 0.5) options.refuse("rho: hht needs a number from 0.5 to 1");
  if (!options.problem().empty()) return nullptr;
  return std::make_unique<GeneralizedAlpha>(out);
}

}  // namespace

IntegratorFamily generalizedAlphaFamily() {
  return {
      {"generalized-alpha",
       "generalized-alpha: implicit, order 2, with chosen damping, for structures and real time",
       {{"rho", "spectral radius at infinite frequency, 0 (annihilates) to 1 (no damping)", "0.8"},
        {"variant", "chung-hulbert, hht or newmark", "chung-hulbert"},
        {"index", "constraints at position level (3) or at velocity level with positions stabilised (2)", "2"},
        {"fixedStep", "step size without error control, a bounded number of iterations each; 0: variable steps", "0"}}},
      make};
}

}  // namespace mbfmu
