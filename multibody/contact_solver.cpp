#include "multibody/contact_solver.h"

#include <algorithm>
#include <cmath>

#include "multibody/event_functions.h"

namespace mbfmu {
namespace {

constexpr double kTouching = 1e-9;     // gaps up to this are contact (m, rad)
constexpr double kRest = 1e-9;         // slip and gap speeds up to this are rest (m/s, rad/s)
constexpr double kDependent = 1e-10;   // rows whose remaining compliance is a smaller part follow from others
constexpr double kForceNoise = 1e-9;   // relative
constexpr double kSpeedNoise = 1e-11;  // relative to 1 + the largest speed
constexpr double kMotionNoise = 1e-8;  // relative to 1 + the largest acceleration
constexpr int kWorstFirst = 50;        // pivots after which the first violation is taken, which cannot cycle
constexpr int kMaxPivots = 1000;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
bool contains(const std::vector<int>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), static_cast<int>(value)) != list.end();
}
double largest(const Vector& values) { return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0; }
double signOf(double value) { return value < 0 ? -1 : 1; }

}  // namespace

ContactSolver::ContactSolver(const System& system, const Assembly& parts, Evaluation& now, Modes& modes)
    : system_(system), parts_(parts), now_(now), modes_(modes), n_(system.dimensions()) {
  solver_.setUp(system);
  rhs_.setZero(n_.unknowns());
}

std::string ContactSolver::resolve(double t, State& y, Rates& w, const std::vector<int>& crossed) {
  t_ = t;
  y_ = &y;
  w_ = &w;
  move();
  findTouching(crossed);
  findGrips(crossed);
  couple();
  std::string problem = impactNeeded() ? impact() : "";
  if (problem.empty()) problem = motion();
  if (!problem.empty()) return problem;
  keepModes();
  if (!solver_.factor(system_, t_, y, w) || !solver_.projectPosition(system_, t_, y) ||
      !solver_.projectVelocity(system_, t_, y) || !solver_.solveRates(system_, t_, y, w))
    return "no consistent state after the event";
  return "";
}

// now_ at the present state and rates.
void ContactSolver::move() { system_.residual(t_, *y_, *w_, Level::acceleration, residual_); }

void ContactSolver::findTouching(const std::vector<int>& crossed) {
  touches_.clear();
  for (std::size_t i = 0; i < parts_.events.unilaterals.size(); ++i) {
    const Unilateral& u = parts_.events.unilaterals[i];
    const bool isCrossed = contains(crossed, i);
    const double gap = u.sign * measure(u.row, Level::position);
    if (!modes_.closed[i] && !isCrossed && gap > kTouching) continue;
    const bool leaves = modes_.closed[i] && isCrossed;
    touches_.push_back(
        {static_cast<int>(i), modes_.closed[i] && !leaves, leaves, u.sign * measure(u.row, Level::velocity)});
  }
}

void ContactSolver::findGrips(const std::vector<int>& crossed) {
  grips_.clear();
  const std::size_t unilaterals = parts_.events.unilaterals.size();
  for (std::size_t i = 0; i < parts_.events.frictions.size(); ++i) {
    const Friction& f = parts_.events.frictions[i];
    if (!engaged(f, now_)) continue;
    int touch = -1;
    if (f.normal >= 0) {
      const auto found =
          std::find_if(touches_.begin(), touches_.end(), [&](const Touch& t) { return t.unilateral == f.normal; });
      if (found == touches_.end()) continue;
      touch = static_cast<int>(found - touches_.begin());
    }
    const bool isCrossed = contains(crossed, unilaterals + i), sticks = modes_.sticking[i] != 0;
    const double speed = measure(f.row, Level::velocity);
    Grip grip{static_cast<int>(i), touch, !(sticks && isCrossed), true, 0, speed};
    grip.direction = signOf(sticks ? w_->lambda[f.row] : speed);
    // One that slides and has just stopped is at rest but for the tolerance of the event's time.
    if (!sticks && isCrossed) grip.speed = 0;
    grips_.push_back(grip);
  }
}

int ContactSolver::row(std::size_t k) const {
  if (k < touches_.size()) return parts_.events.unilaterals[at(touches_[k].unilateral)].row;
  return parts_.events.frictions[at(grips_[k - touches_.size()].friction)].row;
}

bool ContactSolver::wanted(std::size_t k) const {
  if (k < touches_.size()) return touches_[k].on;
  const Grip& grip = grips_[k - touches_.size()];
  return grip.on && (grip.touch < 0 || touches_[at(grip.touch)].on);
}

// Sets which rows are active and which way frictions slide.
void ContactSolver::apply() {
  for (const Unilateral& u : parts_.events.unilaterals) now_.active[at(u.row)] = 0;
  for (const Friction& f : parts_.events.frictions) {
    now_.active[at(f.row)] = 0;
    now_.inputs[at(f.direction)] = 0;
  }
  for (std::size_t k = 0; k < touches_.size() + grips_.size(); ++k) now_.active[at(row(k))] = independent_[k];
  for (const Grip& grip : grips_) {
    const bool touching = grip.touch < 0 || touches_[at(grip.touch)].on;
    if (!grip.on && touching) now_.inputs[at(parts_.events.frictions[at(grip.friction)].direction)] = grip.direction;
  }
}

