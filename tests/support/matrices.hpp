// Kernel matrices that are not symmetric, and how far factors are from them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "askrff/features.hpp"
#include "askrff/kernel_matrix.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {

/// exp(-‖x_i - y_j + s‖²/2w_i²): every row has a width of its own.
inline Matrix<double> skew_matrix(const Matrix<double>& X, const Matrix<double>& Y, double shift = 0.4) {
  Matrix<double> K(X.rows(), Y.rows());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < Y.rows(); ++j) {
      double squares = 0, width = 1 + 0.5 * std::sin(3 * X(i, 0));
      for (std::size_t c = 0; c < X.cols(); ++c) squares += (X(i, c) - Y(j, c) + shift) * (X(i, c) - Y(j, c) + shift);
      K(i, j) = std::exp(-squares / (2 * width * width));
    }
  return K;
}

inline Matrix<double> turned(const Matrix<double>& A) {
  Matrix<double> out(A.cols(), A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) out(j, i) = A(i, j);
  return out;
}

/// ‖K - left(K)·right(Kᵀ)ᵀ‖_F / ‖K‖_F, in long double, by the definition of the two sides.
inline double matrix_error(const Matrix<double>& K, const MatrixFactors& factors) {
  const auto side = [](const Matrix<double>& rows, const std::vector<std::size_t>& places, const Matrix<double>& factor) {
    Matrix<double> out(rows.rows(), factor.cols());
    for (std::size_t i = 0; i < out.rows(); ++i)
      for (std::size_t f = 0; f < out.cols(); ++f) {
        long double sum = 0;
        for (std::size_t p = 0; p < places.size(); ++p) sum += static_cast<long double>(rows(i, places[p])) * factor(p, f);
        out(i, f) = static_cast<double>(sum);
      }
    return out;
  };
  const Matrix<double> left = side(K, factors.columns, factors.left_factor), right = side(turned(K), factors.rows, factors.right_factor);
  long double errors = 0, squares = 0;
  for (std::size_t i = 0; i < K.rows(); ++i)
    for (std::size_t j = 0; j < K.cols(); ++j) {
      long double value = 0;
      for (std::size_t f = 0; f < left.cols(); ++f) value += static_cast<long double>(left(i, f)) * right(j, f);
      errors += (K(i, j) - value) * (K(i, j) - value);
      squares += static_cast<long double>(K(i, j)) * K(i, j);
    }
  return static_cast<double>(std::sqrt(errors / squares));
}

}  // namespace askrff::test
