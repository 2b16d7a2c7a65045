// Rows picked out of a matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "askrff/views.hpp"

namespace askrff {

/// The rows of `data` with the given numbers, in that order.
inline Matrix<double> take_rows(MatrixView<const double> data, std::span<const std::size_t> rows) {
  Matrix<double> taken(rows.size(), data.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(data.row(rows[i]), taken.row(i).begin());
  return taken;
}

}  // namespace askrff
