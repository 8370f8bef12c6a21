// Impacts, and which contacts close or open and which frictions stick or slide from a point of time on.
//
// Both are linear complementarity problems in the matrix of the equations of motion, P0 (system.h), whose rows of
// contacts are switched:
//   impact   M (v+ - v-) + Phi_q^T Lambda = 0,   0 <= N  |  gap speed+ + restitution * gap speed- >= 0   (Newton)
//   motion   M a + Phi_q^T lambda = Q,           0 <= N  |  gap acceleration >= 0
// with Coulomb's law along the contact: |T| <= mu N if it sticks, else T = mu N against the slip. One mode after the
// other is changed, the most violated first, until none is (principal pivoting, Murty 1974; Glocker, Set-Valued Force
// Laws, 2001). Rows that follow from others are left out: their forces are not determined, and taken as zero.
#pragma once

#include "integrators/consistency.h"
#include "multibody/assembly.h"
#include "multibody/event_parts.h"

namespace mbfmu {

class ContactSolver {
 public:
  // `now` is what the system's functions evaluate at and from.
  ContactSolver(const System& system, const Assembly& parts, Evaluation& now, Modes& modes);

  // Modes, velocities and rates from t on, after the event functions `crossed` became negative; y and w become
  // consistent. Returns what is wrong if there is no solution.
  std::string resolve(double t, State& y, Rates& w, const std::vector<int>& crossed);

 private:
  enum class Stage { impact, motion };
  // A contact that touches.
  struct Touch {
    int unilateral;
    bool on;       // pushes
    bool leaves;   // its force has just become negative
    double speed;  // of the gap, before the impact
  };
  // A friction that may act.
  struct Grip {
    int friction;
    int touch;         // the contact among the touching ones, -1: none
    bool on;           // sticks
    bool open;         // may change from sliding to sticking: there is no slip yet
    double direction;  // of sliding
    double speed;
  };
  struct Violation {
    double size = 0;
    int touch = -1, grip = -1;
  };

  void findTouching(const std::vector<int>& crossed);
  void findGrips(const std::vector<int>& crossed);
  bool impactNeeded() const;
  std::string impact();
  std::string motion();
  void couple();
  std::string pivot(Stage stage);
  bool solve(Stage stage);
  void selectIndependent();
  void apply();
  Violation worst(Stage stage, bool first) const;
  void change(const Violation& violation);
  void keepModes();
  bool wanted(std::size_t k) const;
  int row(std::size_t k) const;
  const Constraint& constraint(int row) const { return *parts_.rows[static_cast<std::size_t>(row)]; }
  double measure(int row, Level level) const { return constraint(row).measure(now_, level); }
  void move();

  const System& system_;
  const Assembly& parts_;
  Evaluation& now_;
  Modes& modes_;
  ConsistencySolver solver_;
  Dimensions n_;
  double t_ = 0;
  State* y_ = nullptr;
  Rates* w_ = nullptr;

  std::vector<Touch> touches_;
  std::vector<Grip> grips_;
  Eigen::MatrixXd rows_;           // Phi_q of the touches' rows, then of the grips'
  Eigen::MatrixXd compliance_;     // rows_ * accelerations caused by unit forces along them
  std::vector<char> independent_;  // of the wanted rows
  Vector residual_, rhs_, change_, lambda_, outcome_;
};

}  // namespace mbfmu
