// What is narrow in a formula is seen where its numbers tell of it: transformed, or refused if it jumps.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/function_kernel.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"

namespace askrff::test {
namespace {

const std::string wide = "expr: exp(-abs(x)) + ";

TEST(NarrowFormulas, JumpsAreRefused) {
  const std::string formulas[] = {
      wide + "(abs(x-0.3)<1e-4 ? 1 : 0)",  wide + "(abs(x+0.3)<1e-4 ? 1 : 0)",      wide + "(abs(3*x-0.9)<1e-4)",
      wide + "((x-0.3)^2 < 1e-8)",         wide + "(abs(exp(x)-1.35) < 1e-5)",      wide + "(x > 0.3 ? (x < 0.3+c ? 1 : 0) : 0)",
      wide + "step(x-7)*step(7.0001-x)",   wide + "(abs(x-900)<1e-3)*(abs(x)<1e3)", "expr: exp(-r) + (abs(r-0.3)<1e-4 ? 1 : 0)",
      wide + "(max(x,0.3)==min(x,0.3+c))", "expr: exp(-abs(t)) + (abs(t-0.9)<1e-4)"};
  for (const std::string& formula : formulas) {
    ParameterValues values;
    if (formula.find("+c") != std::string::npos) values.emplace("c", 1e-4);
    if (formula.find("(t)") != std::string::npos) values.emplace("a", 3.0);
    const auto kernel = make_kernel(formula, values);
    EXPECT_FALSE(kernel->measure(1)) << formula;
    EXPECT_NE(kernel->measure_reason(1).find("jumps"), std::string::npos) << formula << ": " << kernel->measure_reason(1);
  }
}

/// k̂ from many frequencies at x, and two deviations of it.
void expect_values(const Kernel& kernel, std::size_t dim, const std::vector<double>& difference) {
  const std::size_t n = 1 << 14;
  const auto measure = kernel.measure(dim);
  ASSERT_TRUE(measure) << kernel.measure_reason(dim);
  const double bound = *measure->modulus_bound();
  const auto atoms = approximate(kernel, dim, {.n_frequencies = n, .estimator = Estimator::polar, .sampler = Sampler::exact, .seed = 3});
  Matrix<double> x(1, dim), origin(1, dim);
  for (std::size_t c = 0; c < dim; ++c) x(0, c) = difference[c];
  const double found = approximate_gram(FeatureMap(atoms), x.view(), origin.view())(0, 0);
  EXPECT_NEAR(found, kernel(difference), 4 * bound / std::sqrt(static_cast<double>(n)) + 2e-3) << kernel.name();  // 4 deviations: 6e-5
}

TEST(NarrowFormulas, SpikesAreTransformed) {
  struct Case {
    std::string formula;
    std::vector<double> difference;
  };
  const Case cases[] = {{wide + "max(0,1-abs(x-0.3)*3000)", {0.3}}, {"expr: exp(-r*r) + exp(-((r-0.3)/1e-4)^2)", {-0.3}}};
  for (const Case& each : cases) expect_values(*make_kernel(each.formula), each.difference.size(), each.difference);
}

TEST(NarrowFormulas, EveryCoordinateHasItsOwn) {
  const auto kernel = make_kernel("expr: exp(-x*x) * (1 + exp(-((x-c)/1e-4)^2))", {{"c", CoordinateParameter{0.3, 0.4}}});
  for (const std::vector<double>& difference : {std::vector{0.3, 0.0}, {0.0, 0.4}, {0.4, 0.3}}) expect_values(*kernel, 2, difference);
}

TEST(NarrowFormulas, AreNotTakenForSymmetric) {
  EXPECT_TRUE(make_kernel(wide + "max(0,1-abs(abs(x)-0.3)*3000)")->symmetric());
  for (const char* narrow : {"max(0,1-abs(x-0.3)*3000)", "(abs(3*x-0.9)<1e-9)", "(abs(exp(x)-1.35)<1e-9)", "(abs(x-0.7*1.3)<1e-9)"})
    EXPECT_FALSE(make_kernel(wide + narrow)->symmetric()) << narrow;
}

// A point where it is not a number matters as little as before; formulas without anything narrow find what a function finds.
TEST(NarrowFormulas, OthersAreAsTheyWere) {
  EXPECT_TRUE(make_kernel("expr: exp(-x*x)*sin(x-0.3)/(x-0.3)")->measure(1));
  const auto function = function_kernel([](MatrixView<const double> differences, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = differences(i, 0);
      values[i] = std::exp(-(x + 0.3) * (x + 0.3)) * (1 + 0.5 * std::tanh(x));
    }
  });
  const auto formula = make_kernel("expr: exp(-(x+0.3)^2)*(1+0.5*tanh(x))");
  EXPECT_EQ(*formula->measure(1)->exact_total_variation(), *function->measure(1)->exact_total_variation());
}

}  // namespace
}  // namespace askrff::test
