// The past of a multistep method as points on the manifold. At every step they are expressed in the chart at the
// present point, x = (theta, v, x, lambda) stacked, and differenced there.
#pragma once

#include <vector>

#include "integrators/bdf_coefficients.h"
#include "integrators/system.h"

namespace mbfmu {

class BdfHistory {
 public:
  struct Point {
    double t = 0;
    State y;
    Vector lambda;
    void transfer(Archive& archive) { archive(t, y, lambda); }
  };

  void setUp(const Dimensions& dimensions);
  void clear() { past_ = 0; }
  int past() const { return past_; }

  // The present point becomes the newest past one.
  void push(double t, const State& y, const Vector& lambda);
  // Forgets what is later than t.
  void forgetAfter(double t);
  // Differences up to the given order at the present point.
  void expand(const System& system, double t, const State& y, const Vector& lambda, int order);
  // The polynomial of the differences up to the given order, sampled anew at t - h, t - 2h, ... (Ren & Zhou 2020,
  // eqs. 54 to 56). They and the points become those of the even grid.
  void resample(const System& system, double t, const State& y, const Vector& lambda, int order, double h);
  // What the past would have been had accelerations always differed by da, and a' by dj (after expand).
  void addJump(const System& system, double t, const State& y, const Rates& dw, const Vector& dj,
               const Vector& djChart);

  // nabla^j of the stacked variables, j = 1, 2, ...; column 0 is the present.
  auto difference(int j) const { return D_.col(j); }
  const std::array<double, kBdfPast + 1>& tau() const { return tau_; }

  void transfer(Archive& archive);

 private:
  void differences(int order);

  Dimensions n_;
  int past_ = 0;
  std::vector<Point> point_;
  Eigen::MatrixXd D_, samples_;
  std::array<double, kBdfPast + 1> tau_{};
  Vector theta_;
};

// Newton's polynomial through the newest point (the last column's neighbours follow): value and, if wanted, derivative
// of  end + sum_j nabla^j prod_{i<j} (s + tau_i) / tau_{i+1}  at t = t_end + s.
void newtonWeights(const double* tau, int order, double s, double* value, double* derivative);

}  // namespace mbfmu
