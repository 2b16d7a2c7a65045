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

TEST(PortableAtan, OverTheWholeRange) {
  const auto check = [](double x) {
    const long double exact = std::atan(static_cast<long double>(x));
    EXPECT_LE(std::fabs(portable::atan(x) - exact), 1e-15L * std::fabs(exact)) << "x = " << x;
    EXPECT_EQ(portable::atan(-x), -portable::atan(x));
  };
  sweep(0, 4, 200'000, check);
  sweep(-300, 300, 20'000, [&](double exponent) { check(std::exp2(exponent)); });
  EXPECT_EQ(portable::atan(HUGE_VAL), std::atan(HUGE_VAL));
  EXPECT_TRUE(std::isnan(portable::atan(std::nan(""))));
}

// Against e^{-x²} Σ x^(2n+1)/(n! (2n+1)), whose terms are positive, and far out against the asymptotic one.
TEST(PortableDawson, AgainstItsSeries) {
  const auto exact = [](long double x) {
    long double term = x, sum = x;
    for (int n = 1; n < 2000 && term > 1e-25L * sum; ++n) sum += (term *= x * x / n) / (2 * n + 1);
    return sum * std::exp(-x * x);
  };
  sweep(1e-8, 20, 100'000, [&](double x) {
    EXPECT_LE(std::fabs(portable::dawson(x) - exact(x)), 2e-15L * exact(x)) << "x = " << x;
    EXPECT_EQ(portable::dawson(-x), -portable::dawson(x));
  });
  for (const double x : {25.0, 1e3, 1e10, 1e150}) {
    const long double y = 1 / (2 * static_cast<long double>(x) * x);
    long double series = 1;
    for (int n = 8; n >= 0; --n) series = 1 + (2 * n + 1) * y * series;
    EXPECT_NEAR(portable::dawson(x) * 2 * x, static_cast<double>(series), 2e-15) << "x = " << x;
  }
  EXPECT_EQ(portable::dawson(0.0), 0.0);
}

TEST(PortableAtanAndDawson, TheSameBitsEverywhere) {
  const double frozen[][3] = {{0.1, 0x1.983e282e2cc4bp-4, 0x1.96e1566aa1b89p-4},  {0.7, 0x1.38b112d7bd4adp-1, 0x1.0560c9af62686p-1},
                              {1.3, 0x1.d488143ad8c44p-1, 0x1.eeffc2408aa92p-2},  {5.0, 0x1.5f97315254857p+0, 0x1.a25756d75a1bbp-4},
                              {1e10, 0x1.921fb543d4dep+0, 0x1.b7cdfd9d7bdbbp-35}, {-2.5, -0x1.30b6d796a4da8p+0, -0x1.c8e01e57d52adp-3}};
  for (const auto& [x, angle, integral] : frozen) {
    EXPECT_EQ(portable::atan(x), angle);
    EXPECT_EQ(portable::dawson(x), integral);
  }
}

}  // namespace
}  // namespace askrff::test
