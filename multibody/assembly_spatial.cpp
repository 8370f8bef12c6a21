// Bodies and joints in space. With the frames (x1, y1, z1) and (x2, y2, z2) of a joint on its two bodies, z along the
// joint's axis, and d from the origin of the first to that of the second, joints are rows of four kinds:
//   point:  d = 0 (three rows)          across:  x1.d or y1.d or z1.d = 0
//   axes:   u1.w2 = 0                   length:  |d| = length
#include <numbers>

#include "multibody/assembler.h"
#include "multibody/spatial_coordinates.h"

namespace mbfmu {

void Assembler::spatialBodies() {
  const std::array<int, 3> gravity = out_->constants.add(model_.gravity);
  Layout& layout = out_->layout;
  layout.spatial = true;
  int column = 0, place = 0;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const Body& body = model_.bodies[i];
    std::array<int, 6> columns{-1, -1, -1, -1, -1, -1};
    layout.positions.push_back(place);
    if (body.kind != Body::Kind::ground) {
      const bool rigid = body.kind == Body::Kind::rigid;
      for (int k = 0; k < (rigid ? 6 : 3); ++k) columns[at_(k)] = column++;
      place += rigid ? 7 : 3;
      const int mass = out_->constants.add(body.mass, Constants::Check::positive);
      std::optional<std::array<int, 9>> tensor;
      if (rigid) tensor = out_->constants.addTensor(body.tensor, body.path() + "/inertia");
      add<SpatialInertia>(static_cast<int>(i), mass, tensor, gravity);
    }
    layout.columns.push_back(columns);
    spatialMarkers(body);
  }
  layout.dimensions.nq = place;
  layout.dimensions.nv = column;
}

// Elements see points from the centre of mass, the file gives them from the origin of the body's frame.
void Assembler::spatialMarkers(const Body& body) {
  const auto fromCentre = [&](const Scalar3& position) {
    if (!body.centre) return out_->constants.add(position);
    std::array<int, 3> result{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::string problem;
      const Expression difference = Expression::parse("own.p - own.c", problem)
                                        .substitute("own.p", position[k].expression)
                                        .substitute("own.c", (*body.centre)[k].expression);
      result[k] = out_->constants.add(Scalar{difference, position[k].path});
    }
    return result;
  };
  const std::string path = body.path();
  origins_.push_back(body.centre ? fromCentre({Scalar{{}, path}, Scalar{{}, path}, Scalar{{}, path}})
                                 : std::array<int, 3>{kZero, kZero, kZero});
  markers_.emplace_back();
  for (const Marker& marker : body.markers) {
    markers_.back().push_back(fromCentre(marker.position));
    // Checked here; frames are made of it where they are needed.
    out_->constants.addFrame(marker.orientation, worldAxis(2), body.path() + "/markers/" + marker.name);
  }
}

Scalar3 Assembler::worldAxis(int k) {
  Scalar3 axis;
  axis[at_(k)].expression = Expression(1.0);
  return axis;
}

// The frame at a point with its z along an axis that is given in the axes of the marker.
Assembler::BodyFrame Assembler::frame(const PointRef& ref, const Scalar3& axis, const std::string& path) {
  const auto& markers = model_.bodies[at_(ref.body)].markers;
  const Constants::Frame f = out_->constants.addFrame(
      ref.marker < 0 ? std::optional<Orientation>() : markers[at_(ref.marker)].orientation, axis, path);
  return {{ref.body, f.x}, {ref.body, f.y}, {ref.body, f.z}};
}

// An angle counts full turns, and q keeps the last one.
Coordinate Assembler::turnBetween(const BodyFrame& first, const BodyFrame& second) {
  const spatial::Angle angle{first.x, first.y, first.z, second.x, out_->layout.dimensions.nq++};
  out_->layout.angles.push_back(angle);
  return spatial::turn(angle);
}

void Assembler::addSpatialRows(const Joint& joint, Assembly::JointParts& parts) {
  using Kind = Joint::Kind;
  const BodyPoint first = point(joint.between[0]), second = point(joint.between[1]);
  const std::string path = joint.path() + "/axis";
  const BodyFrame f1 = frame(joint.between[0], joint.axis, path), f2 = frame(joint.between[1], joint.axis, path);
  const auto coincide = [&] {
    row(joint, "x", spatial::component(first, second, 0), kZero);
    row(joint, "y", spatial::component(first, second, 1), kZero);
    row(joint, "z", spatial::component(first, second, 2), kZero);
  };
  const auto parallel = [&] {
    row(joint, "axis against x", spatial::dot(f1.x, f2.z), kZero);
    row(joint, "axis against y", spatial::dot(f1.y, f2.z), kZero);
  };
  const auto onAxis = [&] {
    row(joint, "across x", spatial::along(first, second, f1.x), kZero);
    row(joint, "across y", spatial::along(first, second, f1.y), kZero);
  };
  const auto turns = [&] {
    parts.angle = out_->layout.dimensions.nq;
    parts.coordinate = turnBetween(f1, f2);
  };
  const auto position = [&] { return spatial::along(first, second, f1.z); };
  switch (joint.kind) {
    case Kind::spherical:
      coincide();
      break;
    case Kind::revolute:
      coincide(), parallel();
      turns();
      break;
    case Kind::prismatic:
      onAxis(), parallel();
      row(joint, "turn", spatial::dot(f1.x, f2.y), kZero);
      parts.coordinate = position();
      break;
    case Kind::cylindrical:
      onAxis(), parallel();
      turns();
      parts.slide = position();
      break;
    case Kind::screw: {
      onAxis(), parallel();
      turns();
      parts.slide = position();
      const Scalar lead{joint.pitch.expression.affine(-1 / (2 * std::numbers::pi), 0), joint.pitch.path};
      row(joint, "pitch", combination({{kOne, *parts.slide}, {out_->constants.add(lead), *parts.coordinate}}),
          out_->constants.add(joint.offset));
      break;
    }
    case Kind::universal: {
      coincide();
      const BodyFrame other = frame(joint.between[1], joint.axis2, joint.path() + "/axis2");
      row(joint, "cross", spatial::dot(f1.z, other.z), kZero);
      break;
    }
    case Kind::planar:
      parallel();
      row(joint, "across", position(), kZero);
      turns();
      break;
    case Kind::pointOnPlane:
      row(joint, "across", position(), kZero);
      break;
    case Kind::weld:
      coincide(), parallel();
      row(joint, "turn", spatial::dot(f1.x, f2.y), kZero);
      break;
    case Kind::rod:
      row(joint, "length", spatial::length(first, second),
          out_->constants.add(joint.length, Constants::Check::positive));
      break;
    case Kind::driven:
      for (int k = 0; k < 3; ++k) {
        const auto& along = joint.along[at_(k)];
        const char* names[] = {"x", "y", "z"};
        if (along) row(joint, names[k], spatial::component(first, second, k), kZero, motion(*along));
      }
      break;
    case Kind::slot:
    case Kind::gear:
    case Kind::rackAndPinion:
      break;
  }
}

// Coordinate of the second joint - ratio * angle of the first.
Coordinate Assembler::geared(const Joint& gear) {
  const auto& first = out_->joints[at_(gear.joints[0])];
  const auto& second = out_->joints[at_(gear.joints[1])];
  const int ratio = out_->constants.add(Scalar{gear.ratio.expression.affine(-1, 0), gear.ratio.path});
  const bool slides = gear.kind == Joint::Kind::rackAndPinion && second.slide;
  return combination({{kOne, slides ? *second.slide : *second.coordinate}, {ratio, *first.coordinate}});
}

}  // namespace mbfmu
