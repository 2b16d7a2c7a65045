// Leading singular triplets.
#pragma once

#include <vector>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff::landmarks {

/// Leading singular triplets, vectors as rows: A ≈ Σ_i values[i] left(i,·)ᵀ right(i,·).
struct TruncatedSvd {
  Matrix<double> left, right;
  std::vector<double> values;
};

/// The `rank` leading triplets of A, or all. A large A is first projected to the range of A(AᵀA)²Ω, Ω random, with an orthonormal
/// basis at every step. Error of a value σ_i: about 1e-14·σ_0 of rounding, and σ_i·(σ_{rank+16}/σ_i)^10 of the projection. The same bits
/// for any number of threads. Throws NumericalError if the iteration for a small SVD fails.
TruncatedSvd truncated_svd(MatrixView<const double> A, std::size_t rank, std::uint64_t seed, const Execution& execution);

}  // namespace askrff::landmarks
