// Step size from the error estimate: the elementary controller, and Gustafsson's predictive one when it is the more
// careful (Hairer & Wanner, Solving ODEs II, eq. IV.8.25). Remembers the proposal made before a step was clipped to
// end at a given time, so that a communication point costs no step size.
#pragma once

#include "integrators/archive.h"

namespace mbfmu {

class StepController {
 public:
  // Begin with step size h; errors go like h^errorOrder.
  void start(double h, int errorOrder);

  // Go on with a method whose errors go like h^errorOrder; the proposal stays.
  void changeOrder(int errorOrder);

  // The next step, given the time left to the limit: ends there exactly if close to it (reachesLimit), and shares the
  // rest evenly rather than leave a sliver.
  double clip(double remaining, double maxStep, bool& reachesLimit) const;

  // A step of size h with the given weighted error was accepted; work in (0, 1] lowers the safety factor for steps
  // whose iteration was expensive.
  void accepted(double h, double error, double work, bool clipped);
  // The same for a step that was too inaccurate; returns the step size to try.
  double rejected(double h, double error, double work);
  // No convergence: the smaller step that is tried becomes the proposal.
  void failed(double h);

  double proposal() const { return proposal_; }
  void setProposal(double h) { proposal_ = h; }

  void transfer(Archive& archive) { archive(proposal_, lastStep_, lastError_, exponent_, first_, wasRejected_); }

 private:
  double ratio(double error, double work) const;

  double proposal_ = 0, lastStep_ = 0, lastError_ = 1, exponent_ = 1;
  bool first_ = true, wasRejected_ = false;
};

}  // namespace mbfmu
