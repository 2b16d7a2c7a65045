// From landmarks to factors: the matrix between k(x,Z) and k(Z,y) that suits a sample of rows best.
#pragma once

#include <vector>

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::landmarks {

/// Rows that turn kernel values at landmarks into features: left(x)_j = Σ_l k(x,z_l) left(j,l), right likewise with k(z_l,y).
struct Factors {
  Matrix<double> left, right;  ///< the same if the kernel is symmetric and positive definite: their product is positive semi-definite
  std::vector<double> values;  ///< the largest first, one for each feature
};

/// The best product of n_features (or fewer, if that is the rank) left and right features on S, which is the landmarks Z and the sample,
/// rows that are no landmarks (there may be none): with k(S,Z) = Q_l C_lᵀ and k(Z,S)ᵀ = Q_r C_rᵀ it is Q_l [Q_lᵀ K(S,S) Q_r]_n Q_rᵀ, [·]_n
/// the truncated SVD. Rows and columns of more than 1024 landmarks are multiplied by 1/2.
///
/// Landmarks that are next to combinations of others (by `cutoff`, see NystromOptions) are left out on the side where they are; none at all
/// if the kernel is zero. If it is not positive definite, a ridge keeps coefficients small that S says little about (landmarks/ridge.hpp).
/// Cost for L landmarks and n rows S: n(n + 2L) kernel values, 2n²L + 6nL² operations, and what the ridge takes. Memory: 3nL + 1024n
/// doubles.
Factors best_on_sample(const Kernel& kernel, const RowsView<double>& landmarks, const RowsView<double>& sample, std::size_t n_features,
                       double cutoff, std::uint64_t seed, const Execution& execution);

}  // namespace askrff::landmarks
