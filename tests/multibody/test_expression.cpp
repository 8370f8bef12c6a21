#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "multibody/expression.h"

using namespace mbfmu;

namespace {

double value(const std::string& text) {
  std::string problem;
  const Expression e = Expression::parse(text, problem);
  EXPECT_EQ(problem, "") << text;
  return e.evaluate(std::span<const double>());
}

TEST(Expression, Precedence) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("(1-2)-3"), -4);
  EXPECT_EQ(value("min(3, max(1, 2))"), 2);
  EXPECT_EQ(value("1.5e-3"), 1.5e-3);
  EXPECT_DOUBLE_EQ(value("30*deg"), std::numbers::pi / 6);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), std::atan2(1, -1));
}

TEST(Expression, ErrorsNameThePlace) {
  for (const auto& [text, expected] :
       std::vector<std::pair<std::string, std::string>>{{"1+", "ends too early at character 3"},
                                                        {"(1", "missing ')' at character 3"},
                                                        {"2 3", "unexpected '3' at character 3"},
                                                        {"sin 1", "missing '(' after sin"},
                                                        {"atan2(1)", "takes 2 arguments"},
                                                        {"1..2", "unexpected '.'"},
                                                        {"", "ends too early"},
                                                        {std::string(500, '('), "too deeply nested"}}) {
    std::string problem;
    Expression::parse(text, problem);
    EXPECT_NE(problem.find(expected), std::string::npos) << text << " -> " << problem;
  }
}

TEST(Expression, DerivativesMatchFiniteDifferences) {
  for (const std::string text : {"a*b/(a+2)", "sqrt(a)*exp(-b)", "sin(a*b)+cos(a)^2", "tan(a)-atan2(a, b)", "a^b",
                                 "asin(a/3)*acos(b/3)", "log(a+b)*abs(-a)", "min(a, b)+max(a^3, b)", "a^2-(-a)^3"}) {
    std::string problem;
    const Expression e = Expression::parse(text, problem);
    ASSERT_EQ(problem, "");
    const double h = 1e-5, at[2] = {0.7, 1.3};
    for (std::size_t i = 0; i < e.names().size(); ++i) {
      std::vector<double> up(at, at + 2), down = up, here = up;
      up[i] += h, down[i] -= h;
      EXPECT_NEAR(e.derivative(here, i),
                  (e.evaluate(std::span<const double>(up)) - e.evaluate(std::span<const double>(down))) / (2 * h), 1e-8)
          << text;
      std::vector<Jet> jets{{at[0]}, {at[1]}};
      jets[i].first = 1;
      EXPECT_NEAR(e.evaluate(std::span<const Jet>(jets)).second,
                  (e.derivative(up, i) - e.derivative(down, i)) / (2 * h), 1e-7)
          << text;
    }
  }
}

// Through the points, with continuous slope, monotone where the points are, straight outside.
TEST(Expression, Table) {
  const std::vector<double> x = {-1, 0, 0.5, 2}, y = {3, 2.5, -1, -1.2};
  const Expression e = Expression::table("s", x, y);
  const auto at = [&](double s) { return e.evaluate(std::vector<double>{s}); };
  const auto slope = [&](double s) { return e.derivative(std::vector<double>{s}, 0); };
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(at(x[i]), y[i], 1e-14);
    EXPECT_NEAR(at(x[i] - 1e-9), at(x[i] + 1e-9), 1e-7);
    EXPECT_NEAR(slope(x[i] - 1e-9), slope(x[i] + 1e-9), 1e-6);
  }
  for (double s = -2; s < 3; s += 0.01) EXPECT_LE(at(s + 0.01), at(s)) << s;
  EXPECT_NEAR(slope(-5), slope(-3), 1e-14);
  EXPECT_NEAR(slope(9), slope(3), 1e-14);
}

}  // namespace
