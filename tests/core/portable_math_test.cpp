// The elementary functions behind every sampler, against long double.
#include "core/portable_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "askrff/random.hpp"

namespace askrff::test {
namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

template <class Function>
void sweep(double from, double to, int n, const Function& check) {
  for (int i = 0; i <= n; ++i) check(from + (to - from) * i / n);
}

// Absolute where |log x| < 1, relative elsewhere: what the header promises.
void check_log(double x) {
  const long double exact = std::log(static_cast<long double>(x));
  EXPECT_LE(std::fabs(portable::log(x) - exact), 4e-16L * std::fmax(1.0L, std::fabs(exact))) << "x = " << x;
}

TEST(PortableLog, OverTheWholeRange) {
  sweep(-1074, 1023.9, 100'000, [](double exponent) { check_log(std::exp2(exponent)); });
  sweep(0.5, 2.0, 100'000, check_log);
  sweep(1 - 1e-6, 1 + 1e-6, 10'000, check_log);
  RandomStream random(1, Purpose::evaluation_rows, 0);
  for (int i = 0; i < 100'000; ++i) check_log(random.uniform());
}

TEST(PortableLog, Ends) {
  EXPECT_EQ(portable::log(1.0), 0.0);
  check_log(std::numeric_limits<double>::denorm_min());
  check_log(std::numeric_limits<double>::min());
  check_log(std::numeric_limits<double>::max());
  check_log(std::nextafter(1.0, 0.0));
  check_log(std::nextafter(1.0, 2.0));
  check_log(std::sqrt(0.5));
  check_log(0x1p-53);  // the smallest uniform number
}

TEST(PortableExp, RelativeErrorInTheNormalRange) {
  const auto check = [](double x) {
    const long double exact = std::exp(static_cast<long double>(x));
    EXPECT_LE(std::fabs(portable::exp(x) - exact), 4e-16L * exact) << "x = " << x;
  };
  sweep(-708.3, 709.78, 200'000, check);
  sweep(-1.0, 1.0, 100'000, check);
  sweep(-1e-8, 1e-8, 1000, check);
  for (int k = -1000; k <= 1000; ++k) check((k + 0.5) * std::numbers::ln2 / 2);  // where the reduction changes its multiple
}

TEST(PortableExp, SubnormalResultsAndEnds) {
  sweep(-745.1, -708.5, 20'000, [](double x) {
    // Rounded once to a double, once more to the subnormal grid.
    const long double exact = std::exp(static_cast<long double>(x));
    EXPECT_LE(std::fabs(portable::exp(x) - exact), 4e-16L * exact + 0.51L * std::numeric_limits<double>::denorm_min()) << "x = " << x;
  });
  EXPECT_EQ(portable::exp(0.0), 1.0);
  EXPECT_EQ(portable::exp(-746.0), 0.0);
  EXPECT_EQ(portable::exp(-1e300), 0.0);
  EXPECT_TRUE(std::isfinite(portable::exp(709.78)));
  EXPECT_EQ(portable::exp(709.79), std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable::exp(1e300), std::numeric_limits<double>::infinity());
}

void check_sincos(double x) {
  const auto value = portable::sincos(x);
  EXPECT_LE(std::fabs(value.sin - std::sin(static_cast<long double>(x))), 3e-16L) << "x = " << x;
  EXPECT_LE(std::fabs(value.cos - std::cos(static_cast<long double>(x))), 3e-16L) << "x = " << x;
}

TEST(PortableSinCos, UpTo2To28) {
  sweep(-10, 10, 200'000, check_sincos);
  sweep(-1e4, 1e4, 100'000, check_sincos);
  sweep(-0x1p28, 0x1p28, 100'000, check_sincos);
  sweep(-27.9, 28, 50'000, [](double exponent) { check_sincos(std::exp2(exponent)); });
}

// The doubles next to multiples of π/4, where the reduction cancels most or changes quadrant.
TEST(PortableSinCos, NextToMultiplesOfAnEighthTurn) {
  for (std::int64_t k = 1; k < (std::int64_t{1} << 28); k += 1 + k / 64) {
    const double at = static_cast<double>(static_cast<long double>(k) * pi / 4);
    if (at > 0x1p28) break;
    for (const double x : {std::nextafter(at, 0.0), at, std::nextafter(at, 1e300)}) {
      check_sincos(x);
      check_sincos(-x);
    }
  }
}

TEST(PortableSinCos, BeyondItIsStillAPointOfTheCircle) {
  for (const double x : {3e8, -1e10, 1e100, -1.7e308}) {
    const auto value = portable::sincos(x);
    EXPECT_NEAR(value.sin * value.sin + value.cos * value.cos, 1.0, 1e-15) << x;
  }
}

TEST(PortableSinCosTurns, WholeTurn) {
  const auto check = [](double turns) {
    const auto value = portable::sincos_turns(turns);
    EXPECT_LE(std::fabs(value.sin - std::sin(2 * pi * turns)), 3e-16L) << turns;
    EXPECT_LE(std::fabs(value.cos - std::cos(2 * pi * turns)), 3e-16L) << turns;
  };
  sweep(0, 1, 400'000, check);
  for (int eighth = 0; eighth <= 8; ++eighth) {
    check(eighth / 8.0);
    if (eighth < 8) check(std::nextafter(eighth / 8.0, 1.0));
    if (eighth > 0) check(std::nextafter(eighth / 8.0, 0.0));
  }
  for (int quarter = 0; quarter < 4; ++quarter) {  // exact on the axes
    const auto value = portable::sincos_turns(quarter / 4.0);
    EXPECT_EQ(value.cos, quarter == 0 ? 1.0 : quarter == 2 ? -1.0 : 0.0);
    EXPECT_EQ(value.sin, quarter == 1 ? 1.0 : quarter == 3 ? -1.0 : 0.0);
  }
}

}  // namespace
}  // namespace askrff::test
