// A scalar s(q) of up to three bodies with all derivatives the equations need. Joints are rows s = target, forces act
// along s, sensors show s: one set of elements for all of them.
//
// The local tangent directions are those of body(0), then of body(1), ...: x, y and angle of a planar body; of a
// spatial one the three of the centre of mass in world axes and three rotations about its own axes. Derivatives are
// along these directions D_i. Two rotations of one body do not commute, so D_j s_q[i] is not symmetric.
//
// A force may also act along directions that no scalar has (a torque about a fixed axis). Then s is 0 and s_q is the
// row of directions itself: rate = s_q v and everything after it mean what they mean for a scalar.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "multibody/evaluation.h"

namespace mbfmu {

struct Layout;

// A point of a body; position holds indices into Evaluation::constants.
struct BodyPoint {
  int body = 0;
  bool centre = true;  // the centre of mass: has no arm
  std::array<int, 3> position{kZero, kZero, kZero};
};

// A unit vector fixed in a body; direction holds indices into Evaluation::constants.
struct BodyAxis {
  int body = 0;
  std::array<int, 3> direction{kZero, kZero, kOne};
};

constexpr int kMaxBodies = 3;
constexpr int kMaxLocal = 6 * kMaxBodies;

struct CoordinateValue {
  using Row = std::array<double, kMaxLocal>;
  double s, rate, curvature;       // s, s_q v and (s_q v)_q v, so that s'' = s_q a + curvature
  Row sq;                          // s_q
  Row sqv;                         // (s_q v)_q
  Row sqdot;                       // (s_q)', so that curvature_v = sqv + sqdot
  Row sqvv;                        // ((s_q v)_q v)_q
  std::array<Row, kMaxLocal> sqq;  // sqq[i][j] = D_j s_q[i], where the coordinate couples i with j
};

// What a kind of coordinate has to know.
class CoordinateForm {
 public:
  virtual ~CoordinateForm() = default;
  // s, s_q; and from order 2 on the rate and curvature, from order 3 on the other derivatives.
  virtual void evaluate(const Evaluation& at, int order, CoordinateValue& out) const = 0;
  // Whether s_q[i] and s_qq[i][j] can be other than zero; both i and j must be depended on for the latter.
  virtual bool depends(int i) const = 0;
  virtual bool couples(int i, int j) const = 0;

  int directions = 3;  // of each body
  int count = 0;
  std::array<int, kMaxBodies> bodies{};
};

class Coordinate {
 public:
  Coordinate() = default;
  explicit Coordinate(std::shared_ptr<const CoordinateForm> form) : form_(std::move(form)) {}

  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const { form_->evaluate(at, order, out); }

  int size() const { return form_->directions * form_->count; }
  int bodyCount() const { return form_->count; }
  int body(int b) const { return form_->bodies[static_cast<std::size_t>(b)]; }
  // Tangent directions of each body: those of body(b) begin at directions() * b.
  int directions() const { return form_->directions; }
  // Among the unknowns; -1 where s does not depend on the direction or the body cannot move.
  int column(const Layout& layout, int i) const;
  bool depends(int i) const { return form_->depends(i); }
  bool couples(int i, int j) const { return form_->couples(i, j); }
  bool exists() const { return form_ != nullptr; }

 private:
  std::shared_ptr<const CoordinateForm> form_;
};

// Sum of coefficient * coordinate; coefficients are indices of constants.
Coordinate combination(const std::vector<std::pair<int, Coordinate>>& terms);

// From f to s = sqrt(f), by differentiating s^2 = f. `size` is the number of local directions.
void squareRoot(int size, int order, CoordinateValue& out);

}  // namespace mbfmu
