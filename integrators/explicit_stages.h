// The stages of one explicit step, positions in the chart at its start: theta' = chartRate(theta, v), v' = a, x'. After
// the step they are its dense output.
#pragma once

#include "integrators/explicit_rates.h"
#include "integrators/explicit_tableau.h"
#include "integrators/system.h"

namespace mbfmu {

class ExplicitStages {
 public:
  void setUp(const Dimensions& dimensions, const ExplicitTableau& k);

  // From (y, w) at t through all stages to an end without rates. False if the matrix of a stage is singular.
  bool run(const System& system, const ExplicitTableau& k, ExplicitRates& rates, double t, double h, const State& y,
           const Rates& w);
  // The end moves by the tangent vector dq, small.
  void moveEnd(const System& system, const Vector& dq);
  // To be called when state and rates of the end are final.
  void finish(const System& system, const ExplicitTableau& k);
  // Row `row` of the error estimates, times h.
  void error(const ExplicitTableau& k, int row, Vector& eq, Vector& ev, Vector& ex) const;

  // Dense output of the state. The stages it needs besides are evaluated at the first call.
  bool interpolate(const System& system, const ExplicitTableau& k, ExplicitRates& rates, double t, State& y);

  State end;
  Rates endRates;
  double t = 0, h = 0;

  void transfer(Archive& archive) {
    archive(end, endRates, t, h, start_, ready_);
    archive.sized(theta_, ThetaRate_, A_, Xdot_);
  }

 private:
  void place(const System& system, const ExplicitTableau& k, int stage, State& y);
  void store(const System& system, int stage, const Vector& theta, const Vector& v, const Rates& w);

  State start_;
  Vector theta_;                          // chart coordinates of the end
  Eigen::MatrixXd ThetaRate_, A_, Xdot_;  // one column per stage
  bool ready_ = false;                    // the stages for dense output are there
  State stage_;
  Rates stageRates_;
  Vector stageTheta_, rate_, changeV_, changeX_;
};

}  // namespace mbfmu
