#include "model_description/dependencies.h"

#include <numeric>
#include <set>
#include <string>
#include <unordered_map>

#include "multibody/paths.h"

namespace mbfmu {
namespace {

using What = NamedPath::What;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Dependencies {
 public:
  explicit Dependencies(const Model& model) : model_(model), group_(model.bodies.size()), paths_(namedPaths(model)) {
    for (std::size_t i = 0; i < paths_.size(); ++i) byName_.try_emplace(paths_[i].name, i);
    std::iota(group_.begin(), group_.end(), 0);
    for (const Joint& joint : model.joints) {
      const std::vector<int> bodies = bodiesOf(joint);
      for (const int body : bodies) connect(bodies[0], body);
    }
  }

  std::set<int> of(const Output& output) const {
    std::set<int> result;
    for (const std::string& name : output.expression.expression.names()) {
      const auto found = byName_.find(name);
      if (found == byName_.end()) continue;
      const std::set<int> part = of(paths_[found->second]);
      result.insert(part.begin(), part.end());
    }
    return result;
  }

 private:
  // Ground does not move, so that it connects nothing.
  std::vector<int> moving(std::vector<int> bodies) const {
    std::erase_if(bodies, [&](int b) { return b < 0 || model_.bodies[at(b)].kind == Body::Kind::ground; });
    return bodies;
  }
  std::vector<int> bodiesOf(const Joint& joint) const {
    std::vector<int> bodies = {joint.between[0].body, joint.between[1].body};
    for (const int other : joint.joints) {
      if (other < 0) continue;
      for (const PointRef& point : model_.joints[at(other)].between) bodies.push_back(point.body);
    }
    return moving(std::move(bodies));
  }
  std::vector<int> bodiesOf(const Force& force) const {
    std::vector<int> bodies = {force.at.body, force.between[0].body, force.between[1].body};
    if (force.joint >= 0) bodies = bodiesOf(model_.joints[at(force.joint)]);
    return moving(std::move(bodies));
  }

  int root(int body) const {
    while (group_[at(body)] != body) body = group_[at(body)];
    return body;
  }
  void connect(int a, int b) { group_[at(root(b))] = root(a); }

  std::set<int> inputsIn(const Force& force) const {
    std::set<int> result;
    std::vector<const Scalar*> scalars = {&force.value[0],  &force.value[1], &force.value[2],
                                          &force.stiffness, &force.damping,  &force.rest};
    if (force.law) scalars.push_back(&*force.law);
    for (const Scalar* scalar : scalars) {
      for (const std::string& name : scalar->expression.names()) {
        for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
          if (model_.inputs[i].name == name) result.insert(static_cast<int>(i));
        }
      }
    }
    return result;
  }

  std::set<int> inputsOn(const std::vector<int>& bodies) const {
    std::set<int> result;
    const auto collect = [&](const std::vector<int>& driven, const std::set<int>& inputs) {
      for (const int body : driven) {
        for (const int other : bodies) {
          if (root(body) == root(other)) result.insert(inputs.begin(), inputs.end());
        }
      }
    };
    for (const Force& force : model_.forces) collect(bodiesOf(force), inputsIn(force));
    for (const Joint& joint : model_.joints) collect(bodiesOf(joint), inputsMoving(joint));
    return result;
  }

  // The acceleration of a setpoint follows its input without delay.
  std::set<int> inputsMoving(const Joint& joint) const {
    std::set<int> result;
    for (const StateVariable& state : model_.states) {
      if (state.input >= 0 && state.name.starts_with(joint.name + ".setpoint")) result.insert(state.input);
    }
    return result;
  }

  std::set<int> of(const NamedPath& path) const {
    switch (path.what) {
      case What::input:
        return {path.index};
      case What::forceValue:
        return inputsIn(model_.forces[at(path.index)]);
      case What::reactionForce:
      case What::reactionTorque:
      case What::motionForce:
        return inputsOn(bodiesOf(model_.joints[at(path.index)]));
      case What::jointCoordinate:
        return path.order < 2 ? std::set<int>() : inputsOn(bodiesOf(model_.joints[at(path.index)]));
      case What::bodyCoordinate:
      case What::markerCoordinate:
      case What::worldSpin:
      case What::bodySpin:
        return path.order < 2 ? std::set<int>() : inputsOn(moving({path.index}));
      case What::springCoordinate:
        return path.order < 2 ? std::set<int>() : inputsOn(bodiesOf(model_.forces[at(path.index)]));
      default:
        return {};
    }
  }

  const Model& model_;
  std::vector<int> group_;  // of bodies that constraints connect: another member, or itself
  std::vector<NamedPath> paths_;
  std::unordered_map<std::string, std::size_t> byName_;
};

}  // namespace

bool outputsFollowRates(const Model& model) {
  std::set<std::string> rates;
  for (const NamedPath& path : namedPaths(model)) {
    const bool reaction =
        path.what == What::reactionForce || path.what == What::reactionTorque || path.what == What::motionForce;
    const bool coordinate = path.what == What::jointCoordinate || path.what == What::bodyCoordinate ||
                            path.what == What::markerCoordinate || path.what == What::springCoordinate;
    if (reaction || (coordinate && path.order == 2)) rates.insert(path.name);
  }
  for (const Output& output : model.outputs) {
    for (const std::string& name : output.expression.expression.names()) {
      if (rates.count(name) > 0) return true;
    }
  }
  return false;
}

std::vector<std::vector<int>> inputsBehindOutputs(const Model& model) {
  const Dependencies dependencies(model);
  std::vector<std::vector<int>> result;
  for (const Output& output : model.outputs) {
    const std::set<int> inputs = dependencies.of(output);
    result.emplace_back(inputs.begin(), inputs.end());
  }
  return result;
}

}  // namespace mbfmu
