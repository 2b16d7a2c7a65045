// Checks of a caller's matrices, with messages that say who, got, wanted.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "askrff/sparse.hpp"
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

/// Whether all are: then x - x is 0, else not a number. Sums of eight at once, and no branch for each.
template <class T>
bool all_finite(std::span<const T> values) {
  constexpr std::size_t lanes = 8;
  T sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += values[i + l] - values[i + l];
  for (; i < values.size(); ++i) sums[0] += values[i] - values[i];
  T sum = 0;
  for (const T each : sums) sum += each;
  return sum == 0;
}

/// Throws std::invalid_argument unless every element is finite, Stopped on request.
template <class T>
void require_finite(MatrixView<const T> matrix, std::string_view who, std::string_view name, const StopToken& stop = {}) {
  constexpr std::size_t rows_at_once = 256;
  for (std::size_t first = 0; first < matrix.rows(); first += rows_at_once) {
    stop.check();
    const std::size_t end = std::min(first + rows_at_once, matrix.rows());
    if (matrix.stride() == matrix.cols() && all_finite(std::span(matrix.data() + first * matrix.cols(), (end - first) * matrix.cols())))
      continue;
    for (std::size_t i = first; i < end; ++i)
      for (std::size_t j = 0; j < matrix.cols(); ++j)
        if (!std::isfinite(matrix(i, j)))
          throw InvalidArgument(who, fmt::format("{} holds {} in row {}, column {}; expected finite numbers", name, matrix(i, j), i, j));
  }
}

/// The same of sparse rows, whose column is that of the matrix.
template <class T>
void require_finite(SparseView<T> rows, std::string_view who, std::string_view name, const StopToken& stop = {}) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (i % 256 == 0) stop.check();
    const auto values = rows.values_of(i);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k]))
        throw InvalidArgument(
            who, fmt::format("{} holds {} in row {}, column {}; expected finite numbers", name, values[k], i, rows.columns_of(i)[k]));
  }
}

/// Rows of either kind.
template <class T>
void require_finite_rows(const RowsView<T>& rows, std::string_view who, std::string_view name, const StopToken& stop = {}) {
  if (rows.is_sparse())
    require_finite(rows.sparse(), who, name, stop);
  else
    require_finite<T>(rows.dense(), who, name, stop);
}
template <class T>
void require_row_columns(const RowsView<T>& rows, std::size_t cols, std::string_view who, std::string_view name, std::string_view wanted) {
  if (rows.cols() != cols) throw InvalidArgument(who, fmt::format("{} has {} columns, {} {}", name, rows.cols(), wanted, cols));
}

}  // namespace askrff
