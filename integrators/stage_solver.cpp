#include "integrators/stage_solver.h"

#include <vector>

#include "integrators/sparse_lu.h"

namespace mbfmu {
namespace {

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

template <int width>
class LaneSolver final : public StageSolver {
 public:
  using Value = kernel::Complex<width>;

  std::unique_ptr<StageSolver> clone() const override { return std::make_unique<LaneSolver>(*this); }
  void assign(const StageSolver& other) override { *this = static_cast<const LaneSolver&>(other); }

  void setPattern(const Dimensions& dimensions, const Pattern& pattern) override {
    dimensions_ = dimensions;
    lu_.setPattern(dimensions.unknowns(), pattern);
    off_.assign(at(dimensions.m), 0);
  }

  bool factor(const BlockCoefficients& k, const Linearisation& p, double h, Level level) override {
    Value mu1, mu2;
    for (int e = 0; e < width; ++e) {
      const std::complex<double> mu = h * k.eigenvalue[e < k.lanes ? e : 0];  // spare lanes repeat the first
      set(mu1, e, mu);
      set(mu2, e, mu * mu);
      const std::complex<double> scale = level == Level::velocity ? 1.0 / mu : 1.0 / (mu * mu);
      set(constraintScale_, e, level == Level::acceleration ? 1.0 : scale);
    }
    shift_ = h * k.eigenvalue[0];
    for (std::size_t i = 0; i < lu_.entries.size(); ++i) {
      lu_.entries[i].re = p.p0[i] + mu1.re * p.p1[i] + mu2.re * p.p2[i];
      lu_.entries[i].im = mu1.im * p.p1[i] + mu2.im * p.p2[i];
    }
    findRowsOff(dimensions_, lu_.pattern(), p, off_);
    loadTransformation(k);
    return lu_.factor();
  }

  void solve(const BlockCoefficients& k, const Eigen::MatrixXd& R, Eigen::MatrixXd& dW) override {
    const int regular = dimensions_.nv + dimensions_.nx;
    for (Eigen::Index i = 0; i < R.rows(); ++i) {
      Value sum{};
      for (int j = 0; j < k.r; ++j) {
        sum.re -= toEigen_[at(j)].re * R(i, j);
        sum.im -= toEigen_[at(j)].im * R(i, j);
      }
      if (i >= regular && !off_[at(i - regular)]) kernel::multiply(sum, sum, constraintScale_);
      lu_.rhs[at(i)] = sum;
    }
    lu_.solve();
    for (int j = 0; j < k.r; ++j) {
      const Value& f = fromEigen_[at(j)];
      for (Eigen::Index i = 0; i < dW.rows(); ++i) {
        const Value& z = lu_.solution[at(i)];
        const typename Value::Pack product = f.re * z.re - f.im * z.im;
        double sum = product[0];
        for (int e = 1; e < width; ++e) sum += product[e];
        dW(i, j) = sum;
      }
    }
  }

  void solveFirst(const Vector& re, const Vector& im, Vector& z) override {
    for (Eigen::Index i = 0; i < re.size(); ++i) {
      for (int e = 0; e < width; ++e) set(lu_.rhs[at(i)], e, {re[i], im[i]});
    }
    lu_.solve();
    for (Eigen::Index i = 0; i < re.size(); ++i) z[i] = lu_.solution[at(i)].re[0];
  }

  std::complex<double> firstShift() const override { return shift_; }
  void distrustPivots() override { lu_.distrustPivots(); }
  int deficientRow() const override { return lu_.deficientRow(); }
  const Pattern& pattern() const override { return lu_.pattern(); }
  bool sameRowsOff(const Linearisation& p) override {
    findRowsOff(dimensions_, lu_.pattern(), p, otherOff_);
    return otherOff_ == off_;
  }
  void transfer(Archive& archive) override { archive(lu_); }

 private:
  static void set(Value& v, int lane, std::complex<double> z) {
    v.re[lane] = z.real();
    v.im[lane] = z.imag();
  }

  void loadTransformation(const BlockCoefficients& k) {
    toEigen_.assign(at(k.r), Value{});
    fromEigen_.assign(at(k.r), Value{});
    for (int e = 0; e < k.lanes; ++e) {
      for (int j = 0; j < k.r; ++j) {
        set(toEigen_[at(j)], e, k.toEigen(e, j));
        set(fromEigen_[at(j)], e, k.fromEigen(j, e));
      }
    }
  }

  Dimensions dimensions_;
  SparseLu<Value> lu_;
  std::complex<double> shift_;
  Value constraintScale_{};
  std::vector<char> off_, otherOff_;
  std::vector<Value> toEigen_, fromEigen_;
};

}  // namespace

std::unique_ptr<StageSolver> StageSolver::make(const BlockCoefficients& coefficients) {
  if (coefficients.lanes == 1) return std::make_unique<LaneSolver<1>>();
  if (coefficients.lanes == 2) return std::make_unique<LaneSolver<2>>();
  return std::make_unique<LaneSolver<4>>();
}

void findRowsOff(const Dimensions& dimensions, const Pattern& pattern, const Linearisation& p, std::vector<char>& off) {
  const int regular = dimensions.nv + dimensions.nx;
  off.assign(at(dimensions.m), 0);
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern.row[i] >= regular && pattern.row[i] == pattern.col[i] && p.p0[i] != 0)
      off[at(pattern.row[i] - regular)] = 1;
}

}  // namespace mbfmu
