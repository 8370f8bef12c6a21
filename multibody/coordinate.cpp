#include "multibody/coordinate.h"

#include <cmath>

#include "multibody/element.h"

namespace mbfmu {

namespace {

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

}  // namespace

int Coordinate::column(const Layout& layout, int i) const {
  if (!form_->depends(i)) return -1;
  return layout.column(body(i / form_->directions), i % form_->directions);
}

void squareRoot(int size, int order, CoordinateValue& out) {
  const double s = std::sqrt(out.s);
  out.s = s;
  out.rate /= 2 * s;
  out.curvature = (out.curvature / 2 - out.rate * out.rate) / s;
  for (int i = 0; i < size; ++i) out.sq[at_(i)] /= 2 * s;
  if (order < 3) return;
  for (int i = 0; i < size; ++i) {
    out.sqv[at_(i)] = (out.sqv[at_(i)] / 2 - out.rate * out.sq[at_(i)]) / s;
    out.sqdot[at_(i)] = (out.sqdot[at_(i)] / 2 - out.rate * out.sq[at_(i)]) / s;
    out.sqvv[at_(i)] = (out.sqvv[at_(i)] / 2 - 2 * out.rate * out.sqv[at_(i)] - out.curvature * out.sq[at_(i)]) / s;
    for (int j = 0; j < size; ++j) {
      out.sqq[at_(i)][at_(j)] = (out.sqq[at_(i)][at_(j)] / 2 - out.sq[at_(i)] * out.sq[at_(j)]) / s;
    }
  }
}

}  // namespace mbfmu
