// Rows in the precision the features are computed in.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "askrff/views.hpp"

namespace askrff::cli {

/// Copies X into the first rows of `rounded`, which grows if it is too small, and returns those. T: float or double. Throws
/// std::invalid_argument for a number too large for T.
template <class T>
MatrixView<const T> round_rows(MatrixView<const double> X, Matrix<T>& rounded) {
  if (rounded.rows() < X.rows() || rounded.cols() != X.cols()) rounded = Matrix<T>(X.rows(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if constexpr (std::is_same_v<T, float>)
      for (const double x : X.row(i))
        if (std::abs(x) > std::numeric_limits<float>::max())
          throw std::invalid_argument(fmt::format("a row holds {}, which is too large for float32, expected float64 or scaled columns", x));
    std::ranges::transform(X.row(i), rounded.row(i).begin(), [](double x) { return static_cast<T>(x); });
  }
  return rounded.view().middle_rows(0, X.rows());
}

}  // namespace askrff::cli
