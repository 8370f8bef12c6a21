#include "build_fmu/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace mbfmu {

Progress::Progress(bool quiet)
    : enabled_(!quiet && isatty(STDERR_FILENO)), next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (visible_) std::fputs("\r\033[K", stderr);
}

void Progress::update(double fraction) {
  if (!enabled_ || Clock::now() < next_) return;
  constexpr int kWidth = 40;
  const double part = std::clamp(fraction, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(part * kWidth);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fprintf(stderr, "\r[%s] %3.0f %%", bar.c_str(), 100 * part);
  std::fflush(stderr);
  visible_ = true;
  next_ = Clock::now() + std::chrono::milliseconds(100);
}

}  // namespace mbfmu
