// Exact kernel values on all pairs of a few rows, split into symmetric and skew part: what every fit on a subset starts from.
#pragma once

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::weighting {

struct SplitKernelMatrix {
  Matrix<double> symmetric, skew;  ///< (K ± Kᵀ)/2
};

/// Throws std::invalid_argument if the kernel returns a value that is not finite.
SplitKernelMatrix split_kernel_matrix(const Kernel& kernel, const RowsView<double>& rows, const Execution& execution);

/// Frobenius inner product.
double inner_product(const Matrix<double>& A, const Matrix<double>& B);

}  // namespace askrff::weighting
