// Exact sums against whole numbers of any length: order, parts, extremes, and the one rounding at the end.
#include "core/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "askrff/random.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

using boost::multiprecision::cpp_int;
using Values = std::vector<double>;

constexpr double largest = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();

/// x in units of 2^-1074.
cpp_int whole(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  const cpp_int mantissa(static_cast<std::int64_t>(std::ldexp(fraction, 53)));
  const int shift = exponent - 53 + 1074;
  return shift >= 0 ? cpp_int(mantissa << shift) : cpp_int(mantissa / (cpp_int(1) << -shift));  // exact: x is a multiple of the unit
}

/// Where rounding turns from one double to the next, in units of 2^-1075: x ≥ 0 is the nearest of all between these two.
struct Between {
  cpp_int low, high;
};
Between nearest_to(double x) {
  const auto beyond = [](double y) { return y == infinity ? cpp_int(cpp_int(1) << (1024 + 1074)) : whole(y); };
  return {whole(x) + whole(std::nextafter(x, -infinity)), beyond(x) + beyond(std::nextafter(x, infinity))};
}
bool is_even(double x) { return (whole(x) >> std::max(0, std::ilogb(x) - 52 + 1074)) % 2 == 0; }

/// Whether x ≥ 0 is the nearest double to total/divisor, total in units of 2^-2148.
bool is_nearest(double x, const cpp_int& total, const cpp_int& divisor = 1) {
  const auto [low, high] = nearest_to(x);
  const cpp_int value = total << 1, scale = divisor << 1074, at_low = low * scale, at_high = high * scale;
  return (at_low < value && value < at_high) || (is_even(x) && (value == at_low || value == at_high));
}

/// Numbers of either sign whose sizes are spread over some binary orders.
Values some_numbers(std::size_t count, int spread, std::uint64_t seed) {
  Values x(count);
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    const int exponent = static_cast<int>(random.below(2 * static_cast<std::uint64_t>(spread) + 1)) - spread;
    x[i] = std::ldexp(random.normal(), std::clamp(exponent, -1073, 1020));
  }
  return x;
}

ExactSum sum_of(std::span<const double> x) {
  ExactSum sum;
  for (const double value : x) sum.add(value);
  return sum;
}
ExactSum squares_of(std::span<const double> x) {
  ExactSum sum;
  for (const double value : x) sum.add_product(value, value);
  return sum;
}

/// In units of 2^-2148.
cpp_int total_of(const ExactSum& sum) {
  const ExactSum::Words words = sum.words();
  cpp_int total = 0;
  for (std::size_t i = 0; i < words.words.size(); ++i) total += cpp_int(words.words[i]) << (64 * (words.first + i));
  return words.is_negative ? cpp_int(-total) : total;
}

TEST(ExactSum, IsTheSumOfWholeNumbers) {
  for (const int spread : {0, 3, 40, 300, 1100}) {
    const Values x = some_numbers(500, spread, 3);
    cpp_int sum = 0, products = 0;
    ExactSum exact, exact_products;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double y = x[(7 * i + 1) % x.size()];
      sum += whole(x[i]) << 1074;
      products += whole(x[i]) * whole(y);
      exact.add(x[i]);
      exact_products.add_product(x[i], y);
      ASSERT_EQ(total_of(exact), sum) << spread << ' ' << i;
      ASSERT_EQ(total_of(exact_products), products) << spread << ' ' << i;
      const double value = exact.value();
      if (std::isfinite(value)) {
        ASSERT_EQ(std::signbit(value), sum < 0);
        ASSERT_TRUE(is_nearest(std::abs(value), abs(sum))) << spread << ' ' << i;
      }
    }
  }
}

TEST(ExactSum, OrderAndPartsDoNotMatter) {
  for (const int spread : {2, 60, 1100}) {
    Values x = some_numbers(1000, spread, 5);
    const ExactSum whole_sum = sum_of(x), whole_squares = squares_of(x);
    for (std::uint64_t round = 0; round < 5; ++round) {
      RandomStream random(round, Purpose::builtin_data, 0);
      for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[random.below(i)]);
      EXPECT_EQ(sum_of(x), whole_sum);
      EXPECT_EQ(sum_of(x).value(), whole_sum.value());
      ExactSum sum, squares;
      for (std::size_t i = 0; i < x.size();) {
        const std::size_t count = std::min<std::size_t>(random.below(200), x.size() - i);
        sum.add(sum_of(std::span(x).subspan(i, count)));
        squares.add(squares_of(std::span(x).subspan(i, count)));
        i += count;
      }
      EXPECT_EQ(sum, whole_sum);
      EXPECT_EQ(squares, whole_squares);
    }
  }
}

