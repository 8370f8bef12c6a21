#include "integrators/bdf_history.h"

#include <algorithm>

namespace mbfmu {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void BdfHistory::setUp(const Dimensions& n) {
  n_ = n;
  past_ = 0;
  const Point none{
      .t = 0, .y = {Vector::Zero(n.nq), Vector::Zero(n.nv), Vector::Zero(n.nx)}, .lambda = Vector::Zero(n.m)};
  point_.assign(kBdfPast, none);
  D_.setZero(2 * n.nv + n.nx + n.m, kBdfPast + 1);
  samples_ = D_;
  theta_.setZero(n.nv);
}

void BdfHistory::push(double t, const State& y, const Vector& lambda) {
  std::rotate(point_.begin(), point_.end() - 1, point_.end());
  point_.front().t = t;
  point_.front().y = y;
  point_.front().lambda = lambda;
  past_ = std::min(past_ + 1, kBdfPast);
}

void BdfHistory::forgetAfter(double t) {
  while (past_ > 0 && point_.front().t > t) {
    std::rotate(point_.begin(), point_.begin() + 1, point_.end());
    --past_;
  }
}

void BdfHistory::expand(const System& system, double t, const State& y, const Vector& lambda, int order) {
  D_.col(0) << Vector::Zero(n_.nv), y.v, y.x, lambda;
  for (int j = 1; j <= order; ++j) {
    const Point& point = point_[at(j - 1)];
    system.difference(y.q, point.y.q, theta_);
    D_.col(j).head(n_.nv) = theta_;
    D_.col(j).segment(n_.nv, n_.nv) = point.y.v;
    D_.col(j).segment(2 * n_.nv, n_.nx) = point.y.x;
    D_.col(j).tail(n_.m) = point.lambda;
    tau_[at(j)] = t - point.t;
  }
  differences(order);
}

// Columns 1 to order from values to nabla^j, by divided differences.
void BdfHistory::differences(int order) {
  tau_[0] = 0;
  for (int j = 1; j <= order; ++j) {
    for (int i = order; i >= j; --i) {
      D_.col(i) -= D_.col(i - 1);
      D_.col(i) /= tau_[at(i - j)] - tau_[at(i)];
    }
  }
  double scale = 1;
  for (int j = 1; j <= order; ++j) {
    scale *= tau_[at(j)];
    D_.col(j) *= scale;
  }
}

void BdfHistory::resample(const System& system, double t, const State& y, const Vector& lambda, int order, double h) {
  double weight[kBdfPast + 1];
  for (int j = 1; j <= order; ++j) {
    newtonWeights(tau_.data(), order, -j * h, weight, nullptr);
    samples_.col(j) = D_.col(0);
    for (int i = 1; i <= order; ++i) samples_.col(j) += weight[i] * D_.col(i);
  }
  for (int j = 1; j <= order; ++j) {
    Point& point = point_[at(j - 1)];
    point.t = t - j * h;
    theta_ = samples_.col(j).head(n_.nv);
    system.advance(y.q, theta_, point.y.q);
    point.y.v = samples_.col(j).segment(n_.nv, n_.nv);
    point.y.x = samples_.col(j).segment(2 * n_.nv, n_.nx);
    point.lambda = samples_.col(j).tail(n_.m);
    D_.col(j) = samples_.col(j);
    tau_[at(j)] = j * h;
  }
  past_ = std::min(past_, order);
  D_.col(0).tail(n_.m) = lambda;
  differences(order);
}

void BdfHistory::addJump(const System& system, double t, const State& y, const Rates& dw, const Vector& dj,
                         const Vector& djChart) {
  for (int j = 0; j < past_; ++j) {
    Point& point = point_[at(j)];
    const double tau = t - point.t;
    system.difference(y.q, point.y.q, theta_);
    theta_ += tau * tau / 2 * dw.a - tau * tau * tau / 6 * djChart;
    system.advance(y.q, theta_, point.y.q);
    point.y.v += tau * tau / 2 * dj - tau * dw.a;
    point.y.x -= tau * dw.xdot;
    point.lambda += dw.lambda;
  }
}

void BdfHistory::transfer(Archive& archive) {
  archive(past_);
  for (Point& point : point_) {
    archive(point.t);
    archive.sized(point.y.q, point.y.v, point.y.x, point.lambda);
  }
  if (past_ < 0 || past_ > kBdfPast) archive.refuse();
  if (!archive.ok()) past_ = 0;
}

void newtonWeights(const double* tau, int order, double s, double* value, double* derivative) {
  value[0] = 1;
  double slope = 0;
  for (int j = 1; j <= order; ++j) {
    slope = (slope * (s + tau[j - 1]) + value[j - 1]) / tau[j];
    value[j] = value[j - 1] * (s + tau[j - 1]) / tau[j];
    if (derivative) derivative[j] = slope;
  }
}

}  // namespace mbfmu
