#include "multibody/spatial_coordinates.h"

#include <cmath>
#include <numbers>

#include "multibody/spatial_form.h"

namespace mbfmu::spatial {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

class Component final : public Connected {
 public:
  Component(const BodyPoint& first, const BodyPoint& second, int k) : Connected(first, second), k_(k) {
    for (int b = 0; b < 2; ++b) {
      for (int i = 0; i < 3; ++i) depends_[at_(6 * b + i)] = i == k;
      setCouples(b, kTurn, b, kTurn);
    }
  }
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    BodyVector direction;
    direction.value = Vector3::Unit(k_);
    clear(size(), order, out);
    addProduct(direction, connection(at), order, out);
  }

 private:
  int k_;
};

class Length final : public Connected {
 public:
  Length(const BodyPoint& first, const BodyPoint& second) : Connected(first, second) {
    for (int b = 0; b < 2; ++b) {
      turnCouplesAll(b);
      for (int c = 0; c < 2; ++c) setCouples(b, kMove, c, kMove);
    }
  }
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    const BodyVector d = connection(at);
    clear(size(), order, out);
    addProduct(d, d, order, out);
    squareRoot(size(), order, out);
  }
};

class Along final : public Directed {
 public:
  using Directed::Directed;
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    clear(size(), order, out);
    addProduct(axis(at), connection(at), order, out);
  }
};

class Dot final : public SpatialForm {
 public:
  Dot(const BodyAxis& first, const BodyAxis& second) : axes_{first, second} {
    for (const BodyAxis& axis : axes_) setDepends(addBody(axis.body), kTurn);
    turnCouplesAll(0), turnCouplesAll(1);
  }
  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    clear(size(), order, out);
    addProduct(axisVector(at, axes_[0], 0), axisVector(at, axes_[1], 1), order, out);
  }

 private:
  std::array<BodyAxis, 2> axes_;
};

// atan2(A, B) with A = turned.y, B = turned.x; with n = A^2 + B^2 every derivative is one of (B dA - A dB)/n.
class Turn final : public SpatialForm {
 public:
  explicit Turn(const Angle& angle) : angle_(angle) {
    for (int body : {angle.x.body, angle.turned.body}) setDepends(addBody(body), kTurn);
    turnCouplesAll(0), turnCouplesAll(1);
  }

  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    CoordinateValue sine, cosine;
    clear(size(), order, sine), clear(size(), order, cosine);
    const BodyVector turned = axisVector(at, angle_.turned, 1);
    addProduct(axisVector(at, angle_.y, 0), turned, order, sine);
    addProduct(axisVector(at, angle_.x, 0), turned, order, cosine);
    const double n = sine.s * sine.s + cosine.s * cosine.s, a = sine.s / n, b = cosine.s / n;
    const double wrapped = std::atan2(sine.s, cosine.s), full = 2 * std::numbers::pi;
    out.s = wrapped + full * std::round((at.state->q[angle_.memory] - wrapped) / full);
    out.rate = b * sine.rate - a * cosine.rate;
    const double nv = 2 * (a * sine.rate + b * cosine.rate);
    out.curvature = b * sine.curvature - a * cosine.curvature - out.rate * nv;
    for (std::size_t i = 0; i < at_(size()); ++i) out.sq[i] = b * sine.sq[i] - a * cosine.sq[i];
    if (order < 3) return;
    for (std::size_t i = 0; i < at_(size()); ++i) {
      const double ai = sine.sq[i] / n, bi = cosine.sq[i] / n, ni = 2 * (a * sine.sq[i] + b * cosine.sq[i]);
      const double nvi = 2 * (ai * sine.rate + a * sine.sqv[i] + bi * cosine.rate + b * cosine.sqv[i]);
      out.sqv[i] = bi * sine.rate + b * sine.sqv[i] - ai * cosine.rate - a * cosine.sqv[i] - out.rate * ni;
      out.sqdot[i] = (cosine.rate * ai - sine.rate * bi) + b * sine.sqdot[i] - a * cosine.sqdot[i] - out.sq[i] * nv;
      out.sqvv[i] = bi * sine.curvature + b * sine.sqvv[i] - ai * cosine.curvature - a * cosine.sqvv[i] -
                    out.curvature * ni - out.sqv[i] * nv - out.rate * nvi;
      for (std::size_t j = 0; j < at_(size()); ++j) {
        const double aj = sine.sq[j], bj = cosine.sq[j], nj = 2 * (a * aj + b * bj);
        out.sqq[i][j] = bj * ai - aj * bi + b * sine.sqq[i][j] - a * cosine.sqq[i][j] - out.sq[i] * nj;
      }
    }
  }

 private:
  Angle angle_;
};

}  // namespace

Coordinate component(const BodyPoint& first, const BodyPoint& second, int k) {
  return Coordinate(std::make_shared<Component>(first, second, k));
}
Coordinate length(const BodyPoint& first, const BodyPoint& second) {
  return Coordinate(std::make_shared<Length>(first, second));
}
Coordinate along(const BodyPoint& first, const BodyPoint& second, const BodyAxis& axis) {
  return Coordinate(std::make_shared<Along>(first, second, axis));
}
Coordinate dot(const BodyAxis& first, const BodyAxis& second) {
  return Coordinate(std::make_shared<Dot>(first, second));
}
Coordinate turn(const Angle& angle) { return Coordinate(std::make_shared<Turn>(angle)); }
double wrappedAngle(const Angle& angle, const std::vector<double>& constants, const Matrix3& first,
                    const Matrix3& second) {
  const auto vector = [&](const BodyAxis& axis) {
    const auto& d = axis.direction;
    return Vector3(constants[at_(d[0])], constants[at_(d[1])], constants[at_(d[2])]);
  };
  const Vector3 turned = second * vector(angle.turned);
  return std::atan2(turned.dot(first * vector(angle.y)), turned.dot(first * vector(angle.x)));
}

}  // namespace mbfmu::spatial
