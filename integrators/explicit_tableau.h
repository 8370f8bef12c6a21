// Coefficients of explicit Runge-Kutta methods: stage i of a step h from y_0 is
//   Y_i = y_0 + h sum_{j<i} A_ij Y'_j   at t_0 + c_i h,   and the end is the stage with c = 1 that is last in a step.
// Rows after the end are stages for dense output only. Errors: h |sum error_j Y'_j|; with a second row of weights (the
// pair of estimates of DOP853) h e5^2 / sqrt(e5^2 + 0.01 e3^2).
// Dense output with s = (t - t_0) / h, s' = 1 - s, d = y_1 - y_0:
//   y_0 + s (d + s' (h y'_0 - d + s (2 d - h y'_0 - h y'_1 + s' (D_0 + s (D_1 + s' (D_2 + s D_3)))))),
//   D_k = h sum_j dense_kj Y'_j: the cubic Hermite polynomial, raised by the rows there are.
//
// Hairer, Norsett & Wanner, Solving ODEs I, sections II.1, II.5, II.6 and II.10.
#pragma once

#include <Eigen/Dense>

namespace mbfmu {

struct ExplicitTableau {
  int order = 0;
  int errorOrder = 0;     // the estimate goes like h^errorOrder; 0: there is none
  int denseOrder = 0;     // of the dense output
  int end = 0;            // index of the end of the step among the stages
  Eigen::MatrixXd A;      // strictly lower triangular
  Eigen::VectorXd c;      // row sums of A
  Eigen::MatrixXd error;  // one or two rows
  Eigen::MatrixXd dense;  // up to four rows
  int stages() const { return static_cast<int>(c.size()); }
};

// The classical method of order 4.
const ExplicitTableau& classicalRungeKutta();
// Dormand & Prince 1980, order 5 with an estimate of order 4.
const ExplicitTableau& dormandPrince5();
// Dormand & Prince, order 8 with estimates of order 5 and 3, dense output of order 7 by Hairer & Wanner (DOP853).
const ExplicitTableau& dormandPrince8();

}  // namespace mbfmu
