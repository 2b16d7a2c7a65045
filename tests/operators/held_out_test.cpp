// The certificate: its interval covers the true error as often as it says, on smooth, clustered and near-diagonal data.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/operators.hpp"
#include "askrff/kernels.hpp"
#include "support/plain_kernels.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

// Rows around one of three centres of different widths: errors are far from evenly spread.
Matrix<double> clustered(std::size_t n, std::uint64_t seed) {
  auto rows = random_matrix(n, 3, seed);
  for (std::size_t i = 0; i < n; ++i) {
    const auto cluster = RandomStream(seed, Purpose::evaluation_rows, i).below(3);
    for (double& x : rows.row(i)) x = x * (cluster == 0 ? 0.1 : cluster == 1 ? 0.5 : 1.5) + static_cast<double>(cluster);
  }
  return rows;
}

// 40 maps, each judged by five sets of 80 rows and against 1000 others. A 95 % interval is missed above in 2.5 % of runs; more than 16 of
// 200 such misses (8 %, what users are promised) would have probability 1e-5 at that rate. The last kernel is close to zero off the
// diagonal, where the error of 80 rows and of 1000 are not the same thing.
TEST(HeldOutError, IntervalCoversTheTrueError) {
  struct Case {
    const char* kernel;
    double sigma;
    bool clusters;
  };
  for (const Case& c : {Case{"sinh-gaussian", 1.0, false}, {"sinh-gaussian", 1.0, true}, {"gaussian", 0.2, false}}) {
    const auto kernel = make_kernel(c.kernel, {{"sigma", c.sigma}});
    const auto draw = [&](std::size_t n, std::uint64_t seed) { return c.clusters ? clustered(n, seed) : uniform_matrix(n, 3, seed); };
    const auto population = draw(1000, 5);
    int above = 0, outside = 0;
    for (std::uint64_t run = 0; run < 40; ++run) {
      const FeatureMap map(approximate(*kernel, 3, {.n_frequencies = 40, .seed = run}));
      const double truth = approximation_error(*kernel, map, population, population).frobenius;
      for (std::uint64_t set = 0; set < 5; ++set) {
        const HeldOutError judged = held_out_error(*kernel, map, draw(80, 1000 + 5 * run + set));
        above += truth > judged.upper;
        outside += truth > judged.upper || truth < judged.lower;
      }
    }
    EXPECT_LE(above, 16) << c.kernel << (c.clusters ? ", clustered" : ", uniform");
    EXPECT_LE(outside, 26);
  }
}

TEST(HeldOutError, AgreesWithTheErrorOfTheSameRows) {
  const auto kernel = make_kernel("cosh-gaussian");
  const FeatureMap map(approximate(*kernel, 4, {.n_frequencies = 64, .seed = 1}));
  const auto rows = uniform_matrix(50, 4, 2);
  const HeldOutError judged = held_out_error(*kernel, map, rows, {}, 50);
  EXPECT_NEAR(judged.error, approximation_error(*kernel, map, rows, rows).frobenius, 1e-12 * judged.error);
  EXPECT_LT(judged.lower, judged.error);
  EXPECT_GT(judged.upper, judged.error);
  EXPECT_EQ(judged.n_pairs, 2500u);
}

TEST(HeldOutError, OddRows) {
  const auto kernel = make_kernel("gaussian");
  const FeatureMap map(approximate(*kernel, 2, {.n_frequencies = 16}));
  EXPECT_THROW(held_out_error(*kernel, map, uniform_matrix(2, 2, 1)), std::invalid_argument);
  EXPECT_THROW(held_out_error(*kernel, map, uniform_matrix(5, 3, 1)), std::invalid_argument);
  EXPECT_THROW(held_out_error(ConstantKernel(std::nan("")), map, uniform_matrix(5, 2, 1)), std::invalid_argument);
  EXPECT_EQ(held_out_error(ConstantKernel(0), map, uniform_matrix(5, 2, 1)).error, HUGE_VAL);
  // All rows equal: k̂(0) = k(0) up to rounding, so no error or next to none.
  EXPECT_LT(held_out_error(*kernel, map, Matrix<double>(5, 2)).error, 1e-14);
}

}  // namespace
}  // namespace askrff::test
