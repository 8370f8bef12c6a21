// Generalized-alpha of order 2 for q, v and x, with variable steps or a fixed one: one implicit stage per step, damping
// of high frequencies by choice (rho). Constraints at velocity level with positions stabilised (index 2, default) or at
// position level (index 3). Positions move in the chart at the step's start (Bruels & Cardona 2010).
//
// Chung & Hulbert 1993; Arnold & Bruels 2007; Ren & Zhou 2020, Alg. 3. A failed step leaves everything as it was.
#pragma once

#include "integrators/generalized_alpha_parameters.h"
#include "integrators/hermite_step.h"
#include "integrators/implicit_integrator.h"
#include "integrators/step_controller.h"

namespace mbfmu {

struct GeneralizedAlphaOptions {
  AlphaVariant variant = AlphaVariant::chungHulbert;
  double rho = 0.8;
  Level level = Level::velocity;
  double fixedStep = 0;  // > 0: this step size, no error test, a bounded number of iterations
};

class GeneralizedAlpha final : public ImplicitIntegrator {
 public:
  explicit GeneralizedAlpha(const GeneralizedAlphaOptions& options);

  std::unique_ptr<Integrator> clone() const override { return std::make_unique<GeneralizedAlpha>(*this); }
  void assign(const Integrator& other) override { *this = static_cast<const GeneralizedAlpha&>(other); }
  void start(const System& system, double t, const State& y, const Rates& w) override;
  Failure step(const System& system, double tLimit) override;
  Failure cutBack(const System& system, double t) override;
  Failure jump(const System& system) override;
  void interpolate(const System& system, double t, State& y, Rates& w) const override;
  void setTolerances(const Tolerances& tolerances) override;
  void transfer(const System& system, Archive& archive) override;

 private:
  void predict(double h, bool extrapolate);
  void algorithmicRates();
  double estimateError(double h);
  void accept(const System& system, double h, double t1);
  void forgetPast();

  GeneralizedAlphaOptions options_;
  AlphaParameters k_;
  double scale_ = 1;  // internal tolerance relative to the user's
  StepController controller_;
  bool needsInitialStep_ = true;

  // Algorithmic rates (A for v', Xi for x') of the last step of size lastStep_, and how fast they and lambda change.
  Vector A_, Xi_, slopeA_, slopeXi_, slopeLambda_;
  double lastStep_ = 0;
  Vector startA_, startXi_, newA_, newXi_;  // at the ends of the step being tried
  Vector errorQ_, errorV_, errorX_, unused_;

  HermiteStep dense_;
  bool haveDense_ = false;
};

}  // namespace mbfmu