TEST(ExactSum, NothingIsLost) {
  EXPECT_EQ(sum_of(Values{1e308, 1, -1e308}).value(), 1);
  EXPECT_EQ(sum_of(Values{1, 1e308, tiny, -1e308, -1}).value(), tiny);
  EXPECT_EQ(sum_of(Values{largest, largest, -largest}).value(), largest);
  EXPECT_EQ(sum_of(Values{}).value(), 0);
  EXPECT_EQ(sum_of(Values{0, -0.0}), ExactSum());
  EXPECT_EQ(sum_of(Values{0.1, -0.1}), ExactSum());
  EXPECT_EQ(sum_of(Values{-3, 5, -7}).value(), -5);
  ExactSum itself = sum_of(Values{1.5, -1e300});
  itself.add(itself);
  EXPECT_EQ(itself, sum_of(Values{3, -2e300}));
}

TEST(ExactSum, ProductsOfAnySize) {
  for (const double x : {tiny, 3 * tiny, 1e-310, 1e-170, 0.1, 1e170, largest})
    for (const double y : {-tiny, -1e-300, 7.0, largest}) {
      ExactSum product;
      product.add_product(x, y);
      EXPECT_EQ(total_of(product), whole(x) * whole(y)) << x << ' ' << y;
      product.add_product(-x, y);
      EXPECT_EQ(product, ExactSum());
    }
  ExactSum squares;
  squares.add_product(largest, largest);
  EXPECT_EQ(squares.value(), infinity);
  squares.add_product(largest, -largest);
  squares.add_product(tiny, tiny);
  EXPECT_EQ(squares.value(), 0);
  EXPECT_NE(squares, ExactSum());
  squares.add(-2.5);
  EXPECT_EQ(squares.value(), -2.5);
}

TEST(ExactSum, RoundsToTheNearestAndToEven) {
  EXPECT_EQ(sum_of(Values{1, 0x1p-53}).value(), 1);
  EXPECT_EQ(sum_of(Values{1, 0x1p-53, tiny}).value(), 1 + 0x1p-52);
  EXPECT_EQ(sum_of(Values{1, 0x1p-52, 0x1p-53}).value(), 1 + 0x1p-51);
  EXPECT_EQ(sum_of(Values{-1, -0x1p-53, -tiny}).value(), -1 - 0x1p-52);
  EXPECT_EQ(sum_of(Values{largest, 0x1p969}).value(), largest);
  EXPECT_EQ(sum_of(Values{largest, 0x1p970}).value(), infinity);
  EXPECT_EQ(sum_of(Values{-largest, -largest}).value(), -infinity);
  ExactSum halves;  // of the smallest double
  halves.add_product(tiny, 0.5);
  EXPECT_EQ(halves.value(), 0);
  halves.add_product(tiny, tiny);
  EXPECT_EQ(halves.value(), tiny);
}

// More terms than are added between two carries, all of the largest digits.
TEST(ExactSum, ManyTermsOfOneSign) {
  constexpr std::int64_t n = 2'500'000;
  const double x = -std::ldexp(0x1.fffffffffffffp0, 30);
  ExactSum sum, squares;
  for (std::int64_t i = 0; i < n; ++i) {
    sum.add(x);
    squares.add_product(x, x);
  }
  EXPECT_EQ(total_of(sum), n * whole(x) << 1074);
  EXPECT_EQ(total_of(squares), n * whole(x) * whole(x));
  for (int i = 0; i < 60; ++i) squares.add(squares);
  EXPECT_EQ(total_of(squares), n * whole(x) * whole(x) << 60);
}

