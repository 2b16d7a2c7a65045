// Random waves and rows with their exact values, and the checks of what a backend makes of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "backend/backend.hpp"
#include "oracle/oracle.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {

using oracle::Real;

/// Random waves and rows, and the exact values.
template <class T>
struct Case {
  using Scalar = T;

  Matrix<double> omega, amplitudes;
  Matrix<T> X;
  std::vector<double> along, across;

  Case(std::size_t rows, std::size_t n, std::size_t dim, double scale = 1)
      : omega(random_matrix(n, dim, 10 * n + dim)),
        amplitudes(random_matrix(n, 2, 20 * n + dim)),
        X(random_rows<T>(rows, dim, 30 * rows + dim, scale)) {
    for (std::size_t j = 0; j < n; ++j) along.push_back(amplitudes(j, 0)), across.push_back(j % 3 == 0 ? 0.0 : amplitudes(j, 1));
  }
  backend::Amplitudes waves() const { return {along, across}; }
  std::unique_ptr<const backend::Projection> projection(const backend::Primitives& primitives) const {
    return primitives.make_projection(omega);
  }

  struct Exact {
    Real value, error;  // error: as stated in features.hpp
  };
  /// Feature f of row i.
  Exact at(std::size_t i, std::size_t f, bool reference) const {
    const std::size_t n = omega.rows(), j = f % n, dim = omega.cols();
    Real u = 0, size = 0, largest = 0, reach = 0;
    for (std::size_t c = 0; c < dim; ++c) {
      const Real term = static_cast<Real>(omega(j, c)) * X(i, c);
      u += term;
      size += std::fabs(term);
      largest = std::max(largest, std::fabs(static_cast<Real>(X(i, c))));
      reach += std::fabs(static_cast<Real>(omega(j, c)));
    }
    const Real a = along[j], b = across[j], modulus = std::hypot(a, b);
    size += b == 0 ? 0 : a == 0 ? std::numbers::pi_v<Real> / 2 : std::fabs(std::atan(b / a));
    const Real value = f < n ? a * std::cos(u) - b * std::sin(u) : a * std::sin(u) + b * std::cos(u);
    const Real in_double = static_cast<Real>(dim + 3) * 0x1p-53L * size + 1.3e-15L;
    if constexpr (std::is_same_v<T, double>) return {value, modulus * in_double};
    if (reference) return {value, modulus * in_double + std::fabs(value) * 0x1p-24L * (1 + 1e-6L)};
    const Real in_float = largest * reach <= 804 ? static_cast<Real>(dim + 3) * 0x1p-24L * size : in_double + 2e-7L;
    return {value, modulus * (in_float + 7e-7L)};
  }
};

/// Every entry within the stated error of the oracle, and nothing written beside the output.
template <class Given>
void check_waves(const backend::Primitives& primitives, const Given& given, std::size_t in_gap, std::size_t out_gap,
                 backend::Store store = backend::Store::cached) {
  using T = typename Given::Scalar;
  const std::size_t rows = given.X.rows(), n = given.omega.rows(), dim = given.omega.cols();
  const std::size_t in_stride = dim + in_gap, out_stride = 2 * n + out_gap;
  const auto x = spread<T>(given.X, in_stride, std::numeric_limits<T>::quiet_NaN());
  Matrix<T> out(rows, out_stride);
  const T filling = -77;
  std::fill_n(out.data(), rows * out_stride, filling);
  const auto projection = given.projection(primitives);
  primitives.of<T>().waves(*projection, given.waves(), backend::Rows<const T>{x.data(), rows, in_stride}, {out.data(), rows, out_stride},
                           store);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t f = 0; f < 2 * n; ++f) {
      const auto exact = given.at(i, f, primitives.name == "reference");
      ASSERT_LE(std::fabs(static_cast<Real>(out(i, f)) - exact.value), exact.error)
          << rows << " rows, " << n << " waves, dim " << dim << " at " << i << ", " << f;
    }
    for (std::size_t gap = 2 * n; gap < out_stride; ++gap) ASSERT_EQ(out(i, gap), filling);
  }
}

/// Φw and Φᵀv against sums of exact features.
template <class Given>
void check_sums(const backend::Primitives& primitives, const Given& given) {
  using T = typename Given::Scalar;
  const std::size_t rows = given.X.rows(), n = given.omega.rows(), dim = given.omega.cols();
  const auto projection = given.projection(primitives);
  std::vector<T> weights(2 * n), values(rows), times(rows, T{3});
  std::vector<double> sums(2 * n, 5.0);
  for (std::size_t f = 0; f < 2 * n; ++f) weights[f] = static_cast<T>(std::cos(static_cast<double>(f)));
  for (std::size_t i = 0; i < rows; ++i) values[i] = static_cast<T>(std::sin(static_cast<double>(i) + 0.5));
  primitives.of<T>().waves_times(*projection, given.waves(), backend::rows_of(given.X.view()), weights.data(), times.data());
  primitives.of<T>().waves_transposed_times(*projection, given.waves(), backend::rows_of(given.X.view()), values.data(), sums.data());
  const bool reference = primitives.name == "reference";
  const Real rounding = std::numeric_limits<T>::epsilon();
  std::vector<Real> column(2 * n, 5), column_error(2 * n);
  for (std::size_t i = 0; i < rows; ++i) {
    Real row = 3, row_error = 3 * rounding;
    for (std::size_t f = 0; f < 2 * n; ++f) {
      const auto exact = given.at(i, f, reference);
      const Real modulus = std::hypot(given.along[f % n], given.across[f % n]);
      row += exact.value * weights[f];
      row_error += std::fabs(static_cast<Real>(weights[f])) * (exact.error + modulus * rounding * (4 + static_cast<Real>(n) / 8));
      column[f] += exact.value * values[i];
      column_error[f] += std::fabs(static_cast<Real>(values[i])) * (exact.error + modulus * rounding * (4 + 96));
    }
    ASSERT_LE(std::fabs(times[i] - row), row_error) << rows << " " << n << " " << dim << " row " << i;
  }
  for (std::size_t f = 0; f < 2 * n; ++f)
    ASSERT_LE(std::fabs(sums[f] - column[f]), column_error[f] + 1e-15L) << rows << " " << n << " " << dim << " feature " << f;
}

}  // namespace askrff::test
