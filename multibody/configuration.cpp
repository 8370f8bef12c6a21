#include "multibody/configuration.h"

#include <cmath>
#include <numbers>

namespace mbfmu::configuration {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

// Where the numbers of a body are: columns of v and theta, and places in q.
struct Place {
  int column, turnColumn, q;  // turnColumn: -1 for a point mass
};

template <class Function>
void forEachBody(const Layout& layout, Function function) {
  for (std::size_t i = 1; i < layout.columns.size(); ++i) {
    function(i, Place{layout.columns[i][0], layout.columns[i][3], layout.positions[i]});
  }
}

Quaternion quaternion(const Vector& q, const Place& place) { return q.segment<4>(place.q + 3); }

Vector3 axis(const BodyAxis& axis, const std::vector<double>& constants) {
  const auto& d = axis.direction;
  return {constants[at_(d[0])], constants[at_(d[1])], constants[at_(d[2])]};
}

Matrix3 rotation(const Layout& layout, const Vector& q, int body) {
  if (body == 0) return Matrix3::Identity();
  return rotationMatrix(q.segment<4>(layout.positions[at_(body)] + 3));
}

}  // namespace

void placePlanar(const Layout& layout, const State& y, const Rates* w, std::vector<BodyPose>& bodies) {
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    BodyPose& pose = bodies[i];
    const auto& column = layout.columns[i];
    pose.x = y.q[column[0]], pose.y = y.q[column[1]];
    pose.vx = y.v[column[0]], pose.vy = y.v[column[1]];
    if (w) pose.ax = w->a[column[0]], pose.ay = w->a[column[1]];
    if (column[2] < 0) continue;
    pose.angle = y.q[column[2]];
    pose.cosine = std::cos(pose.angle), pose.sine = std::sin(pose.angle);
    pose.rate = y.v[column[2]];
    if (w) pose.alpha = w->a[column[2]];
  }
}

void placeSpatial(const Layout& layout, const State& y, const Rates* w, std::vector<SpatialPose>& bodies) {
  forEachBody(layout, [&](std::size_t i, const Place& place) {
    SpatialPose& pose = bodies[i];
    pose.position = y.q.segment<3>(place.q);
    pose.velocity = y.v.segment<3>(place.column);
    if (w) pose.acceleration = w->a.segment<3>(place.column);
    if (place.turnColumn < 0) return;
    pose.rotation = rotationMatrix(quaternion(y.q, place));
    pose.omega = y.v.segment<3>(place.turnColumn);
    if (w) pose.alpha = w->a.segment<3>(place.turnColumn);
  });
}

void readPlanar(const Layout& layout, const std::vector<BodyPose>& bodies, State& y) {
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const BodyPose& pose = bodies[i];
    const double q[3] = {pose.x, pose.y, pose.angle}, v[3] = {pose.vx, pose.vy, pose.rate};
    for (std::size_t k = 0; k < 3; ++k) {
      const int column = layout.columns[i][k];
      if (column >= 0) y.q[column] = q[k], y.v[column] = v[k];
    }
  }
}

void readSpatial(const Layout& layout, const std::vector<SpatialPose>& bodies, State& y) {
  forEachBody(layout, [&](std::size_t i, const Place& place) {
    const SpatialPose& pose = bodies[i];
    y.q.segment<3>(place.q) = pose.position;
    y.v.segment<3>(place.column) = pose.velocity;
    if (place.turnColumn < 0) return;
    y.q.segment<4>(place.q + 3) = quaternionOf(pose.rotation);
    y.v.segment<3>(place.turnColumn) = pose.omega;
  });
}

void settleAngles(const Layout& layout, const std::vector<double>& constants, Vector& q) {
  for (const spatial::Angle& angle : layout.angles) {
    const double full = 2 * std::numbers::pi;
    const double wrapped = spatial::wrappedAngle(angle, constants, rotation(layout, q, angle.axis.body),
                                                 rotation(layout, q, angle.turned.body));
    q[angle.memory] = wrapped + full * std::round((q[angle.memory] - wrapped) / full);
  }
}

void advance(const Layout& layout, const std::vector<double>& constants, const Vector& q0, const Vector& theta,
             Vector& q) {
  if (&q != &q0) q = q0;
  // A joint angle turns by about this much, which tells how many full turns it makes.
  for (const spatial::Angle& angle : layout.angles) {
    const auto turned = [&](int body) -> Vector3 {
      const int column = layout.column(body, 3);
      if (column < 0) return Vector3::Zero();
      return rotation(layout, q, body) * theta.segment<3>(column);
    };
    const Vector3 z = rotation(layout, q, angle.axis.body) * axis(angle.axis, constants);
    q[angle.memory] += z.dot(turned(angle.turned.body) - turned(angle.axis.body));
  }
  forEachBody(layout, [&](std::size_t, const Place& place) {
    q.segment<3>(place.q) += theta.segment<3>(place.column);
    if (place.turnColumn < 0) return;
    const Quaternion p = product(quaternion(q, place), exponential(theta.segment<3>(place.turnColumn)));
    q.segment<4>(place.q + 3) = p / p.norm();
  });
  settleAngles(layout, constants, q);
}

void difference(const Layout& layout, const Vector& q0, const Vector& q1, Vector& theta) {
  theta.resize(layout.dimensions.nv);
  forEachBody(layout, [&](std::size_t, const Place& place) {
    theta.segment<3>(place.column) = q1.segment<3>(place.q) - q0.segment<3>(place.q);
    if (place.turnColumn < 0) return;
    theta.segment<3>(place.turnColumn) = logarithm(product(conjugate(quaternion(q0, place)), quaternion(q1, place)));
  });
}

void positionScale(const Layout& layout, const Vector& q, Vector& scale) {
  forEachBody(layout, [&](std::size_t, const Place& place) {
    scale.segment<3>(place.column) = q.segment<3>(place.q).cwiseAbs();
    if (place.turnColumn >= 0) scale.segment<3>(place.turnColumn).setOnes();
  });
}

void chartRate(const Layout& layout, const Vector& theta, const Vector& v, Vector& thetaRate) {
  thetaRate = v;
  forEachBody(layout, [&](std::size_t, const Place& place) {
    if (place.turnColumn < 0) return;
    const int k = place.turnColumn;
    thetaRate.segment<3>(k) = inverseTangentMap(theta.segment<3>(k)) * v.segment<3>(k);
  });
}

}  // namespace mbfmu::configuration
