// The nodes of one block step. Given the unknowns W = (a, x', lambda) at the nodes, velocities, states and positions
// follow from the block formula, positions in the chart at the step's start:
//   V = e v_0 + h d a_0 + h B A,   X likewise,   Theta = h d theta'_0 + h B Theta',   theta'_j = chartRate(theta_j,
//   V_j),
// the positions plus what shift() moved them by. An end that is no node comes last, its rates given by setRates().
// After the step they are its dense output: polynomials of degree r through start and nodes for theta, v and x, mended
// to start with the right rate (block_coefficients.h), of degree r - 1 through the nodes for W.
#pragma once

#include "integrators/block_coefficients.h"
#include "integrators/kernels.h"
#include "integrators/system.h"

namespace mbfmu {

class BlockStages {
 public:
  void setUp(const Dimensions& dimensions, const BlockCoefficients& coefficients, KernelChoice kernel);

  void begin(double t, double h, const State& y, const Rates& w);
  // V, X and Theta from W.
  void update(const System& system);
  void node(const System& system, int i, State& y, Rates& w) const;
  // Of node i, or of the end.
  double time(int i) const { return t + (i < k.r ? k.c[i] * h : h); }
  int end() const { return k.points() - 1; }
  void setRates(int i, const Rates& w) { W.col(i) << w.a, w.xdot, w.lambda; }

  // Dense output.
  void interpolate(const System& system, double t, State& y, Rates& w) const;
  // Column of unknowns at t, also outside the step: the starting values of the next one.
  void extrapolate(double t, Eigen::Ref<Vector> w) const;

  // Node i's position moves by the tangent vector dq, also in later updates.
  void shift(const System& system, int i, const Vector& dq);

  void transfer(Archive& archive) {
    archive(t, h, start, startRates);
    archive.sized(W, V, X, Theta, ThetaRate);
  }

  BlockCoefficients k;
  double t = 0, h = 0;
  State start;
  Rates startRates;
  Eigen::MatrixXd W, V, X, Theta, ThetaRate;  // one column per point

 private:
  void interpolateBetweenNodes(double s, State& y) const;
  void interpolateFromRates(double s, State& y) const;
  void combine(const Eigen::MatrixXd& rates, Eigen::Index row, const Vector* base, const Vector& startRate,
               Eigen::MatrixXd& out) const;

  Dimensions n_;
  bool flat_ = true;  // as many numbers as directions: positions are vectors, theta' = v
  const Kernels* kernel_ = &kernels(KernelChoice::automatic);
  Eigen::MatrixXd scaledB_;          // h B
  Eigen::MatrixXd Shift_;            // what shift() added to Theta
  mutable Vector theta_, v_, rate_;  // single columns as the System wants them
};

}  // namespace mbfmu
