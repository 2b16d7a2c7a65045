// Random points and atoms for the tests of features, operators, weighting and backends; the same for every run.
#pragma once

#include <algorithm>
#include <complex>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/random.hpp"
#include "askrff/views.hpp"

namespace askrff::test {

/// Standard normal entries times `scale`.
inline Matrix<double> random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed, double scale = 1) {
  Matrix<double> matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    for (double& value : matrix.row(i)) value = scale * random.normal();
  }
  return matrix;
}

/// Entries uniform on [low, high].
inline Matrix<double> uniform_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed, double low = 0, double high = 1) {
  Matrix<double> matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    for (double& value : matrix.row(i)) value = low + (high - low) * random.uniform();
  }
  return matrix;
}

template <class T>
Matrix<T> rounded_to(const Matrix<double>& matrix) {
  Matrix<T> rounded(matrix.rows(), matrix.cols());
  std::transform(matrix.data(), matrix.data() + matrix.rows() * matrix.cols(), rounded.data(), [](double x) { return static_cast<T>(x); });
  return rounded;
}
inline Matrix<float> to_float(const Matrix<double>& matrix) { return rounded_to<float>(matrix); }

/// random_matrix in either precision.
template <class T>
Matrix<T> random_rows(std::size_t rows, std::size_t cols, std::uint64_t seed, double scale = 1) {
  return rounded_to<T>(random_matrix(rows, cols, seed, scale));
}

/// n atoms of dimension dim with normal frequencies and normal complex weights.
inline SpectralAtoms random_atoms(std::size_t n, std::size_t dim, std::uint64_t seed) {
  std::vector<std::complex<double>> weights;
  for (std::size_t j = 0; j < n; ++j) {
    RandomStream random(seed, Purpose::derived_seed, j);
    const double real = random.normal();
    weights.emplace_back(real, random.normal());
  }
  return {random_matrix(n, dim, seed), std::move(weights)};
}

/// A copy with `stride` elements per row, what lies between the rows filled with `filling`.
template <class T>
std::vector<T> spread(const Matrix<T>& matrix, std::size_t stride, T filling) {
  std::vector<T> spread_out(matrix.rows() * stride, filling);
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j) spread_out[i * stride + j] = matrix(i, j);
  return spread_out;
}

}  // namespace askrff::test
