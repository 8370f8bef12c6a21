// Every integrator with every option that changes how it works: what all of them are held to.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "integrators/integrator_registry.h"

namespace mbfmu {

struct Choice {
  std::string label, name;
  std::map<std::string, std::string> options;

  std::unique_ptr<Integrator> make() const {
    std::string problem;
    auto integrator = makeIntegrator(name, options, problem);
    if (!integrator) throw std::invalid_argument(problem);
    return integrator;
  }
};

inline void PrintTo(const Choice& choice, std::ostream* out) { *out << choice.label; }

inline std::vector<Choice> everyIntegrator() {
  return {
      {"lstable", "lstable", {}},
      {"lstable_index1", "lstable", {{"r", "3"}, {"nodes", "chebyshev"}, {"pade", "r-2"}, {"index", "1"}}},
      {"lstable_index3", "lstable", {{"r", "4"}, {"nodes", "legendre"}, {"index", "3"}}},
      {"lstable_stabilised", "lstable", {{"r", "3"}, {"nodes", "equidistant"}, {"index", "2-stabilised"}}},
      {"lstable_fixed", "lstable", {{"r", "8"}, {"fixedStep", "0.03"}}},
      {"bdf", "bdf", {}},
      {"bdf_index3", "bdf", {{"index", "3"}}},
      {"bdf_index1", "bdf", {{"index", "1"}}},
      {"bdf_quasi_constant", "bdf", {{"form", "quasi-constant-step"}}},
      {"bdf_quasi_constant_index3", "bdf", {{"form", "quasi-constant-step"}, {"index", "3"}, {"maxOrder", "3"}}},
      {"bdf_skelboe", "bdf", {{"orderControl", "skelboe"}}},
      {"bdf_dassl", "bdf", {{"orderControl", "dassl"}}},
      {"bdf_stewart", "bdf", {{"orderControl", "stewart"}}},
      {"bdf_order1", "bdf", {{"maxOrder", "1"}}},
      {"bdf_fixed", "bdf", {{"maxOrder", "4"}, {"fixedStep", "0.01"}}},
      {"alpha", "generalized-alpha", {}},
      {"alpha_index3", "generalized-alpha", {{"index", "3"}, {"rho", "0.5"}}},
      {"alpha_hht", "generalized-alpha", {{"variant", "hht"}}},
      {"alpha_newmark", "generalized-alpha", {{"variant", "newmark"}, {"rho", "1"}}},
      {"alpha_fixed", "generalized-alpha", {{"fixedStep", "0.01"}}},
      {"alpha_fixed_index3", "generalized-alpha", {{"variant", "hht"}, {"index", "3"}, {"fixedStep", "0.01"}}},
      {"explicit8", "explicit", {}},
      {"explicit5_baumgarte", "explicit", {{"order", "5"}, {"stabilisation", "baumgarte"}}},
      {"explicit8_fixed", "explicit", {{"fixedStep", "0.02"}}},
      {"rk4", "rk4", {{"fixedStep", "0.01"}}},
      {"radau_ia", "radau-ia", {}},
      {"radau_ia_index1", "radau-ia", {{"stages", "2"}, {"index", "1"}}},
      {"radau_iia", "radau-iia", {{"stages", "2"}, {"index", "3"}}},
      {"lobatto_iiic", "lobatto-iiic", {}},
      {"lobatto_iiic_fixed", "lobatto-iiic", {{"stages", "4"}, {"fixedStep", "0.02"}}},
  };
}

}  // namespace mbfmu
