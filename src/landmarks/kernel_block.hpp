// Exact kernel values among rows, on all threads, refused if one is not a number: what landmarks and factors are made of.
#pragma once

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::landmarks {

/// out(i,j) = k(x_i - y_j). Throws std::invalid_argument, naming the kernel, if a value is not finite.
void kernel_block(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                  const Execution& execution);

/// The same transposed: out(j,i) = k(x_i - y_j).
void transposed_kernel_block(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                             const Execution& execution);

/// Throws std::invalid_argument, naming the kernel, unless all values are finite.
void require_finite_values(const Kernel& kernel, MatrixView<const double> values);

}  // namespace askrff::landmarks
