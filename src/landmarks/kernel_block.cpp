// Kernel values by blocks of rows.
#include "landmarks/kernel_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "core/transpose.hpp"
#include "askrff/errors.hpp"

namespace askrff::landmarks {
namespace {

constexpr std::size_t task_rows = 128;

Team team_for_values(const Kernel& kernel, std::size_t rows, std::size_t cols, const Execution& execution) {
  return team_for(4 * static_cast<double>(rows) * static_cast<double>(cols), execution, kernel.thread_safe());
}

}  // namespace

void require_finite_values(const Kernel& kernel, MatrixView<const double> values) {
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (const double value : values.row(i))
      if (!std::isfinite(value))
        throw InvalidArgument(
            "nystrom", fmt::format("kernel {} returned {} between a row and a landmark, expected finite numbers", kernel.name(), value));
}

void kernel_block(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                  const Execution& execution) {
  parallel_for(ceil_div(X.rows(), task_rows), team_for_values(kernel, X.rows(), Y.rows(), execution), [&](std::size_t task) {
    const std::size_t first = task * task_rows, count = std::min(task_rows, X.rows() - first);
    kernel.evaluate_any_pairs(X.middle_rows(first, count), Y, out.middle_rows(first, count), execution.backend);
    require_finite_values(kernel, out.middle_rows(first, count));
  });
}

void transposed_kernel_block(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                             const Execution& execution) {
  parallel_for(ceil_div(Y.rows(), task_rows), team_for_values(kernel, X.rows(), Y.rows(), execution), [&](std::size_t task) {
    const std::size_t first = task * task_rows, count = std::min(task_rows, Y.rows() - first);
    Matrix<double> block(X.rows(), count);
    kernel.evaluate_any_pairs(X, Y.middle_rows(first, count), block.view(), execution.backend);
    require_finite_values(kernel, block);
    transpose<double>(block, out.middle_rows(first, count));
  });
}

}  // namespace askrff::landmarks
