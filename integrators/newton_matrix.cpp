#include "integrators/newton_matrix.h"

#include <algorithm>

#include "integrators/stage_solver.h"

namespace mbfmu {
namespace {
std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }
}  // namespace

void NewtonMatrix::setPattern(const Dimensions& dimensions, const Pattern& pattern) {
  n_ = dimensions;
  lu_.setPattern(dimensions.unknowns(), pattern);
  off_.assign(at(dimensions.m), 0);
  otherOff_ = off_;
}

bool NewtonMatrix::factor(const Linearisation& p, double c1, double c2) {
  const int regular = n_.nv + n_.nx;
  for (std::size_t e = 0; e < lu_.entries.size(); ++e) {
    const double mu = lu_.pattern().row[e] < regular ? c1 : c2 / c1;
    lu_.entries[e] = p.p0[e] + mu * p.p1[e] + c2 * p.p2[e];
  }
  findRowsOff(n_, lu_.pattern(), p, off_);
  return lu_.factor();
}

void NewtonMatrix::correct(const Vector& residual, double constraintScale, Vector& dw) {
  const int regular = n_.nv + n_.nx;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    const bool scaled = i >= regular && !off_[at(i - regular)];
    lu_.rhs[at(i)] = scaled ? -residual[i] / constraintScale : -residual[i];
  }
  lu_.solve();
  for (Eigen::Index i = 0; i < dw.size(); ++i) dw[i] = lu_.solution[at(i)];
}

void NewtonMatrix::project(const Vector& c, Vector& dq) {
  std::fill(lu_.rhs.begin(), lu_.rhs.end(), 0.0);
  for (Eigen::Index i = 0; i < c.size(); ++i) lu_.rhs[at(n_.nv + n_.nx + i)] = -c[i];
  lu_.solve();
  for (Eigen::Index i = 0; i < dq.size(); ++i) dq[i] = lu_.solution[at(i)];
}

void NewtonMatrix::filter(const Linearisation& p, Vector& ev, Vector& ex) {
  const int regular = n_.nv + n_.nx;
  std::fill(lu_.rhs.begin(), lu_.rhs.end(), 0.0);
  for (std::size_t e = 0; e < lu_.entries.size(); ++e) {
    const int row = lu_.pattern().row[e], col = lu_.pattern().col[e];
    if (row < regular && col < regular) lu_.rhs[at(row)] += p.p0[e] * (col < n_.nv ? ev[col] : ex[col - n_.nv]);
  }
  lu_.solve();
  for (Eigen::Index i = 0; i < ev.size(); ++i) ev[i] = lu_.solution[at(i)];
  for (Eigen::Index i = 0; i < ex.size(); ++i) ex[i] = lu_.solution[at(n_.nv + i)];
}

bool NewtonMatrix::sameRowsOff(const Linearisation& p) {
  findRowsOff(n_, lu_.pattern(), p, otherOff_);
  return otherOff_ == off_;
}

}  // namespace mbfmu
