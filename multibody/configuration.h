// The configuration manifold of a mechanism. In the plane q is (x, y, angle) of each body. In space it is the centre of
// mass and a unit quaternion of each body (nq = 7, nv = 6; 3 and 3 of a point mass), in charts as rotation.h has them,
// and the last angle of each joint that counts full turns.
#pragma once

#include "multibody/element.h"

namespace mbfmu::configuration {

// Poses, velocities and, with rates, accelerations of all bodies.
void placePlanar(const Layout& layout, const State& y, const Rates* w, std::vector<BodyPose>& bodies);
void placeSpatial(const Layout& layout, const State& y, const Rates* w, std::vector<SpatialPose>& bodies);

// The other way round: q and v of the given poses.
void readPlanar(const Layout& layout, const std::vector<BodyPose>& bodies, State& y);
void readSpatial(const Layout& layout, const std::vector<SpatialPose>& bodies, State& y);
// Each angle that q keeps, to the nearest one that the orientations allow.
void settleAngles(const Layout& layout, const std::vector<double>& constants, Vector& q);

// System's functions of the same names (system.h), in space.
void advance(const Layout& layout, const std::vector<double>& constants, const Vector& q0, const Vector& theta,
             Vector& q);
void difference(const Layout& layout, const Vector& q0, const Vector& q1, Vector& theta);
void positionScale(const Layout& layout, const Vector& q, Vector& scale);
void chartRate(const Layout& layout, const Vector& theta, const Vector& v, Vector& thetaRate);

}  // namespace mbfmu::configuration
