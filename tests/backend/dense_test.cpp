// Dense linear algebra: products and Cholesky against the definition, at the edges of their blocks.
#include "askrff/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

template <class T>
class Dense : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Dense, Scalars);

TYPED_TEST(Dense, ProductOfRowsForAnyThreads) {
  using T = TypeParam;
  const auto A = random_rows<T>(401, 37, 1), B = random_rows<T>(1100, 37, 2);
  Matrix<T> out(401, 1100), again(401, 1100);
  product_of_rows(A, B, out.view(), {.n_threads = 1});
  product_of_rows(A, B, again.view(), {.n_threads = 3});
  for (std::size_t i = 0; i < 401; i += 13)
    for (std::size_t j = 0; j < 1100; ++j) {
      long double sum = 0, size = 0;
      for (std::size_t k = 0; k < 37; ++k) sum += static_cast<long double>(A(i, k)) * B(j, k), size += std::fabs(A(i, k) * B(j, k));
      ASSERT_LE(std::fabs(out(i, j) - sum), 38 * std::numeric_limits<T>::epsilon() * size);
      ASSERT_EQ(out(i, j), again(i, j));
    }
  EXPECT_THROW(product_of_rows(A, Matrix<T>(3, 5), out.view()), std::invalid_argument);
  EXPECT_THROW(product_of_rows(A, A, out.view()), std::invalid_argument);
}

TYPED_TEST(Dense, CholeskyOfEverySizeAroundTheBlocks) {
  using T = TypeParam;
  for (const std::size_t n : {1, 2, 7, 95, 96, 97, 192, 300, 500}) {
    const auto G = random_matrix(n, n + 5, n);
    Matrix<T> A(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = i == j ? 1.0 : 0.0;
        for (std::size_t k = 0; k < n + 5; ++k) sum += G(i, k) * G(j, k) / static_cast<double>(n);
        A(i, j) = j <= i ? static_cast<T>(sum) : T{-77};  // the upper triangle is neither read nor written
      }
    Matrix<T> L = A, other = A, B(n, 2);
    cholesky(L.view(), {.n_threads = 1});
    cholesky(other.view(), {.n_threads = 4});
    const double tolerance = 40 * std::numeric_limits<T>::epsilon();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        long double sum = 0;
        for (std::size_t k = 0; k <= j; ++k) sum += static_cast<long double>(L(i, k)) * L(j, k);
        ASSERT_NEAR(A(i, j), static_cast<double>(sum), tolerance * std::sqrt(static_cast<double>(n))) << n << " " << i << " " << j;
        ASSERT_EQ(L(i, j), other(i, j));
      }
      for (std::size_t j = i + 1; j < n; ++j) ASSERT_EQ(L(i, j), T{-77});
      B(i, 0) = static_cast<T>(std::cos(static_cast<double>(i))), B(i, 1) = T{1};
    }
    Matrix<T> solution = B;
    solve_cholesky(L, solution.view());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < 2; ++c) {
        long double sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += static_cast<long double>(i >= j ? A(i, j) : A(j, i)) * solution(j, c);
        ASSERT_NEAR(B(i, c), static_cast<double>(sum), 100 * tolerance) << n;
      }
  }
}

/// A kernel matrix with eigenvalues down to a small ridge, badly conditioned in every block: L·Lᵀ is A all the same.
TYPED_TEST(Dense, CholeskyOfANearlySingularMatrix) {
  using T = TypeParam;
  const std::size_t n = 300;
  const bool narrow = std::is_same_v<T, float>;
  for (const double ridge : {narrow ? 1e-2 : 1e-8, narrow ? 1e-4 : 1e-10, narrow ? 3e-5 : 1e-12}) {
    Matrix<T> A(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double difference = (static_cast<double>(i) - static_cast<double>(j)) / n / 0.2;
        A(i, j) = static_cast<T>(std::exp(-difference * difference / 2) + (i == j ? ridge : 0.0));
      }
    Matrix<T> L = A;
    ASSERT_NO_THROW(cholesky(L.view())) << ridge;
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        long double sum = 0;
        for (std::size_t k = 0; k <= j; ++k) sum += static_cast<long double>(L(i, k)) * L(j, k);
        largest = std::max(largest, static_cast<double>(std::fabs(A(i, j) - sum)));
      }
    EXPECT_LE(largest, 8 * std::numeric_limits<T>::epsilon()) << ridge;
  }
}

TYPED_TEST(Dense, CholeskyRefusals) {
  using T = TypeParam;
  Matrix<T> indefinite(2, 2, {1, 0, 2, 1}), flat(2, 3), broken(2, 2, {1, 0, std::numeric_limits<T>::quiet_NaN(), 1});
  EXPECT_THROW(cholesky(indefinite.view()), NumericalError);
  EXPECT_THROW(cholesky(flat.view()), std::invalid_argument);
  EXPECT_THROW(cholesky(broken.view()), std::invalid_argument);
  Matrix<T> L(2, 2, {1, 0, 0, 1}), B(3, 1);
  EXPECT_THROW(solve_cholesky(L, B.view()), std::invalid_argument);
  Matrix<T> empty(0, 0);
  EXPECT_NO_THROW(cholesky(empty.view()));
}

TEST(SolveRows, OfEverySizeAroundTheBlocksForAnyThreads) {
  for (const std::size_t n : {1, 15, 16, 17, 95, 96, 97, 200, 300}) {
    Matrix<double> L = random_matrix(n, n, n);
    for (std::size_t i = 0; i < n; ++i) L(i, i) = 2 * static_cast<double>(n) + 1;
    const auto B = random_matrix(401, n, 7);
    Matrix<double> X = B, again = B;
    solve_rows(L, X.view(), {.n_threads = 1});
    solve_rows(L, again.view(), {.n_threads = 3});
    for (std::size_t r = 0; r < 401; r += 8)
      for (std::size_t i = 0; i < n; ++i) {
        long double sum = 0;
        for (std::size_t j = 0; j <= i; ++j) sum += static_cast<long double>(L(i, j)) * X(r, j);
        ASSERT_NEAR(static_cast<double>(sum), B(r, i), 1e-13) << n;
        ASSERT_EQ(X(r, i), again(r, i));
      }
  }
  Matrix<double> B(3, 4);
  EXPECT_THROW(solve_rows(Matrix<double>(4, 5), B.view()), std::invalid_argument);
  EXPECT_THROW(solve_rows(Matrix<double>(5, 5), B.view()), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
