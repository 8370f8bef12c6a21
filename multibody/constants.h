// The scalars, axes and tensors of a model that depend on parameters only, each evaluated once per change of a
// parameter.
#pragma once

#include <string>
#include <vector>

#include "multibody/diagnostics.h"
#include "multibody/evaluation.h"
#include "multibody/model.h"

namespace mbfmu {

class Constants {
 public:
  enum class Check { finite, positive, nonNegative };

  Constants();
  // The index under which the scalar's value is found in Evaluation::constants.
  int add(const Scalar& scalar, Check check = Check::finite);
  std::array<int, 3> add(const Scalar3& v) { return {add(v[0]), add(v[1]), add(v[2])}; }

  // A vector that must not vanish; `path` is its place in the file.
  std::array<int, 3> addDirection(const Scalar3& v, const std::string& path);

  // Unit vectors of a frame: z along an axis given in the axes of a marker with that orientation. `path` is the axis's.
  struct Frame {
    std::array<int, 3> x, y, z;
  };
  Frame addFrame(const std::optional<Orientation>& orientation, const Scalar3& axis, const std::string& path);
  // A tensor of inertia, row by row: symmetric, positive definite, and of a body that can exist.
  std::array<int, 9> addTensor(const std::array<Scalar, 9>& tensor, const std::string& path);

  // Reports what uses other names than those of parameters. Such a scalar becomes 1, so that nothing else about it is
  // reported.
  void resolve(const Model& model, Diagnostics& diagnostics);

  struct Problem {
    std::string path, message;
  };
  // All values; each that is outside its range is added to problems.
  std::vector<double> evaluate(const Model& model, const std::vector<double>& parameters,
                               std::vector<Problem>& problems) const;

 private:
  struct Entry {
    Scalar scalar;
    Check check;
  };
  struct Direction {
    std::array<int, 3> components;
    std::string path;
  };
  std::vector<Entry> entries_;
  struct FrameEntry {
    Frame frame;
    std::array<int, 3> axis;
    Orientation::Kind kind = Orientation::Kind::rotationVector;
    std::array<int, 4> values{kZero, kZero, kZero, kZero};
  };
  struct Tensor {
    std::array<int, 9> entries;
    std::string path;
  };
  void evaluateFrame(const FrameEntry& entry, std::vector<double>& values) const;
  static std::string tensorProblem(const Tensor& tensor, const std::vector<double>& values);

  std::vector<Direction> directions_;
  struct QuaternionEntry {
    std::array<int, 4> components;
    std::string path;
  };
  std::vector<QuaternionEntry> quaternions_;
  std::vector<FrameEntry> frames_;
  std::vector<Tensor> tensors_;
};

}  // namespace mbfmu
