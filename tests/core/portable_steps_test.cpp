// The branch-free steps behind the portable functions, against the C library's exact ones (frexp, floor), bit by bit.
#include "core/portable_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "askrff/random.hpp"

namespace askrff::test {
namespace {

// x and its neighbours.
std::vector<double> around(double x) { return {std::nextafter(x, 0.0), x, std::nextafter(x, 2 * x + 1)}; }

void check_log_argument(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --exponent;
  }
  const auto argument = portable::log_argument(x);
  EXPECT_EQ(argument.exponent, exponent) << x;
  EXPECT_EQ(argument.q, (m - 1.0) / (m + 1.0)) << x;
}

TEST(PortableSteps, LogArgument) {
  for (int power = -1021; power <= 1023; ++power)
    for (const double factor : {1.0, 0.70710678118654752440, 0.75, 0.9999})
      for (const double x : around(std::ldexp(factor, power))) check_log_argument(x);
  check_log_argument(std::numeric_limits<double>::min());
  check_log_argument(std::numeric_limits<double>::max());
  RandomStream random(1, Purpose::evaluation_rows, 1);
  for (int i = 0; i < 100'000; ++i) check_log_argument(random.uniform());
  check_log_argument(0x1p-53);        // the smallest uniform number
  check_log_argument(1.0 - 0x1p-53);  // the largest
}

void check_turns_argument(double turns) {
  const double n = std::floor(4.0 * turns + 0.5);
  const auto argument = portable::turns_argument(turns);
  EXPECT_EQ(argument.quarters, n) << turns;
  EXPECT_EQ(argument.r, 2.0 * portable::pi * (turns - 0.25 * n)) << turns;
  EXPECT_EQ(portable::last_bits(n) & 7, static_cast<std::uint64_t>(n)) << turns;
}

TEST(PortableSteps, TurnsArgument) {
  check_turns_argument(0.0);
  for (int eighth = 1; eighth < 8; ++eighth)
    for (const double turns : around(eighth / 8.0)) check_turns_argument(turns);
  check_turns_argument(1.0);
  check_turns_argument(0x1p-53);
  check_turns_argument(1.0 - 0x1p-53);
  RandomStream random(1, Purpose::evaluation_rows, 2);
  for (int i = 0; i < 100'000; ++i) check_turns_argument(random.uniform());
}

TEST(PortableSteps, Rotate) {
  const portable::SinCos a{0.6, 0.8}, expected[] = {{0.6, 0.8}, {0.8, -0.6}, {-0.6, -0.8}, {-0.8, 0.6}};
  for (int quarters = -8; quarters <= 8; ++quarters) {
    const auto rotated = portable::rotate(a, static_cast<std::uint64_t>(quarters));
    EXPECT_EQ(rotated.sin, expected[(quarters + 8) % 4].sin) << quarters;
    EXPECT_EQ(rotated.cos, expected[(quarters + 8) % 4].cos) << quarters;
  }
}

// 2^k by bits within ±1000, by ldexp beyond: no seam. e^{k ln 2} has the factor 1 up to rounding.
TEST(PortableSteps, ExponentialHasNoSeam) {
  for (const int k : {-1001, -1000, -999, 999, 1000, 1001}) {
    const double x = k * 0.69314718055994530942;
    EXPECT_NEAR(std::ldexp(portable::exp(x), -k), 1.0, 2e-13) << k;
  }
}

}  // namespace
}  // namespace askrff::test
