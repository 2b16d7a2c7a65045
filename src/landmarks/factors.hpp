// Leading singular triplets, and the products and small factorisations they are made of. Vectors are rows.
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

/// All triplets of a small A.
TruncatedSvd small_svd(MatrixView<const double> A, const Execution& execution);

/// A = Σ_i values[i] vectors(i,·)ᵀ vectors(i,·), the values ascending.
struct SymmetricEigen {
  Matrix<double> vectors;
  std::vector<double> values;
};
/// Of a small symmetric A, of which one triangle is read. Throws NumericalError if the iteration fails.
SymmetricEigen symmetric_eigen(const Matrix<double>& A, const Execution& execution);

/// The eigenvalues alone, ascending, of a symmetric A; the singular values alone, descending.
std::vector<double> symmetric_eigenvalues(const Matrix<double>& A, const StopToken& stop);
std::vector<double> singular_values(const Matrix<double>& A, const StopToken& stop);

/// Replaces rows by orthonormal ones that span the same space (or a larger one, if they were dependent); returns T with rows = T·new rows.
/// Roughly so, to 1e-5, if that will do: between two steps of an iteration.
Matrix<double> orthonormalise(Matrix<double>& rows, bool roughly, const Execution& execution);

/// A·Bᵀ.
Matrix<double> times_transposed(MatrixView<const double> A, MatrixView<const double> B, const Execution& execution);
/// sums += Aᵀ·B, of the same rows; only from the diagonal on if `upper`.
void add_transposed_product(MatrixView<const double> A, MatrixView<const double> B, bool upper, MatrixView<double> sums,
                            const Execution& execution);

}  // namespace askrff::landmarks
