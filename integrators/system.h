// The equations every integrator solves, and the notation used in the whole project.
//
//   M(q) a + Phi_q(q,t)^T lambda = Q(q, v, x, t)     nv equations of motion
//                             x' = f(q, v, x, t)     nx first-order states (actuators, filters, controllers)
//                        Phi(q,t) = 0                m  holonomic constraints
//
// q is the configuration (nq stored numbers on a manifold), v its velocity (nv tangent directions), a = v'.
// Phi_t is the partial time derivative of Phi; gamma is defined by Phi_q a = gamma.
// A constraint row may be switched off (redundant, or a contact that is open); its equation is then lambda_i = 0,
// so that sizes and sparsity never change.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "integrators/archive.h"

namespace mbfmu {

using Vector = Eigen::VectorXd;

struct Dimensions {
  int nq = 0;  // stored configuration numbers
  int nv = 0;  // tangent directions
  int nx = 0;  // first-order states
  int m = 0;   // constraint rows
  int unknowns() const { return nv + nx + m; }
};

// What is integrated.
struct State {
  Vector q, v, x;
  void transfer(Archive& archive) { archive.sized(q, v, x); }
};

// What the equations determine at a given state. Stacked in this order they are the unknowns w = (a, x', lambda).
struct Rates {
  Vector a, xdot, lambda;
  void transfer(Archive& archive) { archive.sized(a, xdot, lambda); }
};

// The level at which constraints enter: Phi = 0, Phi_q v + Phi_t = 0 or Phi_q a - gamma = 0 (index 3, 2, 1).
enum class Level { position, velocity, acceleration };

// Coordinates of the structurally non-zero entries of a square matrix over the unknowns w. Fixed for a System's life.
struct Pattern {
  std::vector<int> row, col;
  std::size_t size() const { return row.size(); }
};

// The derivative of the residual as a matrix polynomial: if v moves by mu*a, x by mu*x' and q by mu^2*a, then
//   d residual / d w = P0 + mu P1 + mu^2 P2,
// with constraint rows divided by 1, mu or mu^2 at acceleration, velocity or position level. So
//   motion rows:      P0 = [M 0 Phi_q^T]   P1 = [-Q_v -Q_x 0]   P2 = [(M a + Phi_q^T lambda - Q)_q 0 0]
//   state rows:       P0 = [0 I 0]         P1 = [-f_v -f_x 0]   P2 = [-f_q 0 0]
//   constraint rows:  P0 = [Phi_q 0 0]     velocity: P1 = [(Phi_q v + Phi_t)_q 0 0]
//                     acceleration: P1 = [-gamma_v 0 0], P2 = [(Phi_q a - gamma)_q 0 0]
//   a row switched off: P0 = 1 on the diagonal.
// Values are listed in the order of the pattern. Derivatives by q are by tangent directions at q.
struct Linearisation {
  std::vector<double> p0, p1, p2;
  void transfer(Archive& archive) { archive.sized(p0, p1, p2); }
};

class System {
 public:
  virtual ~System() = default;

  virtual Dimensions dimensions() const = 0;
  virtual const Pattern& pattern() const = 0;

  // r = (M a + Phi_q^T lambda - Q,  x' - f,  constraints at the given level), r has size dimensions().unknowns().
  virtual void residual(double t, const State& y, const Rates& w, Level level, Vector& r) const = 0;

  // The constraint rows of the residual alone (not for Level::acceleration). c has size m; rows switched off are 0.
  virtual void constraints(double t, const State& y, Level level, Vector& c) const = 0;

  virtual void linearise(double t, const State& y, const Rates& w, Level level, Linearisation& p) const = 0;

  // Names for messages: "shoulder: x" and the like.
  virtual std::string constraintName(int row) const = 0;

  // The configuration manifold. The chart at q0 has coordinates theta in R^nv; plain addition unless overridden.
  virtual void advance(const Vector& q0, const Vector& theta, Vector& q) const { q = q0 + theta; }
  virtual void difference(const Vector& q0, const Vector& q1, Vector& theta) const { theta = q1 - q0; }
  // The size of each tangent direction's coordinate, for relative tolerances (1 for angles of an orientation).
  virtual void positionScale(const Vector& q, Vector& scale) const {
    if (q.size() == scale.size()) scale = q.cwiseAbs();
    if (q.size() != scale.size()) scale.setOnes();
  }
  // theta' for velocity v at chart coordinates theta.
  virtual void chartRate(const Vector& /*theta*/, const Vector& v, Vector& thetaRate) const { thetaRate = v; }
};

}  // namespace mbfmu
