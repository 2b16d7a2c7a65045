// Functions given by samples: points, monotony, errors, what is refused.
#include "expressions/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "askrff/errors.hpp"

namespace askrff::test {
namespace {

using expressions::Table;

std::vector<double> samples(double first, double last, std::size_t n, const std::function<double(double)>& f) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = first + (last - first) * static_cast<double>(i) / static_cast<double>(n - 1);
    pairs.insert(pairs.end(), {x, f(x)});
  }
  return pairs;
}

double largest_error(const Table& table, const std::function<double(double)>& f) {
  double largest = 0;
  for (int i = 0; i <= 20'000; ++i) {
    const double x = table.first() + (table.last() - table.first()) * i / 20'000;
    largest = std::max(largest, std::fabs(table.value(x) - f(x)));
  }
  return largest;
}

TEST(Table, GoesThroughItsPointsAndIsZeroOutside) {
  const std::vector<double> pairs = {-1, 2, 0.5, -3, 0.75, -3, 4, 10};
  const Table table(pairs, "f");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(table.value(pairs[2 * i]), pairs[2 * i + 1], 1e-13);
  EXPECT_EQ(table.value(-1.0001), 0);
  EXPECT_EQ(table.value(4.0001), 0);
  EXPECT_EQ(table.value(std::numeric_limits<double>::infinity()), 0);
  EXPECT_TRUE(std::isnan(table.value(std::nan(""))));
  const Table line(std::vector<double>{1, 1, 3, 5}, "f");
  EXPECT_NEAR(line.value(1.5), 2, 1e-15);
}

// A cubic between two points never leaves what lies between them, for equispaced and for other points.
TEST(Table, IsMonotoneBetweenNeighbours) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> pairs;
    double x = -3;
    for (int i = 0; i < 20; ++i) {
      x += trial % 2 == 0 ? 0.25 : 0.01 + uniform(random);
      pairs.insert(pairs.end(), {x, std::floor(5 * uniform(random)) * std::exp(5 * uniform(random))});
    }
    const Table table(pairs, "f");
    for (int i = 0; i < 19; ++i) {
      const double a = pairs[2 * i], b = pairs[2 * i + 2], fa = pairs[2 * i + 1], fb = pairs[2 * i + 3];
      double before = fa;
      for (int k = 1; k <= 50; ++k) {
        const double value = table.value(a + (b - a) * k / 50);
        const double slack = 1e-12 * (std::fabs(fa) + std::fabs(fb));
        EXPECT_LE((fb >= fa ? before - value : value - before), slack);
        before = value;
      }
    }
  }
}

TEST(Table, KeepsTheStatedErrors) {
  // Monotone, no slope held back: h³/12·max|f'''|; f''' of exp on [0, 1] is at most e.
  for (const std::size_t n : {6u, 21u, 101u}) {
    const double h = 1.0 / static_cast<double>(n - 1);
    const Table table(samples(0, 1, n, [](double x) { return std::exp(x); }), "f");
    EXPECT_LE(largest_error(table, [](double x) { return std::exp(x); }), h * h * h / 12 * std::exp(1.0)) << n;
  }
  // With turns: h²/2·max|f''|.
  for (const std::size_t n : {20u, 63u, 200u}) {
    const double h = 10.0 / static_cast<double>(n - 1);
    const auto f = [](double x) { return std::sin(2 * x); };
    EXPECT_LE(largest_error(Table(samples(0, 10, n, f), "f"), f), h * h / 2 * 4) << n;
  }
}

// The quick way to the interval of equispaced points and the search give the same cubic.
TEST(Table, FindsTheIntervalOfEveryNumber) {
  const auto f = [](double x) { return std::exp(-x * x); };
  std::vector<double> pairs = samples(-4, 4, 1001, f);
  const Table equispaced(pairs, "f");
  pairs.insert(pairs.end(), {1e6, 0});  // not equispaced any more
  const Table searched(pairs, "f");
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-3.9, 3.9);
  for (int i = 0; i < 20'000; ++i) {
    const double x = uniform(random);
    EXPECT_EQ(equispaced.value(x), searched.value(x)) << x;
  }
  for (std::size_t i = 0; i < 990; ++i)
    for (const double x : {pairs[2 * i], std::nextafter(pairs[2 * i], 9.0), std::nextafter(pairs[2 * i + 2], -9.0)})
      EXPECT_EQ(equispaced.value(x), searched.value(x)) << x;
}

TEST(Table, BadTablesAreRefused) {
  const auto refusal = [](const std::vector<double>& pairs) {
    try {
      Table(pairs, "table f");
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal({}), "table f: 0 numbers, expected pairs x0, f0, x1, f1, … of 2 to 65536 points");
  EXPECT_EQ(refusal({1, 2}), "table f: 2 numbers, expected pairs x0, f0, x1, f1, … of 2 to 65536 points");
  EXPECT_NE(refusal({1, 2, 3}), "");
  EXPECT_EQ(refusal({1, 2, 1, 3}), "table f: point 2 is at 1 behind 1, expected increasing abscissae");
  EXPECT_NE(refusal({1, 2, 0, 3}), "");
  EXPECT_EQ(refusal({1, 2, 3, infinity}), "table f: point 2 is (3, inf), expected finite numbers");
  EXPECT_NE(refusal({std::nan(""), 2, 3, 1}), "");
  EXPECT_NE(refusal({0, 0, 1e-300, 1e300}), "");
  EXPECT_NE(refusal(std::vector<double>(2 * 65537, 1.0)), "");
}

}  // namespace
}  // namespace askrff::test
