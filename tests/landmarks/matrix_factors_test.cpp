// Factors of kernel matrices: near the best of their rank, the same for dense, sparse and hidden entries, on awkward matrices, with
// refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "landmarks/factors.hpp"
#include "support/matrices.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"
#include "support/special_values.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

/// Entries that are known by products alone.
class Hidden final : public LinearMap {
 public:
  explicit Hidden(const Matrix<double>& K) : entries_(matrix_view(RowsView<double>(K))) {}
  std::size_t rows() const override { return entries_->rows(); }
  std::size_t cols() const override { return entries_->cols(); }
  void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    entries_->times(V, out, execution);
  }
  void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    entries_->transposed_times(V, out, execution);
  }

 private:
  std::unique_ptr<const LinearMap> entries_;
};

/// Of the best approximation of that rank.
double best_error(const Matrix<double>& K, std::size_t rank) {
  const auto svd = landmarks::small_svd(K, {});
  double all = 0, left_over = 0;
  for (std::size_t i = 0; i < svd.values.size(); ++i) {
    all += svd.values[i] * svd.values[i];
    if (i >= rank) left_over += svd.values[i] * svd.values[i];
  }
  return std::sqrt(left_over / all);
}

std::string refusal(const LinearMap& K, const MatrixOptions& options = {}) {
  try {
    matrix_factors(K, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "not refused";
}

TEST(MatrixFactors, AreNearTheBestOfTheirRank) {
  const Matrix<double> X = random_matrix(400, 3, 1), Y = random_matrix(260, 3, 2);
  const Matrix<double> noise = random_matrix(400, 260, 3);
  Matrix<double> rough = skew_matrix(X, Y);  // a flat tail
  for (std::size_t i = 0; i < rough.rows(); ++i)
    for (std::size_t j = 0; j < rough.cols(); ++j) rough(i, j) += 0.05 * noise(i, j);
  for (const Matrix<double>& K : {skew_matrix(X, X), skew_matrix(X, Y), turned(skew_matrix(X, Y)), rough})
    for (const std::size_t rank : {1, 8, 40}) {
      const auto factors = matrix_factors(K, {.n_features = rank});
      ASSERT_EQ(factors.n_features(), rank);
      EXPECT_LE(matrix_error(K, factors), 1.02 * best_error(K, rank) + 1e-13) << K.rows() << " x " << K.cols() << " " << rank;
    }
}

TEST(MatrixFactors, LandmarksAreNotFarFromThat) {
  const Matrix<double> X = random_matrix(400, 3, 1), Y = random_matrix(300, 3, 2);
  for (const Matrix<double>& K : {skew_matrix(X, X), skew_matrix(X, Y)})
    for (const Landmarks how : {Landmarks::uniform, Landmarks::pivoted, Landmarks::greedy}) {
      const auto factors = matrix_factors(K, {.n_features = 20, .n_landmarks = 60, .landmarks = how});
      EXPECT_EQ(factors.columns.size(), 60u);
      EXPECT_EQ(factors.rows.size(), 60u);
      EXPECT_LE(matrix_error(K, factors), 4 * best_error(K, 20)) << static_cast<int>(how);
    }
}

TEST(MatrixFactors, OfLowRankAreExact) {
  const Matrix<double> A = random_matrix(120, 7, 4), B = random_matrix(90, 7, 5);
  Matrix<double> K(120, 90);
  for (std::size_t i = 0; i < 120; ++i)
    for (std::size_t j = 0; j < 90; ++j)
      for (std::size_t r = 0; r < 7; ++r) K(i, j) += A(i, r) * B(j, r);
  for (const std::size_t n_landmarks : {0, 30}) {
    const auto factors = matrix_factors(K, {.n_features = 25, .n_landmarks = n_landmarks});
    EXPECT_EQ(factors.n_features(), 7u);
    EXPECT_LE(matrix_error(K, factors), 1e-12);
  }
}

TEST(MatrixFactors, OfSymmetricMatricesKnowIt) {
  const Matrix<double> X = random_matrix(150, 2, 6);
  Matrix<double> definite(150, 150), indefinite(150, 150);
  for (std::size_t i = 0; i < 150; ++i)
    for (std::size_t j = 0; j < 150; ++j) {
      double squares = 0;
      for (std::size_t c = 0; c < 2; ++c) squares += (X(i, c) - X(j, c)) * (X(i, c) - X(j, c));
      definite(i, j) = std::exp(-squares / 2);
      indefinite(i, j) = std::sqrt(squares);
    }
  for (const std::size_t n_landmarks : {0, 60}) {
    const auto one = matrix_factors(definite, {.n_features = 20, .n_landmarks = n_landmarks});
    EXPECT_TRUE(one.is_one_sided());
    EXPECT_TRUE(FeatureMap(one).is_one_sided());
    EXPECT_LE(matrix_error(definite, one), (n_landmarks == 0 ? 1.02 : 4) * best_error(definite, 20));
    const auto two = matrix_factors(indefinite, {.n_features = 20, .n_landmarks = n_landmarks});
    EXPECT_FALSE(two.is_one_sided());
    for (std::size_t i = 0; i < two.left_factor.rows(); ++i)
      for (std::size_t f = 0; f < 20; ++f) ASSERT_EQ(std::fabs(two.left_factor(i, f)), std::fabs(two.right_factor(i, f)));
    EXPECT_LE(matrix_error(indefinite, two), (n_landmarks == 0 ? 1.02 : 4) * best_error(indefinite, 20));
  }
}

TEST(MatrixFactors, AreTheSameWhateverHoldsTheEntries) {
  const Matrix<double> K = rows_with_zeros<double>(300, 220, 0.2, 7);
  const auto dense = matrix_factors(K, {.n_features = 30});
  const SparseMatrix<double> rows = SparseMatrix<double>::of(K);
  const auto sparse = matrix_factors(*matrix_view(RowsView<double>(rows)), {.n_features = 30});
  const auto hidden = matrix_factors(Hidden(K), {.n_features = 30});
  for (const auto* other : {&sparse, &hidden})
    for (std::size_t i = 0; i < dense.left_factor.rows(); ++i)
      for (std::size_t f = 0; f < 30; ++f) ASSERT_NEAR(dense.left_factor(i, f), other->left_factor(i, f), 1e-9);
  for (const std::size_t n_landmarks : {0, 50}) {
    const Matrix<float> rounded = to_float(K);
    Matrix<double> back(K.rows(), K.cols());
    std::copy_n(rounded.data(), 300 * 220, back.data());
    const MatrixOptions options{.n_features = 30, .n_landmarks = n_landmarks};
    const auto of_doubles = matrix_factors(back, options), of_floats = matrix_factors(*matrix_view(RowsView<float>(rounded)), options);
    expect_same(of_doubles.left_factor, of_floats.left_factor);
    const SparseMatrix<float> sparse_floats = SparseMatrix<float>::of(rounded);
    const SparseMatrix<double> sparse_doubles = SparseMatrix<double>::of(back);
    expect_same(matrix_factors(*matrix_view(RowsView<double>(sparse_doubles)), options).right_factor,
                matrix_factors(*matrix_view(RowsView<float>(sparse_floats)), options).right_factor);
  }
}

TEST(MatrixFactors, AreTheSameBitsForAnyThreads) {
  const Matrix<double> K = rows_with_zeros<double>(2500, 1900, 0.1, 8);
  const SparseMatrix<double> rows = SparseMatrix<double>::of(K);
  for (const std::size_t n_landmarks : {0, 100})
    for (const RowsView<double>& view : {RowsView<double>(K), RowsView<double>(rows)}) {
      const auto entries = matrix_view(view);
      const auto with = [&](std::size_t n_threads) {
        return matrix_factors(*entries, {.n_features = 40, .n_landmarks = n_landmarks, .execution = {.n_threads = n_threads}});
      };
      const auto one = with(1), three = with(3);
      expect_same(one.left_factor, three.left_factor);
      expect_same(one.right_factor, three.right_factor);
    }
}

TEST(MatrixFactors, TakeTinyHugeAndSmallMatrices) {
  const Matrix<double> K = skew_matrix(random_matrix(40, 2, 9), random_matrix(30, 2, 10));
  const auto usual = matrix_factors(K, {.n_features = 10});
  for (const double scale : {0x1p-900, 0x1p+900})
    for (const std::size_t n_landmarks : {0, 20}) {
      Matrix<double> scaled = K;
      for (std::size_t i = 0; i < scaled.rows(); ++i)
        for (double& value : scaled.row(i)) value *= scale;
      const auto factors = matrix_factors(scaled, {.n_features = 10, .n_landmarks = n_landmarks});
      if (n_landmarks == 0) {
        EXPECT_NEAR(factors.singular_values[3] / scale, usual.singular_values[3], 1e-12);
      }
      EXPECT_LE(matrix_error(scaled, factors), n_landmarks == 0 ? 1.02 * best_error(K, 10) : 4 * best_error(K, 10));
    }
  const Matrix<double> one(1, 1, {-2.5}), row(1, 5, {1, 0, 2, 0, 3}), column(4, 1, {0, 0, -1, 2});
  for (const Matrix<double>& small : {one, row, column}) {
    const auto factors = matrix_factors(small, {.n_features = 8});
    EXPECT_EQ(factors.n_features(), 1u);
    EXPECT_LE(matrix_error(small, factors), 1e-15);
  }
}

TEST(MatrixFactors, RefuseWhatIsNone) {
  const Matrix<double> zero(5, 4), none(0, 3), bad(2, 2, {1, 2, nan, 3}), ones(2, 2, {1, 2, 3, 4});
  const auto of = [](const Matrix<double>& K) { return matrix_view(RowsView<double>(K)); };
  EXPECT_EQ(refusal(*of(zero)), "matrix_factors: K is 5 x 4 and zero, expected numbers that are not");
  EXPECT_EQ(refusal(*of(zero), {.n_features = 2, .n_landmarks = 2}),
            "matrix_factors: K is 5 x 4 and zero at all landmarks, expected numbers that are not");
  EXPECT_EQ(refusal(*of(none)), "matrix_factors: K is 0 x 3, expected at least one row and one column");
  EXPECT_EQ(refusal(*of(ones), {.n_features = 0}), "matrix_factors: n_features is 0, expected at least 1");
  EXPECT_EQ(refusal(*of(ones), {.n_features = 5000}), "matrix_factors: 5000 features from 0 landmarks, expected at most 4096 of each");
  EXPECT_EQ(refusal(*of(ones), {.n_features = 3, .n_landmarks = 2}),
            "matrix_factors: 2 landmarks for 3 features, expected at least as many landmarks as features");
  EXPECT_EQ(refusal(*of(ones), {.cutoff = nan}), "matrix_factors: a cutoff of nan, expected at least 0 and below 1");
  EXPECT_THROW(of(bad), InvalidArgument);
  const SparseMatrix<double> sparse_bad = SparseMatrix<double>::of(bad);
  EXPECT_THROW(matrix_view(RowsView<double>(sparse_bad)), InvalidArgument);
}

class NotFinite final : public LinearMap {
 public:
  std::size_t rows() const override { return 6; }
  std::size_t cols() const override { return 6; }
  void times(MatrixView<const double>, MatrixView<double> out, const Execution&) const override {
    out(0, 0) = std::numeric_limits<double>::infinity();
  }
  void transposed_times(MatrixView<const double>, MatrixView<double>, const Execution&) const override {}
};

TEST(MatrixFactors, RefuseProductsThatAreNotFinite) {
  EXPECT_EQ(refusal(NotFinite()), "matrix_factors: a product with K holds inf in row 0, column 0; expected finite numbers");
  Matrix<double> huge = skew_matrix(random_matrix(60, 2, 9), random_matrix(60, 2, 10));
  for (std::size_t i = 0; i < huge.rows(); ++i)
    for (double& value : huge.row(i)) value *= 1.5e308;
  const auto of_huge = matrix_view(RowsView<double>(huge));
  for (const std::size_t n_landmarks : {0, 20})
    EXPECT_NE(refusal(*of_huge, {.n_features = 10, .n_landmarks = n_landmarks}).find("inf in row 0"), std::string::npos);
}

TEST(MatrixFactors, Stop) {
  const Matrix<double> K = skew_matrix(random_matrix(3000, 2, 11), random_matrix(3000, 2, 12));
  expect_stops([&](const Execution& execution) {
    for (;;) matrix_factors(K, {.n_features = 300, .execution = execution});
  });
}

}  // namespace
}  // namespace askrff::test
