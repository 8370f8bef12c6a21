// Messages to the master. With logging off there is no call at all.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fmi3FunctionTypes.h"

namespace mbfmu {

class Log {
 public:
  Log(fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback, bool on)
      : environment_(environment), callback_(callback), on_(on) {}

  // No categories: all of them.
  void configure(bool on, std::set<std::string, std::less<>> categories) {
    on_ = on;
    all_ = categories.empty();
    categories_ = std::move(categories);
  }

  void write(fmi3Status status, const std::string& message) const {
    write(status,
          status == fmi3Warning   ? "logStatusWarning"
          : status == fmi3Discard ? "logStatusDiscard"
                                  : "logStatusError",
          message);
  }

  bool wants(std::string_view category) const {
    if (!on_ || !callback_) return false;
    // Reports on the integrator's work only when asked for.
    return all_ ? category.starts_with("logStatus") || reports_ : categories_.contains(category);
  }

  void write(fmi3Status status, const char* category, const std::string& message) const {
    if (wants(category)) callback_(environment_, status, category, message.c_str());
  }

  // fmi3SetDebugLogging without categories means all; before any such call only statuses are logged.
  void reportEverything() { reports_ = true; }

 private:
  fmi3InstanceEnvironment environment_;
  fmi3LogMessageCallback callback_;
  bool on_, all_ = true, reports_ = false;
  std::set<std::string, std::less<>> categories_;
};

}  // namespace mbfmu
