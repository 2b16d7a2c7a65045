// The error of an approximation on rows it has not seen, with a confidence interval.
#pragma once

#include <cstddef>

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/kernel.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// The relative error ‖K-K̃‖_F/‖K‖_F of kernel matrices of `matrix_rows` rows like those given, and its two-sided 95 % interval: the rows
/// stand for the distribution they come from.
struct HeldOutError {
  double error = 0, lower = 0, upper = 0;
  std::size_t n_rows = 0, n_pairs = 0;  ///< compared: all pairs of the rows, the diagonal included
};

/// Compares all pairs of `rows`, which must have had no part in making the map, else the error is too small. Diagonal entries count one in
/// matrix_rows, as they do in such a matrix: where k is small between different rows, the error depends on it. The interval is that of the
/// jackknife over rows (pairs that share a row are not independent) on the logarithm of the squared ratio, with Student's quantile for as
/// many degrees of freedom as rows that carry the variance, and above with a correction for skewness. With heavy tails and few rows it may
/// still be too short. Cost and memory O(rows²); 1000 rows are plenty. Throws std::invalid_argument
/// for fewer than 3 rows, more than 20 000, wrong columns, numbers or kernel values that are not finite, matrix_rows of 0.
HeldOutError held_out_error(const Kernel& kernel, const FeatureMap& map, MatrixView<const double> rows, const Execution& execution = {},
                            std::size_t matrix_rows = 1000);

}  // namespace askrff
