#include "multibody/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "multibody/own_function.h"

namespace mbfmu {

Expression::Expression(double constant) : program_{{Op::constant, constant, 0}} {}

std::string Expression::singleName() const {
  return program_.size() == 1 && program_[0].op == Op::name ? names_[0] : "";
}

Expression Expression::affine(double factor, double offset) const {
  Expression result = *this;
  // Constants in front, so that the stack is two places higher than before at most.
  result.program_.insert(result.program_.begin(), {{Op::constant, offset, 0}, {Op::constant, factor, 0}});
  result.program_.insert(result.program_.end(), {{Op::mul}, {Op::add}});
  return result;
}

Expression Expression::table(const std::string& name, std::vector<double> x, std::vector<double> y) {
  const std::size_t n = x.size();
  std::vector<double> slope(n, 0), secant(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) secant[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  slope.front() = secant.front();
  slope.back() = secant.back();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    // The weighted harmonic mean of Fritsch & Butland (1984); 0 at a local extremum.
    if (secant[i - 1] * secant[i] <= 0) continue;
    const double left = x[i] - x[i - 1], right = x[i + 1] - x[i], w1 = 2 * right + left, w2 = right + 2 * left;
    slope[i] = (w1 + w2) / (w1 / secant[i - 1] + w2 / secant[i]);
  }
  Expression result;
  result.names_ = {name};
  result.program_ = {{Op::name, 0, 0}, {Op::table}};
  result.table_ = std::make_shared<const Table>(Table{std::move(x), std::move(y), std::move(slope)});
  return result;
}

template <class Number>
Number Expression::lookUp(const Number& at) const {
  double x = 0;
  if constexpr (std::is_same_v<Number, Jet>)
    x = at.value;
  else
    x = at;
  const auto& [xs, ys, slopes] = *table_;
  if (x <= xs.front()) return Number{ys.front()} + Number{slopes.front()} * (at - Number{xs.front()});
  if (x >= xs.back()) return Number{ys.back()} + Number{slopes.back()} * (at - Number{xs.back()});
  const auto i = static_cast<std::size_t>(std::upper_bound(xs.begin(), xs.end(), x) - xs.begin()) - 1;
  const double h = xs[i + 1] - xs[i], rise = (ys[i + 1] - ys[i]) / h;
  const double c = (3 * rise - 2 * slopes[i] - slopes[i + 1]) / h, d = (slopes[i] + slopes[i + 1] - 2 * rise) / (h * h);
  const Number s = at - Number{xs[i]};
  return Number{ys[i]} + s * (Number{slopes[i]} + s * (Number{c} + s * Number{d}));
}

Expression Expression::substitute(const std::string& name, const Expression& other) const {
  Expression result;
  result.program_.clear();
  result.table_ = table_ ? table_ : other.table_;
  const auto place = [&](const std::string& used) {
    const auto found = std::find(result.names_.begin(), result.names_.end(), used);
    if (found == result.names_.end()) result.names_.push_back(used);
    return static_cast<std::size_t>(std::find(result.names_.begin(), result.names_.end(), used) -
                                    result.names_.begin());
  };
  const auto append = [&](Step step, const Expression& from) {
    if (step.op == Op::name) step.name = place(from.names_[step.name]);
    result.program_.push_back(step);
  };
  for (const Step& step : program_) {
    if (step.op != Op::name || names_[step.name] != name) {
      append(step, *this);
    } else {
      for (const Step& inner : other.program_) append(inner, other);
    }
  }
  return result;
}

template <class Number>
Number Expression::unary(Op op, const Number& a) {
  using std::abs, std::acos, std::asin, std::cos, std::exp, std::log, std::sin, std::sqrt, std::tan;
  switch (op) {
    case Op::neg:
      return -a;
    case Op::sqrt:
      return sqrt(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    default:
      return abs(a);
  }
}

template <class Number>
Number Expression::binary(Op op, const Number& a, const Number& b) {
  using std::atan2, std::max, std::min, std::pow;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return pow(a, b);
    case Op::atan2:
      return atan2(a, b);
    case Op::min:
      return min(a, b);
    default:
      return max(a, b);
  }
}

namespace {

double call(const OwnFunction& function, const double* arguments) { return function.value(arguments); }
Jet call(const OwnFunction& function, const Jet* arguments) { return function.jet(arguments); }

}  // namespace

template <class Number, class Lookup>
Number Expression::run(Lookup lookup) const {
  std::array<Number, kMaxDepth + 8> stack;  // more for affine() and substitute() in short formulas
  std::size_t top = 0;
  for (const Step& step : program_) {
    if (step.op == Op::constant) {
      stack[top++] = Number{step.constant};
    } else if (step.op == Op::name) {
      stack[top++] = lookup(step.name);
    } else if (step.op == Op::add || step.op == Op::sub || step.op == Op::mul || step.op == Op::div ||
               step.op == Op::pow || step.op == Op::atan2 || step.op == Op::min || step.op == Op::max) {
      --top;
      stack[top - 1] = binary(step.op, stack[top - 1], stack[top]);
    } else if (step.op == Op::own) {
      const OwnFunction& function = ownFunctions()[step.name];
      top -= static_cast<std::size_t>(function.arguments);
      stack[top] = call(function, &stack[top]);
      ++top;
    } else if (step.op == Op::table) {
      stack[top - 1] = lookUp(stack[top - 1]);
    } else {
      stack[top - 1] = unary(step.op, stack[top - 1]);
    }
  }
  return stack[0];
}

double Expression::evaluate(std::span<const double> values) const {
  return run<double>([&](std::size_t i) { return values[i]; });
}

double Expression::derivative(std::span<const double> values, std::size_t index) const {
  return run<Jet>([&](std::size_t i) { return Jet{values[i], i == index ? 1.0 : 0.0, 0}; }).first;
}

Jet Expression::evaluate(std::span<const Jet> values) const {
  return run<Jet>([&](std::size_t i) { return values[i]; });
}

// Recursive descent; emits the postfix program and counts the stack it needs.
class Expression::Parser {
 public:
  Parser(const std::string& text, std::string& problem, Expression& result)
      : text_(text), problem_(problem), out_(result) {}

