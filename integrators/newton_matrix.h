// The linear algebra of one implicit step whose end moves with the unknowns w = (a, x', lambda) as
//   dv = c1 da,   dx = c1 dx',   dq = c2 da.
// One factorisation of A = P0 + c1 P1 + c2 P2 (constraint rows at velocity level: P0 + c2/c1 P1) serves Newton's
// corrections, projections onto the constraints, and the filter of the error estimate.
#pragma once

#include <vector>

#include "integrators/sparse_lu.h"
#include "integrators/system.h"

namespace mbfmu {

class NewtonMatrix {
 public:
  void setPattern(const Dimensions& dimensions, const Pattern& pattern);
  // False if singular.
  bool factor(const Linearisation& p, double c1, double c2);

  // dw = -A^-1 residual; constraint rows are divided by constraintScale: c1 at velocity, c2 at position level.
  void correct(const Vector& residual, double constraintScale, Vector& dw);
  // The displacement dq with Phi_q dq = -c that the matrix finds nearest.
  void project(const Vector& c, Vector& dq);
  // (ev, ex) <- A^-1 (P0 (ev, ex), 0): the part of an error along the constraints, its stiff components damped.
  void filter(const Linearisation& p, Vector& ev, Vector& ex);

  void distrustPivots() { lu_.distrustPivots(); }
  int deficientRow() const { return lu_.deficientRow(); }
  // The pivots; the matrix has to be factorised again, and comes out the same.
  void transfer(Archive& archive) { archive(lu_); }
  // Whether p has the same constraint rows switched off as the last factorisation.
  bool sameRowsOff(const Linearisation& p);

 private:
  Dimensions n_;
  SparseLu<double> lu_;
  std::vector<char> off_, otherOff_;
};

}  // namespace mbfmu
