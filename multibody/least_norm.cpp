#include "multibody/least_norm.h"

#include <Eigen/QR>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>

namespace mbfmu {

namespace {
constexpr int kDenseLimit = 600;  // rows and columns together
constexpr double kRankTolerance = 1e-10;
constexpr double kLeastCoefficient = 1e-8;  // of a row in a combination; smaller ones are rounding
}  // namespace

struct LeastNorm::Factors {
  Vector scale;
  Eigen::Index rows = 0, rank = 0;
  bool dense = true;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> denseQr;
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> sparseQr;
  Eigen::VectorXi order;

  // R_11^-1 r for the column of R that belongs to one redundant row.
  Vector coefficients(Eigen::Index column) const {
    if (dense) {
      const auto r = denseQr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
      return r.solve(denseQr.matrixQR().col(column).head(rank));
    }
    const SparseMatrix whole = sparseQr.matrixR();
    const SparseMatrix r = whole.topLeftCorner(rank, rank);
    return r.triangularView<Eigen::Upper>().solve(Vector(Vector(whole.col(column)).head(rank)));
  }
};

LeastNorm::LeastNorm(const SparseMatrix& a, const Vector& weights) : factors_(std::make_unique<Factors>()) {
  Factors& f = *factors_;
  f.scale = weights.cwiseSqrt().cwiseInverse();
  const SparseMatrix transposed = f.scale.asDiagonal() * SparseMatrix(a.transpose());
  f.rows = a.rows();
  f.dense = a.rows() + a.cols() <= kDenseLimit;
  if (f.dense) {
    f.denseQr.setThreshold(kRankTolerance);
    f.denseQr.compute(Eigen::MatrixXd(transposed));
    f.rank = f.denseQr.rank();
    f.order = f.denseQr.colsPermutation().indices();
  } else {
    double largest = 0;
    for (Eigen::Index k = 0; k < transposed.cols(); ++k) largest = std::max(largest, transposed.col(k).norm());
    f.sparseQr.setPivotThreshold(kRankTolerance * largest);
    f.sparseQr.compute(transposed);
    f.rank = f.sparseQr.rank();
    f.order = f.sparseQr.colsPermutation().indices();
  }
}

LeastNorm::~LeastNorm() = default;

int LeastNorm::rank() const { return static_cast<int>(factors_->rank); }

std::vector<int> LeastNorm::redundant() const {
  std::vector<int> rows;
  for (Eigen::Index i = factors_->rank; i < factors_->rows; ++i) rows.push_back(factors_->order[i]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<int> LeastNorm::combination(int row) const {
  const Factors& f = *factors_;
  std::vector<int> of;
  for (Eigen::Index i = f.rank; i < f.rows; ++i) {
    if (f.order[i] != row) continue;
    const Vector c = f.coefficients(i);
    for (Eigen::Index k = 0; k < f.rank; ++k) {
      if (std::abs(c[k]) > kLeastCoefficient) of.push_back(f.order[k]);
    }
  }
  std::sort(of.begin(), of.end());
  return of;
}

Vector LeastNorm::solve(const Vector& b) const {
  const Factors& f = *factors_;
  Vector head(f.rank);
  for (Eigen::Index i = 0; i < f.rank; ++i) head[i] = b[f.order[i]];
  Vector full = Vector::Zero(f.scale.size());
  if (f.dense) {
    const auto r = f.denseQr.matrixQR().topLeftCorner(f.rank, f.rank).triangularView<Eigen::Upper>();
    full.head(f.rank) = r.transpose().solve(head);
    full.applyOnTheLeft(f.denseQr.householderQ());
  } else {
    const SparseMatrix r = SparseMatrix(f.sparseQr.matrixR()).topLeftCorner(f.rank, f.rank);
    full.head(f.rank) = SparseMatrix(r.transpose()).triangularView<Eigen::Lower>().solve(head);
    full = Vector(f.sparseQr.matrixQ() * full);
  }
  return f.scale.cwiseProduct(full);
}

}  // namespace mbfmu
