// SUNDIALS IDA on the stabilised index-2 form of Gear, Gupta & Leimkuhler,
//   q' = v - Phi_q^T mu,   M v' + Phi_q^T lambda = Q,   Phi = 0,   Phi_q v + Phi_t = 0,
// with the exact Jacobian (mu = 0 in its own derivative) and a dense or a sparse (KLU) direct solver. For systems with
// nq = nv and no first-order states.
#pragma once

#include <memory>

#include "integrators/integrator.h"
#include "integrators/system.h"

namespace mbfmu {

enum class IdaLinearSolver { dense, klu };

struct IdaResult {
  bool ok = false;
  State y;
  Statistics statistics;
};

// From (y, w) at t = 0 to the end time.
IdaResult runIda(const System& system, const State& y, const Rates& w, double end, const Tolerances& tolerances,
                 IdaLinearSolver solver);

}  // namespace mbfmu
