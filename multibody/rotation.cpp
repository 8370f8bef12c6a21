#include "multibody/rotation.h"

#include <Eigen/Geometry>
#include <cmath>

namespace mbfmu {

namespace {

constexpr double kSmallAngle = 0.15;  // below it the series keep more digits than the quotients

double b(double square) {
  if (square < kSmallAngle * kSmallAngle) {
    return 1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320 - square / 3628800)));
  }
  return (1 - std::cos(std::sqrt(square))) / square;
}

double c(double square) {
  if (square < kSmallAngle * kSmallAngle) {
    return 1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * (1.0 / 362880 - square / 39916800)));
  }
  const double phi = std::sqrt(square);
  return (phi - std::sin(phi)) / (square * phi);
}

double e(double square) {
  if (square < kSmallAngle * kSmallAngle) {
    return 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square * (1.0 / 1209600 + square / 47900160)));
  }
  const double half = std::sqrt(square) / 2;
  return (1 - half / std::tan(half)) / square;
}

}  // namespace

Matrix3 skew(const Vector3& a) {
  Matrix3 s;
  s << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return s;
}

Quaternion product(const Quaternion& p, const Quaternion& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

Quaternion conjugate(const Quaternion& p) { return {p[0], -p[1], -p[2], -p[3]}; }

Matrix3 rotationMatrix(const Quaternion& p) {
  const double w = p[0], x = p[1], y = p[2], z = p[3];
  Matrix3 r;
  r << w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),  //
      2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),   //
      2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z;
  return r;
}

Quaternion quaternionOf(const Matrix3& rotation) {
  const Eigen::Quaterniond p(rotation);
  return {p.w(), p.x(), p.y(), p.z()};
}

Quaternion exponential(const Vector3& theta) {
  const double square = theta.squaredNorm(), phi = std::sqrt(square);
  const double s = phi < 1e-4 ? 0.5 - square / 48 : std::sin(phi / 2) / phi;
  return {std::cos(phi / 2), s * theta[0], s * theta[1], s * theta[2]};
}

Vector3 logarithm(const Quaternion& p) {
  const double sign = p[0] < 0 ? -1 : 1;  // p and -p are the same rotation; this one turns by at most pi
  const Vector3 axis = sign * p.tail<3>();
  const double sine = axis.norm();
  const double factor = sine < 1e-8 ? 2 / (sign * p[0]) : 2 * std::atan2(sine, sign * p[0]) / sine;
  return factor * axis;
}

Matrix3 tangentMap(const Vector3& theta) {
  const Matrix3 s = skew(theta);
  const double square = theta.squaredNorm();
  return Matrix3::Identity() - b(square) * s + c(square) * s * s;
}

Matrix3 inverseTangentMap(const Vector3& theta) {
  const Matrix3 s = skew(theta);
  return Matrix3::Identity() + s / 2 + e(theta.squaredNorm()) * s * s;
}

Quaternion fromRollPitchYaw(const Vector3& angles) {
  return product(exponential({0, 0, angles[2]}),
                 product(exponential({0, angles[1], 0}), exponential({angles[0], 0, 0})));
}

Vector3 rollPitchYaw(const Matrix3& r) {
  return {std::atan2(r(2, 1), r(2, 2)), std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0))),
          std::atan2(r(1, 0), r(0, 0))};
}

Matrix3 triad(const Vector3& z) {
  // The coordinate axis least along z, made perpendicular to it.
  Eigen::Index least = 0;
  z.cwiseAbs().minCoeff(&least);
  const Vector3 x = (Vector3::Unit(least) - z[least] * z).normalized();
  Matrix3 frame;
  frame << x, z.cross(x), z;
  return frame;
}

}  // namespace mbfmu
