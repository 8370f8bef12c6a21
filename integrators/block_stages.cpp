#include "integrators/block_stages.h"

namespace mbfmu {
namespace {
constexpr int kChartSweeps = 4;  // of the fixed-point iteration for Theta; Newton's own iterations finish it
}

void BlockStages::setUp(const Dimensions& dimensions, const BlockCoefficients& coefficients, KernelChoice kernel) {
  k = coefficients;
  kernel_ = &kernels(kernel);
  n_ = dimensions;
  flat_ = n_.nq == n_.nv;
  W.setZero(n_.unknowns(), k.points());
  V.setZero(n_.nv, k.points());
  Theta = ThetaRate = Shift_ = V;
  X.setZero(n_.nx, k.points());
  theta_.setZero(n_.nv);
  v_ = rate_ = theta_;
}

void BlockStages::begin(double t0, double step, const State& y, const Rates& w) {
  t = t0;
  h = step;
  start = y;
  startRates = w;
  scaledB_ = h * k.B;
  Shift_.setZero();
  for (int i = 0; i < k.r; ++i) Theta.col(i) = (h * k.c[i]) * y.v;
}

void BlockStages::combine(const Eigen::MatrixXd& rates, Eigen::Index row, const Vector* base, const Vector& startRate,
                          Eigen::MatrixXd& out) const {
  kernel_->combine(static_cast<int>(out.rows()), k.r, scaledB_.data(), rates.data() + row,
                   static_cast<int>(rates.rows()), base ? base->data() : nullptr, out.data());
  for (int j = 0; k.usesStartRate && j < k.r; ++j) out.col(j) += (h * k.d[j]) * startRate;
  if (k.b.size() == 0) return;
  if (base) out.col(k.r) = *base;
  if (!base) out.col(k.r).setZero();
  for (int j = 0; j < k.r; ++j) out.col(k.r) += (h * k.b[j]) * rates.col(j).segment(row, out.rows());
}

void BlockStages::update(const System& system) {
  combine(W, 0, &start.v, startRates.a, V);
  if (n_.nx > 0) combine(W, n_.nv, &start.x, startRates.xdot, X);
  if (flat_) {
    ThetaRate = V;
    combine(V, 0, nullptr, start.v, Theta);
    Theta += Shift_;
    return;
  }
  for (int sweep = 0; sweep < kChartSweeps; ++sweep) {
    for (int i = 0; i < k.r; ++i) {
      theta_ = Theta.col(i);
      v_ = V.col(i);
      system.chartRate(theta_, v_, rate_);
      ThetaRate.col(i) = rate_;
    }
    combine(ThetaRate, 0, nullptr, start.v, Theta);
    Theta += Shift_;
  }
}

void BlockStages::node(const System& system, int i, State& y, Rates& w) const {
  theta_ = Theta.col(i);
  system.advance(start.q, theta_, y.q);
  y.v = V.col(i);
  y.x = X.col(i);
  w.a = W.col(i).head(n_.nv);
  w.xdot = W.col(i).segment(n_.nv, n_.nx);
  w.lambda = W.col(i).tail(n_.m);
}

void BlockStages::interpolate(const System& system, double at, State& y, Rates& w) const {
  const double s = (at - t) / h;
  w.a.setZero(n_.nv);
  w.xdot.setZero(n_.nx);
  w.lambda.setZero(n_.m);
  for (int j = 0; j < k.r; ++j) {
    const double weight = lagrange(k.c, j, s);
    w.a += weight * W.col(j).head(n_.nv);
    w.xdot += weight * W.col(j).segment(n_.nv, n_.nx);
    w.lambda += weight * W.col(j).tail(n_.m);
  }
  if (k.startIsNode()) interpolateFromRates(s, y);
  if (!k.startIsNode()) interpolateBetweenNodes(s, y);
  system.advance(start.q, theta_, y.q);
}

void BlockStages::interpolateBetweenNodes(double s, State& y) const {
  double atStart = 1;  // the Lagrange basis on {0, c}: that on c times x / c_j, and prod (x - c_l) / (-c_l) for node 0
  for (int j = 0; j < k.r; ++j) atStart *= (s - k.c[j]) / -k.c[j];
  theta_.setZero();
  y.v = atStart * start.v;
  y.x = atStart * start.x;
  for (int j = 0; j < k.r; ++j) {
    const double weight = lagrange(k.c, j, s) * s / k.c[j];
    theta_ += weight * Theta.col(j);
    y.v += weight * V.col(j);
    y.x += weight * X.col(j);
  }
  double psi = 0;
  for (Eigen::Index power = k.startMend.size() - 1; power >= 0; --power) psi = psi * s + k.startMend[power];
  psi *= h;
  theta_ += psi * start.v;
  y.v += psi * startRates.a;
  y.x += psi * startRates.xdot;
  for (int j = 0; j < k.r; ++j) {
    const double weight = psi * k.errorWeight[j];
    theta_ -= weight * ThetaRate.col(j);
    y.v -= weight * W.col(j).head(n_.nv);
    y.x -= weight * W.col(j).segment(n_.nv, n_.nx);
  }
}

// The integral of the rates' polynomial, plus a straight line that makes it end where the step does.
void BlockStages::interpolateFromRates(double s, State& y) const {
  theta_ = s * Theta.col(end());
  y.v = (1 - s) * start.v + s * V.col(end());
  y.x = (1 - s) * start.x + s * X.col(end());
  for (int j = 0; j < k.r; ++j) {
    double integral = 0, whole = 0;
    for (int power = k.r; power >= 0; --power) {
      integral = integral * s + k.rateIntegral(j, power);
      whole += k.rateIntegral(j, power);
    }
    const double weight = h * (integral - s * whole);
    theta_ += weight * ThetaRate.col(j);
    y.v += weight * W.col(j).head(n_.nv);
    y.x += weight * W.col(j).segment(n_.nv, n_.nx);
  }
}

void BlockStages::extrapolate(double at, Eigen::Ref<Vector> w) const {
  w.setZero();
  for (int j = 0; j < k.r; ++j) w += lagrange(k.c, j, (at - t) / h) * W.col(j);
}

void BlockStages::shift(const System& system, int i, const Vector& dq) {
  theta_ = Theta.col(i);
  system.chartRate(theta_, dq, rate_);  // maps tangent vectors at the node into the chart
  Shift_.col(i) += rate_;
  Theta.col(i) += rate_;
}

}  // namespace mbfmu
