#include "multibody/units.h"

#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include "multibody/diagnostics.h"

namespace mbfmu {
namespace {

struct Symbol {
  std::string_view name;
  bool prefixed;  // whether SI prefixes are in use with it
  BaseUnit unit;
};

constexpr double pi = std::numbers::pi;

//                         kg  m   s  A  K mol cd rad
constexpr Symbol symbols[] = {
    {"1", false, {{0, 0, 0, 0, 0, 0, 0, 0}, 1, 0}},
    {"%", false, {{0, 0, 0, 0, 0, 0, 0, 0}, 0.01, 0}},
    {"kg", false, {{1, 0, 0, 0, 0, 0, 0, 0}, 1, 0}},
    {"g", true, {{1, 0, 0, 0, 0, 0, 0, 0}, 1e-3, 0}},
    {"t", false, {{1, 0, 0, 0, 0, 0, 0, 0}, 1e3, 0}},
    {"m", true, {{0, 1, 0, 0, 0, 0, 0, 0}, 1, 0}},
    {"l", true, {{0, 3, 0, 0, 0, 0, 0, 0}, 1e-3, 0}},
    {"s", true, {{0, 0, 1, 0, 0, 0, 0, 0}, 1, 0}},
    {"min", false, {{0, 0, 1, 0, 0, 0, 0, 0}, 60, 0}},
    {"h", false, {{0, 0, 1, 0, 0, 0, 0, 0}, 3600, 0}},
    {"A", true, {{0, 0, 0, 1, 0, 0, 0, 0}, 1, 0}},
    {"K", true, {{0, 0, 0, 0, 1, 0, 0, 0}, 1, 0}},
    {"degC", false, {{0, 0, 0, 0, 1, 0, 0, 0}, 1, 273.15}},
    {"mol", true, {{0, 0, 0, 0, 0, 1, 0, 0}, 1, 0}},
    {"cd", true, {{0, 0, 0, 0, 0, 0, 1, 0}, 1, 0}},
    {"rad", true, {{0, 0, 0, 0, 0, 0, 0, 1}, 1, 0}},
    {"deg", false, {{0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, 0}},
    {"rev", false, {{0, 0, 0, 0, 0, 0, 0, 1}, 2 * pi, 0}},
    {"rpm", false, {{0, 0, -1, 0, 0, 0, 0, 1}, 2 * pi / 60, 0}},
    {"Hz", true, {{0, 0, -1, 0, 0, 0, 0, 0}, 1, 0}},
    {"N", true, {{1, 1, -2, 0, 0, 0, 0, 0}, 1, 0}},
    {"Pa", true, {{1, -1, -2, 0, 0, 0, 0, 0}, 1, 0}},
    {"bar", true, {{1, -1, -2, 0, 0, 0, 0, 0}, 1e5, 0}},
    {"J", true, {{1, 2, -2, 0, 0, 0, 0, 0}, 1, 0}},
    {"W", true, {{1, 2, -3, 0, 0, 0, 0, 0}, 1, 0}},
    {"C", true, {{0, 0, 1, 1, 0, 0, 0, 0}, 1, 0}},
    {"V", true, {{1, 2, -3, -1, 0, 0, 0, 0}, 1, 0}},
    {"Ohm", true, {{1, 2, -3, -2, 0, 0, 0, 0}, 1, 0}},
    {"S", true, {{-1, -2, 3, 2, 0, 0, 0, 0}, 1, 0}},
    {"F", true, {{-1, -2, 4, 2, 0, 0, 0, 0}, 1, 0}},
    {"H", true, {{1, 2, -2, -2, 0, 0, 0, 0}, 1, 0}},
    {"Wb", true, {{1, 2, -2, -1, 0, 0, 0, 0}, 1, 0}},
    {"T", true, {{1, 0, -2, -1, 0, 0, 0, 0}, 1, 0}},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"da", 1e1}, {"h", 1e2},  {"k", 1e3},  {"M", 1e6},  {"G", 1e9},  {"T", 1e12},
                               {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}};

// A plain symbol wins over a prefixed one: "min" is a minute, "cd" a candela, "h" an hour.
std::optional<BaseUnit> lookUp(std::string_view name) {
  for (const Symbol& symbol : symbols) {
    if (symbol.name == name) return symbol.unit;
  }
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    for (const Symbol& symbol : symbols) {
      if (!symbol.prefixed || symbol.name != name.substr(prefix.name.size())) continue;
      BaseUnit unit = symbol.unit;
      unit.factor *= prefix.factor;
      return unit;
    }
  }
  return std::nullopt;
}

const std::vector<std::pair<std::string, UnitUse>>& uses() {
  static const std::vector<std::pair<std::string, UnitUse>> list = {
      {"s", {"Time", {}}},
      {"m", {"Length", {{"mm", 1e3}}}},
      {"m/s", {"Velocity", {}}},
      {"m/s2", {"Acceleration", {}}},
      {"rad", {"Angle", {{"deg", 180 / pi}}, true}},
      {"rad/s", {"AngularVelocity", {{"deg/s", 180 / pi}, {"rpm", 30 / pi}}, true}},
      {"rad/s2", {"AngularAcceleration", {{"deg/s2", 180 / pi}}, true}},
      {"kg", {"Mass", {}}},
      {"kg.m2", {"MomentOfInertia", {}}},
      {"N", {"Force", {{"kN", 1e-3}}}},
      {"N.m", {"Torque", {}}},
      {"N/m", {"TranslationalStiffness", {}}},
      {"N.s/m", {"TranslationalDamping", {}}},
      {"N.m/rad", {"RotationalStiffness", {}}},
      {"N.m.s/rad", {"RotationalDamping", {}}},
      {"J", {"Energy", {}}},
      {"W", {"Power", {}}},
  };
  return list;
}

std::vector<std::string> usualProducts() {
  std::vector<std::string> names;
  for (const auto& [name, use] : uses()) {
    if (name.find_first_of("./") != std::string::npos) names.push_back(name);
  }
  return names;
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::string parse(BaseUnit& unit) {
    BaseUnit result;
    product(result, 1, 0);
    if (problem_.empty() && at_ < text_.size()) fail("unexpected \"" + text_.substr(at_) + "\"");
    // An offset has a meaning only for a temperature that stands alone.
    if (problem_.empty() && offset_ != 0 && factors_ > 1) fail("degC cannot be part of a product; use K");
    if (problem_.empty() && !std::isfinite(result.factor)) fail("an exponent is too large");
    if (!problem_.empty()) return "unknown unit \"" + text_ + "\": " + problem_;
    result.offset = offset_;
    unit = result;
    return "";
  }

 private:
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  bool accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void product(BaseUnit& result, int sign, int depth) {
    bool divided = false;
    factor(result, sign, depth);
    while (problem_.empty()) {
      if (accept('/')) {
        factor(result, -sign, depth);
        divided = true;
      } else if (at_ < text_.size() && text_[at_] == '.') {
        if (divided) return fail("what follows '/' is ambiguous; put the denominator in brackets");
        ++at_;
        factor(result, sign, depth);
      } else {
        return;
      }
    }
  }

  void factor(BaseUnit& result, int sign, int depth) {
    constexpr int maxDepth = 16;
    if (accept('(')) {
      if (depth == maxDepth) return fail("too many brackets");
      product(result, sign, depth + 1);
      if (problem_.empty() && !accept(')')) fail("a ')' is missing");
      return;
    }
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '1') {
      ++at_;
    } else {
      while (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '%')) ++at_;
    }
    const std::string name = text_.substr(begin, at_ - begin);
    if (name.empty()) return fail("a unit symbol is missing at the end or before \"" + text_.substr(at_) + "\"");
    const std::optional<BaseUnit> found = lookUp(name);
    if (!found) return fail("there is no symbol \"" + name + "\"" + suggestion(name));
    const int power = sign * exponent();
    for (std::size_t i = 0; i < result.exponents.size(); ++i) result.exponents[i] += power * found->exponents[i];
    result.factor *= std::pow(found->factor, power);
    offset_ += found->offset;
    factors_ += power == 1 ? 1 : 2;
  }

  // A usual unit like the whole text, or a symbol like the unknown one.
  std::string suggestion(const std::string& name) const {
    std::string near = nearest(text_, usualProducts());
    if (near.empty()) {
      std::vector<std::string> names;
      for (const Symbol& symbol : symbols) names.emplace_back(symbol.name);
      near = nearest(name, names);
    }
    return near.empty() ? "; write SI symbols joined by dots, such as \"N.m\" or \"kg.m2\""
                        : "; did you mean \"" + near + "\"?";
  }

  int exponent() {
    const bool negative = accept('-');
    const std::size_t begin = at_;
    int value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) && at_ - begin < 3) {
      value = 10 * value + (text_[at_++] - '0');
    }
    if (at_ == begin && negative) fail("an exponent is missing after '-'");
    if (at_ == begin) return 1;
    return negative ? -value : value;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int factors_ = 0;
  double offset_ = 0;
  std::string problem_;
};

}  // namespace

UnitUse useOf(const std::string& unit) {
  for (const auto& [name, use] : uses()) {
    if (name == unit) return use;
  }
  return {};
}

std::string parseUnit(const std::string& text, BaseUnit& unit) { return Parser(text).parse(unit); }

}  // namespace mbfmu
