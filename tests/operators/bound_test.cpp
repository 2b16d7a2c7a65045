// The uniform bound: the smallest whole number the Proposition's inequality allows, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "askrff/operators.hpp"
#include "support/causal_gamma.hpp"

namespace askrff::test {
namespace {

/// Right side of the inequality of the Proposition, or with Hoeffding's inequality part by part.
long double right_side(const ComplexMeasure& measure, const BoundOptions& o, bool sharp) {
  const long double d = static_cast<long double>(measure.dim());
  long double mass = 0, sigma2 = 0, squares = 0, sharp_squares = 0;
  for (const Part part : measure.parts()) {
    const auto moments = measure.exact_moments(part);
    const long double m = moments->mass, twice = part == Part::imaginary_positive ? 2 : 1;
    mass += twice * m;
    sigma2 += twice * moments->second_moment.value();
    squares += twice * m * m;
    sharp_squares += twice * twice * m * m;
  }
  const long double beta = (std::pow(d / 2, -d / (d + 2)) + std::pow(d / 2, 2 / (d + 2))) * std::pow(2.0L, (6 * d + 2) / (d + 2));
  const long double alpha = std::sqrt(squares * sigma2), epsilon = o.epsilon;
  return 4 * (d + 2) * (sharp ? sharp_squares : mass * mass) / (epsilon * epsilon) *
         (std::log(beta / o.delta) + 2 * d / (d + 2) * std::log(alpha * o.diameter / epsilon));
}

TEST(UniformBound, IsTheSmallestNumberThatSatisfiesTheInequality) {
  std::size_t n_checked = 0;
  for (const char* name :
       {"gaussian", "matern-3/2", "matern-5/2", "cauchy", "difference-of-gaussians", "shift-gaussian", "sinh-gaussian", "cosh-gaussian"})
    for (const std::size_t dim : {1, 2, 5, 16, 57})
      for (const BoundOptions& options : {BoundOptions{}, BoundOptions{.epsilon = 0.3, .delta = 0.5, .diameter = 2.5},
                                          BoundOptions{.epsilon = 0.01, .delta = 1e-6, .diameter = 10}}) {
        const auto measure = make_kernel(name)->measure(dim);
        const auto bound = uniform_bound(*measure, options);
        for (const bool sharp : {false, true}) {
          const auto n = static_cast<long double>(sharp ? bound.n_frequencies_sharp : bound.n_frequencies);
          const long double x = right_side(*measure, options, sharp);
          EXPECT_GE(n, x) << name << " " << dim;
          EXPECT_TRUE(n == 1 || n - 1 < x) << name << " " << dim;
          ++n_checked;
        }
        EXPECT_LE(bound.n_frequencies_sharp, bound.n_frequencies);
        EXPECT_NEAR(bound.total, exact_masses(*measure).total, 1e-14 * bound.total);
      }
  EXPECT_EQ(n_checked, 240u);
}

/// β_d has its maximum 66 at d = 64, is 12 at d = 1 and tends to 64.
TEST(UniformBound, BetaByDimension) {
  const auto beta = [](std::size_t dim) { return uniform_bound(*gaussian()->measure(dim), {}).beta_d; };
  EXPECT_DOUBLE_EQ(beta(64), 66.0);
  EXPECT_DOUBLE_EQ(beta(1), 12.0);
  EXPECT_LT(beta(63), 66.0);
  EXPECT_LT(beta(65), 66.0);
  EXPECT_NEAR(beta(1000000), 64.0, 0.01);
}

/// A large epsilon makes the logarithms negative: one frequency is still needed.
TEST(UniformBound, IsAtLeastOne) {
  const auto bound = uniform_bound(*gaussian()->measure(1), {.epsilon = 1e6, .delta = 0.9, .diameter = 1e-3});
  EXPECT_EQ(bound.n_frequencies, 1u);
  EXPECT_EQ(bound.n_frequencies_sharp, 1u);
}

TEST(UniformBound, RefusesKernelsWithoutSecondMoments) {
  for (const std::size_t dim : {1, 3}) {
    EXPECT_THROW(uniform_bound(*laplacian()->measure(dim), {}), std::invalid_argument);
    EXPECT_THROW(uniform_bound(*matern_1_2()->measure(dim), {}), std::invalid_argument);
  }
  EXPECT_NO_THROW(uniform_bound(*matern_3_2()->measure(3), {}));
  EXPECT_THROW(uniform_bound(CausalGammaMeasure(2.0, Knows::proposal), {}), std::invalid_argument);  // masses unknown
  EXPECT_THROW(uniform_bound(CausalGammaMeasure(2.0, Knows::moments), {}), std::invalid_argument);   // second moments unknown
}

TEST(UniformBound, RefusesBadOptions) {
  const auto measure = gaussian()->measure(2);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(uniform_bound(*measure, {.epsilon = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(uniform_bound(*measure, {.diameter = bad}), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, 1.0, 1.5, -0.1, nan}) EXPECT_THROW(uniform_bound(*measure, {.delta = bad}), std::invalid_argument) << bad;
  EXPECT_THROW(uniform_bound(*measure, {.epsilon = 1e-12}), std::invalid_argument);  // more frequencies than can be counted
}

}  // namespace
}  // namespace askrff::test
