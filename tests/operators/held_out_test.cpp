// The certificate: its interval covers the true error as often as it says, on smooth, clustered and near-diagonal data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
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

// What cross_fitted_error must give, from the rows outside each fold: those inside are the others.
double pooled_error(const Kernel& kernel, const FeatureMap& map, const Matrix<double>& rows, const std::vector<Matrix<double>>& outside) {
  long double on = 0, on_size = 0, off = 0, off_size = 0, n_off = 0;
  for (const auto& others : outside) {
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      bool found = false;
      for (std::size_t j = 0; j < others.rows() && !found; ++j) found = std::ranges::equal(rows.row(i), others.row(j));
      if (!found) inside.push_back(i);
    }
    const auto judging = take_rows(rows, inside);
    const auto exact = exact_gram(kernel, judging, judging), approximate = approximate_gram(map, judging, judging);
    for (std::size_t i = 0; i < judging.rows(); ++i)
      for (std::size_t j = 0; j < judging.rows(); ++j) {
        const long double value = exact(i, j), error = value - approximate(i, j);
        (i == j ? on : off) += error * error;
        (i == j ? on_size : off_size) += value * value;
        n_off += i != j;
      }
  }
  const auto n = static_cast<long double>(rows.rows());
  const auto scaled = [&](long double diagonal, long double others) { return diagonal / n + others / n_off * (n - 1); };
  return static_cast<double>(std::sqrt(scaled(on, off) / scaled(on_size, off_size)));
}

TEST(CrossFittedError, EveryRowJudgesOneMapMadeOfOthers) {
  const auto kernel = make_kernel("shift-gaussian");
  const FeatureMap map(approximate(*kernel, 3, {.n_frequencies = 32, .seed = 1}));
  for (const std::size_t n : {15u, 64u}) {
    const auto rows = uniform_matrix(n, 3, n);
    std::vector<Matrix<double>> outside;
    const auto make = [&](const RowsView<double>& some) {
      std::vector<std::size_t> all(some.rows());
      std::iota(all.begin(), all.end(), std::size_t{0});
      outside.push_back(take_rows(some.dense(), all));
      return map;
    };
    const HeldOutError judged = cross_fitted_error(*kernel, make, rows, 5, 9, {}, n);
    ASSERT_EQ(outside.size(), 5u);
    std::size_t n_outside = 0;
    for (const auto& others : outside) n_outside += others.rows();
    EXPECT_EQ(n_outside, 4 * n);
    EXPECT_EQ(judged.n_rows, n);
    EXPECT_NEAR(judged.error, pooled_error(*kernel, map, rows, outside), 1e-12 * judged.error);
    EXPECT_LT(judged.lower, judged.error);
    EXPECT_GT(judged.upper, judged.error);
  }
  const auto never = [&](const RowsView<double>&) -> FeatureMap { throw NumericalError("never", "called"); };
  EXPECT_THROW(cross_fitted_error(*kernel, never, uniform_matrix(14, 3, 1)), InvalidArgument);
  EXPECT_THROW(cross_fitted_error(*kernel, never, uniform_matrix(15, 3, 1), 1), InvalidArgument);
  EXPECT_THROW(cross_fitted_error(*kernel, never, uniform_matrix(15, 3, 1), SIZE_MAX), InvalidArgument);
  EXPECT_THROW(cross_fitted_error(*kernel, never, uniform_matrix(15, 3, 1)), NumericalError);
}

// 100 calibrations on 60 rows, true errors on 600 others. At 5 % outside, more than 13 have probability 5e-4.
TEST(CrossFittedError, IntervalCoversTheErrorOfTheFitToAllRows) {
  const auto kernel = make_kernel("shift-gaussian");
  const auto population = uniform_matrix(600, 2, 5);
  int outside = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    const auto make = [&](const RowsView<double>& rows) {
      return FeatureMap(approximate(*kernel, rows, {.n_frequencies = 24, .weights = Weights::calibrated, .seed = run}));
    };
    const auto rows = uniform_matrix(60, 2, 1000 + run);
    const HeldOutError judged = cross_fitted_error(*kernel, make, rows, 5, run, {}, 600);
    const double truth = approximation_error(*kernel, make(rows), population, population).frobenius;
    outside += truth > judged.upper || truth < judged.lower;
  }
  EXPECT_LE(outside, 13);
}

