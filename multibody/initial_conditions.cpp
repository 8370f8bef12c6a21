#include "multibody/initial_conditions.h"

#include <Eigen/SparseLU>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace mbfmu {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
constexpr int kDenseLimit = 600;  // unknowns
constexpr double kRankTolerance = 1e-10;

// The smallest weighted step with Phi_q step = b for as many rows as are independent: with D = W^(-1/2) and
// D Phi_q^T P = Q R, the leading r columns give step = D Q_1 R_11^-T b_1. The rows behind r are redundant.
class LeastNorm {
 public:
  LeastNorm(const Sparse& jacobian, const Vector& weights) : scale_(weights.cwiseSqrt().cwiseInverse()) {
    const Sparse transposed = scale_.asDiagonal() * Sparse(jacobian.transpose());
    rows_ = jacobian.rows();
    dense_ = jacobian.rows() + jacobian.cols() <= kDenseLimit;
    if (dense_) {
      denseQr_.setThreshold(kRankTolerance);
      denseQr_.compute(Eigen::MatrixXd(transposed));
      rank_ = denseQr_.rank();
      order_ = denseQr_.colsPermutation().indices();
    } else {
      double largest = 0;
      for (Eigen::Index k = 0; k < transposed.cols(); ++k) largest = std::max(largest, transposed.col(k).norm());
      sparseQr_.setPivotThreshold(kRankTolerance * largest);
      sparseQr_.compute(transposed);
      rank_ = sparseQr_.rank();
      order_ = sparseQr_.colsPermutation().indices();
    }
  }

