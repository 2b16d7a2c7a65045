// Quantiles against Boost's, which computes in another way.
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "core/portable_quantiles.hpp"

namespace askrff::test {
namespace {

TEST(PortableQuantiles, Chi) {
  for (const std::size_t dim : {1u, 2u, 3u, 10u, 57u, 118u, 1574u}) {
    const portable::ChiQuantile quantile(dim);
    const boost::math::chi_squared law(static_cast<double>(dim));
    for (const double u : {1e-12, 1e-6, 0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999, 1 - 1e-6, 1 - 1e-10}) {
      const double exact = u < 0.5 ? std::sqrt(boost::math::quantile(law, u)) : std::sqrt(boost::math::quantile(complement(law, 1 - u)));
      EXPECT_NEAR(quantile(u) / exact, 1, 2e-12) << dim << ' ' << u;
    }
  }
}

TEST(PortableQuantiles, Normal) {
  const boost::math::normal law;
  for (const double u : {0x1p-53, 1e-10, 0.001, 0.2, 0.4999, 0.5, 0.51, 0.8, 0.99999, 1 - 0x1p-53})
    EXPECT_NEAR(portable::normal_quantile(u), boost::math::quantile(law, u), 1e-11 * (1 + std::fabs(boost::math::quantile(law, u)))) << u;
}

TEST(NormalShare, AgreesWithErfcAndStaysInside) {
  for (double z = -8; z <= 8; z += 0.037) {
    const double exact = 0.5 * std::erfc(-z / std::sqrt(2.0)), upper = 0.5 * std::erfc(z / std::sqrt(2.0));
    EXPECT_NEAR(portable::normal_share(z), exact, 3e-16 + 2e-13 * std::fmin(exact, upper));
    EXPECT_NEAR(portable::normal_share(z), exact, 1e-9 * exact);
  }
  for (const double z : {0.0, 1e-300, 1e3, HUGE_VAL}) {
    EXPECT_GT(portable::normal_share(-z), 0);
    EXPECT_LT(portable::normal_share(z), 1);
  }
  for (const double u : {0.01, 0.3, 0.5, 0.77, 0.999}) EXPECT_NEAR(portable::normal_share(portable::normal_quantile(u)), u, 1e-12);
}

}  // namespace
}  // namespace askrff::test
