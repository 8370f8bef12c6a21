#include "build_fmu/mechanism_drawing.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "build_fmu/symbols.h"

namespace mbfmu {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double valueOf(const Model& model, const Scalar& scalar) {
  return evaluate(model, scalar.expression, parameterValues(model, {}));
}

bool slides(const Joint& joint) { return joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::slot; }

class Painter {
 public:
  Painter(const Model& model, const Pose& pose, double width, double height) : model_(model), pose_(pose) {
    collectPoints();
    fit(width, height);
    chooseSize();
    result_.drawing = {width, height, {}};
  }

  MechanismDrawing paint() {
    for (const Joint& joint : model_.joints) below(joint);
    for (const Force& force : model_.forces) plane(force);
    for (int i = 1; i < static_cast<int>(model_.bodies.size()); ++i) body(i);
    for (const Force& force : model_.forces) spring(force);
    for (const Joint& joint : model_.joints) above(joint);
    for (const Force& force : model_.forces) drive(force);
    for (const Joint& joint : model_.joints) result_.joints.push_back(place(anchor(joint)));
    return std::move(result_);
  }

 private:
  void collectPoints() {
    points_.resize(model_.bodies.size());
    const auto use = [&](PointRef point) {
      if (point.body >= 0) points_[at(point.body)].insert(point.marker);
    };
    for (const Joint& joint : model_.joints) {
      for (const PointRef& point : joint.between) use(point);
    }
    for (const Force& force : model_.forces) {
      for (const PointRef& point : {force.at, force.between[0], force.between[1]}) use(point);
    }
    for (std::size_t i = 1; i < model_.bodies.size(); ++i) {
      for (int m = 0; m < static_cast<int>(model_.bodies[i].markers.size()); ++m) points_[i].insert(m);
      if (points_[i].size() < 2) points_[i].insert(-1);
    }
  }

  // Metres to pixels: everything in view, with a margin for the symbols around.
  void fit(double width, double height) {
    Point low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      for (const int marker : points_[at(i)]) {
        const Point p = pose_.of({i, marker});
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    }
    if (!(low.x <= high.x)) low = high = {};
    const double margin = 0.18 * std::min(width, height);
    const double spanX = high.x - low.x, spanY = high.y - low.y;
    if (spanX > 0) scale_ = std::min(scale_, (width - 2 * margin) / spanX);
    if (spanY > 0) scale_ = std::min(scale_, (height - 2 * margin) / spanY);
    if (!(spanX > 0 || spanY > 0)) scale_ = 1;
    origin_ = Point{width / 2, height / 2} - Point{scale_ * (low.x + high.x) / 2, -scale_ * (low.y + high.y) / 2};
    largest_ = 0.075 * std::min(width, height);
  }

  // Links are drawn about a quarter as thick as the shorter ones of them are long.
  void chooseSize() {
    std::vector<double> lengths;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      double longest = 0;
      for (const int a : points_[at(i)]) {
        for (const int b : points_[at(i)]) longest = std::max(longest, length(place({i, a}) - place({i, b})));
      }
      if (longest > 1) lengths.push_back(longest);
    }
    std::sort(lengths.begin(), lengths.end());
    size_ = lengths.empty() ? largest_ : std::clamp(0.28 * lengths[lengths.size() / 4], 0.3 * largest_, largest_);
  }

  Point place(PointRef point) const { return toPixels(pose_.of(point)); }
  Point toPixels(Point p) const { return origin_ + Point{scale_ * p.x, -scale_ * p.y}; }
  Point directionInPixels(int body, const Scalar& x, const Scalar& y) const {
    const Point d = pose_.direction(body, valueOf(model_, x), valueOf(model_, y));
    return unit({d.x, -d.y});
  }
  static Colour colourOf(int body) { return colours::bodies[at(body - 1) % std::size(colours::bodies)]; }
  static PointRef anchor(const Joint& joint) {
    const bool second = slides(joint) || joint.kind == Joint::Kind::driven;
    return joint.between[second ? 1 : 0].body < 0 ? PointRef{0, -1} : joint.between[second ? 1 : 0];
  }

  void add(Shape shape) { result_.drawing.shapes.push_back(std::move(shape)); }
  void add(std::vector<Shape> shapes) {
    for (Shape& shape : shapes) add(std::move(shape));
  }

  void below(const Joint& joint) {
    const auto [first, second] = joint.between;
    if (slides(joint)) return rail(joint);
    if (joint.kind == Joint::Kind::gear) return;
    if (first.body == 0) add(support(place(first), size_));
    if (second.body == 0) add(support(place(second), size_));
    if (joint.kind == Joint::Kind::rod) add(line({place(first), place(second)}, colours::ink, 0.22 * size_));
  }

  void rail(const Joint& joint) {
    const Point from = place(joint.between[0]), to = place(joint.between[1]);
    const Point along = directionInPixels(joint.between[0].body, joint.axis[0], joint.axis[1]);
    const Point offset = to - from;
    const double s = offset.x * along.x + offset.y * along.y;
    // Beside the blocks that slide on it.
    Point normal = turned(along);
    if (normal.y > 0 || (normal.y == 0 && normal.x > 0)) normal = -1 * normal;
    const Point base = from - (0.75 * size_) * normal;
    const Point low = base + (std::min(s, 0.0) - 2.4 * size_) * along;
    const Point high = base + (std::max(s, 0.0) + 2.4 * size_) * along;
    if (joint.between[0].body == 0) {
      add(hatched(low, high, normal, size_));
    } else {
      add(line({low, high}, colours::ink, 0.14 * size_));
    }
  }

