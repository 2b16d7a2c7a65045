// Fits and applies a column scaling.
#include "column_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace askrff::cli {

ColumnScale ColumnScale::fitted_to(MatrixView<const double> X) {
  ColumnScale scale{std::vector<double>(X.cols()), std::vector<double>(X.cols())};
  for (std::size_t j = 0; j < X.cols(); ++j) {
    double low = X(0, j), high = low;
    for (std::size_t i = 1; i < X.rows(); ++i) {
      low = std::min(low, X(i, j));
      high = std::max(high, X(i, j));
    }
    scale.minimum[j] = low;
    scale.width[j] = high - low;
    if (!std::isfinite(scale.width[j]))
      throw std::invalid_argument(
          fmt::format("--scale: column {} goes from {} to {}, which is wider than a number can be; use --scale none", j + 1, low, high));
  }
  return scale;
}

// A column that was constant is moved only: a new value of it then shows, as a row outside the range.
void ColumnScale::apply(Matrix<double>& X) const {
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) X(i, j) = (X(i, j) - minimum[j]) / (width[j] == 0 ? 1.0 : width[j]);
}

}  // namespace askrff::cli
