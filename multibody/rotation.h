// Orientations as unit quaternions p = (w, x, y, z), body to world, and the chart at an orientation p0:
//
//   p = p0 exp(theta/2),   omega = T(theta) theta'   with omega in body axes (numbers 4 and 5 of a spatial velocity),
//   T = I - b [theta] + c [theta]^2,          b = (1 - cos phi)/phi^2,  c = (phi - sin phi)/phi^3,  phi = |theta|,
//   T^-1 = I + [theta]/2 + e [theta]^2,       e = (1 - (phi/2) cot(phi/2))/phi^2.
//
// Reference: Bruels, Cardona, Arnold, "Lie group generalized-alpha time integration of constrained flexible multibody
// systems", Mech. Mach. Theory 48, 2012, appendix A.
#pragma once

#include <Eigen/Core>

namespace mbfmu {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Quaternion = Eigen::Vector4d;

Matrix3 skew(const Vector3& a);  // skew(a) b = a x b

Quaternion product(const Quaternion& a, const Quaternion& b);
Quaternion conjugate(const Quaternion& p);
Matrix3 rotationMatrix(const Quaternion& p);
Quaternion quaternionOf(const Matrix3& rotation);

// The rotation by |theta| about theta, and back (|theta| at most pi).
Quaternion exponential(const Vector3& theta);
Vector3 logarithm(const Quaternion& p);

Matrix3 tangentMap(const Vector3& theta);
Matrix3 inverseTangentMap(const Vector3& theta);

// Turns about z by yaw, then about the new y by pitch, then about the new x by roll.
Quaternion fromRollPitchYaw(const Vector3& angles);
Vector3 rollPitchYaw(const Matrix3& rotation);

// Two unit vectors that make a right-handed triad (x, y, z) with the unit vector z, as columns.
Matrix3 triad(const Vector3& z);

}  // namespace mbfmu