  void plane(const Force& force) {
    if (force.kind != Force::Kind::contact) return;
    const Point through = place(force.between[0]), other = place(force.between[1]);
    const Point normal = directionInPixels(force.between[0].body, force.normal[0], force.normal[1]);
    const Point along = turned(normal);
    const Point offset = other - through;
    const double s = offset.x * along.x + offset.y * along.y;
    add(hatched(through + (std::min(s, 0.0) - 4 * size_) * along, through + (std::max(s, 0.0) + 4 * size_) * along,
                normal, size_));
    const double radius = scale_ * valueOf(model_, force.radius);
    if (force.between[1].body > 0 && radius > 0.2 * size_) {
      add(disc(other, radius, colourOf(force.between[1].body), 0.12 * size_));
    }
  }

  void body(int index) {
    std::vector<Point> points;
    for (const int marker : points_[at(index)]) points.push_back(place({index, marker}));
    if (!isLong(index)) {
      points.resize(1);
      for (const Joint& joint : model_.joints) {
        if (!slides(joint) || joint.between[1].body != index) continue;
        const Point along = directionInPixels(joint.between[0].body, joint.axis[0], joint.axis[1]);
        return add(block(points[0], along, 2.6 * size_, 1.4 * size_, colourOf(index), 0.12 * size_));
      }
    }
    add(plate(std::move(points), colourOf(index), size_));
  }

  bool isLong(int body) const {
    const auto& markers = points_[at(body)];
    const Point first = place({body, *markers.begin()});
    return std::any_of(markers.begin(), markers.end(), [&](int marker) {
      return length(place({body, marker}) - first) > 0.5 * size_;
    });
  }

  void spring(const Force& force) {
    if (force.kind == Force::Kind::spring) {
      add(zigzag(place(force.between[0]), place(force.between[1]), size_));
      for (const PointRef& end : force.between) {
        if (end.body == 0) add(support(place(end), 0.7 * size_));
        add(disc(place(end), 0.16 * size_, colours::spring, 0.06 * size_));
      }
    }
    if (force.kind == Force::Kind::torsionSpring) {
      add(spiral(place(anchor(model_.joints[at(force.joint)])), size_));
    }
  }

  void above(const Joint& joint) {
    const auto [first, second] = joint.between;
    switch (joint.kind) {
      case Joint::Kind::gear:
        return;
      case Joint::Kind::prismatic: {
        const Point along = directionInPixels(first.body, joint.axis[0], joint.axis[1]);
        if (isLong(second.body)) {
          add(block(place(second), along, 1.6 * size_, 1.1 * size_, colours::paper, 0.12 * size_));
        }
        return;
      }
      case Joint::Kind::weld:
        return add(block(place(first), {1, 0}, 0.6 * size_, 0.6 * size_, colours::ink, 0.1 * size_));
      case Joint::Kind::rod:
        add(disc(place(second), 0.26 * size_, colours::paper, 0.1 * size_));
        return add(disc(place(first), 0.26 * size_, colours::paper, 0.1 * size_));
      default:
        return add(disc(place(anchor(joint)), 0.3 * size_, colours::paper, 0.12 * size_));
    }
  }

  void drive(const Force& force) {
    using Kind = Force::Kind;
    if (force.kind == Kind::jointDrive || force.kind == Kind::actuator) {
      const Joint& joint = model_.joints[at(force.joint)];
      const Point where = place(anchor(joint));
      if (!slides(joint)) return add(turningArrow(where, size_));
      const Point along = directionInPixels(joint.between[0].body, joint.axis[0], joint.axis[1]);
      return add(arrow(where, where + 2.8 * size_ * along, size_));
    }
    if (force.at.body < 0) return;
    if (force.kind == Kind::bodyTorque) add(turningArrow(place(force.at), size_));
    if (force.kind == Kind::pointForce) {
      const Point tip = place(force.at);
      add(arrow(tip + Point{-1.6 * size_, -1.6 * size_}, tip, size_));
    }
  }

  const Model& model_;
  const Pose& pose_;
  std::vector<std::set<int>> points_;  // by body: the markers to draw, -1 for the centre of mass
  double scale_ = HUGE_VAL, size_ = 1, largest_ = 1;
  Point origin_;
  MechanismDrawing result_;
};

}  // namespace

MechanismDrawing drawMechanism(const Model& model, const Pose& pose, double width, double height) {
  return Painter(model, pose, width, height).paint();
}

Drawing flangeDrawing(double size) {
  const Point centre{size / 2, size / 2};
  return {
      size,
      size,
      {disc(centre, 0.4 * size, colours::ground, 0.08 * size), disc(centre, 0.16 * size, colours::paper, 0.06 * size)}};
}

}  // namespace mbfmu
