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

class IdaSolver {
 public:
  // Begins at t = 0. The System is kept by reference; what changes in it takes effect at once.
  IdaSolver(const System& system, const State& y, const Rates& w, const Tolerances& tolerances, IdaLinearSolver solver);
  ~IdaSolver();

  // To time t, by interpolation unless told to stop there. False if IDA fails.
  bool advance(double t, bool stopThere);
  // Cold, at order 1.
  void restart(double t, const State& y, const Rates& w);
  State state() const;
  Rates rates() const;
  Statistics statistics() const;

 private:
  class Data;
  std::unique_ptr<Data> data_;
};

struct IdaResult {
  bool ok = false;
  State y;
  Statistics statistics;
};

// From (y, w) at t = 0 to the end time.
IdaResult runIda(const System& system, const State& y, const Rates& w, double end, const Tolerances& tolerances,
                 IdaLinearSolver solver);

}  // namespace mbfmu
