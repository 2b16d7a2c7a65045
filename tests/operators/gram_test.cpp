// Gram blocks: exact ones against the kernel, approximate ones against the oracle, and the same bits for any block.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "support/random_inputs.hpp"
#include "oracle/oracle.hpp"

namespace askrff::test {
namespace {

// More than one block of 128 rows on both sides, and not a multiple of one.
constexpr std::size_t n_x = 150, n_y = 261;

void expect_equal(MatrixView<const double> block, const Matrix<double>& whole, std::size_t first_row, std::size_t first_column) {
  for (std::size_t i = 0; i < block.rows(); ++i)
    for (std::size_t j = 0; j < block.cols(); ++j) ASSERT_EQ(block(i, j), whole(first_row + i, first_column + j)) << i << " " << j;
}

TEST(ExactGram, IsTheKernelAtEveryPair) {
  for (const char* name : {"gaussian", "laplacian", "difference-of-gaussians", "shift-gaussian", "sinh-gaussian", "cosh-gaussian"}) {
    const auto kernel = make_kernel(name);
    const auto X = random_matrix(n_x, 3, 1), Y = random_matrix(n_y, 3, 2);
    const auto K = exact_gram(*kernel, X, Y);
    for (std::size_t i = 0; i < n_x; i += 7)
      for (std::size_t j = 0; j < n_y; ++j) {
        const std::vector<double> delta{X(i, 0) - Y(j, 0), X(i, 1) - Y(j, 1), X(i, 2) - Y(j, 2)};
        ASSERT_NEAR(K(i, j), (*kernel)(delta), 4e-14) << name;  // exponents up to 20; tests/kernels has the error of each entry
      }
  }
}

TEST(ExactGram, AnyBlockGivesTheSameBits) {
  const auto kernel = cosh_gaussian();
  const auto X = random_matrix(n_x, 3, 1), Y = random_matrix(n_y, 3, 2);
  const auto K = exact_gram(*kernel, X, Y);
  for (const std::size_t first : {0, 1, 100, 127, 128, 149})
    for (const std::size_t count : {0, 1, 3}) {
      if (first + count > n_x) continue;
      expect_equal(exact_gram(*kernel, X.view().middle_rows(first, count), Y.view().middle_rows(first, 112)), K, first, first);
    }
  std::vector<double> out(n_x * (n_y + 2), -5.0);
  exact_gram(*kernel, X, Y, MatrixView<double>(out.data(), n_x, n_y, n_y + 2));
  expect_equal(MatrixView<const double>(out.data(), n_x, n_y, n_y + 2), K, 0, 0);
  for (std::size_t i = 0; i < n_x; ++i) EXPECT_EQ(out[i * (n_y + 2) + n_y], -5.0);
}

TEST(ApproximateGram, MatchesTheOracle) {
  const auto atoms = random_atoms(50, 3, 3);
  const auto X = random_matrix(n_x, 3, 1), Y = random_matrix(n_y, 3, 2);
  const auto K = approximate_gram(FeatureMap(atoms), X, Y);
  for (std::size_t i = 0; i < n_x; i += 3)
    for (std::size_t j = 0; j < n_y; ++j)
      ASSERT_NEAR(K(i, j), static_cast<double>(oracle::approximate_kernel(atoms, X.row(i), Y.row(j))), 1e-13 * atoms.weight_sum());
}

TEST(ApproximateGram, AnyBlockAndOrderGivesTheSameBits) {
  const FeatureMap map(random_atoms(37, 3, 3));
  const auto X = random_matrix(n_x, 3, 1), Y = random_matrix(n_y, 3, 2);
  const auto K = approximate_gram(map, X, Y);
  for (std::size_t first = 0; first < 140; first += 9)
    for (const std::size_t rows : {0, 1, 2, 5, 10})
      for (const std::size_t cols : {0, 1, 3, 121})
        expect_equal(approximate_gram(map, X.view().middle_rows(first, rows), Y.view().middle_rows(first, cols)), K, first, first);
  Matrix<double> reversed(n_x, 3);
  for (std::size_t i = 0; i < n_x; ++i) std::ranges::copy(X.row(n_x - 1 - i), reversed.row(i).begin());
  const auto backwards = approximate_gram(map, reversed, Y);
  for (std::size_t i = 0; i < n_x; ++i) expect_equal(backwards.view().middle_rows(n_x - 1 - i, 1), K, i, 0);
  std::vector<double> out(n_x * (n_y + 4), -5.0);
  approximate_gram(map, X, Y, MatrixView<double>(out.data(), n_x, n_y, n_y + 4));
  expect_equal(MatrixView<const double>(out.data(), n_x, n_y, n_y + 4), K, 0, 0);
  for (std::size_t i = 0; i < n_x; ++i) EXPECT_EQ(out[i * (n_y + 4) + n_y + 3], -5.0);
}

TEST(Gram, EmptySides) {
  const auto kernel = gaussian();
  const FeatureMap map(random_atoms(4, 2, 1));
  const auto some = random_matrix(3, 2, 1);
  const Matrix<double> none(0, 2);
  EXPECT_EQ(exact_gram(*kernel, none, some).cols(), 3u);
  EXPECT_EQ(exact_gram(*kernel, some, none).rows(), 3u);
  EXPECT_EQ(approximate_gram(map, none, some).rows(), 0u);
  EXPECT_EQ(approximate_gram(map, some, none).cols(), 0u);
  EXPECT_EQ(approximate_gram(map, none, none).rows(), 0u);
}

TEST(Gram, Refusals) {
  const auto kernel = gaussian();
  const FeatureMap map(random_atoms(4, 2, 1));
  const auto X = random_matrix(3, 2, 1), Y = random_matrix(5, 2, 2), wide = random_matrix(5, 3, 2);
  Matrix<double> out(3, 4), right_size(3, 5);
  EXPECT_THROW(exact_gram(*kernel, X, wide), std::invalid_argument);
  EXPECT_THROW(exact_gram(*kernel, X, Y, out.view()), std::invalid_argument);
  EXPECT_THROW(approximate_gram(map, X, wide), std::invalid_argument);
  EXPECT_THROW(approximate_gram(map, wide, wide), std::invalid_argument);
  EXPECT_THROW(approximate_gram(map, X, Y, out.view()), std::invalid_argument);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto broken = Y;
    broken(4, 1) = bad;
    EXPECT_THROW(exact_gram(*kernel, X, broken, right_size.view()), std::invalid_argument);
    EXPECT_THROW(exact_gram(*kernel, broken, X), std::invalid_argument);
    EXPECT_THROW(approximate_gram(map, X, broken, right_size.view()), std::invalid_argument);
    EXPECT_THROW(approximation_error(*kernel, map, broken, X), std::invalid_argument);
  }
  EXPECT_THROW(approximation_error(*kernel, map, X, wide), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
