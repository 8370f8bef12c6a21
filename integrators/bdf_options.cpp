#include "integrators/bdf.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::unique_ptr<Integrator> make(OptionReader& options) {
  BdfOptions out;
  out.maxOrder = options.whole("maxOrder");
  out.form = static_cast<BdfForm>(options.choice("form"));
  out.level = static_cast<Level>(options.choice("index"));
  out.criterion = static_cast<OrderCriterion>(options.choice("orderControl"));
  out.fixedStep = options.number("fixedStep");
  if (!options.problem().empty()) return nullptr;
  return std::make_unique<Bdf>(out);
}

}  // namespace

IntegratorFamily bdfFamily() {
  return {
      {"bdf",
       "backward differentiation formulas: implicit, order 1 to 5, one stage per step, for smooth stiff motion",
       {{"maxOrder", "highest order", "5", wholeNumber(1, kBdfMaxOrder)},
        {"form", "what the coefficients are made for when steps vary", "variable-coefficients",
         oneOf({"variable-coefficients", "quasi-constant-step"})},
        {"index", "constraints at position level (3), velocity level with positions stabilised (2), or all (1)", "2",
         oneOf({"3", "2", "1"})},
        {"orderControl", "criterion against unstable orders", "recommended",
         oneOf({"recommended", "skelboe", "dassl", "stewart"})},
        {"fixedStep", "step size at the highest order without error control; 0: variable steps", "0", realNumber(0)}}},
      make};
}

}  // namespace mbfmu
