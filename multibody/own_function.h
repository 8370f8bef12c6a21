// Functions written in C++ that the expressions of a model file can call: own laws of forces, of first-order states, of
// motions and outputs. A function is written once, for any number type T, and differentiated by calling it with Jets:
//
//   template <class T>
//   T magnet(T gap, T strength) { return strength / (gap * gap); }
//   MBFMU_FUNCTION(magnet, 2)
//
// and used as "value": "magnet(guide.position, k)". It has to be a pure function of its arguments: it is called at
// trial points, more than once, and from several threads. Where it has no value it returns NaN; an exception ends the
// run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "multibody/jet.h"

namespace mbfmu {

struct OwnFunction {
  const char* name;
  int arguments;
  double (*value)(const double* arguments);
  Jet (*jet)(const Jet* arguments);
};

// Every own function of this program or library.
inline std::vector<OwnFunction>& ownFunctions() {
  static std::vector<OwnFunction> functions;
  return functions;
}

struct OwnFunctionEntry {
  explicit OwnFunctionEntry(const OwnFunction& function) { ownFunctions().push_back(function); }
};

template <class Result, class Function, std::size_t... i>
Result applyTo(const Function& function, const Result* arguments, std::index_sequence<i...>) {
  return function(arguments[i]...);
}

#define MBFMU_FUNCTION(name, count)                                                                           \
  static const ::mbfmu::OwnFunctionEntry mbfmuEntryOf_##name{                                                 \
      {#name, count,                                                                                          \
       [](const double* arguments) {                                                                          \
         return ::mbfmu::applyTo<double>([](auto... x) { return double{name(x...)}; }, arguments,             \
                                         std::make_index_sequence<count>());                                  \
       },                                                                                                     \
       [](const ::mbfmu::Jet* arguments) {                                                                    \
         return ::mbfmu::applyTo<::mbfmu::Jet>([](auto... x) { return ::mbfmu::Jet{name(x...)}; }, arguments, \
                                               std::make_index_sequence<count>());                            \
       }}};

// What a plugin shows to the command line, which calls its functions as the FMU does.
struct PluginTable {
  int version;  // kPluginVersion of its build
  std::size_t count;
  const OwnFunction* functions;
};
inline constexpr int kPluginVersion = 1;
inline constexpr const char* kPluginSymbol = "mbfmuPlugin";

}  // namespace mbfmu
