// The parts a mechanism is assembled from. Each adds its share to the residual and to the linearisation (system.h);
// it claims its places in the fixed sparsity pattern once, at assembly.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "multibody/evaluation.h"
#include "multibody/spatial_coordinates.h"

namespace mbfmu {

// Where things are among the unknowns w = (a, x', lambda) and in q.
struct Layout {
  Dimensions dimensions;
  bool spatial = false;
  // Of each body's tangent directions (coordinate.h); -1: does not exist or cannot move.
  std::vector<std::array<int, 6>> columns;
  std::vector<int> positions;  // where each body begins in q
  std::vector<spatial::Angle> angles;

  int column(int body, int direction) const {
    return columns[static_cast<std::size_t>(body)][static_cast<std::size_t>(direction)];
  }
  int state(int i) const { return dimensions.nv + i; }
  int row(int i) const { return dimensions.nv + dimensions.nx + i; }
};

// Hands out places of the pattern, one for each (row, column) however many elements share it.
class Slots {
 public:
  // -1 if row or col is -1: an entry that does not exist.
  int claim(int row, int col) {
    if (row < 0 || col < 0) return -1;
    const auto key = (static_cast<std::uint64_t>(row) << 32) | static_cast<std::uint64_t>(col);
    const auto [place, isNew] = known_.try_emplace(key, static_cast<int>(pattern.size()));
    if (isNew) {
      pattern.row.push_back(row);
      pattern.col.push_back(col);
    }
    return place->second;
  }
  Pattern pattern;

 private:
  std::unordered_map<std::uint64_t, int> known_;
};

inline void addTo(std::vector<double>& values, int slot, double value) {
  if (slot >= 0) values[static_cast<std::size_t>(slot)] += value;
}
inline void addTo(Vector& r, int row, double value) {
  if (row >= 0) r[row] += value;
}

class Element {
 public:
  virtual ~Element() = default;
  virtual std::unique_ptr<Element> clone() const = 0;

  virtual void claim(const Layout& layout, Slots& slots) = 0;
  virtual void addResidual(const Evaluation& at, Level level, Vector& r) const = 0;
  virtual void addLinearisation(const Evaluation& at, Level level, Linearisation& p) const = 0;

  virtual double kineticEnergy(const Evaluation&) const { return 0; }
  virtual double potentialEnergy(const Evaluation&) const { return 0; }
};

}  // namespace mbfmu