/// Known up to a distance only, as a function of somebody else's may be.
class BoundedKernel final : public Kernel {
 public:
  explicit BoundedKernel(double limit) : limit_(limit) {}
  std::string name() const override { return "bounded"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double delta = differences(i, 0);
      out[i] = std::abs(delta) > limit_ ? std::nan("") : 1 / (1 + delta * delta);
    }
  }

 private:
  double limit_;
};

// The upper end reckons with a row beyond all others: where there can be none, it does without.
TEST(HeldOutError, RowsThatAreInventedHarmNobody) {
  const auto kernel = make_kernel("gaussian");
  const FeatureMap map(approximate(*kernel, 2, {.n_frequencies = 16}));
  auto rows = random_matrix(30, 2, 3);
  double farthest = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) farthest = std::max(farthest, 2 * std::abs(rows(i, 0)));
  EXPECT_TRUE(std::isfinite(held_out_error(BoundedKernel(farthest), map, rows).upper));
  for (double& x : rows.row(0)) x *= 1e160;
  EXPECT_TRUE(std::isfinite(held_out_error(*kernel, map, rows).upper));
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (double& x : rows.row(i)) x = std::copysign(1e307, x);
  EXPECT_TRUE(std::isfinite(held_out_error(*kernel, map, rows).upper));
}

// One row with nearly all of the error, and the next one may lie beyond it: the upper end is some multiple of the error, not any number.
TEST(HeldOutError, OneRowThatHasAllOfTheError) {
  const auto kernel = make_kernel("gaussian", {{"sigma", 3.0}});
  const auto data = uniform_matrix(200, 1, 3);
  const FeatureMap map(approximate(*kernel, data, {.n_frequencies = 64, .weights = Weights::calibrated}));
  auto rows = uniform_matrix(60, 1, 4);
  rows(0, 0) = 6;
  const HeldOutError judged = held_out_error(*kernel, map, rows);
  EXPECT_LT(judged.upper, 200 * judged.error);
}

// Every block's rows and columns count once; of one block it is the same as of the block alone.
TEST(BlockError, JoinsBlocks) {
  const Matrix<double> one = random_matrix(6, 8, 1), two = random_matrix(5, 4, 2);
  Matrix<double> near_one = one, near_two = two;
  near_one(2, 3) += 0.1;
  near_two(0, 1) -= 0.2;
  double squares = 0;
  for (const Matrix<double>* block : {&one, &two})
    for (std::size_t i = 0; i < block->rows(); ++i)
      for (const double value : block->row(i)) squares += value * value;
  const ComparedBlock blocks[] = {{one, near_one}, {two, near_two}};
  const HeldOutError both = block_error(blocks, false);
  EXPECT_NEAR(both.error, std::sqrt(0.05 / squares), 1e-15);
  EXPECT_EQ(both.n_rows, 11u);
  EXPECT_EQ(both.n_pairs, 68u);
  EXPECT_GT(both.upper, block_error(std::span(blocks).first(1), false).error);
  EXPECT_THROW(block_error({}, false), InvalidArgument);
  EXPECT_THROW(block_error(blocks, true), InvalidArgument);
  const ComparedBlock other[] = {{one, near_two}};
  EXPECT_THROW(block_error(other, false), InvalidArgument);
}

// 0/0 is no error of 0: nothing is known.
TEST(BlockError, OfZerosIsNotKnown) {
  const Matrix<double> zero(6, 6);
  const ComparedBlock blocks[] = {{zero, zero}};
  for (const bool same_things : {true, false}) {
    const HeldOutError judged = block_error(blocks, same_things);
    EXPECT_EQ(judged.error, HUGE_VAL);
    EXPECT_EQ(judged.lower, 0);
    EXPECT_EQ(judged.upper, HUGE_VAL);
  }
  const Matrix<double> ones(6, 6, std::vector<double>(36, 1.0));
  const ComparedBlock exact[] = {{ones, ones}};
  EXPECT_EQ(block_error(exact, true).upper, 0);
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
