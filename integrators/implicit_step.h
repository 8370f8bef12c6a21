// The nonlinear equations of one step of a one-stage implicit method. The method fixes how the end of the step follows
// from the unknowns w = (a, x', lambda) there,
//   v = v0 + c1 a,   x = x0 + c1 x',   theta = theta0 + c2 a            (Kinematics::accelerations)
//                                or    theta = theta0 + c1 theta'       (Kinematics::velocities, theta' = chartRate)
// in the chart at the step's start, and quasi-Newton finds the w that satisfies the equations of motion with
// constraints at position level (index 3), or at velocity level with positions moved onto the constraints as well: the
// stabilised index 2 of Gear, Gupta & Leimkuhler 1985, theta = ... + s, s the multiplier's displacement. Its unknowns s
// are corrected in turn with w, by the same factors, so that systems never exceed the size of w. Constraints at
// acceleration level get a second displacement, of v, likewise: then all three levels hold, and q, v and a are index-1
// variables (Ren & Zhou 2020, end of section 4).
#pragma once

#include "integrators/error_norm.h"
#include "integrators/integrator.h"
#include "integrators/newton_matrix.h"
#include "integrators/newton_monitor.h"
#include "integrators/system.h"

namespace mbfmu {

class ImplicitStep {
 public:
  enum class Kinematics { accelerations, velocities };

  void setUp(const System& system, Level level, Kinematics kinematics);

  // What the method fixes before solve(): the formula, and predicted unknowns w and theta.
  double t1 = 0, c1 = 0, c2 = 0;
  Vector origin, theta0, v0, x0;
  Rates w;
  Vector theta;
  // What solve() finds, besides w and theta.
  State y;

  // Newton's corrections are to fall below kappa in the norm. False if they do not: see reason() and shorten().
  bool solve(const System& system, const ErrorNorm& norm, double kappa, Statistics& statistics);
  // The same without factors from before, and with new ones whenever the iteration stalls, for steps of fixed size.
  bool solveStubbornly(const System& system, const ErrorNorm& norm, double kappa, Statistics& statistics);

  // The part of an error of v and x that counts.
  void filter(Vector& ev, Vector& ex, Statistics& statistics);

  // Factors and contraction, which outlive a step.
  void transfer(Archive& archive);

  void forgetFactors() { haveFactors_ = false; }
  void forgetContraction() { newton_.reset(); }
  void distrustPivots() { matrix_.distrustPivots(); }
  // Drops the factors if p has other constraint rows switched off.
  void checkRowsOff(const Linearisation& p);

  double factoredShift() const { return factoredC1_; }
  const NewtonMonitor& newton() const { return newton_; }
  Failure::Reason reason() const { return reason_; }
  // The constraint to blame for the last failure, -1 if there is none.
  int worstConstraint() const;

 private:
  void begin(const System& system);
  void place(const System& system);
  bool factor(const System& system, Statistics& statistics);
  bool iterate(const System& system, const ErrorNorm& norm, double kappa, double stalled, Statistics& statistics);
  double correct(const System& system, const ErrorNorm& norm, Statistics& statistics);
  void stabilise(const System& system, Level level, Vector& shift, Statistics& statistics);

  Dimensions n_;
  Level level_ = Level::velocity;
  Kinematics kinematics_ = Kinematics::accelerations;
  NewtonMatrix matrix_;
  NewtonMonitor newton_;
  Linearisation p_;
  bool haveFactors_ = false;
  double factoredC1_ = 0, factoredC2_ = 0;
  Failure::Reason reason_ = Failure::Reason::none;

  Rates predicted_;
  Vector predictedTheta_, shift_, shiftV_, rate_, residual_, dw_, constraint_, dq_, lastTheta_, lastV_, lastX_;
};

}  // namespace mbfmu
