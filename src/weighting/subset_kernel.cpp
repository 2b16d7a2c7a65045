// Kernel matrix of a subset, and its symmetric and skew part.
#include "weighting/subset_kernel.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace askrff::weighting {

SplitKernelMatrix split_kernel_matrix(const Kernel& kernel, const RowsView<double>& rows, const Execution& execution) {
  const std::size_t n = rows.rows();
  Matrix<double> K(n, n);
  constexpr std::size_t rows_at_once = 128;
  for (std::size_t i = 0; i < n; i += rows_at_once) {
    execution.stop.check();
    const std::size_t count = std::min(rows_at_once, n - i);
    kernel.evaluate_any_pairs(rows.middle_rows(i, count), rows, K.view().middle_rows(i, count), execution.backend);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (const double value : K.row(i))
      if (!std::isfinite(value))
        throw InvalidArgument(kernel.name(), fmt::format("the kernel returned {} between rows of the subset", value));
  SplitKernelMatrix split{Matrix<double>(n, n), Matrix<double>(n, n)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      split.symmetric(i, j) = 0.5 * K(i, j) + 0.5 * K(j, i);
      split.skew(i, j) = 0.5 * K(i, j) - 0.5 * K(j, i);
    }
  return split;
}

double inner_product(const Matrix<double>& A, const Matrix<double>& B) {
  double sum = 0;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) sum += A(i, j) * B(i, j);
  return sum;
}

}  // namespace askrff::weighting
