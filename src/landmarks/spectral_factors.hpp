// What both ways to factors of a matrix share: the singular value decomposition of what stands between two bases, truncated.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "askrff/kernel_matrix.hpp"
#include "landmarks/factors.hpp"

namespace askrff::landmarks {

/// K ≈ leftᵀ·diag(values)·right, vectors as rows. Of a symmetric K left is right but for signs.
struct SignedSvd {
  Matrix<double> left, right;
  std::vector<double> values;
};

/// The even power of two that brings the largest number to about 1, so that sums of squares are numbers; 0 if all are 0.
double unit_scale(const Matrix<double>& values);
double unit_scale(std::span<const double> values);
void scale_all(Matrix<double>& values, double factor);

/// The `rank` leading triplets of a small matrix that are above `cutoff` of the first (and above rounding for vectors of `size`); by
/// eigenvalues if it is symmetric, of which (A + Aᵀ)/2 is taken.
SignedSvd truncated_core(Matrix<double> A, bool symmetric, std::size_t rank, double cutoff, std::size_t size, const Execution& execution);

/// The triplets of all of K, left and right vectors of its rows() and cols(). Empty if K is zero.
SignedSvd range_svd(const LinearMap& K, bool symmetric, std::size_t rank, double cutoff, std::uint64_t seed, const Execution& execution);

/// By landmarks: factors of those rows and columns, whose places are in the result. No features if K is zero there.
MatrixFactors cross_factors(const LinearMap& K, bool symmetric, const MatrixOptions& options);

}  // namespace askrff::landmarks
