// Base of small systems given by their residuals alone: all derivatives come from evaluating them with dual numbers.
// Model has
//   template <class T> void motion(double t, const T* q, const T* v, const T* a, const T* lambda, T* r) const;
//   template <class T> void rows(double t, const T* q, const T* v, const T* a, Level level, T* r) const;
// for M a + Phi_q^T lambda - Q and for the constraints at a level. Only entries that are not zero at some random state
// are in the pattern.
#pragma once

#include <algorithm>
#include <random>
#include <string>

#include "integrators/system.h"
#include "tests/problems/dual.h"

namespace mbfmu {

template <class Model, int nv, int m>
class AutomaticSystem : public System {
 public:
  Dimensions dimensions() const override { return {nv, nv, 0, m}; }
  const Pattern& pattern() const override {
    if (pattern_.size() == 0) findPattern();
    return pattern_;
  }
  std::string constraintName(int row) const override { return "row " + std::to_string(row); }

  void residual(double t, const State& y, const Rates& w, Level level, Vector& r) const override {
    model().motion(t, y.q.data(), y.v.data(), w.a.data(), w.lambda.data(), r.data());
    model().rows(t, y.q.data(), y.v.data(), w.a.data(), level, r.data() + nv);
  }

  void constraints(double t, const State& y, Level level, Vector& c) const override {
    const double* none = nullptr;
    model().rows(t, y.q.data(), y.v.data(), none, level, c.data());
  }

  void linearise(double t, const State& y, const Rates& w, Level level, Linearisation& p) const override {
    const Pattern& entries = pattern();
    differentiate(t, y, w, level);
    for (auto* values : {&p.p0, &p.p1, &p.p2}) values->assign(entries.size(), 0.0);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const int row = entries.row[e], col = entries.col[e];
      const auto& slope = out_[row].slope;
      if (col >= nv) {
        p.p0[e] = slope[2 * nv + col];
      } else if (row < nv || level == Level::acceleration) {
        p.p0[e] = slope[2 * nv + col];
        p.p1[e] = slope[nv + col];
        p.p2[e] = slope[col];
      } else if (level == Level::velocity) {
        p.p0[e] = slope[nv + col];
        p.p1[e] = slope[col];
      } else {
        p.p0[e] = slope[col];
      }
    }
  }

 private:
  static constexpr int directions = 3 * nv + m;  // q, v, a, lambda
  using Number = Dual<directions>;

  const Model& model() const { return static_cast<const Model&>(*this); }

  void differentiate(double t, const State& y, const Rates& w, Level level) const {
    const auto seed = [this](int first, const Vector& values) {
      for (int i = 0; i < values.size(); ++i) in_[first + i] = {values[i], Number::Slope::Unit(first + i)};
    };
    seed(0, y.q);
    seed(nv, y.v);
    seed(2 * nv, w.a);
    seed(3 * nv, w.lambda);
    model().motion(t, in_, in_ + nv, in_ + 2 * nv, in_ + 3 * nv, out_);
    model().rows(t, in_, in_ + nv, in_ + 2 * nv, level, out_ + nv);
  }

  void findPattern() const {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0.1, 1);
    const auto fill = [&](int n) { return Vector(Vector::NullaryExpr(n, [&] { return uniform(random); })); };
    const State y{fill(nv), fill(nv), Vector(0)};
    const Rates w{fill(nv), Vector(0), fill(m)};
    differentiate(0.3, y, w, Level::acceleration);
    for (int row = 0; row < nv + m; ++row) {
      for (int col = 0; col < nv + m; ++col) {
        const auto& slope = out_[row].slope;
        const bool present = slope[2 * nv + col] != 0 || (col < nv && (slope[col] != 0 || slope[nv + col] != 0));
        if (!present) continue;
        pattern_.row.push_back(row);
        pattern_.col.push_back(col);
      }
    }
  }

  mutable Pattern pattern_;
  mutable Number in_[3 * nv + m], out_[nv + m];
};

}  // namespace mbfmu
