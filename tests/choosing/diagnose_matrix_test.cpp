// diagnose_matrix() against decompositions of the whole, for matrices of every shape; the same of entries, sparse entries and products.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/diagnose.hpp"
#include "askrff/errors.hpp"
#include "support/matrices.hpp"

namespace askrff::test {
namespace {

MatrixDiagnosis of(const Matrix<double>& K, DiagnoseOptions options = {}) { return diagnose_matrix(RowsView<double>(K), options); }

/// Q·diag(values)·Qᵀ with the orthogonal Q = I - 2vvᵀ, v = (1, …, 1)/√n.
Matrix<double> with_eigenvalues(const std::vector<double>& values) {
  const std::size_t n = values.size();
  const double twice = 2.0 / static_cast<double>(n);
  const auto q = [&](std::size_t i, std::size_t j) { return (i == j ? 1.0 : 0.0) - twice; };
  Matrix<double> K(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += q(i, k) * values[k] * q(j, k);
      K(i, j) = K(j, i) = sum;
    }
  return K;
}

std::vector<double> halving(std::size_t n, double sign_of_last) {
  std::vector<double> values(n, 0.0);
  for (std::size_t i = 0; i < 20; ++i) values[i] = std::ldexp(1.0, -static_cast<int>(i));
  values[3] *= sign_of_last;
  return values;
}

TEST(DiagnoseMatrix, KnowsTheSpectrumOfASmallMatrix) {
  const MatrixDiagnosis found = of(with_eigenvalues(halving(60, -1)));
  ASSERT_TRUE(found.symmetry);
  EXPECT_EQ(found.symmetry->kernel_class, KernelClass::indefinite);
  EXPECT_NEAR(found.symmetry->smallest_eigenvalue, -0.125, 1e-12);
  EXPECT_NEAR(found.symmetry->largest_eigenvalue, 1, 1e-12);
  EXPECT_NEAR(found.norm, std::sqrt(4.0 / 3), 1e-9);
  EXPECT_NEAR(found.symmetry->negative_share, 0.125 / std::sqrt(4.0 / 3), 1e-9);
  EXPECT_EQ(found.symmetry->skew_share, 0);
  EXPECT_TRUE(found.is_whole);
  EXPECT_EQ(found.features_for_1e_2, 7u);  // what is left after n is 2^-n of ‖K‖
  EXPECT_EQ(found.features_for_1e_3, 10u);
  EXPECT_EQ(found.n_features, 7u);
  EXPECT_NEAR(found.best_error, 1.0 / 128, 1e-6);
  EXPECT_EQ(of(with_eigenvalues(halving(60, 1))).symmetry->kernel_class, KernelClass::positive_definite);
}

TEST(DiagnoseMatrix, FindsTheLargestOfALargeOne) {
  const Matrix<double> K = with_eigenvalues(halving(1100, -1));
  const MatrixDiagnosis found = of(K, {.n_rows = 8});
  EXPECT_FALSE(found.is_whole);
  EXPECT_EQ(found.singular_values.size(), 8u);
  EXPECT_EQ(found.symmetry->kernel_class, KernelClass::indefinite);
  EXPECT_NEAR(found.symmetry->smallest_eigenvalue, -0.125, 1e-9);
  EXPECT_EQ(found.features_for_1e_2, 7u);
  EXPECT_EQ(found.features_for_1e_3, 0u);       // more than 8
  EXPECT_TRUE(of(K, {.n_rows = 60}).is_whole);  // there are no more
}

TEST(DiagnoseMatrix, SharesAreThoseOfAllEntries) {
  const Matrix<double> X = random_matrix(1200, 2, 1), K = skew_matrix(X, X);
  double all = 0, skew = 0;
  for (std::size_t i = 0; i < 1200; ++i)
    for (std::size_t j = 0; j < 1200; ++j) {
      all += K(i, j) * K(i, j);
      skew += (K(i, j) - K(j, i)) * (K(i, j) - K(j, i)) / 4;
    }
  const MatrixDiagnosis dense = of(K, {.n_rows = 20});
  EXPECT_EQ(dense.symmetry->kernel_class, KernelClass::asymmetric);
  EXPECT_NEAR(dense.norm, std::sqrt(all), 1e-9 * dense.norm);
  EXPECT_NEAR(dense.symmetry->skew_share, std::sqrt(skew / all), 1e-9);
  EXPECT_NEAR(std::hypot(dense.symmetry->symmetric_share, dense.symmetry->skew_share), 1, 1e-12);
  const SparseMatrix<double> entries = SparseMatrix<double>::of(K);
  const MatrixDiagnosis sparse = diagnose_matrix(RowsView<double>(entries), {.n_rows = 20});
  const MatrixDiagnosis products = diagnose_matrix(*matrix_view(RowsView<double>(K)), {.n_rows = 20});
  for (const MatrixDiagnosis& other : {sparse, products}) {
    EXPECT_NEAR(other.norm, dense.norm, 1e-12 * dense.norm);
    EXPECT_NEAR(other.symmetry->skew_share, dense.symmetry->skew_share, 1e-12);
    EXPECT_NEAR(other.symmetry->smallest_eigenvalue, dense.symmetry->smallest_eigenvalue, 1e-9);
    EXPECT_EQ(other.features_for_1e_2, dense.features_for_1e_2);
  }
}

TEST(DiagnoseMatrix, NeedNotBeSquare) {
  const MatrixDiagnosis found = of(skew_matrix(random_matrix(50, 2, 1), random_matrix(30, 2, 2)));
  EXPECT_FALSE(found.symmetry);
  EXPECT_EQ(found.singular_values.size(), 30u);
  EXPECT_EQ(of(skew_matrix(random_matrix(1, 2, 1), random_matrix(3, 2, 2))).n_features, 1u);
}

TEST(DiagnoseMatrix, OpposedEntriesThatAreNotHeldCount) {
  SparseMatrix<double> K(3);  // one number, above the diagonal
  const std::uint32_t column[] = {2};
  const double value[] = {5};
  K.add_row({}, {});
  K.add_row(column, value);
  K.add_row({}, {});
  const MatrixDiagnosis found = diagnose_matrix(RowsView<double>(K));
  EXPECT_NEAR(found.norm, 5, 1e-14);
  EXPECT_NEAR(found.symmetry->skew_share, std::sqrt(0.5), 1e-14);
}

TEST(DiagnoseMatrix, TakesTinyAndHugeNumbers) {
  const Matrix<double> small = skew_matrix(random_matrix(60, 2, 1), random_matrix(60, 2, 2));
  const Matrix<double> large = skew_matrix(random_matrix(1100, 2, 1), random_matrix(1100, 2, 2));
  for (const Matrix<double>* K : {&small, &large}) {
    const MatrixDiagnosis usual = of(*K, {.n_rows = 40});
    for (const double scale : {0x1p-540, 0x1p-900, 0x1p+700}) {
      Matrix<double> scaled = *K;
      for (std::size_t i = 0; i < K->rows(); ++i)
        for (double& value : scaled.row(i)) value *= scale;
      const SparseMatrix<double> sparse = SparseMatrix<double>::of(scaled);
      for (const MatrixDiagnosis& found : {of(scaled, {.n_rows = 40}), diagnose_matrix(RowsView<double>(sparse), {.n_rows = 40})}) {
        EXPECT_NEAR(found.norm / scale, usual.norm, 1e-12 * usual.norm);
        EXPECT_NEAR(found.symmetry->skew_share, usual.symmetry->skew_share, 1e-12);
        EXPECT_NEAR(found.symmetry->symmetric_share, usual.symmetry->symmetric_share, 1e-12);
        EXPECT_NEAR(found.symmetry->negative_share, usual.symmetry->negative_share, 1e-9);
        EXPECT_NEAR(found.symmetry->smallest_eigenvalue / scale, usual.symmetry->smallest_eigenvalue, 1e-9 * usual.norm);
        EXPECT_NEAR(found.singular_values[3] / scale, usual.singular_values[3], 1e-9 * usual.norm);
        EXPECT_EQ(found.n_features, usual.n_features);
        EXPECT_NEAR(found.best_error, usual.best_error, 1e-9);
      }
    }
  }
}

TEST(DiagnoseMatrix, RefusesWhatIsNoMatrix) {
  Matrix<double> K(3, 3);
  EXPECT_THROW(of(K), InvalidArgument);  // zero
  EXPECT_THROW(of(Matrix<double>(0, 3)), InvalidArgument);
  K(1, 1) = K(0, 0) = 1.7e308;
  EXPECT_THROW(of(K), InvalidArgument);  // its norm overflows
  K(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(of(K), InvalidArgument);
  K(1, 1) = 1;
  EXPECT_THROW(of(K, {.n_rows = 1}), InvalidArgument);
  EXPECT_THROW(of(K, {.n_rows = 2001}), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