// How forces along the rows move each other, with everything else of the mechanism in place.
void ContactSolver::couple() {
  const std::size_t count = touches_.size() + grips_.size();
  const auto k = static_cast<Eigen::Index>(count);
  outcome_.setZero(k);
  independent_.assign(count, 1);
  apply();
  rows_.setZero(k, n_.nv);
  compliance_.setZero(k, k);
  if (count == 0) return;
  Linearisation p;
  system_.linearise(t_, *y_, *w_, Level::velocity, p);
  std::vector<int> place(at(n_.unknowns()), -1);
  for (std::size_t i = 0; i < count; ++i) place[at(n_.nv + n_.nx + row(i))] = static_cast<int>(i);
  const Pattern& pattern = system_.pattern();
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    const int i = place[at(pattern.row[e])];
    if (i >= 0 && pattern.col[e] < n_.nv) rows_(i, pattern.col[e]) += p.p0[e];
  }
  independent_.assign(count, 0);
  apply();
  for (const Friction& f : parts_.events.frictions) now_.inputs[at(f.direction)] = 0;
  if (solver_.factor(system_, t_, *y_, *w_)) {
    for (Eigen::Index j = 0; j < k; ++j) {
      rhs_.setZero();
      rhs_.head(n_.nv) = rows_.row(j).transpose();
      compliance_.col(j) = rows_ * solver_.solve(rhs_).head(n_.nv);
    }
  }
}

// The wanted rows in order, each that does not follow from those before it (Cholesky).
void ContactSolver::selectIndependent() {
  const auto count = static_cast<Eigen::Index>(independent_.size());
  Eigen::MatrixXd l = Eigen::MatrixXd::Zero(count, count);
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index k = 0; k < count; ++k) {
    independent_[static_cast<std::size_t>(k)] = 0;
    if (!wanted(static_cast<std::size_t>(k))) continue;
    double rest = compliance_(k, k);
    for (const Eigen::Index j : chosen) {
      double sum = compliance_(k, j);
      for (const Eigen::Index i : chosen) {
        if (i == j) break;
        sum -= l(k, i) * l(j, i);
      }
      l(k, j) = sum / l(j, j);
      rest -= l(k, j) * l(k, j);
    }
    if (!(rest > kDependent * compliance_(k, k))) continue;
    l(k, k) = std::sqrt(rest);
    chosen.push_back(k);
    independent_[static_cast<std::size_t>(k)] = 1;
  }
}

bool ContactSolver::impactNeeded() const {
  for (const Touch& touch : touches_) {
    if (touch.speed < -kSpeedNoise) return true;
  }
  for (const Grip& grip : grips_) {
    if (!parts_.events.frictions[at(grip.friction)].sticking && std::abs(grip.speed) > 0) return true;
  }
  return false;
}

// Newton's restitution, but none for slow approach. Forces that have a limit of their own give no impulse.
std::string ContactSolver::impact() {
  const std::vector<Grip> all = grips_;
  for (Touch& touch : touches_) touch.on = touch.on || touch.speed < -kSpeedNoise;
  for (Grip& grip : grips_) {
    const Friction& f = parts_.events.frictions[at(grip.friction)];
    grip.on = !f.sticking || f.normal >= 0;
    grip.open = grip.on;
    if (f.normal >= 0 && std::abs(grip.speed) > kRest) grip.on = false, grip.direction = signOf(grip.speed);
  }
  std::string problem = pivot(Stage::impact);
  if (!problem.empty()) return problem;
  y_->v += change_.head(n_.nv);
  move();
  for (std::size_t k = 0; k < touches_.size(); ++k) {
    const Unilateral& u = parts_.events.unilaterals[at(touches_[k].unilateral)];
    touches_[k].on = touches_[k].on && !touches_[k].leaves;
    touches_[k].speed = u.sign * measure(u.row, Level::velocity);
  }
  grips_ = all;
  for (Grip& grip : grips_) grip.speed = measure(parts_.events.frictions[at(grip.friction)].row, Level::velocity);
  return "";
}

// Contacts that separate are out of it; frictions that slip do so in the direction of the slip.
std::string ContactSolver::motion() {
  for (Touch& touch : touches_) touch.on = !touch.leaves && touch.speed <= kRest;
  for (Grip& grip : grips_) {
    grip.open = std::abs(grip.speed) <= kRest || !parts_.events.frictions[at(grip.friction)].sticking;
    if (!grip.open) grip.on = false, grip.direction = signOf(grip.speed);
  }
  return pivot(Stage::motion);
}

std::string ContactSolver::pivot(Stage stage) {
  for (int i = 0; i < kMaxPivots; ++i) {
    selectIndependent();
    apply();
    if (!solve(stage)) return "the forces of an impact or a contact cannot be computed";
    const Violation violation = worst(stage, i >= kWorstFirst);
    if (violation.size <= 0) return "";
    change(violation);
  }
  return "the contact forces contradict each other (" +
         (touches_.empty() ? std::string("friction") : parts_.events.unilaterals[at(touches_[0].unilateral)].name) +
         "); lower the coefficient of friction";
}

