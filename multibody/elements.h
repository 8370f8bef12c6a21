// The elements of mechanisms. Constraints and forces act along coordinates and so serve the plane and space alike.
#pragma once

#include <optional>

#include "multibody/coordinate.h"
#include "multibody/element.h"
#include "multibody/quantity.h"

namespace mbfmu {

// An entry of the pattern between two local directions of a coordinate.
struct Coupling {
  std::size_t i, j;
  int slot;
};
std::vector<Coupling> claimCouplings(const Coordinate& coordinate, const Layout& layout, Slots& slots);

// Mass and weight of a planar body: M = diag(m, m, J), Q = (m gx, m gy, 0). All members are indices of constants.
class Inertia : public Element {
 public:
  Inertia(int body, int mass, int inertia, std::array<int, 3> gravity)
      : body_(body), mass_(mass), inertia_(inertia), gravity_(gravity) {}
  std::unique_ptr<Element> clone() const override { return std::make_unique<Inertia>(*this); }
  void claim(const Layout& layout, Slots& slots) override;
  void addResidual(const Evaluation& at, Level level, Vector& r) const override;
  void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const override;
  double kineticEnergy(const Evaluation& at) const override;
  double potentialEnergy(const Evaluation& at) const override;

 private:
  int body_, mass_, inertia_;
  std::array<int, 3> gravity_;
  std::array<int, 3> rows_{}, slots_{};
};

// Mass, inertia and weight of a body in space: M = diag(m, m, m, J) with J in body axes about the centre of mass, and
// Q = (m g, -omega x J omega). A point mass has no J.
class SpatialInertia : public Element {
 public:
  SpatialInertia(int body, int mass, std::optional<std::array<int, 9>> inertia, std::array<int, 3> gravity)
      : body_(body), mass_(mass), inertia_(inertia), gravity_(gravity) {}
  std::unique_ptr<Element> clone() const override { return std::make_unique<SpatialInertia>(*this); }
  void claim(const Layout& layout, Slots& slots) override;
  void addResidual(const Evaluation& at, Level level, Vector& r) const override;
  void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const override;
  double kineticEnergy(const Evaluation& at) const override;
  double potentialEnergy(const Evaluation& at) const override;

 private:
  Matrix3 tensor(const Evaluation& at) const;

  int body_, mass_;
  std::optional<std::array<int, 9>> inertia_;  // row by row
  std::array<int, 3> gravity_;
  int column_ = -1;
  std::array<int, 3> massSlots_{};
  std::array<std::array<int, 3>, 3> turnSlots_{};
};

// One row  Phi = s(q) - target - offset - motion = 0. The motion is a function of time, or a setpoint x_i of the
// states: then the row is s' - x_(i+1) = 0 at velocity level and s'' - x_(i+1)' = 0 at acceleration level.
class Constraint : public Element {
 public:
  Constraint(int row, Coordinate coordinate, int target, std::optional<Quantity> motion = {})
      : row_(row), coordinate_(coordinate), target_(target), motion_(std::move(motion)) {}
  std::unique_ptr<Element> clone() const override { return std::make_unique<Constraint>(*this); }
  void claim(const Layout& layout, Slots& slots) override;
  void addResidual(const Evaluation& at, Level level, Vector& r) const override;
  void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const override;

  // Phi at position level, its rate at velocity level.
  double violation(const Evaluation& at, Level level) const;
  // s - target and its first and second derivative by time (the last one with the rates at hand), also of an inactive
  // row.
  double measure(const Evaluation& at, Level level) const;
  const Coordinate& coordinate() const { return coordinate_; }
  int row() const { return row_; }

 private:
  bool active(const Evaluation& at) const { return at.active[static_cast<std::size_t>(row_)] != 0; }
  double violation(const Evaluation& at, Level level, const CoordinateValue& c) const;

