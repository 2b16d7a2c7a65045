// From landmarks to factors: the truncated SVD of the core, then the best combinations on a sample of rows.
#pragma once

#include <vector>

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::landmarks {

/// Leading singular triplets, vectors as rows: A ≈ Σ_i values[i] left(i,·)ᵀ right(i,·).
struct TruncatedSvd {
  Matrix<double> left, right;
  std::vector<double> values;
};

/// The `rank` leading triplets of a square A, or all. A large A is first projected to the range of A(AᵀA)²Ω, Ω random, with an orthonormal
/// basis at every step. Error of a value σ_i: about 1e-14·σ_0 of rounding, and σ_i·(σ_{rank+16}/σ_i)^10 of the projection. The same bits
/// for any number of threads. Throws NumericalError if the iteration for a small SVD fails.
TruncatedSvd truncated_svd(MatrixView<const double> A, std::size_t rank, std::uint64_t seed, const Execution& execution);

/// Rows that turn kernel values at landmarks into features: left(x)_j = Σ_l k(x,z_l) left(j,l), right likewise with k(z_l,y).
struct Factors {
  Matrix<double> left, right;
  std::vector<double> values;
  bool one_sided = false;  ///< left and right are the same, their product is positive semi-definite
};

/// V Σ^{-1/2} and U Σ^{-1/2}, as rows, of the values that exceed `smallest`: left·rightᵀ is the pseudo-inverse. Of a
/// core that is symmetric and positive definite both are V Σ^{-1/2}: U differs from V in rounding only, which could turn a sign.
Factors balanced_inverse(const TruncatedSvd& core, double smallest, bool positive_definite);

/// The n_features combinations of the given features that are best on the sample: with left(S) = Q_l C_lᵀ, right(S) = Q_r C_rᵀ the product
/// left(S)·right(S)ᵀ is Q_l (C_lᵀ C_r) Q_rᵀ, and the SVD of the small matrix truncates the large one optimally. C are the Cholesky
/// factors of sums over blocks of rows: Cholesky does not mind that features differ in size by 1e6, as long as they are not collinear, and
/// on the landmarks they are orthogonal.
Factors best_on_sample(const Kernel& kernel, MatrixView<const double> landmarks, const Factors& factors, MatrixView<const double> sample,
                       std::size_t n_features, const Execution& execution);

}  // namespace askrff::landmarks
