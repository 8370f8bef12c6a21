#include "multibody/initial_conditions.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "multibody/least_norm.h"

namespace mbfmu {

namespace {

constexpr int kDenseLimit = 600;  // unknowns
constexpr int kIterations = 60;
constexpr double kPositionLimit = 1e-9, kVelocityLimit = 1e-8, kAccelerationLimit = 1e-6;  // relative to their sizes
constexpr double kPerturbation = 1e-3;
constexpr double kShare = 0.05;  // of the largest violation, for a constraint to count as contradicting

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

double largest(const Vector& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0; }

class Finder {
 public:
  Finder(Mechanism& mechanism, double t) : mechanism_(mechanism), d_(mechanism.dimensions()), t_(t) {
    for (int row = 0; row < d_.m; ++row) mechanism_.setRowActive(row, true);
    out_.y = mechanism_.guess();
    out_.w = {Vector::Zero(d_.nv), Vector::Zero(d_.nx), Vector::Zero(d_.m)};
    mechanism_.assemblyWeights(positionWeights_, velocityWeights_);
  }

  InitialConditions run() {
    out_.ok = assemble() && findRedundant() && project() && accelerations() && agreeing();
    return std::move(out_);
  }

 private:
  SparseMatrix matrix(const Vector& q, Level level) {
    mechanism_.linearise(t_, {q, out_.y.v, out_.y.x}, out_.w, level, linearisation_);
    const Pattern& pattern = mechanism_.pattern();
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      entries.emplace_back(pattern.row[i], pattern.col[i], linearisation_.p0[i]);
    }
    SparseMatrix full(d_.unknowns(), d_.unknowns());
    full.setFromTriplets(entries.begin(), entries.end());
    return full;
  }
  SparseMatrix jacobian(const Vector& q) { return matrix(q, Level::position).block(d_.nv + d_.nx, 0, d_.m, d_.nv); }

  Vector constraints(const Vector& q, Level level) const {
    Vector c;
    mechanism_.constraints(t_, {q, out_.y.v, out_.y.x}, level, c);
    return c;
  }
  bool fail(std::string problem) {
    out_.problem = std::move(problem);
    return false;
  }
  double scale() const { return std::max(1.0, largest(out_.y.q)); }
  bool fulfilled(const Vector& c) const { return largest(c) <= kPositionLimit * scale(); }

  std::string worst(const Vector& c) const {
    Eigen::Index row = 0;
    const double size = c.cwiseAbs().maxCoeff(&row);
    return mechanism_.constraintName(static_cast<int>(row)) + " is violated by " + number(size);
  }
  std::string names(const std::vector<int>& rows) const {
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) {
      text += (i > 0 ? ", " : "") + mechanism_.constraintName(rows[i]);
    }
    return rows.size() > kMost ? text + " and " + std::to_string(rows.size() - kMost) + " more" : text;
  }

  // Newton with the weighted smallest step, halved until the constraints get better (Ren & Zhou 2020, Algorithm 1).
  // What is left of the constraints is returned.
  Vector solvePositions(Vector& q, const Vector& weights) {
    Vector c = constraints(q, Level::position);
    for (int iteration = 0; iteration < kIterations && d_.m > 0; ++iteration) {
      if (!c.allFinite() || largest(c) < 1e-15) break;
      const Vector step = LeastNorm(jacobian(q), weights).solve(-c);
      double length = 1;
      Vector trial, trialC;
      for (; length > 1e-4; length /= 2) {
        mechanism_.advance(q, length * step, trial);
        trialC = constraints(trial, Level::position);
        if (trialC.allFinite() && trialC.norm() < (1 - 0.25 * length) * c.norm()) break;
      }
      if (length <= 1e-4) break;
      q = trial;
      c = trialC;
    }
    return c;
  }

  bool assemble() {
    const Vector start = out_.y.q;
    const Vector c = solvePositions(out_.y.q, positionWeights_);
    if (!c.allFinite()) return fail("the given poses make a constraint undefined; move the bodies apart");
    Vector moved;
    mechanism_.difference(start, out_.y.q, moved);
    out_.moved = largest(moved);
    out_.positionResidual = largest(c);
    if (fulfilled(c)) return true;
    const Vector left = compromise(out_.y.q);
    out_.positionResidual = largest(left);
    std::vector<int> rows;
    for (int row = 0; row < d_.m; ++row) {
      if (std::abs(left[row]) > kShare * largest(left)) rows.push_back(row);
    }
    return fail("the mechanism cannot be assembled: " + worst(left) +
                (rows.size() > 1 ? "; constraints that contradict each other: " + names(rows) : "") +
                "; change the dimensions, or give a pose nearer to an assembled one");
  }

  // What is left of the constraints where the sum of their squares is least (Levenberg 1944). There Phi_q^T Phi = 0:
  // those that are left pull against each other.
  Vector compromise(Vector& q) {
    Vector c = constraints(q, Level::position);
    double damping = 1e-3;
    for (int iteration = 0; iteration < kIterations && damping < 1e8; ++iteration) {
      const SparseMatrix phiQ = jacobian(q);
      SparseMatrix normal = SparseMatrix(phiQ.transpose()) * phiQ;
      for (int i = 0; i < d_.nv; ++i) normal.coeffRef(i, i) += damping;
      const Vector step = Eigen::SimplicialLDLT<SparseMatrix>(normal).solve(-(phiQ.transpose() * c));
      Vector trial;
      mechanism_.advance(q, step, trial);
      const Vector trialC = constraints(trial, Level::position);
      const bool better = trialC.allFinite() && trialC.norm() < c.norm();
      damping *= better ? 0.2 : 5;
      if (!better) continue;
      q = trial;
      c = trialC;
    }
    return c;
  }

