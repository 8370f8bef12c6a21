// Arithmetic of the model file: "m1*L1^2/12". An expression is parsed once into a postfix program over the names it
// uses and evaluated, with exact first and second derivatives, without touching the heap.
//
//   sum     = product { (+|-) product }            functions: sqrt sin cos tan asin acos atan2 exp log abs min max
//   product = unary { (*|/) unary }                constants: pi deg rpm mm g0
//   unary   = - unary | power                      names:     letters, digits, _ and dots, "shoulder.angle"
//   power   = atom [ ^ unary ]                     so -a^b = -(a^b) and a^b^c = a^(b^c)
//
// Functions written in C++ (own_function.h) are called like the others.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "multibody/jet.h"

namespace mbfmu {

class Expression {
 public:
  Expression() : Expression(0.0) {}
  explicit Expression(double constant);

  // On an error `problem` says what and at which character, and the expression is the constant 0.
  static Expression parse(const std::string& text, std::string& problem);

  // The names the expression uses, each once, in order of appearance. All values below are in this order.
  const std::vector<std::string>& names() const { return names_; }
  bool isConstant() const { return names_.empty(); }
  // The single name this expression consists of, or "".
  std::string singleName() const;

  // A name through the points (x, y), x increasing: cubic pieces with continuous slope that keep a monotone table
  // monotone (Fritsch & Carlson 1980), straight beyond the ends.
  static Expression table(const std::string& name, std::vector<double> x, std::vector<double> y);
  // This with another expression in place of a name.
  Expression substitute(const std::string& name, const Expression& other) const;
  // factor * this + offset.
  Expression affine(double factor, double offset) const;

  double evaluate(std::span<const double> values) const;
  // Derivative by names()[index].
  double derivative(std::span<const double> values, std::size_t index) const;
  // Names move along one direction: values[i] is the jet of names()[i].
  Jet evaluate(std::span<const Jet> values) const;

  // Names with a meaning of their own, which a model cannot give to its own things.
  static std::vector<std::string> reservedNames();

 private:
  enum class Op {
    constant,
    name,
    add,
    sub,
    mul,
    div,
    pow,
    neg,
    sqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    exp,
    log,
    abs,
    table,
    own,
    atan2,
    min,
    max
  };
  struct Step {
    Op op;
    double constant = 0;
    std::size_t name = 0;  // in names_, or of a function in ownFunctions()
  };
  class Parser;
  struct Table {
    std::vector<double> x, y, slope;
  };
  static constexpr std::size_t kMaxDepth = 64;

  template <class Number, class Lookup>
  Number run(Lookup lookup) const;
  template <class Number>
  Number lookUp(const Number& x) const;
  template <class Number>
  static Number unary(Op op, const Number& a);
  template <class Number>
  static Number binary(Op op, const Number& a, const Number& b);

  std::shared_ptr<const Table> table_;  // at most one
  std::vector<Step> program_;
  std::vector<std::string> names_;
};

}  // namespace mbfmu
