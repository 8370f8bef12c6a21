#include "integrators/block_integrator.h"
#include "integrators/integrator_family.h"

namespace mbfmu {
namespace {

std::unique_ptr<Integrator> make(OptionReader& options) {
  BlockOptions out;
  out.r = options.whole("r");
  out.nodes = static_cast<Nodes>(options.choice("nodes"));
  const int pade = options.choice("pade");
  out.k = out.r - pade;
  const int index = options.choice("index");
  out.stabilised = index == 3;
  out.level = out.stabilised ? Level::velocity : static_cast<Level>(index);
  out.kernel = static_cast<KernelChoice>(options.choice("kernel"));
  out.fixedStep = options.number("fixedStep");
  if (out.k < 1) options.refuse("pade: r-2 needs r of at least 3");
  if (pade == 0 && out.level == Level::position)
    options.refuse("pade: r is not L-stable and unfit for index 3; use r-1 or r-2");
  if (!options.problem().empty()) return nullptr;
  return std::make_unique<BlockIntegrator>(out);
}

}  // namespace

IntegratorFamily blockFamily() {
  return {
      {"lstable",
       "L-stable block method: implicit, high order, for stiff and constrained mechanisms",
       {{"r", "nodes per step", "5", wholeNumber(2, 8)},
        {"nodes", "where the nodes lie in the step", "radau", oneOf({"equidistant", "chebyshev", "legendre", "radau"})},
        {"pade", "degree of the stability function's numerator: r-1, r-2 (L-stable) or r (A-stable)", "r-1",
         oneOf({"r", "r-1", "r-2"})},
        {"index",
         "constraints at position (3), velocity (2) or acceleration level (1), or 2-stabilised: 2 and 3 at once", "2",
         oneOf({"3", "2", "1", "2-stabilised"})},
        {"fixedStep", "step size without error control; 0: variable steps", "0", realNumber(0)},
        {"kernel", "auto: the fastest code for this processor; baseline: the same code on every one", "auto",
         oneOf({"auto", "baseline"})}}},
      make};
}

}  // namespace mbfmu
