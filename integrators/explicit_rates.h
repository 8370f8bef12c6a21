// The index-1 form: (a, x', lambda) as functions of the state, from one factorisation of
//   [M 0 Phi_q^T; 0 I 0; Phi_q 0 0],
// whose pivots are kept from one state to the next. With Baumgarte's stabilisation the constraints read
//   Phi_q a - gamma + (2/T) (Phi_q v + Phi_t) + Phi / T^2 = 0:
// errors in Phi decay like (1 + t/T) exp(-t/T). Baumgarte, Comp. Meth. Appl. Mech. Eng. 1 (1972).
#pragma once

#include "integrators/integrator.h"
#include "integrators/sparse_lu.h"
#include "integrators/system.h"

namespace mbfmu {

class ExplicitRates {
 public:
  // baumgarteTime: T above, 0 for the plain constraints.
  void setUp(const System& system, double baumgarteTime);

  // The matrix at y, for the functions below. False if singular.
  bool factor(const System& system, double t, const State& y, const Rates& w);
  // w at y; on entry any guess. The equations are linear in w, so one correction does it.
  void solve(const System& system, double t, const State& y, Rates& w);
  // The displacement with Phi_q dq = -c that is smallest in the metric of M.
  const Vector& project(const System& system, double t, const State& y, Level level);

  void distrustPivots() { lu_.distrustPivots(); }
  int deficientRow() const { return lu_.deficientRow(); }
  void transfer(Archive& archive) { archive(lu_); }
  void count(Statistics& statistics);

 private:
  void substitute();

  Dimensions n_;
  double baumgarteTime_ = 0;
  SparseLu<double> lu_;
  Linearisation p_;
  Vector residual_, solution_, constraint_, displacement_;
  long factorizations_ = 0, residuals_ = 0, solves_ = 0;
};

}  // namespace mbfmu
