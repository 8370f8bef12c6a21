#include "integrators/error_norm.h"

namespace mbfmu {

void ErrorNorm::update(const System& system, const Tolerances& tolerances, double scale, const State& y) {
  position_.resize(y.v.size());
  system.positionScale(y.q, position_);
  position_ = (scale * (tolerances.rtol * position_.array() + tolerances.atolPosition)).inverse();
  velocity_ = (scale * (tolerances.rtol * y.v.array().abs() + tolerances.atolVelocity)).inverse();
  state_ = (scale * (tolerances.rtol * y.x.array().abs() + tolerances.atolState)).inverse();
}

}  // namespace mbfmu
