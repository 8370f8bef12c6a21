#include "integrators/stage_solver.h"

#include <vector>

#include "integrators/sparse_lu.h"

namespace mbfmu {
namespace {

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

template <int width>
class LaneSolver final : public StageSolver {
 public:
  using Value = Complex<width>;

  explicit LaneSolver(KernelChoice choice) { lu_.setKernel(choice); }
  std::unique_ptr<StageSolver> clone() const override { return std::make_unique<LaneSolver>(*this); }
  // Everything but the pivots is set by factor().
  void assign(const StageSolver& other) override {
    const auto& solver = static_cast<const LaneSolver&>(other);
    if (lu_.samePattern(solver.lu_)) {
      lu_.assignPivots(solver.lu_);
    } else {
      *this = solver;
    }
  }

  void setPattern(const Dimensions& dimensions, const Pattern& pattern) override {
    dimensions_ = dimensions;
    lu_.setPattern(dimensions.unknowns(), pattern);
    off_.assign(at(dimensions.m), 0);
    scaled_.assign(at(dimensions.unknowns()), 0);
    y_.assign(at(dimensions.unknowns()), 0.0);
    x_ = y_;
  }

  bool factor(const BlockCoefficients& k, const Linearisation& p, double h, Level level) override {
    Value mu1, mu2;
    for (int e = 0; e < width; ++e) {
      const std::complex<double> mu = h * k.eigenvalue[e < k.lanes ? e : 0];  // spare lanes repeat the first
      setLane(mu1, e, mu);
      setLane(mu2, e, mu * mu);
      const std::complex<double> scale = level == Level::velocity ? 1.0 / mu : 1.0 / (mu * mu);
      setLane(constraintScale_, e, level == Level::acceleration ? 1.0 : scale);
    }
    shift_ = h * k.eigenvalue[0];
    lu_.lanes().assemble(static_cast<long>(lu_.entries.size()), p.p0.data(), p.p1.data(), p.p2.data(), mu1, mu2,
                         lu_.entries.data());
    findRowsOff(dimensions_, lu_.pattern(), p, off_);
    for (std::size_t i = 0; i < off_.size(); ++i) scaled_[at(dimensions_.nv + dimensions_.nx) + i] = off_[i] ? 0 : 1;
    loadTransformation(k);
    return lu_.factor();
  }

  void solve(const BlockCoefficients& k, const Eigen::MatrixXd& R, Eigen::MatrixXd& dW) override {
    const int rows = static_cast<int>(R.rows());
    lu_.lanes().toLanes(rows, k.r, R.data(), toEigen_.data(), scaled_.data(), constraintScale_, lu_.rhs.data());
    lu_.solve();
    lu_.lanes().fromLanes(rows, k.r, lu_.solution.data(), fromEigen_.data(), dW.data());
  }

  void solveFirst(const Vector& re, const Vector& im, Vector& z) override {
    if (shift_.imag() == 0) {
      for (Eigen::Index i = 0; i < re.size(); ++i) y_[at(i)] = re[i];
      lu_.solveFirst(y_, x_);
      for (Eigen::Index i = 0; i < re.size(); ++i) z[i] = x_[at(i)];
      return;
    }
    for (Eigen::Index i = 0; i < re.size(); ++i) {
      for (int e = 0; e < width; ++e) setLane(lu_.rhs[at(i)], e, {re[i], im[i]});
    }
    lu_.solve();
    for (Eigen::Index i = 0; i < re.size(); ++i) z[i] = lu_.solution[at(i)].re[0];
  }

  std::complex<double> firstShift() const override { return shift_; }
  void distrustPivots() override { lu_.distrustPivots(); }
  void mark() override { lu_.mark(); }
  void rollBack() override { lu_.rollBack(); }
  int deficientRow() const override { return lu_.deficientRow(); }
  const Pattern& pattern() const override { return lu_.pattern(); }
  bool sameRowsOff(const Linearisation& p) override {
    findRowsOff(dimensions_, lu_.pattern(), p, otherOff_);
    return otherOff_ == off_;
  }
  void transfer(Archive& archive) override { archive(lu_); }

 private:
  void loadTransformation(const BlockCoefficients& k) {
    toEigen_.assign(at(k.r), Value{});
    fromEigen_.assign(at(k.r), Value{});
    for (int e = 0; e < k.lanes; ++e) {
      for (int j = 0; j < k.r; ++j) {
        setLane(toEigen_[at(j)], e, k.toEigen(e, j));
        setLane(fromEigen_[at(j)], e, k.fromEigen(j, e));
      }
    }
  }

  Dimensions dimensions_;
  SparseLu<Value> lu_;
  std::complex<double> shift_;
  Value constraintScale_{};
  std::vector<char> off_, otherOff_, scaled_;
  std::vector<double> y_, x_;
  std::vector<Value> toEigen_, fromEigen_;
};

}  // namespace

std::unique_ptr<StageSolver> StageSolver::make(const BlockCoefficients& coefficients, KernelChoice kernel) {
  if (coefficients.lanes == 1) return std::make_unique<LaneSolver<1>>(kernel);
  if (coefficients.lanes == 2) return std::make_unique<LaneSolver<2>>(kernel);
  return std::make_unique<LaneSolver<4>>(kernel);
}

void findRowsOff(const Dimensions& dimensions, const Pattern& pattern, const Linearisation& p, std::vector<char>& off) {
  const int regular = dimensions.nv + dimensions.nx;
  off.assign(at(dimensions.m), 0);
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern.row[i] >= regular && pattern.row[i] == pattern.col[i] && p.p0[i] != 0)
      off[at(pattern.row[i] - regular)] = 1;
}

}  // namespace mbfmu
