// The nodes of one block step. Given the unknowns W = (a, x', lambda) at the nodes, velocities, states and positions
// follow from the block formula, positions in the chart at the step's start:
//   V = e v_0 + h d a_0 + h B A,   X likewise,   Theta = h d theta'_0 + h B Theta',   theta'_j = chartRate(theta_j,
//   V_j).
// After the step they are its dense output: polynomials of degree r through start and nodes for theta, v and x, mended
// to start with the right rate (block_coefficients.h), of degree r - 1 through the nodes for W.
#pragma once

#include "integrators/block_coefficients.h"
#include "integrators/system.h"

namespace mbfmu {

class BlockStages {
 public:
  void setUp(const Dimensions& dimensions, const BlockCoefficients& k);

  void begin(double t, double h, const State& y, const Rates& w, const BlockCoefficients& k);
  // V, X and Theta from W.
  void update(const System& system, const BlockCoefficients& k);
  void node(const System& system, int i, State& y, Rates& w) const;

  // Dense output.
  void interpolate(const System& system, const BlockCoefficients& k, double t, State& y, Rates& w) const;
  // Column of unknowns at t, also outside the step: the starting values of the next one.
  void extrapolate(const BlockCoefficients& k, double t, Eigen::Ref<Vector> w) const;

  // The last node's position moves by the tangent vector dq.
  void moveEnd(const System& system, const Vector& dq);

  void transfer(Archive& archive) {
    archive(t, h, start, startRates);
    archive.sized(W, V, X, Theta, ThetaRate);
  }

  double t = 0, h = 0;
  State start;
  Rates startRates;
  Eigen::MatrixXd W, V, X, Theta, ThetaRate;  // one column per node

 private:
  void combine(const BlockCoefficients& k, const Eigen::MatrixXd& rates, Eigen::Index row, const Vector* base,
               const Vector& startRate, Eigen::MatrixXd& out) const;

  Dimensions n_;
  mutable Vector theta_, v_, rate_;  // single columns as the System wants them
};

}  // namespace mbfmu
