// Messages to the master. With logging off there is no call at all (FMI 3.0, 2.3.1).
#pragma once

#include <set>
#include <string>
#include <utility>

#include "fmi3FunctionTypes.h"

namespace mbfmu {

class Log {
 public:
  Log(fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback, bool on)
      : environment_(environment), callback_(callback), on_(on) {}

  // No categories: all of them.
  void configure(bool on, std::set<std::string> categories) {
    on_ = on;
    categories_ = std::move(categories);
  }

  void write(fmi3Status status, const std::string& message) const {
    const char* category = status == fmi3Warning   ? "logStatusWarning"
                           : status == fmi3Discard ? "logStatusDiscard"
                                                   : "logStatusError";
    if (!on_ || !callback_ || (!categories_.empty() && !categories_.contains(category))) return;
    callback_(environment_, status, category, message.c_str());
  }

 private:
  fmi3InstanceEnvironment environment_;
  fmi3LogMessageCallback callback_;
  bool on_;
  std::set<std::string> categories_;
};

}  // namespace mbfmu
