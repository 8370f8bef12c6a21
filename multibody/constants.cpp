#include "multibody/constants.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "multibody/json_object.h"

namespace mbfmu {

Constants::Constants() {
  for (double value : {0.0, 1.0, -1.0}) entries_.push_back({{Expression(value), ""}, Check::finite});
}

int Constants::add(const Scalar& scalar, Check check) {
  entries_.push_back({scalar, check});
  return static_cast<int>(entries_.size()) - 1;
}

std::array<int, 3> Constants::addDirection(const Scalar3& v, const std::string& path) {
  directions_.push_back({add(v), path});
  return directions_.back().components;
}

namespace {

std::string shortNumber(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <class T>
bool contains(const std::vector<T>& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const T& item) { return item.name == name; });
}

std::string notAParameter(const Model& model, const std::string& name) {
  const std::string text = "may use parameters only, not \"" + name + "\"";
  if (contains(model.inputs, name)) return text + ", which is an input";
  if (contains(model.states, name)) return text + ", which is a state";
  if (name == "time" || name.find('.') != std::string::npos) return text;
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  return unknownName("parameter", name, known);
}

}  // namespace

void Constants::resolve(const Model& model, Diagnostics& diagnostics) {
  for (Entry& entry : entries_) {
    bool usable = true;
    for (const std::string& name : entry.scalar.expression.names()) {
      const bool spoilt = diagnostics.spoilt(name);
      if (!spoilt && contains(model.parameters, name)) continue;
      if (!spoilt) diagnostics.error(entry.scalar.path, notAParameter(model, name));
      usable = false;
    }
    if (!usable) entry.scalar.expression = Expression(1.0);
  }
}

std::vector<double> Constants::evaluate(const Model& model, const std::vector<double>& parameters,
                                        std::vector<Problem>& problems) const {
  std::vector<double> values;
  values.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    const double value = mbfmu::evaluate(model, entry.scalar.expression, parameters);
    values.push_back(value);
    if (!std::isfinite(value)) {
      problems.push_back({entry.scalar.path, "is not a finite number; check the expression and its parameters"});
    } else if (entry.check == Check::positive && !(value > 0)) {
      problems.push_back({entry.scalar.path, "must be positive, is " + shortNumber(value)});
    } else if (entry.check == Check::nonNegative && value < 0) {
      problems.push_back({entry.scalar.path, "must not be negative, is " + shortNumber(value)});
    }
  }
  const auto isZero = [&](const auto& vector) {
    return std::all_of(vector.begin(), vector.end(), [&](int i) { return values[static_cast<std::size_t>(i)] == 0; });
  };
  for (const Direction& direction : directions_) {
    if (isZero(direction.components)) {
      problems.push_back({direction.path, "must not be zero; give a direction such as [1, 0]"});
    }
  }
  for (const QuaternionEntry& quaternion : quaternions_) {
    if (isZero(quaternion.components)) {
      problems.push_back({quaternion.path, "must not be zero; give a quaternion such as [1, 0, 0, 0]"});
    }
  }
  for (const FrameEntry& frame : frames_) evaluateFrame(frame, values);
  for (const Tensor& tensor : tensors_) {
    const std::string message = tensorProblem(tensor, values);
    if (!message.empty()) problems.push_back({tensor.path, message});
  }
  return values;
}

Constants::Frame Constants::addFrame(const std::optional<Orientation>& orientation, const Scalar3& axis,
                                     const std::string& path) {
  FrameEntry entry;
  entry.axis = addDirection(axis, path);
  if (orientation) {
    entry.kind = orientation->kind;
    for (std::size_t i = 0; i < orientation->values.size(); ++i) entry.values[i] = add(orientation->values[i]);
    if (entry.kind == Orientation::Kind::quaternion)
      quaternions_.push_back({entry.values, orientation->values[0].path});
  }
  for (auto* vector : {&entry.frame.x, &entry.frame.y, &entry.frame.z}) {
    for (int& index : *vector) index = add(Scalar{});
  }
  frames_.push_back(entry);
  return entry.frame;
}

std::array<int, 9> Constants::addTensor(const std::array<Scalar, 9>& tensor, const std::string& path) {
  Tensor entry{{}, path};
  for (std::size_t i = 0; i < 9; ++i) entry.entries[i] = add(tensor[i]);
  tensors_.push_back(entry);
  return entry.entries;
}

void Constants::evaluateFrame(const FrameEntry& entry, std::vector<double>& values) const {
  const auto at = [&](int i) -> double& { return values[static_cast<std::size_t>(i)]; };
  std::array<double, 4> numbers{};
  for (std::size_t i = 0; i < 4; ++i) numbers[i] = at(entry.values[i]);
  const Vector3 axis(at(entry.axis[0]), at(entry.axis[1]), at(entry.axis[2]));
  const Matrix3 frame = rotationMatrix(orientationOf(entry.kind, numbers)) * triad(axis.normalized());
  const std::array<int, 3>* vectors[] = {&entry.frame.x, &entry.frame.y, &entry.frame.z};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) at((*vectors[k])[static_cast<std::size_t>(i)]) = frame(i, k);
  }
}

std::string Constants::tensorProblem(const Tensor& tensor, const std::vector<double>& values) {
  Matrix3 J;
  for (int i = 0; i < 9; ++i)
    J(i / 3, i % 3) = values[static_cast<std::size_t>(tensor.entries[static_cast<std::size_t>(i)])];
  if (J != J.transpose()) return "must be symmetric";
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(J).eigenvalues();
  char text[120];
  std::snprintf(text, sizeof text, "; its principal moments are %.4g, %.4g and %.4g", moments[0], moments[1],
                moments[2]);
  if (!(moments[0] > 0)) return std::string("must be positive definite") + text;
  // The largest moment of a body is at most the sum of the others, which a flat one reaches.
  if (moments[2] <= (moments[0] + moments[1]) * (1 + 1e-9)) return "";
  return std::string("is of no body: one principal moment exceeds the sum of the others") + text;
}

}  // namespace mbfmu
