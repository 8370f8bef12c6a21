// The scalars of a model that depend on parameters only, each evaluated once per change of a parameter.
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
  std::vector<Direction> directions_;
};

}  // namespace mbfmu
