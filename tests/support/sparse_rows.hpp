// Random rows with many zeros, some rows all zero.
#pragma once

#include <gtest/gtest.h>

#include "askrff/sparse.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {

/// About `density` of the entries are not zero; every seventh row is empty.
template <class T>
Matrix<T> rows_with_zeros(std::size_t rows, std::size_t cols, double density, std::uint64_t seed, double scale = 1) {
  Matrix<T> X = random_rows<T>(rows, cols, seed, scale);
  const Matrix<double> chance = uniform_matrix(rows, cols, seed + 1);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      if (i % 7 == 3 || chance(i, j) > density) X(i, j) = T{0};
  return X;
}

/// Sums over rows in T, cut at other rows: within rounding of `size`, the sum of the sizes of what was added.
template <class T>
void expect_same_sums(const Matrix<double>& a, const Matrix<double>& b, double size) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  constexpr double tolerance = sizeof(T) == sizeof(float) ? 192 * 0x1p-24 : 192 * 0x1p-53;
  for (std::size_t i = 0; i < a.rows() * a.cols(); ++i) ASSERT_NEAR(a.data()[i], b.data()[i], tolerance * size) << i;
}

}  // namespace askrff::test
