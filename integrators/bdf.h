// Backward differentiation formulas of order 1 to 5 with variable step and order. Constraints at velocity level with
// positions stabilised (index 2, default), at position level with the projection filter for velocity errors (index 3),
// or at all three levels, so that accelerations are index-1 variables too (index 1). Positions move in the chart at the
// step's start; the history is a list of points on the manifold.
//
// Orders 1 and 2 are A-stable, 3 to 5 A(alpha)-stable with alpha = 86, 73 and 52 degrees. Cost: one implicit stage per
// step. The history begins with one step of the L-stable block method, whose nodes are the points it needs.
//
// Ren & Zhou 2020, section 4 and Alg. 4; Brenan, Campbell & Petzold 1996. A failed step leaves everything as it was.
#pragma once

#include "integrators/bdf_history.h"
#include "integrators/bdf_order_control.h"
#include "integrators/block_integrator.h"
#include "integrators/implicit_integrator.h"
#include "integrators/step_controller.h"

namespace mbfmu {

enum class BdfForm { variableCoefficients, quasiConstantStep };

struct BdfOptions {
  int maxOrder = kBdfMaxOrder;
  BdfForm form = BdfForm::variableCoefficients;
  Level level = Level::velocity;
  OrderCriterion criterion = OrderCriterion::recommended;
  double fixedStep = 0;  // > 0: this step size at the highest order, no error test
};

class Bdf final : public ImplicitIntegrator {
 public:
  explicit Bdf(const BdfOptions& options);

  std::unique_ptr<Integrator> clone() const override { return std::make_unique<Bdf>(*this); }
  void assign(const Integrator& other) override { *this = static_cast<const Bdf&>(other); }
  void start(const System& system, double t, const State& y, const Rates& w) override;
  Failure step(const System& system, double tLimit) override;
  Failure cutBack(const System& system, double t) override;
  Failure jump(const System& system) override;
  void interpolate(const System& system, double t, State& y, Rates& w) const override;
  void transfer(const System& system, Archive& archive) override;

 private:
  // The polynomial of the last step: Newton's form through its end and the points before, in the chart at its start.
  struct Dense {
    int order = 0;
    double t1 = 0;
    Vector origin;
    Eigen::MatrixXd D;
    std::array<double, kBdfPast + 2> tau{};
    void transfer(Archive& archive);
  };

  bool fixed() const { return options_.fixedStep > 0; }
  Failure startingStep(const System& system, double tLimit);
  void predict(const BdfHistory& history, const BdfCoefficients& k, int order);
  double difference(const BdfHistory& history, const BdfCoefficients& k, int order, int of);
  BdfDifferenceSizes differenceSizes(const BdfHistory& history, const BdfCoefficients& k, int order);
  void accept(const BdfHistory& history, const BdfCoefficients& k, int order, double t1);
  void forgetPast();
  void jumpOfDerivative(const System& system);

  BdfOptions options_;
  BlockIntegrator starter_;
  BlockCoefficients starterNodes_;
  bool lastStepByStarter_ = false;

  int order_ = 1;
  StepController controller_;  // holds the unclipped proposal and clips it
  BdfHistory history_, resampled_;
  Dense dense_;
  double lastStep_ = 0, stepBefore_ = 0;

  Vector predicted_, rate_, delta_, errorQ_, errorV_, errorX_;  // of the step being tried; stacked as the history is
  Rates jump_;
  Vector derivativeJump_, derivativeJumpChart_;
  mutable Vector theta_, value_, slope_;
};

}  // namespace mbfmu