  std::vector<int> redundant() const {
    std::vector<int> rows;
    for (Eigen::Index i = rank_; i < rows_; ++i) rows.push_back(static_cast<int>(order_[i]));
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  Vector solve(const Vector& b) const {
    Vector head(rank_);
    for (Eigen::Index i = 0; i < rank_; ++i) head[i] = b[order_[i]];
    Vector full = Vector::Zero(scale_.size());
    if (dense_) {
      const auto r = denseQr_.matrixQR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>();
      full.head(rank_) = r.transpose().solve(head);
      full.applyOnTheLeft(denseQr_.householderQ());
    } else {
      const Sparse r = Sparse(sparseQr_.matrixR()).topLeftCorner(rank_, rank_);
      full.head(rank_) = Sparse(r.transpose()).triangularView<Eigen::Lower>().solve(head);
      full = Vector(sparseQr_.matrixQ() * full);
    }
    return scale_.cwiseProduct(full);
  }

 private:
  Vector scale_;
  Eigen::Index rows_ = 0, rank_ = 0;
  bool dense_ = true;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> denseQr_;
  Eigen::SparseQR<Sparse, Eigen::COLAMDOrdering<int>> sparseQr_;
  Eigen::VectorXi order_;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

class Finder {
 public:
  Finder(Mechanism& mechanism, double t) : mechanism_(mechanism), d_(mechanism.dimensions()), t_(t) {
    for (int row = 0; row < d_.m; ++row) mechanism_.setRowActive(row, true);
    out_.y = mechanism_.guess();
    out_.w = {Vector::Zero(d_.nv), Vector::Zero(d_.nx), Vector::Zero(d_.m)};
    mechanism_.assemblyWeights(positionWeights_, velocityWeights_);
  }

  InitialConditions run() {
    out_.ok = assemble() && findRedundant() && project() && accelerations();
    return std::move(out_);
  }

 private:
  Sparse matrix(Level level) {
    mechanism_.linearise(t_, out_.y, out_.w, level, linearisation_);
    const Pattern& pattern = mechanism_.pattern();
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      entries.emplace_back(pattern.row[i], pattern.col[i], linearisation_.p0[i]);
    }
    Sparse full(d_.unknowns(), d_.unknowns());
    full.setFromTriplets(entries.begin(), entries.end());
    return full;
  }
  Sparse jacobian() { return matrix(Level::position).block(d_.nv + d_.nx, 0, d_.m, d_.nv); }

  Vector constraints(const Vector& q, Level level) const {
    Vector c;
    mechanism_.constraints(t_, {q, out_.y.v, out_.y.x}, level, c);
    return c;
  }
  bool fail(std::string problem) {
    out_.problem = std::move(problem);
    return false;
  }
  std::string worst(const Vector& c) const {
    Eigen::Index row = 0;
    const double size = c.cwiseAbs().maxCoeff(&row);
    return mechanism_.constraintName(static_cast<int>(row)) + " is violated by " + number(size);
  }

  // Newton with the weighted smallest step, halved until the constraints get better (Ren & Zhou 2020, Algorithm 1).
  bool assemble() {
    const Vector start = out_.y.q;
    Vector c = constraints(out_.y.q, Level::position);
    for (int iteration = 0; iteration < 60 && d_.m > 0; ++iteration) {
      if (!c.allFinite()) return fail("the given poses make a constraint undefined; move the bodies apart");
      if (c.cwiseAbs().maxCoeff() < 1e-15) break;
      const Vector step = LeastNorm(jacobian(), positionWeights_).solve(-c);
      double length = 1;
      Vector trial, trialC;
      for (; length > 1e-4; length /= 2) {
        mechanism_.advance(out_.y.q, length * step, trial);
        trialC = constraints(trial, Level::position);
        if (trialC.allFinite() && trialC.norm() < (1 - 0.25 * length) * c.norm()) break;
      }
      if (length <= 1e-4) break;
      out_.y.q = trial;
      c = trialC;
    }
    Vector moved;
    mechanism_.difference(start, out_.y.q, moved);
    out_.moved = d_.nv > 0 ? moved.cwiseAbs().maxCoeff() : 0;
    out_.positionResidual = d_.m > 0 ? c.cwiseAbs().maxCoeff() : 0;
    if (out_.positionResidual <= 1e-9 * std::max(1.0, scale())) return true;
    return fail("the mechanism cannot be assembled: " + worst(c) + contradiction() +
                "; change the dimensions, or give a pose nearer to an assembled one");
  }
  double scale() const { return d_.nq > 0 ? out_.y.q.cwiseAbs().maxCoeff() : 1; }

  // Redundant rows that cannot be fulfilled contradict others.
  std::string contradiction() {
    const Vector c = constraints(out_.y.q, Level::position);
    std::string names;
    for (int row : LeastNorm(jacobian(), positionWeights_).redundant()) {
      if (std::abs(c[row]) > 1e-9) names += (names.empty() ? "" : ", ") + mechanism_.constraintName(row);
    }
    return names.empty() ? "" : "; contradicting other constraints: " + names;
  }

  bool findRedundant() {
    if (d_.m > 0) out_.redundant = LeastNorm(jacobian(), Vector::Ones(d_.nv)).redundant();
    out_.degreesOfFreedom = d_.nv - d_.m + static_cast<int>(out_.redundant.size());
    // Rows that events switch are off so far: they are open, not redundant.
    std::erase_if(out_.redundant, [&](int row) { return !mechanism_.rowActive(row); });
    return true;
  }

  bool project() {
    if (d_.m == 0) return true;
    const Sparse phiQ = jacobian();
    const LeastNorm solver(phiQ, velocityWeights_);
    for (int pass = 0; pass < 2; ++pass) out_.y.v += solver.solve(-constraints(out_.y.q, Level::velocity));
    const Vector c = constraints(out_.y.q, Level::velocity);
    out_.velocityResidual = c.cwiseAbs().maxCoeff();
    if (out_.velocityResidual > 1e-8 * std::max(1.0, out_.y.v.cwiseAbs().maxCoeff())) {
      return fail("no velocities fulfil all constraints: the rate of " + worst(c) +
                  "; free a fixed velocity, or remove a contradicting motion");
    }
    for (int row : out_.redundant) mechanism_.setRowActive(row, false);
    return true;
  }

  // The residual at acceleration level is linear in w = (a, x', lambda): P0 w = -r(0).
  bool accelerations() {
    const Sparse p0 = matrix(Level::acceleration);
    Vector r;
    bool solved = true;
    for (int pass = 0; pass < 2 && solved; ++pass) {  // the second refines the first
      mechanism_.residual(t_, out_.y, out_.w, Level::acceleration, r);
      if (!r.allFinite()) return fail("the forces of the initial state are not finite; check their expressions");
      const Vector dw = solve(p0, -r, solved);
      out_.w.a += dw.head(d_.nv);
      out_.w.xdot += dw.segment(d_.nv, d_.nx);
      out_.w.lambda += dw.tail(d_.m);
    }
    mechanism_.residual(t_, out_.y, out_.w, Level::acceleration, r);
    solved = solved && r.allFinite();
    out_.accelerationResidual = solved && d_.m > 0 ? r.tail(d_.m).cwiseAbs().maxCoeff() : 0;
    return solved || fail("the accelerations of the initial state are not determined; check masses and inertias");
  }

  static Vector solve(const Sparse& matrix, const Vector& b, bool& solved) {
    if (matrix.rows() == 0) return b;
    Vector x;
    if (matrix.rows() <= kDenseLimit) {
      x = Eigen::MatrixXd(matrix).partialPivLu().solve(b);
    } else {
      Eigen::SparseLU<Sparse> lu(matrix);
      solved = lu.info() == Eigen::Success;
      if (solved) x = lu.solve(b);
    }
    if (!solved || !x.allFinite()) {
      solved = false;
      x = Vector::Zero(b.size());
    }
    return x;
  }

  Mechanism& mechanism_;
  Dimensions d_;
  double t_;
  Vector positionWeights_, velocityWeights_;
  Linearisation linearisation_;
  InitialConditions out_;
};

}  // namespace

InitialConditions findInitialConditions(Mechanism& mechanism, double t) { return Finder(mechanism, t).run(); }

}  // namespace mbfmu
