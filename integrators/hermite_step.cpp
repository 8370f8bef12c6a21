#include "integrators/hermite_step.h"

namespace mbfmu {

void HermiteStep::setUp(const Dimensions& n) {
  theta1_.setZero(n.nv);
  thetaRate1_ = theta_ = theta1_;
  y0_ = y1_ = {Vector::Zero(n.nq), theta1_, Vector::Zero(n.nx)};
  w0_ = w1_ = {theta1_, Vector::Zero(n.nx), Vector::Zero(n.m)};
}

void HermiteStep::store(const System& system, double t0, const State& y0, const Rates& w0, double t1, const State& y1,
                        const Rates& w1, const Vector& theta1) {
  t0_ = t0;
  h_ = t1 - t0;
  y0_ = y0;
  w0_ = w0;
  y1_ = y1;
  w1_ = w1;
  theta1_ = theta1;
  system.chartRate(theta1_, y1_.v, thetaRate1_);
}

void HermiteStep::interpolate(const System& system, double t, State& y, Rates& w) const {
  const double s = (t - t0_) / h_;
  const double end = s * s * (3 - 2 * s), start = 1 - end;  // the cubics that are 1 at one end
  const double startRate = h_ * s * (1 - s) * (1 - s), endRate = -h_ * s * s * (1 - s);
  theta_ = startRate * y0_.v + end * theta1_ + endRate * thetaRate1_;
  system.advance(y0_.q, theta_, y.q);
  y.v = start * y0_.v + startRate * w0_.a + end * y1_.v + endRate * w1_.a;
  y.x = start * y0_.x + startRate * w0_.xdot + end * y1_.x + endRate * w1_.xdot;
  w.a = (1 - s) * w0_.a + s * w1_.a;
  w.xdot = (1 - s) * w0_.xdot + s * w1_.xdot;
  w.lambda = (1 - s) * w0_.lambda + s * w1_.lambda;
}

}  // namespace mbfmu
