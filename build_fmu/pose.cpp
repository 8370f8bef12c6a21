#include "build_fmu/pose.h"

#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "multibody/initial_conditions.h"
#include "multibody/paths.h"

namespace mbfmu {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string nameOf(const Model& model, PointRef point) {
  const Body& body = model.bodies[at(point.body)];
  return point.marker < 0 ? body.name : body.name + "." + body.markers[at(point.marker)].name;
}

bool isPlace(const NamedPath& path) {
  using What = NamedPath::What;
  return (path.what == What::bodyCoordinate || path.what == What::markerCoordinate) && path.order == 0;
}

}  // namespace

// The coordinates are read as outputs of the model, by the names that users know.
Pose::Pose(const Model& model) : model_(model) {
  auto sampled = std::make_shared<Model>(model);
  sampled->outputs.clear();
  bool spatial = false;
  for (const NamedPath& path : namedPaths(model)) {
    if (!isPlace(path)) continue;
    std::string problem;
    Output output;
    output.name = path.name;
    output.expression.expression = Expression::parse(path.name, problem);
    sampled->outputs.push_back(std::move(output));
    spatial = spatial || path.name.ends_with(".z");
  }
  Diagnostics diagnostics(model.name);
  const std::unique_ptr<Mechanism> mechanism = Mechanism::build(sampled, diagnostics);
  if (!mechanism) throw std::runtime_error(diagnostics.text());
  const double start = model.experiment.start;
  InitialConditions initial = findInitialConditions(*mechanism, start);
  const Dimensions d = mechanism->dimensions();
  if (!initial.ok) initial.y = mechanism->guess();
  if (!initial.ok) initial.w = {Vector::Zero(d.nv), Vector::Zero(d.nx), Vector::Zero(d.m)};
  Vector values;
  mechanism->outputs(start, initial.y, initial.w, values);
  for (std::size_t i = 0; i < sampled->outputs.size(); ++i) {
    values_[sampled->outputs[i].name] = values[static_cast<Eigen::Index>(i)];
  }
  if (!spatial) return;
  // Turned by 30 degrees about the vertical and seen from 20 degrees above; z is up unless gravity points along y.
  constexpr double turn = std::numbers::pi / 6, height = std::numbers::pi / 9;
  const double x = std::cos(turn), depth = std::sin(turn);
  right_ = {x, -depth, 0};
  up_ = {depth * std::sin(height), x * std::sin(height), std::cos(height)};
  std::vector<double> gravity;
  for (const Scalar& g : model.gravity)
    gravity.push_back(std::abs(evaluate(model, g.expression, parameterValues(model, {}))));
  if (gravity[1] > 0 && (gravity.size() < 3 || gravity[1] > gravity[2])) {
    right_ = {x, 0, depth};
    up_ = {depth * std::sin(height), std::cos(height), -x * std::sin(height)};
  }
}

Point Pose::project(const Vector3& p) const {
  Point result;
  for (std::size_t k = 0; k < 3; ++k) result = result + Point{right_[k] * p[k], up_[k] * p[k]};
  return result;
}

Point Pose::of(PointRef point) const {
  const std::string name = nameOf(model_, point);
  Vector3 place{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto found = values_.find(name + "." + "xyz"[k]);
    if (found != values_.end() && std::isfinite(found->second)) place[k] = found->second;
  }
  return project(place);
}

Point Pose::direction(int body, double x, double y) const {
  const auto angle = values_.find(model_.bodies[at(body)].name + ".angle");
  const double turned = angle == values_.end() ? 0 : angle->second;
  return project({std::cos(turned) * x - std::sin(turned) * y, std::sin(turned) * x + std::cos(turned) * y, 0});
}

}  // namespace mbfmu
