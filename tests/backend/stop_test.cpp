// Dense algebra that is stopped in the middle.
#include <gtest/gtest.h>

#include "askrff/dense.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

Matrix<double> well_conditioned(std::size_t n) {
  Matrix<double> A(n, n);
  for (std::size_t i = 0; i < n; ++i) A(i, i) = 2;
  for (std::size_t i = 1; i < n; ++i) A(i, i - 1) = A(i - 1, i) = 0.5;
  return A;
}

TEST(Stop, Product) {
  const Matrix<float> A(8192, 8192), B(8192, 8192);
  Matrix<float> out(8192, 8192);
  for (const std::size_t n_threads : {1, 2})
    expect_stops([&](const Execution& execution) { product_of_rows(A, B, out.view(), execution); }, std::chrono::milliseconds(300),
                 n_threads);
}

TEST(Stop, Cholesky) {
  Matrix<double> A = well_conditioned(8192);
  expect_stops([&](const Execution& execution) { cholesky(A.view(), execution); });
}

TEST(Stop, TriangularSolve) {
  Matrix<double> L = well_conditioned(3000), B(3000, 3000);
  cholesky(L.view());
  expect_stops([&](const Execution& execution) { solve_cholesky(L, B.view(), execution); });
}

}  // namespace
}  // namespace askrff::test