  bool parse() {
    out_.program_.clear();
    if (!sum()) return false;
    skipSpace();
    if (at_ < text_.size()) return unexpected();
    return true;
  }

 private:
  struct Function {
    const char* name;
    Op op;
    int arguments;
  };
  static constexpr Function kFunctions[] = {{"sqrt", Op::sqrt, 1},   {"sin", Op::sin, 1},   {"cos", Op::cos, 1},
                                            {"tan", Op::tan, 1},     {"asin", Op::asin, 1}, {"acos", Op::acos, 1},
                                            {"exp", Op::exp, 1},     {"log", Op::log, 1},   {"abs", Op::abs, 1},
                                            {"atan2", Op::atan2, 2}, {"min", Op::min, 2},   {"max", Op::max, 2}};
  struct Constant {
    const char* name;
    double value;
  };
  static constexpr Constant kConstants[] = {{"pi", std::numbers::pi},
                                            {"deg", std::numbers::pi / 180},
                                            {"rpm", std::numbers::pi / 30},
                                            {"mm", 1e-3},
                                            {"g0", 9.80665}};

 public:
  static std::vector<std::string> reserved() {
    std::vector<std::string> names{"time", "energy", "ground"};
    for (const auto& f : kFunctions) names.emplace_back(f.name);
    for (const auto& f : ownFunctions()) names.emplace_back(f.name);
    for (const auto& c : kConstants) names.emplace_back(c.name);
    return names;
  }

 private:
  bool fail(const std::string& what) {
    if (problem_.empty()) problem_ = what + " at character " + std::to_string(at_ + 1) + " of \"" + text_ + "\"";
    return false;
  }
  // The whole character, which may have several bytes (UTF-8).
  bool unexpected() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return fail("unexpected '" + text_.substr(at_, end - at_) + "'");
  }
  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // `grows` is the change of the stack's height.
  bool emit(Step step, int grows) {
    out_.program_.push_back(step);
    height_ += grows;
    return height_ <= static_cast<int>(kMaxDepth) || fail("too deeply nested");
  }

