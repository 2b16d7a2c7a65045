// Columns mapped to [0,1] in a way that can be kept, so that later data is treated as the first was.
#pragma once

#include <cstddef>
#include <vector>

#include "askrff/views.hpp"

namespace askrff::cli {

/// x → (x - minimum)/width, column by column; a column without width becomes 0.
struct ColumnScale {
  std::vector<double> minimum, width;

  /// What maps the columns of X to [0,1], with the bits of scale_minmax(). Throws std::invalid_argument for numbers that are not finite or
  /// a column wider than the largest double.
  static ColumnScale fitted_to(MatrixView<const double> X);
  /// X has as many columns as the scale.
  void apply(Matrix<double>& X) const;
};

}  // namespace askrff::cli