  int row_;
  Coordinate coordinate_;
  int target_;
  std::optional<Quantity> motion_;
  struct Direction {
    int column, inRow, inColumn;  // -1: s does not depend on it
  };
  int global_ = -1, diagonal_ = -1, setpointSlot_ = -1;
  std::vector<Direction> directions_;
  std::vector<Coupling> couplings_;
};

// Force along a coordinate: Q = s_q^T f,  f = value(t, q, v, x) - stiffness (s - rest) - damping s'.
class CoordinateForce : public Element {
 public:
  struct Spring {
    int stiffness = kZero, damping = kZero, rest = kZero;
  };
  CoordinateForce(Coordinate coordinate, Spring spring, std::optional<Quantity> value = {})
      : coordinate_(coordinate), spring_(spring), value_(std::move(value)) {}
  std::unique_ptr<Element> clone() const override { return std::make_unique<CoordinateForce>(*this); }
  void claim(const Layout& layout, Slots& slots) override;
  void addResidual(const Evaluation& at, Level level, Vector& r) const override;
  void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const override;
  double potentialEnergy(const Evaluation& at) const override;

  double force(const Evaluation& at) const;

 private:
  double force(const Evaluation& at, const CoordinateValue& c) const;

  Coordinate coordinate_;
  Spring spring_;
  std::optional<Quantity> value_;
  std::vector<int> rows_;
  std::vector<Coupling> couplings_;  // through s_qq
  std::vector<Coupling> products_;   // of a spring, through s_q^T s_q
  std::vector<int> valueSlots_;      // local direction by column of the value
};

// Coulomb friction of a sliding contact along a coordinate: Q = -direction mu N s_q^T, N = -sign lambda of the
// contact's row. The direction is +1, -1 or, if it does not slide, 0.
class ContactFriction : public Element {
 public:
  ContactFriction(Coordinate along, int normalRow, double sign, int coefficient, int direction)
      : along_(along), normalRow_(normalRow), sign_(sign), coefficient_(coefficient), direction_(direction) {}
  std::unique_ptr<Element> clone() const override { return std::make_unique<ContactFriction>(*this); }
  void claim(const Layout& layout, Slots& slots) override;
  void addResidual(const Evaluation& at, Level level, Vector& r) const override;
  void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const override;

  double force(const Evaluation& at) const;

 private:
  // Of the multiplier in the force.
  double factor(const Evaluation& at) const;

  Coordinate along_;
  int normalRow_;
  double sign_;
  int coefficient_, direction_;
  std::vector<int> rows_, normalSlots_;
  std::vector<Coupling> couplings_;
};

// Force with components along the axes of its own planar body, at a point: Q = (A f, s x f) with the point at s.
class BodyForce : public Element {
 public:
  BodyForce(BodyPoint point, Quantity fx, Quantity fy) : point_(point), f_{std::move(fx), std::move(fy)} {}
  std::unique_ptr<Element> clone() const override { return std::make_unique<BodyForce>(*this); }
  void claim(const Layout& layout, Slots& slots) override;
  void addResidual(const Evaluation& at, Level level, Vector& r) const override;
  void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const override;

 private:
  // The generalised force of a unit of f[k].
  std::array<double, 3> direction(const Evaluation& at, int k) const;

  BodyPoint point_;
  std::array<Quantity, 2> f_;
  std::array<int, 3> rows_{}, turnSlots_{};
  std::array<std::vector<int>, 2> valueSlots_;
};

// x' = f(q, v, x, t).
class FirstOrderState : public Element {
 public:
  FirstOrderState(int index, Quantity derivative) : index_(index), derivative_(std::move(derivative)) {}
  std::unique_ptr<Element> clone() const override { return std::make_unique<FirstOrderState>(*this); }
  void claim(const Layout& layout, Slots& slots) override;
  void addResidual(const Evaluation& at, Level level, Vector& r) const override;
  void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const override;

 private:
  int index_;
  Quantity derivative_;
  int row_ = -1, diagonal_ = -1;
  std::vector<int> slots_;
};

}  // namespace mbfmu
