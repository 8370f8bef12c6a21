// Consistent states and rates from the matrix P0 = [M 0 Phi_q^T; 0 I 0; Phi_q 0 0]: projection of q and v onto the
// constraints, nearest in the metric of M, and (a, x', lambda) at acceleration level.
#pragma once

#include "integrators/sparse_lu.h"
#include "integrators/system.h"

namespace mbfmu {

class ConsistencySolver {
 public:
  void setKernel(KernelChoice choice) { lu_.setKernel(choice); }
  void setUp(const System& system);

  ConsistencySolver() = default;
  ConsistencySolver(const ConsistencySolver&) = default;
  ConsistencySolver(ConsistencySolver&&) = default;
  ConsistencySolver& operator=(ConsistencySolver&&) = default;
  // Copies no factors: factor() comes before anything else.
  ConsistencySolver& operator=(const ConsistencySolver& other);
  ~ConsistencySolver() = default;

  // Factorises P0 at y; the other functions use it there and nearby. False if singular.
  bool factor(const System& system, double t, const State& y, const Rates& w);
  // The same if the equations are linearised there already, at any level.
  bool factor(const Linearisation& p);
  // Each returns false if its iteration did not converge.
  bool projectPosition(const System& system, double t, State& y);
  bool projectVelocity(const System& system, double t, State& y);
  bool solveRates(const System& system, double t, const State& y, Rates& w);
  // The rates by a single correction, which is exact at the point of factor() and good very near it. False if the
  // factors are poor: solveRates() may then do better.
  bool correctRates(const System& system, double t, const State& y, Rates& w);
  // P0^-1 rhs.
  const Vector& solve(const Vector& rhs);

  void transfer(Archive& archive) { archive(lu_); }

  int deficientRow() const { return lu_.deficientRow(); }
  const Linearisation& linearisation() const { return p_; }

 private:
  // solution_ = P0^-1 rhs_, refined once, since the pivots may be old.
  void solve();
  // solution_ = what the rates lack.
  void solveForRates(const System& system, double t, const State& y, const Rates& w);
  void addToRates(Rates& w) const;

  Dimensions n_;
  SparseLu<double> lu_;
  Linearisation p_;
  double refinement_ = 0;  // how much the last solve was refined, relative to its solution
  Vector rhs_, residual_, solution_, constraint_, step_, moved_;
};

}  // namespace mbfmu
