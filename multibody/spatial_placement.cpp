#include <cmath>
#include <limits>
#include <numbers>

#include "multibody/paths.h"
#include "multibody/placement.h"

namespace mbfmu {

namespace {

constexpr double kGiven = 100, kJointGiven = 1e12;

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

// Where a frame is, and how it moves; all in world axes.
struct Frame {
  Vector3 position = Vector3::Zero(), velocity = Vector3::Zero(), spin = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
};

class Walker {
 public:
  Walker(const Model& model, const std::vector<double>& parameters) : model_(model), parameters_(parameters) {
    const std::size_t n = model.bodies.size();
    frames_.resize(n);
    placed_.assign(n, false);
    out_.bodies.resize(n);
    out_.weights.assign(n, {1, 1, 1, 1, 1, 1});
    out_.velocityWeights.assign(n, {1, 1, 1, 1, 1, 1});
  }

  SpatialPlacement run() {
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) given(i);
    walkJoints(model_, placed_, [&](const Joint& joint, bool forward) { place(joint, forward); });
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      SpatialPose& pose = out_.bodies[i];
      const Vector3 arm = frame.rotation * centre(i);
      pose.rotation = frame.rotation;
      pose.position = frame.position + arm;
      pose.velocity = frame.velocity + frame.spin.cross(arm);
      pose.omega = frame.rotation.transpose() * frame.spin;
    }
    return std::move(out_);
  }

 private:
  double value(const Scalar& scalar) const { return evaluate(model_, scalar.expression, parameters_); }
  Vector3 value(const Scalar3& v) const { return {value(v[0]), value(v[1]), value(v[2])}; }
  Matrix3 value(const std::optional<Orientation>& orientation) const {
    if (!orientation) return Matrix3::Identity();
    std::array<double, 4> numbers{};
    for (std::size_t i = 0; i < orientation->values.size(); ++i) numbers[i] = value(orientation->values[i]);
    return rotationMatrix(orientationOf(orientation->kind, numbers));
  }
  Vector3 centre(std::size_t body) const {
    const auto& given = model_.bodies[body].centre;
    return given ? value(*given) : Vector3(Vector3::Zero());
  }

  void given(std::size_t i) {
    const Body& body = model_.bodies[i];
    const double weight = body.fixed ? std::numeric_limits<double>::infinity() : kGiven;
    Frame& frame = frames_[i];
    const auto weigh = [&](std::array<double, 6>& weights, std::size_t first) {
      for (std::size_t k = first; k < first + 3; ++k) weights[k] = weight;
    };
    if (body.position) frame.position = value(*body.position), weigh(out_.weights[i], 0);
    if (body.orientation) frame.rotation = value(body.orientation), weigh(out_.weights[i], 3);
    if (body.velocity) frame.velocity = value(*body.velocity), weigh(out_.velocityWeights[i], 0);
    if (body.spin) frame.spin = value(*body.spin), weigh(out_.velocityWeights[i], 3);
    placed_[i] = body.kind == Body::Kind::ground || body.position.has_value();
  }

  // A marker against its body, or the body's own frame.
  Frame local(const PointRef& point) const {
    Frame frame;
    if (point.marker < 0) return frame;
    const Marker& marker = model_.bodies[at_(point.body)].markers[at_(point.marker)];
    frame.position = value(marker.position);
    frame.rotation = value(marker.orientation);
    return frame;
  }

  // The second end of the joint from the first (forward) or the other way round.
  void place(const Joint& joint, bool forward) {
    const PointRef& from = joint.between[forward ? 0 : 1];
    const PointRef& to = joint.between[forward ? 1 : 0];
    const Body& body = model_.bodies[at_(to.body)];
    const Frame& a = frames_[at_(from.body)];
    const Frame markerA = local(from), markerB = local(to);
    const double sign = forward ? 1 : -1;

    // The joint as a turn and a shift of its second frame against its first, along the axis they share.
    double angle = 0, angleRate = 0, shift = 0, shiftRate = 0;
    const std::string coordinate = coordinateName(joint);
    const auto start = [&](const std::optional<Scalar>& given) { return given ? value(*given) : 0; };
    (coordinate == "angle" ? angle : shift) = start(joint.start);
    (coordinate == "angle" ? angleRate : shiftRate) = start(joint.startRate);
    if (joint.kind == Joint::Kind::cylindrical) shift = start(joint.slide), shiftRate = start(joint.slideRate);
    if (joint.kind == Joint::Kind::screw) {
      const double lead = value(joint.pitch) / (2 * std::numbers::pi);
      shift = lead * angle + value(joint.offset), shiftRate = lead * angleRate;
    }
    if (joint.kind == Joint::Kind::rod) shift = value(joint.length);
    const Vector3 axis = coordinate.empty() ? Vector3(Vector3::UnitX()) : Vector3(value(joint.axis).normalized());

    const Matrix3 frameA = a.rotation * markerA.rotation;
    const Vector3 pointA = a.position + a.rotation * markerA.position;
    const Vector3 velocityA = a.velocity + a.spin.cross(a.rotation * markerA.position);
    const Matrix3 turned = rotationMatrix(exponential(sign * angle * axis));

    Frame& b = frames_[at_(to.body)];
    if (!body.orientation && body.kind == Body::Kind::rigid) {
      b.rotation = frameA * turned * markerB.rotation.transpose();
    }
    const Vector3 worldAxis = frameA * axis;
    if (!body.spin && body.kind == Body::Kind::rigid) b.spin = a.spin + sign * angleRate * worldAxis;
    Vector3 offset = sign * shift * worldAxis;
    for (std::size_t k = 0; k < 3; ++k) {
      // Where a driven point begins, seen at time 0; the assembly corrects another start.
      if (joint.along[k]) offset[static_cast<Eigen::Index>(k)] = sign * value(*joint.along[k]);
    }
    const Vector3 armB = b.rotation * markerB.position;
    b.position = pointA + offset - armB;
    if (!body.velocity) {
      b.velocity = velocityA + a.spin.cross(offset) + sign * shiftRate * worldAxis - b.spin.cross(armB);
    }
    if (from.body == 0) keepGiven(joint, at_(to.body), coordinate == "angle");
  }

  void keepGiven(const Joint& joint, std::size_t body, bool turns) {
    const auto keep = [](std::array<double, 6>& weights, std::size_t first) {
      for (std::size_t k = first; k < first + 3; ++k) weights[k] = std::max(weights[k], kJointGiven);
    };
    if (joint.start) keep(out_.weights[body], turns ? 3 : 0);
    if (joint.startRate) keep(out_.velocityWeights[body], turns ? 3 : 0);
    if (joint.slide) keep(out_.weights[body], 0);
    if (joint.slideRate) keep(out_.velocityWeights[body], 0);
  }

  const Model& model_;
  const std::vector<double>& parameters_;
  SpatialPlacement out_;
  std::vector<Frame> frames_;
  std::vector<bool> placed_;
};

}  // namespace

SpatialPlacement placeSpatialBodies(const Model& model, const std::vector<double>& parameters) {
  return Walker(model, parameters).run();
}

}  // namespace mbfmu
