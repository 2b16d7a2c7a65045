// Features of kernel matrices: rows times factors, dense, sparse, float, some columns only, one side or two of other widths.
#include <gtest/gtest.h>

#include "askrff/errors.hpp"
#include "askrff/operators.hpp"
#include "support/matrices.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

MatrixFactors some_factors(std::size_t n_landmarks) {
  const Matrix<double> K = skew_matrix(random_matrix(90, 2, 1), random_matrix(70, 2, 2));
  return matrix_factors(K, {.n_features = 12, .n_landmarks = n_landmarks});
}

Matrix<double> by_definition(const Matrix<double>& rows, const std::vector<std::size_t>& places, const Matrix<double>& factor) {
  Matrix<double> out(rows.rows(), factor.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t p = 0; p < places.size(); ++p)
      for (std::size_t f = 0; f < factor.cols(); ++f) out(i, f) += rows(i, places[p]) * factor(p, f);
  return out;
}

TEST(MatrixFeatures, AreRowsTimesFactors) {
  for (const std::size_t n_landmarks : {0, 25}) {
    const MatrixFactors factors = some_factors(n_landmarks);
    const FeatureMap map(factors);
    EXPECT_EQ(map.left().dim(), 70u);
    EXPECT_EQ(map.right().dim(), 90u);
    EXPECT_EQ(map.n_features(), 12u);
    EXPECT_EQ(map.n_frequencies(), 0u);
    const Matrix<double> rows = rows_with_zeros<double>(33, 70, 0.5, 3), columns = rows_with_zeros<double>(33, 90, 0.5, 4);
    const Matrix<double> left = map.left(rows), right = map.right(columns);
    const Matrix<double> expected_left = by_definition(rows, factors.columns, factors.left_factor);
    const Matrix<double> expected_right = by_definition(columns, factors.rows, factors.right_factor);
    for (std::size_t i = 0; i < 33; ++i)
      for (std::size_t f = 0; f < 12; ++f) {
        ASSERT_NEAR(left(i, f), expected_left(i, f), 1e-11);
        ASSERT_NEAR(right(i, f), expected_right(i, f), 1e-11);
      }
    const SparseMatrix<double> sparse = SparseMatrix<double>::of(rows);
    Matrix<double> of_sparse(33, 12);
    map.left().transform(sparse.view(), of_sparse.view());
    expect_same(of_sparse, left);
    Matrix<double> at_landmarks(33, 70);  // nothing else is read
    for (std::size_t i = 0; i < 33; ++i)
      for (const std::size_t j : factors.columns) at_landmarks(i, j) = rows(i, j);
    expect_same(map.left(at_landmarks), left);
    expect_same(map.left(rows.view().middle_rows(7, 1)), Matrix<double>(1, 12, {left.row(7).begin(), left.row(7).end()}));
    const Matrix<float> floats = to_float(rows);
    const SparseMatrix<float> sparse_floats = SparseMatrix<float>::of(floats);
    const Matrix<float> left_floats = map.left(floats);
    Matrix<float> of_sparse_floats(33, 12);
    map.left().transform(sparse_floats.view(), of_sparse_floats.view());
    expect_same(of_sparse_floats, left_floats);
    for (std::size_t i = 0; i < 33; ++i)
      for (std::size_t f = 0; f < 12; ++f) ASSERT_NEAR(static_cast<double>(left_floats(i, f)), left(i, f), 1e-4);
  }
}

TEST(MatrixFeatures, GoThroughOperators) {
  const Matrix<double> K = skew_matrix(random_matrix(90, 2, 1), random_matrix(70, 2, 2));
  const FeatureMap map(matrix_factors(K, {.n_features = 12}));
  const Matrix<double> Kt = turned(K), V = random_matrix(70, 2, 5);
  const Matrix<double> product = LowRankOperator<double>(map, RowsView<double>(K), RowsView<double>(Kt)).apply(V);
  const Matrix<double> left = map.left(K), right = map.right(Kt);
  for (std::size_t i = 0; i < 90; ++i)
    for (std::size_t v = 0; v < 2; ++v) {
      double sum = 0;
      for (std::size_t j = 0; j < 70; ++j)
        for (std::size_t f = 0; f < 12; ++f) sum += left(i, f) * right(j, f) * V(j, v);
      ASSERT_NEAR(product(i, v), sum, 1e-10);
    }
}

TEST(MatrixFeatures, RefuseWhatDoesNotFit) {
  MatrixFactors factors = some_factors(25);
  EXPECT_THROW(FeatureMap(factors).left(random_matrix(2, 90, 1)), InvalidArgument);
  EXPECT_THROW(FeatureMap(factors).right(random_matrix(2, 70, 1)), InvalidArgument);
  const auto expect_refused = [&](const auto& spoil) {
    MatrixFactors spoilt = factors;
    spoil(spoilt);
    EXPECT_THROW(FeatureMap{spoilt}, InvalidArgument);
  };
  expect_refused([](MatrixFactors& f) { f.columns[3] = f.columns[2]; });
  expect_refused([](MatrixFactors& f) { f.columns.back() = f.n_columns; });
  expect_refused([](MatrixFactors& f) { f.rows.pop_back(); });
  expect_refused([](MatrixFactors& f) { f.left_factor = {}; });
  expect_refused([](MatrixFactors& f) { f.right_factor(1, 1) = HUGE_VAL; });
}

TEST(MatrixFeatures, ThatFloatsCannotHoldAreRefused) {
  const Matrix<double> K(2, 2, {0x1p-200, 0, 0, 0x1p-201});
  const FeatureMap map(matrix_factors(K, {.n_features = 2}));
  EXPECT_THROW(map.left(Matrix<float>(1, 2, {1.0f, 1e38f})), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
