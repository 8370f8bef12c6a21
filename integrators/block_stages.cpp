#include "integrators/block_stages.h"

namespace mbfmu {
namespace {
constexpr int kChartSweeps = 4;  // of the fixed-point iteration for Theta; Newton's own iterations finish it
}

void BlockStages::setUp(const Dimensions& dimensions, const BlockCoefficients& k) {
  n_ = dimensions;
  W.setZero(n_.unknowns(), k.r);
  V.setZero(n_.nv, k.r);
  Theta = ThetaRate = V;
  X.setZero(n_.nx, k.r);
  theta_.setZero(n_.nv);
  v_ = rate_ = theta_;
}

void BlockStages::begin(double t0, double step, const State& y, const Rates& w, const BlockCoefficients& k) {
  t = t0;
  h = step;
  start = y;
  startRates = w;
  for (int i = 0; i < k.r; ++i) Theta.col(i) = (h * k.c[i]) * y.v;
}

void BlockStages::combine(const BlockCoefficients& k, const Eigen::MatrixXd& rates, Eigen::Index row,
                          const Vector* base, const Vector& startRate, Eigen::MatrixXd& out) const {
  const Eigen::Index rows = out.rows();
  for (int j = 0; j < k.r; ++j) {
    auto column = out.col(j);
    if (base) column = *base;
    if (!base) column.setZero();
    if (k.usesStartRate) column += (h * k.d[j]) * startRate;
    for (int l = 0; l < k.r; ++l) column += (h * k.B(j, l)) * rates.col(l).segment(row, rows);
  }
}

void BlockStages::update(const System& system, const BlockCoefficients& k) {
  combine(k, W, 0, &start.v, startRates.a, V);
  combine(k, W, n_.nv, &start.x, startRates.xdot, X);
  for (int sweep = 0; sweep < kChartSweeps; ++sweep) {
    bool changed = sweep == 0;
    for (int i = 0; i < k.r; ++i) {
      theta_ = Theta.col(i);
      v_ = V.col(i);
      system.chartRate(theta_, v_, rate_);
      changed = changed || rate_ != ThetaRate.col(i);
      ThetaRate.col(i) = rate_;
    }
    if (!changed) break;
    combine(k, ThetaRate, 0, nullptr, start.v, Theta);
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

void BlockStages::interpolate(const System& system, const BlockCoefficients& k, double at, State& y, Rates& w) const {
  const double s = (at - t) / h;
  double atStart = 1;  // the Lagrange basis on {0, c}: that on c times x / c_j, and prod (x - c_l) / (-c_l) for node 0
  for (int j = 0; j < k.r; ++j) atStart *= (s - k.c[j]) / -k.c[j];
  theta_.setZero();
  y.v = atStart * start.v;
  y.x = atStart * start.x;
  w.a.setZero(n_.nv);
  w.xdot.setZero(n_.nx);
  w.lambda.setZero(n_.m);
  for (int j = 0; j < k.r; ++j) {
    const double onNodes = lagrange(k.c, j, s), withStart = onNodes * s / k.c[j];
    theta_ += withStart * Theta.col(j);
    y.v += withStart * V.col(j);
    y.x += withStart * X.col(j);
    w.a += onNodes * W.col(j).head(n_.nv);
    w.xdot += onNodes * W.col(j).segment(n_.nv, n_.nx);
    w.lambda += onNodes * W.col(j).tail(n_.m);
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
  system.advance(start.q, theta_, y.q);
}

void BlockStages::extrapolate(const BlockCoefficients& k, double at, Eigen::Ref<Vector> w) const {
  w.setZero();
  for (int j = 0; j < k.r; ++j) w += lagrange(k.c, j, (at - t) / h) * W.col(j);
}

void BlockStages::moveEnd(const System& system, const Vector& dq) {
  const Eigen::Index last = Theta.cols() - 1;
  theta_ = Theta.col(last);
  system.chartRate(theta_, dq, rate_);  // maps tangent vectors at the node into the chart
  Theta.col(last) += rate_;
}

}  // namespace mbfmu