  // A row that depends on others here is redundant if it does so in the poses around as well; if not, the pose is
  // singular (Ren & Zhou 2020, section 1) and the row is kept.
  std::vector<int> redundant(const LeastNorm& solver) const {
    std::vector<int> rows = solver.redundant();
    std::erase_if(rows, [&](int row) { return !mechanism_.rowActive(row); });
    return rows;
  }
  bool findRedundant() {
    // Rows that events switch are off so far: they are open, not redundant.
    out_.degreesOfFreedom = d_.nv;
    for (int row = 0; row < d_.m; ++row) out_.degreesOfFreedom -= mechanism_.rowActive(row) ? 1 : 0;
    if (d_.m == 0) return true;
    const Vector ones = Vector::Ones(d_.nv);
    const LeastNorm here(jacobian(out_.y.q), ones);
    out_.redundant = redundant(here);
    if (out_.redundant.empty()) return true;
    const std::vector<int> dependent = out_.redundant;
    lookAround(here, ones);
    out_.degreesOfFreedom += static_cast<int>(out_.redundant.size());
    if (out_.singular) {
      out_.notes.push_back(
          "the initial pose is singular; constraints that depend on others in this pose only: " + names(dependent) +
          "; the mechanism may leave it in more than one way, start from a pose beside it");
    }
    for (const int row : out_.redundant) {
      const std::vector<int> of = here.combination(row);
      out_.notes.push_back("redundant constraint left out: " + mechanism_.constraintName(row) +
                           (of.empty() ? "" : ", which follows from " + names(of)));
    }
    return true;
  }

  // A small step along the free directions, back onto the constraints, and another look at their rank.
  void lookAround(const LeastNorm& here, const Vector& ones) {
    std::mt19937 random(1);  // the same in every run
    Vector free = Vector::NullaryExpr(d_.nv, [&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
    free -= here.solve(jacobian(out_.y.q) * free);
    const double size = largest(free);
    if (size < 1e-6) return;  // nothing can move
    const double distance = kPerturbation * std::max(largest(out_.y.q), kPerturbation);
    Vector beside, back;
    mechanism_.advance(out_.y.q, free * (distance / size), beside);
    if (!fulfilled(solvePositions(beside, ones))) return;
    mechanism_.difference(out_.y.q, beside, back);
    const std::vector<int> others = redundant(LeastNorm(jacobian(beside), ones));
    // Only a rigid pose lets nothing move that its constraints seem to let go.
    const bool rigid = largest(back) < 0.1 * distance;
    out_.singular = rigid || others.size() < out_.redundant.size();
    if (rigid) {
      out_.redundant.clear();
    } else {
      out_.redundant = others;
    }
  }

  bool project() {
    if (d_.m == 0) return true;
    const LeastNorm solver(jacobian(out_.y.q), velocityWeights_);
    for (int pass = 0; pass < 2; ++pass) out_.y.v += solver.solve(-constraints(out_.y.q, Level::velocity));
    const Vector c = constraints(out_.y.q, Level::velocity);
    out_.velocityResidual = largest(c);
    if (out_.velocityResidual > kVelocityLimit * std::max(1.0, largest(out_.y.v))) {
      return fail("no velocities fulfil all constraints: the rate of " + worst(c) +
                  "; free a fixed velocity, or remove a contradicting motion");
    }
    for (const int row : out_.redundant) mechanism_.setRowActive(row, false);
    return true;
  }

  // The residual at acceleration level is linear in w = (a, x', lambda): P0 w = -r(0).
  bool accelerations() {
    const SparseMatrix p0 = matrix(out_.y.q, Level::acceleration);
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
    if (!solved || !r.allFinite()) {
      return fail("the accelerations of the initial state are not determined; check masses and inertias");
    }
    out_.accelerationResidual = largest(r.tail(d_.m));
    out_.forceResidual = largest(r.head(d_.nv));
    if (!out_.singular || out_.accelerationResidual <= kAccelerationLimit * std::max(1.0, largest(out_.w.a)))
      return true;
    return fail(
        "the initial velocities lead out of the singular initial pose in no possible way: the acceleration of " +
        worst(r.tail(d_.m)) + "; give other velocities, or a pose beside it");
  }

  // In a singular pose many solutions exist, if any: the smallest is taken.
  Vector solve(const SparseMatrix& matrix, const Vector& b, bool& solved) const {
    if (matrix.rows() == 0) return b;
    Vector x;
    if (out_.singular) {
      x = LeastNorm(matrix, Vector::Ones(b.size())).solve(b);
    } else if (matrix.rows() <= kDenseLimit) {
      x = Eigen::MatrixXd(matrix).partialPivLu().solve(b);
    } else {
      Eigen::SparseLU<SparseMatrix> lu(matrix);
      solved = lu.info() == Eigen::Success;
      if (solved) x = lu.solve(b);
    }
    if (!solved || !x.allFinite()) {
      solved = false;
      x = Vector::Zero(b.size());
    }
    return x;
  }

  // What was left out for its derivatives must hold for the accelerations too.
  bool agreeing() {
    for (const int row : out_.redundant) mechanism_.setRowActive(row, true);
    Vector r;
    mechanism_.residual(t_, out_.y, out_.w, Level::acceleration, r);
    for (const int row : out_.redundant) mechanism_.setRowActive(row, false);
    const Vector c = r.tail(d_.m);
    if (largest(c) <= kAccelerationLimit * std::max(1.0, largest(out_.w.a))) return true;
    return fail("no accelerations fulfil all constraints: that of " + worst(c) + "; remove a contradicting motion");
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
