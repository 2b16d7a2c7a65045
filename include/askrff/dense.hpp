// Dense linear algebra at the machine's speed, on the same register tiles as the features: no BLAS is needed, so none can be misdetected.
#pragma once

#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// out = A·Bᵀ: the inner products of all rows of A with all rows of B. Each entry is summed in the order of the columns, whatever the
/// blocks and threads. Throws std::invalid_argument for wrong sizes.
void product_of_rows(MatrixView<const float> A, MatrixView<const float> B, MatrixView<float> out, const Execution& execution = {});
void product_of_rows(MatrixView<const double> A, MatrixView<const double> B, MatrixView<double> out, const Execution& execution = {});

/// A = L·Lᵀ: replaces the lower triangle of a symmetric positive definite A by L; only that triangle is read, and the other is left alone.
/// Throws std::invalid_argument if A is not square or not finite, NumericalError (with the pivot) if it is not positive definite; A is
/// spoilt then.
void cholesky(MatrixView<float> A, const Execution& execution = {});
void cholesky(MatrixView<double> A, const Execution& execution = {});

/// Replaces B, rows of L × any number of columns, by the solution of L·Lᵀ·X = B; L as cholesky leaves it. Throws std::invalid_argument for
/// wrong sizes.
void solve_cholesky(MatrixView<const float> L, MatrixView<float> B, const Execution& execution = {});
void solve_cholesky(MatrixView<const double> L, MatrixView<double> B, const Execution& execution = {});

/// Replaces B by X with X·Lᵀ = B: every row by the solution of L·x = row, L as cholesky leaves it. Throws std::invalid_argument for wrong
/// sizes.
void solve_rows(MatrixView<const double> L, MatrixView<double> B, const Execution& execution = {});

}  // namespace askrff
