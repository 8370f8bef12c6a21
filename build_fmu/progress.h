// A progress bar on stderr: only on a terminal, and only for runs that take longer than a second.
#pragma once

#include <chrono>

namespace mbfmu {

class Progress {
 public:
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // clears the bar
  void update(double fraction);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_, visible_ = false;
  Clock::time_point next_;
};

}  // namespace mbfmu