// lambda_: multipliers or impulses; outcome_: the rows' accelerations, or speeds beyond what restitution asks for.
bool ContactSolver::solve(Stage stage) {
  if (!solver_.factor(system_, t_, *y_, *w_)) return false;
  if (stage == Stage::motion) {
    if (!solver_.solveRates(system_, t_, *y_, *w_)) return false;
    move();
    lambda_ = w_->lambda;
    for (std::size_t k = 0; k < independent_.size(); ++k)
      outcome_[static_cast<Eigen::Index>(k)] = measure(row(k), Level::acceleration);
    return true;
  }
  Vector excess(outcome_.size());  // of the speed before over the one wanted after
  for (std::size_t k = 0; k < independent_.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    if (k >= touches_.size()) {
      excess[i] = grips_[k - touches_.size()].speed;
      continue;
    }
    const Touch& touch = touches_[k];
    const Unilateral& u = parts_.events.unilaterals[at(touch.unilateral)];
    const bool bounces = touch.speed < -now_.constant(u.restingSpeed);
    excess[i] = u.sign * touch.speed * (bounces ? 1 + now_.constant(u.restitution) : 1);
  }
  rhs_.setZero();
  for (std::size_t k = 0; k < independent_.size(); ++k) {
    if (independent_[k]) rhs_[n_.nv + n_.nx + row(k)] = -excess[static_cast<Eigen::Index>(k)];
  }
  change_ = solver_.solve(rhs_);
  lambda_ = change_.tail(n_.m);
  outcome_ = excess + rows_ * change_.head(n_.nv);
  return change_.allFinite();
}

ContactSolver::Violation ContactSolver::worst(Stage stage, bool first) const {
  const double forces = std::max(largest(lambda_), 1e-300);
  const double motions =
      stage == Stage::impact ? kSpeedNoise * (1 + largest(y_->v)) : kMotionNoise * (1 + largest(w_->a));
  const double motionScale = std::max(largest(outcome_), motions);
  Violation result;
  const auto consider = [&](double size, int touch, int grip) {
    if (size > 0 && (result.size <= 0 || (!first && size > result.size))) result = {size, touch, grip};
  };
  const auto pulls = [&](double force) { return force > kForceNoise * forces ? force / forces : 0; };
  const auto approaches = [&](double motion) { return motion > motions ? motion / motionScale : 0; };
  for (std::size_t k = 0; k < touches_.size(); ++k) {
    const Unilateral& u = parts_.events.unilaterals[at(touches_[k].unilateral)];
    const int i = static_cast<int>(k);
    if (touches_[k].on) {
      consider(independent_[k] ? pulls(u.sign * lambda_[u.row]) : 0, i, -1);
    } else if (stage == Stage::impact || touches_[k].speed <= kRest) {
      consider(approaches(-u.sign * outcome_[i]), i, -1);
    }
  }
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    const Friction& f = parts_.events.frictions[at(grip.friction)];
    const int i = static_cast<int>(k);
    const std::size_t place = touches_.size() + k;
    if (grip.touch >= 0 && !touches_[at(grip.touch)].on) continue;
    if (grip.on) {
      if (!independent_[place]) continue;
      consider(pulls(std::abs(lambda_[f.row]) - stickingLimit(parts_, f, now_, lambda_)), -1, i);
    } else if (grip.open) {
      consider(approaches(-grip.direction * outcome_[static_cast<Eigen::Index>(place)]), -1, i);
    }
  }
  return result;
}

void ContactSolver::change(const Violation& violation) {
  if (violation.touch >= 0) {
    Touch& touch = touches_[at(violation.touch)];
    touch.on = !touch.on;
    return;
  }
  Grip& grip = grips_[at(violation.grip)];
  grip.on = !grip.on;
  if (!grip.on) grip.direction = signOf(lambda_[parts_.events.frictions[at(grip.friction)].row]);
}

void ContactSolver::keepModes() {
  const std::size_t unilaterals = parts_.events.unilaterals.size();
  const std::vector<char> stuck = modes_.sticking;
  std::fill(modes_.closed.begin(), modes_.closed.end(), 0);
  std::fill(modes_.sticking.begin(), modes_.sticking.end(), 0);
  for (const Touch& touch : touches_) {
    modes_.closed[at(touch.unilateral)] = touch.on;
    modes_.slow[at(touch.unilateral)] = !touch.on && touch.speed <= kRest;
  }
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    const bool sticks = wanted(touches_.size() + k);
    modes_.sticking[at(grip.friction)] = sticks;
    modes_.slow[unilaterals + at(grip.friction)] = !sticks && grip.open;
    const int r = row(touches_.size() + k);
    if (sticks && !stuck[at(grip.friction)]) now_.offset[at(r)] = measure(r, Level::position);
  }
}

}  // namespace mbfmu
