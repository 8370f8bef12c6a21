#include "multibody/placement.h"

#include <cmath>
#include <limits>

namespace mbfmu {

namespace {

constexpr double kGiven = 100, kJointGiven = 1e12;

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

class Walker {
 public:
  Walker(const Model& model, const std::vector<double>& parameters) : model_(model), parameters_(parameters) {
    const std::size_t n = model.bodies.size();
    out_.bodies.resize(n);
    out_.weights.assign(n, {1, 1, 1});
    out_.velocityWeights.assign(n, {1, 1, 1});
    placed_.assign(n, false);
  }

  Placement run() {
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) given(i);
    walkJoints(model_, placed_, [&](const Joint& joint, bool forward) { place(joint, forward); });
    for (BodyPose& pose : out_.bodies) updateTrigonometry(pose);
    return std::move(out_);
  }

 private:
  double value(const Scalar& scalar) const { return evaluate(model_, scalar.expression, parameters_); }
  static void updateTrigonometry(BodyPose& pose) {
    pose.cosine = std::cos(pose.angle);
    pose.sine = std::sin(pose.angle);
  }

  void given(std::size_t i) {
    const Body& body = model_.bodies[i];
    const double weight = body.fixed ? std::numeric_limits<double>::infinity() : kGiven;
    BodyPose& pose = out_.bodies[i];
    if (body.position) {
      pose.x = value((*body.position)[0]);
      pose.y = value((*body.position)[1]);
      out_.weights[i][0] = out_.weights[i][1] = weight;
    }
    if (body.angle) {
      pose.angle = value(*body.angle);
      out_.weights[i][2] = weight;
    }
    if (body.velocity) {
      pose.vx = value((*body.velocity)[0]);
      pose.vy = value((*body.velocity)[1]);
      out_.velocityWeights[i][0] = out_.velocityWeights[i][1] = weight;
    }
    if (body.rate) {
      pose.rate = value(*body.rate);
      out_.velocityWeights[i][2] = weight;
    }
    updateTrigonometry(pose);
    placed_[i] = body.kind == Body::Kind::ground || body.position.has_value();
  }

  std::array<double, 2> local(const PointRef& point) const {
    if (point.marker < 0) return {0, 0};
    const Marker& marker = model_.bodies[at_(point.body)].markers[at_(point.marker)];
    return {value(marker.position[0]), value(marker.position[1])};
  }

  // The second end of the joint from the first (forward) or the other way round.
  void place(const Joint& joint, bool forward) {
    const PointRef& from = joint.between[forward ? 0 : 1];
    const PointRef& to = joint.between[forward ? 1 : 0];
    const Body& body = model_.bodies[at_(to.body)];
    const BodyPose& a = out_.bodies[at_(from.body)];
    BodyPose& b = out_.bodies[at_(to.body)];
    const double direction = forward ? 1 : -1;
    const bool turns = joint.kind == Joint::Kind::revolute;
    const bool slides = joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::slot;
    const bool keepsAngle = joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::weld;
    const double start = joint.start ? value(*joint.start) : 0, rate = joint.startRate ? value(*joint.startRate) : 0;

    if (!body.angle && body.kind == Body::Kind::rigid) {
      b.angle = a.angle + direction * (turns ? start : keepsAngle ? value(joint.angle) : 0);
    }
    if (!body.rate && body.kind == Body::Kind::rigid) b.rate = a.rate + direction * (turns ? rate : 0);
    updateTrigonometry(b);

    // Offset of the second marker from the first, along the axis fixed in the first body.
    double dx = 0, dy = 0, dvx = 0, dvy = 0;
    if (slides || joint.kind == Joint::Kind::rod) {
      const BodyPose& first = forward ? a : b;
      double ex = 1, ey = 0, distance = start;
      if (slides) {
        const double x = value(joint.axis[0]), y = value(joint.axis[1]), norm = std::hypot(x, y);
        ex = (first.cosine * x - first.sine * y) / norm;
        ey = (first.sine * x + first.cosine * y) / norm;
      } else {
        distance = value(joint.length);
      }
      dx = direction * distance * ex;
      dy = direction * distance * ey;
      const double slide = slides ? rate : 0;
      dvx = direction * slide * ex - first.rate * dy;
      dvy = direction * slide * ey + first.rate * dx;
    }
    for (std::size_t k = 0; k < 2; ++k) {
      // Where a driven point begins, seen at time 0; the assembly corrects another start.
      const auto& along = joint.along[k];
      if (along) (k == 0 ? dx : dy) = direction * value(*along);
    }
    const auto sa = local(from), sb = local(to);
    const double ax = a.cosine * sa[0] - a.sine * sa[1], ay = a.sine * sa[0] + a.cosine * sa[1];
    const double bx = b.cosine * sb[0] - b.sine * sb[1], by = b.sine * sb[0] + b.cosine * sb[1];
    b.x = a.x + ax + dx - bx;
    b.y = a.y + ay + dy - by;
    if (!body.velocity) {
      b.vx = a.vx - a.rate * ay + dvx + b.rate * by;
      b.vy = a.vy + a.rate * ax + dvy - b.rate * bx;
    }
    if (from.body == 0) keepGiven(joint, at_(to.body), turns);
  }

  void keepGiven(const Joint& joint, std::size_t body, bool turns) {
    auto& weights = out_.weights[body];
    auto& velocityWeights = out_.velocityWeights[body];
    for (std::size_t k : turns ? std::vector<std::size_t>{2} : std::vector<std::size_t>{0, 1}) {
      if (joint.start) weights[k] = std::max(weights[k], kJointGiven);
      if (joint.startRate) velocityWeights[k] = std::max(velocityWeights[k], kJointGiven);
    }
  }

  const Model& model_;
  const std::vector<double>& parameters_;
  Placement out_;
  std::vector<bool> placed_;
};

}  // namespace

void walkJoints(const Model& model, std::vector<bool>& placed, const std::function<void(const Joint&, bool)>& place) {
  std::vector<std::vector<const Joint*>> jointsOf(model.bodies.size());
  for (const Joint& joint : model.joints) {
    if (joint.joints[0] >= 0) continue;  // of a gear
    for (const PointRef& end : joint.between) jointsOf[at_(end.body)].push_back(&joint);
  }
  std::vector<std::size_t> queue;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (placed[i]) queue.push_back(i);
  }
  for (std::size_t next = 0, seed = 0; seed < placed.size(); ++next) {
    if (next >= queue.size()) {
      while (seed < placed.size() && placed[seed]) ++seed;
      if (seed == placed.size()) break;
      placed[seed] = true;
      queue.push_back(seed);
    }
    for (const Joint* joint : jointsOf[queue[next]]) {
      const bool forward = at_(joint->between[0].body) == queue[next];
      const std::size_t other = at_(joint->between[forward ? 1 : 0].body);
      if (placed[other]) continue;
      place(*joint, forward);
      placed[other] = true;
      queue.push_back(other);
    }
  }
}

Placement placeBodies(const Model& model, const std::vector<double>& parameters) {
  return Walker(model, parameters).run();
}

}  // namespace mbfmu