  bool sum() {
    if (!product()) return false;
    for (;;) {
      if (take('+')) {
        if (!product() || !emit({Op::add}, -1)) return false;
      } else if (take('-')) {
        if (!product() || !emit({Op::sub}, -1)) return false;
      } else {
        return true;
      }
    }
  }
  bool product() {
    if (!unaryMinus()) return false;
    for (;;) {
      if (take('*')) {
        if (!unaryMinus() || !emit({Op::mul}, -1)) return false;
      } else if (take('/')) {
        if (!unaryMinus() || !emit({Op::div}, -1)) return false;
      } else {
        return true;
      }
    }
  }
  bool unaryMinus() {
    if (++nesting_ > kMaxDepth) return fail("too deeply nested");
    bool ok = take('-') ? unaryMinus() && emit({Op::neg}, 0) : power();
    --nesting_;
    return ok;
  }
  bool power() {
    if (!atom()) return false;
    if (!take('^')) return true;
    return unaryMinus() && emit({Op::pow}, -1);
  }

  bool atom() {
    skipSpace();
    if (at_ >= text_.size()) return fail("expression ends too early");
    if (take('(')) return sum() && (take(')') || fail("missing ')'"));
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(c) || c == '.') return number();
    if (std::isalpha(c) || c == '_') return word();
    return unexpected();
  }

  // Digits with fraction and exponent, independent of the locale.
  bool number() {
    std::size_t end = at_;
    auto digits = [&] {
      while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end]))) ++end;
    };
    digits();
    if (end < text_.size() && text_[end] == '.') ++end, digits();
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && std::isdigit(static_cast<unsigned char>(text_[exponent])))
        end = exponent, digits();
    }
    double value = 0;
    auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + end, value);
    if (error != std::errc() || stop != text_.data() + end) return fail("not a number");
    at_ = end;
    return emit({Op::constant, value}, 1);
  }

  bool word() {
    const std::size_t begin = at_;
    auto inName = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    while (at_ < text_.size() && inName(text_[at_])) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    for (const auto& f : kFunctions) {
      if (name == f.name) return call(f.name, f.arguments, {f.op});
    }
    for (std::size_t i = 0; i < ownFunctions().size(); ++i) {
      const OwnFunction& f = ownFunctions()[i];
      if (name == f.name) return call(f.name, f.arguments, {Op::own, 0, i});
    }
    skipSpace();
    if (at_ < text_.size() && text_[at_] == '(') {
      at_ = begin;
      return fail("unknown function \"" + name + "\" (one in C++ is made known by --plugin)");
    }
    for (const auto& c : kConstants) {
      if (name == c.name) return emit({Op::constant, c.value}, 1);
    }
    auto& names = out_.names_;
    const auto found = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    return emit({Op::name, 0, index}, 1);
  }

  bool call(const std::string& name, int arguments, Step step) {
    if (!take('(')) return fail("missing '(' after " + name);
    for (int i = 0; i < arguments; ++i) {
      if (i > 0 && !take(',')) return fail(name + " takes " + std::to_string(arguments) + " arguments");
      if (!sum()) return false;
    }
    if (!take(')')) return fail("missing ')' after the argument of " + name);
    return emit(step, 1 - arguments);
  }

  const std::string& text_;
  std::string& problem_;
  Expression& out_;
  std::size_t at_ = 0, nesting_ = 0;
  int height_ = 0;
};

Expression Expression::parse(const std::string& text, std::string& problem) {
  Expression result;
  problem.clear();
  if (!Parser(text, problem, result).parse()) return Expression();
  return result;
}

std::vector<std::string> Expression::reservedNames() { return Parser::reserved(); }

}  // namespace mbfmu
