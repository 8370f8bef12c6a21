#include <algorithm>

#include "multibody/coordinate.h"

namespace mbfmu {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

// s = sum k_i s_i; a body that several terms have appears once.
class Combination final : public CoordinateForm {
 public:
  explicit Combination(const std::vector<std::pair<int, Coordinate>>& terms) {
    directions = terms.front().second.directions();
    for (const auto& [coefficient, coordinate] : terms) {
      Term term{coefficient, coordinate, {}};
      for (int b = 0; b < coordinate.bodyCount(); ++b) {
        const auto end = bodies.begin() + count;
        const auto found = std::find(bodies.begin(), end, coordinate.body(b));
        if (found == end) bodies[at_(count++)] = coordinate.body(b);
        const int block = static_cast<int>(found - bodies.begin());
        for (int k = 0; k < directions; ++k) term.place[at_(directions * b + k)] = at_(directions * block + k);
      }
      terms_.push_back(std::move(term));
    }
    for (const Term& term : terms_) {
      for (int i = 0; i < term.coordinate.size(); ++i) {
        if (term.coordinate.depends(i)) depends_[term.place[at_(i)]] = true;
        for (int j = 0; j < term.coordinate.size(); ++j) {
          if (term.coordinate.couples(i, j)) couples_[term.place[at_(i)]][term.place[at_(j)]] = true;
        }
      }
    }
  }

  bool depends(int i) const override { return depends_[at_(i)]; }
  bool couples(int i, int j) const override { return couples_[at_(i)][at_(j)]; }

  void evaluate(const Evaluation& at, int order, CoordinateValue& out) const override {
    const std::size_t size = at_(directions * count);
    out.s = out.rate = out.curvature = 0;
    for (std::size_t i = 0; i < size; ++i) {
      out.sq[i] = out.sqv[i] = out.sqdot[i] = out.sqvv[i] = 0;
      for (std::size_t j = 0; j < size; ++j) out.sqq[i][j] = 0;
    }
    CoordinateValue part;
    for (const Term& term : terms_) {
      const double k = at.constant(term.coefficient);
      term.coordinate.evaluate(at, order, part);
      out.s += k * part.s;
      out.rate += k * part.rate;
      out.curvature += k * part.curvature;
      for (std::size_t i = 0; i < at_(term.coordinate.size()); ++i) {
        const std::size_t row = term.place[i];
        out.sq[row] += k * part.sq[i];
        if (order < 3) continue;
        out.sqv[row] += k * part.sqv[i];
        out.sqdot[row] += k * part.sqdot[i];
        out.sqvv[row] += k * part.sqvv[i];
        for (std::size_t j = 0; j < at_(term.coordinate.size()); ++j) {
          if (term.coordinate.couples(static_cast<int>(i), static_cast<int>(j))) {
            out.sqq[row][term.place[j]] += k * part.sqq[i][j];
          }
        }
      }
    }
  }

 private:
  struct Term {
    int coefficient;
    Coordinate coordinate;
    std::array<std::size_t, kMaxLocal> place;  // of its local directions among those of the sum
  };
  std::vector<Term> terms_;
  std::array<bool, kMaxLocal> depends_{};
  std::array<std::array<bool, kMaxLocal>, kMaxLocal> couples_{};
};

}  // namespace

Coordinate combination(const std::vector<std::pair<int, Coordinate>>& terms) {
  return Coordinate(std::make_shared<Combination>(terms));
}

}  // namespace mbfmu
