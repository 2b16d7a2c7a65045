// Checks of a caller's matrices, with messages that say who, got, wanted.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Throws std::invalid_argument unless the matrix has `cols` columns.
template <class T>
void require_columns(MatrixView<T> matrix, std::size_t cols, std::string_view who, std::string_view name, std::string_view wanted) {
  if (matrix.cols() != cols) throw InvalidArgument(who, fmt::format("{} has {} columns, {} {}", name, matrix.cols(), wanted, cols));
}

/// Throws std::invalid_argument unless the matrix is rows × cols.
template <class T>
void require_shape(MatrixView<T> matrix, std::size_t rows, std::size_t cols, std::string_view who, std::string_view name) {
  if (matrix.rows() != rows || matrix.cols() != cols)
    throw InvalidArgument(who, fmt::format("{} is {} x {}, expected {} x {}", name, matrix.rows(), matrix.cols(), rows, cols));
}

/// Throws std::invalid_argument unless every element is finite, Stopped on request.
template <class T>
void require_finite(MatrixView<const T> matrix, std::string_view who, std::string_view name, const StopToken& stop = {}) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    if (i % 256 == 0) stop.check();
    for (std::size_t j = 0; j < matrix.cols(); ++j)
      if (!std::isfinite(matrix(i, j)))
        throw InvalidArgument(who, fmt::format("{} holds {} in row {}, column {}; expected finite numbers", name, matrix(i, j), i, j));
  }
}

}  // namespace askrff
