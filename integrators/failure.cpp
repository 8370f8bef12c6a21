#include <sstream>

#include "integrators/integrator.h"

namespace mbfmu {

std::string describe(const Failure& failure, const System& system) {
  std::ostringstream text;
  switch (failure.reason) {
    case Failure::Reason::none:
      return "no failure";
    case Failure::Reason::singularMatrix:
      text << "the equations of motion are singular (redundant constraints, or a body without mass)";
      break;
    case Failure::Reason::stepFloor:
      text << "the step size fell below its minimum; loosen the tolerance or lower the minimal step size";
      break;
    case Failure::Reason::newtonDivergence:
      text << "the equations of a step could not be solved even with very small steps";
      break;
    case Failure::Reason::errorTest:
      text << "the error stays above the tolerance even with very small steps; is there an unannounced jump?";
      break;
    case Failure::Reason::tooManySteps:
      text << "the limit on the number of steps is reached";
      break;
    case Failure::Reason::notFinite:
      text << "the equations gave a value that is not a number";
      break;
    case Failure::Reason::outOfRange:
      text << "the time asked for lies outside the last step";
      break;
  }
  text.precision(9);
  text << " (t = " << failure.t << ", h = " << failure.h << ", iteration " << failure.iteration;
  if (failure.worstConstraint >= 0)
    text << ", worst constraint \"" << system.constraintName(failure.worstConstraint) << '"';
  text << ')';
  return text.str();
}

}  // namespace mbfmu
