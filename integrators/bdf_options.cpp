#include "integrators/bdf.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::unique_ptr<Integrator> make(OptionReader& options) {
  BdfOptions out;
  out.maxOrder = options.whole("maxOrder", 1, kBdfMaxOrder);
  out.form = static_cast<BdfForm>(options.choice("form", {"variable-coefficients", "quasi-constant-step"}));
  out.level = static_cast<Level>(options.choice("index", {"3", "2", "1"}));
  out.criterion =
      static_cast<OrderCriterion>(options.choice("orderControl", {"recommended", "skelboe", "dassl", "stewart"}));
  out.fixedStep = options.notNegative("fixedStep");
  if (!options.problem().empty()) return nullptr;
  return std::make_unique<Bdf>(out);
}

}  // namespace

IntegratorFamily bdfFamily() {
  return {
      {"bdf",
       "backward differentiation formulas: implicit, order 1 to 5, one stage per step, for smooth stiff motion",
       {{"maxOrder", "highest order, 1 to 5", "5"},
        {"form", "variable-coefficients or quasi-constant-step", "variable-coefficients"},
        {"index", "constraints at position level (3), velocity level with positions stabilised (2), or all (1)", "2"},
        {"orderControl", "criterion against unstable orders: recommended, skelboe, dassl or stewart", "recommended"},
        {"fixedStep", "step size at the highest order without error control; 0: variable steps", "0"}}},
      make};
}

}  // namespace mbfmu
