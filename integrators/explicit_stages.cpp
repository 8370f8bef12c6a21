#include "integrators/explicit_stages.h"

namespace mbfmu {
namespace {

// out = h sum_j weights_j columns_j
template <class Weights>
void combine(const Eigen::MatrixXd& columns, const Weights& weights, int count, double h, Vector& out) {
  out.setZero();
  for (int j = 0; j < count; ++j)
    if (weights[j] != 0) out += (h * weights[j]) * columns.col(j);
}

}  // namespace

void ExplicitStages::setUp(const Dimensions& n, const ExplicitTableau& k) {
  start_ = stage_ = end = {Vector::Zero(n.nq), Vector::Zero(n.nv), Vector::Zero(n.nx)};
  endRates = stageRates_ = {Vector::Zero(n.nv), Vector::Zero(n.nx), Vector::Zero(n.m)};
  ThetaRate_ = A_ = Eigen::MatrixXd::Zero(n.nv, k.stages());
  Xdot_ = Eigen::MatrixXd::Zero(n.nx, k.stages());
  theta_ = stageTheta_ = rate_ = changeV_ = Vector::Zero(n.nv);
  changeX_ = Vector::Zero(n.nx);
  ready_ = false;
}

void ExplicitStages::place(const System& system, const ExplicitTableau& k, int i, State& y) {
  const auto weights = k.A.row(i);
  combine(ThetaRate_, weights, i, h, stageTheta_);
  combine(A_, weights, i, h, y.v);
  combine(Xdot_, weights, i, h, y.x);
  y.v += start_.v;
  y.x += start_.x;
  system.advance(start_.q, stageTheta_, y.q);
}

void ExplicitStages::store(const System& system, int i, const Vector& theta, const Vector& v, const Rates& w) {
  system.chartRate(theta, v, rate_);
  ThetaRate_.col(i) = rate_;
  A_.col(i) = w.a;
  Xdot_.col(i) = w.xdot;
}

bool ExplicitStages::run(const System& system, const ExplicitTableau& k, ExplicitRates& rates, double t0, double step,
                         const State& y, const Rates& w) {
  t = t0;
  h = step;
  start_ = y;
  stageRates_ = w;
  stageTheta_.setZero();
  ready_ = false;
  store(system, 0, stageTheta_, y.v, w);
  for (int i = 1; i < k.end; ++i) {
    place(system, k, i, stage_);
    if (!rates.factor(system, t + k.c[i] * h, stage_, stageRates_)) return false;
    rates.solve(system, t + k.c[i] * h, stage_, stageRates_);
    store(system, i, stageTheta_, stage_.v, stageRates_);
  }
  place(system, k, k.end, end);
  theta_ = stageTheta_;
  endRates = stageRates_;
  return true;
}

void ExplicitStages::moveEnd(const System& system, const Vector& dq) {
  system.chartRate(theta_, dq, rate_);
  theta_ += rate_;
  system.advance(start_.q, theta_, end.q);
}

void ExplicitStages::finish(const System& system, const ExplicitTableau& k) {
  store(system, k.end, theta_, end.v, endRates);
}

void ExplicitStages::error(const ExplicitTableau& k, int row, Vector& eq, Vector& ev, Vector& ex) const {
  const auto weights = k.error.row(row);
  combine(ThetaRate_, weights, k.end + 1, h, eq);
  combine(A_, weights, k.end + 1, h, ev);
  combine(Xdot_, weights, k.end + 1, h, ex);
}

bool ExplicitStages::interpolate(const System& system, const ExplicitTableau& k, ExplicitRates& rates, double time,
                                 State& y) {
  for (int i = k.end + 1; i < k.stages() && !ready_; ++i) {
    stageRates_ = endRates;
    place(system, k, i, stage_);
    if (!rates.factor(system, t + k.c[i] * h, stage_, stageRates_)) return false;
    rates.solve(system, t + k.c[i] * h, stage_, stageRates_);
    store(system, i, stageTheta_, stage_.v, stageRates_);
  }
  ready_ = true;
  const double s = (time - t) / h, s1 = 1 - s;
  const auto value = [&](const Eigen::MatrixXd& rate, const Vector& change, Vector& out) {
    out.setZero();
    for (auto row = k.dense.rows() - 1; row >= 0; --row) {
      for (int j = 0; j < k.stages(); ++j)
        if (k.dense(row, j) != 0) out += (h * k.dense(row, j)) * rate.col(j);
      out *= row % 2 == 0 ? s1 : s;
    }
    out += 2 * change - h * rate.col(0) - h * rate.col(k.end);
    out = s * (change + s1 * (h * rate.col(0) - change + s * out));
  };
  value(ThetaRate_, theta_, stageTheta_);
  system.advance(start_.q, stageTheta_, y.q);
  changeV_ = end.v - start_.v;
  value(A_, changeV_, y.v);
  y.v += start_.v;
  changeX_ = end.x - start_.x;
  value(Xdot_, changeX_, y.x);
  y.x += start_.x;
  return true;
}

}  // namespace mbfmu
