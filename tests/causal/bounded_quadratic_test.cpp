// Quadratic functions among non-negative arguments, against the conditions of a maximum.
#include "causal/bounded_quadratic.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "askrff/random.hpp"

namespace askrff::test {
namespace {

TEST(BoundedQuadratic, SlopesAreZeroOrDownwards) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, Purpose::builtin_data, 0);
    const std::size_t n = 1 + random.below(8), rank = n + random.below(4);
    std::vector<double> factors(n * rank), A(n * n), x(n);
    Eigen::VectorXd g(n);
    for (double& factor : factors) factor = random.normal();
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = random.coin() ? 0 : random.uniform();
      g[static_cast<Eigen::Index>(i)] = random.normal();
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t r = 0; r < rank; ++r) A[i * n + j] += factors[i * rank + r] * factors[j * rank + r];
    }
    const Eigen::VectorXd d = BoundedQuadratic(A.data(), x.data(), n).solve(g);
    for (std::size_t i = 0; i < n; ++i) {
      double slope = g[static_cast<Eigen::Index>(i)];
      for (std::size_t j = 0; j < n; ++j) slope -= A[i * n + j] * d[static_cast<Eigen::Index>(j)];
      const double at = x[i] + d[static_cast<Eigen::Index>(i)];
      EXPECT_GE(at, -1e-12) << seed;
      EXPECT_LT(slope, 1e-5) << seed;
      EXPECT_TRUE(at <= 1e-9 || slope > -1e-5) << seed;
    }
  }
}

TEST(BoundedQuadratic, WithoutCurvatureArgumentsEndAtZero) {
  const std::vector<double> A{2, 0, 0, 0}, x{1, 3};
  const Eigen::VectorXd d = BoundedQuadratic(A.data(), x.data(), 2).solve(Eigen::Vector2d(4, -1));
  EXPECT_NEAR(d[0], 2, 1e-8);
  EXPECT_EQ(d[1], -3);
}

}  // namespace
}  // namespace askrff::test
