// The exponential of every backend over its whole range against long double, with the stated error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

class EveryExponential : public testing::TestWithParam<const backend::Primitives*> {
 protected:
  std::vector<double> of(std::vector<double> values) const {
    GetParam()->exponentials(values.data(), values.size());
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, EveryExponential, testing::ValuesIn(backend::available().begin(), backend::available().end()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

/// The largest error over n points from first to last, in units of the last place of the result (of the smallest denormal below the normal
/// numbers).
double largest_error(const backend::Primitives& primitives, double first, double last, std::size_t n) {
  std::vector<double> x(n + 1), values;
  for (std::size_t i = 0; i <= n; ++i)
    x[i] = std::fmin(last,
                     first + (last - first) / static_cast<double>(n) * (static_cast<double>(i) + 0.3 * std::sin(static_cast<double>(i))));
  values = x;
  primitives.exponentials(values.data(), values.size());
  long double largest = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    const long double exact = std::exp(static_cast<long double>(x[i]));
    const int exponent = std::max(std::ilogb(exact), std::numeric_limits<double>::min_exponent - 1);
    const long double error = std::fabs(values[i] - exact) / std::ldexp(1.0L, exponent - 52);
    if (!(error <= largest)) largest = error;
  }
  return static_cast<double>(largest);
}

// 0.9 ulp is what the vectorised one states; the C library's is better.
TEST_P(EveryExponential, StaysWithinTheStatedError) {
  EXPECT_LE(largest_error(*GetParam(), -745.2, 709.78, 600000), 0.9);
  EXPECT_LE(largest_error(*GetParam(), -40, 0, 300000), 0.9);
  EXPECT_LE(largest_error(*GetParam(), -0.7, 0.7, 300000), 0.9);
  EXPECT_LE(largest_error(*GetParam(), -745.2, -708, 100000), 0.9);  // denormal results
  EXPECT_LE(largest_error(*GetParam(), -1e-10, 1e-10, 1000), 0.9);
}

TEST_P(EveryExponential, IsExactAtZeroAndSaturatesAtTheEnds) {
  const double tiny = std::numeric_limits<double>::denorm_min(), largest = std::numeric_limits<double>::max();
  for (const double x : {0.0, -0.0, tiny, -tiny, 1e-300, -1e-300, 1e-17, -1e-17}) EXPECT_EQ(of({x})[0], 1.0) << x;
  for (const double x : {-745.14, -746.0, -1000.0, -1e5, -1e10, -1e300, -largest, -infinity}) EXPECT_EQ(of({x})[0], 0.0) << x;
  for (const double x : {709.79, 710.0, 1e3, 1e5, 1e10, 1e300, largest, infinity}) EXPECT_EQ(of({x})[0], infinity) << x;
  EXPECT_EQ(of({-745.13})[0], tiny);
  EXPECT_TRUE(std::isfinite(of({709.78})[0]));
  EXPECT_TRUE(std::isnan(of({std::numeric_limits<double>::quiet_NaN()})[0]));
}

// Every length around those of vectors: the same bits in any place, nothing written behind the end.
TEST_P(EveryExponential, GivesTheSameBitsInAnyPlace) {
  for (std::size_t n = 0; n <= 35; ++n) {
    std::vector<double> values(n + 1, -77.0);
    for (std::size_t i = 0; i < n; ++i) values[i] = -0.37 * static_cast<double>(i * i) + 1;
    const auto before = values;
    GetParam()->exponentials(values.data(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(values[i], of({before[i]})[0]);
    EXPECT_EQ(values[n], -77.0);
  }
}

}  // namespace
}  // namespace askrff::test