TEST(ExactSum, ManyAtOnceAreTheSame) {
  for (const int spread : {0, 4, 12, 100, 1100})
    for (const std::size_t count : {0, 1, 3, 255, 256, 1000}) {
      Values x = some_numbers(count, spread, 9);
      if (count > 2) x[1] = 0, x[2] = -x[0];
      ExactSum sum, squares;
      add_with_squares(x, sum, squares);
      EXPECT_EQ(sum, sum_of(x)) << spread << ' ' << count;
      EXPECT_EQ(squares, squares_of(x)) << spread << ' ' << count;
    }
  for (const Values& x : {Values{largest, -tiny, 1}, Values{tiny, -3 * tiny, 1e-310}, Values{-largest, -largest}, Values{0, -0.0},
                          Values{0x1p-960, 0x1p-961, 0x1p-1022}, Values{0x1p63, 1, 0x1p-1}}) {
    ExactSum sum, squares;
    add_with_squares(x, sum, squares);
    EXPECT_EQ(sum, sum_of(x));
    EXPECT_EQ(squares, squares_of(x));
  }
}

TEST(ExactSum, MeansAndDeviationsAreTheNearestDoubles) {
  for (const int spread : {0, 5, 60, 500, 1000})
    for (const std::size_t count : {1, 2, 3, 7, 100, 999}) {
      const Values x = some_numbers(count, spread, 11 + count);
      const cpp_int n(count), sum = total_of(sum_of(x)), squares = total_of(squares_of(x));
      EXPECT_TRUE(is_nearest(std::abs(exact_mean(sum_of(x), count)), abs(sum), n)) << spread << ' ' << count;
      const double deviation = exact_deviation(sum_of(x), squares_of(x), count);
      const cpp_int of_sum = (sum >> 1074) * (sum >> 1074), variance = n * squares - of_sum;  // n² variances
      if (count == 1) {
        EXPECT_EQ(deviation, 0);
        continue;
      }
      const auto [low, high] = nearest_to(deviation);
      EXPECT_LE(low * low * n * n, variance << 2) << spread << ' ' << count;
      EXPECT_GE(high * high * n * n, variance << 2) << spread << ' ' << count;
    }
  EXPECT_EQ(exact_mean(sum_of(Values{largest, largest, largest}), 3), largest);
  EXPECT_EQ(exact_mean(sum_of(Values{-tiny, -tiny, -tiny}), 2), -2 * tiny);
  EXPECT_EQ(exact_mean(sum_of(Values{1}), std::numeric_limits<std::uint64_t>::max()), 0x1p-64);
  const Values apart{1e16 + 2, 1e16, 1e16 + 4};
  EXPECT_EQ(exact_deviation(sum_of(apart), squares_of(apart), 3), std::sqrt(8.0 / 3));
  EXPECT_EQ(exact_deviation(sum_of(Values{1, -1}), squares_of(Values{1, -1}), 2), 1);
  EXPECT_EQ(exact_deviation(sum_of(Values{0.1, 0.1, 0.1}), squares_of(Values{0.1, 0.1, 0.1}), 3), 0);
  EXPECT_EQ(exact_deviation(sum_of(Values{9}), squares_of(Values{1}), 1), 0);  // of no numbers
  EXPECT_EQ(exact_deviation(ExactSum(), sum_of(Values{-1}), 1), 0);
}

TEST(ExactSum, WordsComeBack) {
  for (const int spread : {0, 40, 1100})
    for (const std::size_t count : {0, 1, 2, 50}) {
      ExactSum sum = sum_of(some_numbers(count, spread, 13));
      sum.add(squares_of(some_numbers(count, spread, 14)));
      const auto back = ExactSum::from(sum.words());
      ASSERT_TRUE(back);
      EXPECT_EQ(*back, sum);
    }
  using Words = ExactSum::Words;
  EXPECT_EQ(ExactSum().words(), Words());
  EXPECT_TRUE(ExactSum::from(Words{true, ExactSum::max_words - 1, {~std::uint64_t{0}}}));
  EXPECT_FALSE(ExactSum::from(Words{true, 0, {}}));
  EXPECT_FALSE(ExactSum::from(Words{false, 1, {}}));
  EXPECT_FALSE(ExactSum::from(Words{false, 0, {0, 1}}));
  EXPECT_FALSE(ExactSum::from(Words{false, 0, {1, 0}}));
  EXPECT_FALSE(ExactSum::from(Words{false, ExactSum::max_words, {1}}));
  EXPECT_FALSE(ExactSum::from(Words{false, std::numeric_limits<std::size_t>::max(), {1}}));
  EXPECT_FALSE(ExactSum::from(Words{false, 0, std::vector<std::uint64_t>(ExactSum::max_words + 1, 1)}));
}

}  // namespace
}  // namespace askrff::test
