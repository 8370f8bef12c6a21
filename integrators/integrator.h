// What every integrator offers. An integrator is a value: clone it, run both, and get the same bits. It holds no
// reference to the System; the caller passes the same one in. An attempt changes nothing until it is accepted.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "integrators/system.h"

namespace mbfmu {

// |error| <= rtol |y| + atol, separately for positions, velocities and first-order states.
struct Tolerances {
  double rtol = 1e-6;
  double atolPosition = 1e-6, atolVelocity = 1e-6, atolState = 1e-6;
  void transfer(Archive& archive) { archive(rtol, atolPosition, atolVelocity, atolState); }
};

struct Limits {
  double maxStep = std::numeric_limits<double>::infinity();
  double minStep = 0;         // 0: as small as the time's resolution allows
  double initialStep = 0;     // 0: chosen by the integrator
  long maxSteps = 1'000'000;  // between two calls of start()
  void transfer(Archive& archive) { archive(maxStep, minStep, initialStep, maxSteps); }
};

struct Statistics {
  long steps = 0, rejectedSteps = 0, newtonIterations = 0, newtonFailures = 0;
  long jacobianEvaluations = 0, factorizations = 0, residualEvaluations = 0, solves = 0;
  long events = 0, restarts = 0, warmRestarts = 0;
  long discontinuities = 0;  // found in the equations without having been announced
  double minStepSize = std::numeric_limits<double>::infinity(), maxStepSize = 0, lastStepSize = 0;
  int order = 0;
  void transfer(Archive& archive) {
    archive(steps, rejectedSteps, newtonIterations, newtonFailures, jacobianEvaluations, factorizations,
            residualEvaluations, solves, events, restarts, warmRestarts, discontinuities, minStepSize, maxStepSize, lastStepSize, order);
  }
};

// Why a step could not be done. The integrator is then exactly as before the call.
struct Failure {
  enum class Reason {
    none,
    singularMatrix,
    stepFloor,
    newtonDivergence,
    errorTest,
    tooManySteps,
    notFinite,
    outOfRange
  };
  Reason reason = Reason::none;
  double t = 0, h = 0;
  int iteration = 0;
  int worstConstraint = -1;  // row of the largest constraint residual, -1 if there is none
  explicit operator bool() const { return reason != Reason::none; }
};
std::string describe(const Failure& failure, const System& system);

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::unique_ptr<Integrator> clone() const = 0;
  // Becomes equal to other, which was made with the same options; without the heap once their sizes agree.
  virtual void assign(const Integrator& other) = 0;

  // Begin (or begin again, cold) at a consistent state with its rates.
  virtual void start(const System& system, double t, const State& y, const Rates& w) = 0;

  // One accepted step. It may end anywhere in (time(), tLimit], and ends at tLimit exactly if it would come close.
  virtual Failure step(const System& system, double tLimit) = 0;

  // Drop everything after t, which lies in the last step: the state at t (dense output, projected onto the constraints,
  // consistent rates) becomes the end of the integration.
  virtual Failure cutBack(const System& system, double t) = 0;

  // The System's inputs or parameters changed at time(): warm restart with order, step size and factorisation kept.
  virtual Failure jump(const System& system) = 0;

  // A hint, which changes no result beyond the tolerances: from now on inputs are expected to jump again after every
  // short stretch (true: such a stretch is a step or two, high order does not pay) or to stay (false, as after
  // start()). May be called at any time; takes effect at the next step without a restart. Methods that gain nothing
  // ignore it.
  virtual void expectJumps(bool /*expected*/) {}

  // Dense output anywhere in the last step (at time() alone right after start()).
  virtual void interpolate(const System& system, double t, State& y, Rates& w) const = 0;

  virtual double time() const = 0;           // end of the last accepted step
  virtual double lastStepStart() const = 0;  // equals time() right after start()
  virtual const State& state() const = 0;
  virtual const Rates& rates() const = 0;
  virtual const Statistics& statistics() const = 0;

  // May be called between any two steps; take effect at the next one without a restart.
  virtual void setTolerances(const Tolerances& tolerances) = 0;
  virtual void setLimits(const Limits& limits) = 0;

  // Writes everything that decides how the integration goes on, or restores it into an integrator made with the same
  // options for the same System (started or not). After reading, going on gives the same bits, also in another process.
  // An archive that does not fit is refused (see Archive::ok) and leaves an integrator that has to be started anew.
  virtual void transfer(const System& system, Archive& archive) = 0;
};

}  // namespace mbfmu
