#include "integrators/generalized_alpha.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::unique_ptr<Integrator> make(OptionReader& options) {
  GeneralizedAlphaOptions out;
  out.rho = options.number("rho");
  out.variant = static_cast<AlphaVariant>(options.choice("variant"));
  out.level = static_cast<Level>(options.choice("index"));
  out.fixedStep = options.number("fixedStep");
  if (out.variant == AlphaVariant::hht && out.rho < 0.5) options.refuse("rho: hht needs a number from 0.5 to 1");
  if (!options.problem().empty()) return nullptr;
  return std::make_unique<GeneralizedAlpha>(out);
}

}  // namespace

IntegratorFamily generalizedAlphaFamily() {
  return {
      {"generalized-alpha",
       "generalized-alpha: implicit, order 2, with chosen damping, for structures and real time",
       {{"rho", "spectral radius at infinite frequency, 0 (annihilates) to 1 (no damping)", "0.8", realNumber(0, 1)},
        {"variant", "member of the family", "chung-hulbert", oneOf({"chung-hulbert", "hht", "newmark"})},
        {"index", "constraints at position level (3) or at velocity level with positions stabilised (2)", "2",
         oneOf({"3", "2"})},
        {"fixedStep", "step size without error control, a bounded number of iterations each; 0: variable steps", "0",
         realNumber(0)}}},
      make};
}

}  // namespace mbfmu
