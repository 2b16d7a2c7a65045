// Which rows of a pool become landmarks.
#pragma once

#include <algorithm>
#include <vector>

#include "askrff/nystrom.hpp"

namespace askrff::landmarks {

/// Rows of a matrix in the order of their choice, and what they are made of: row i is Σ_{j <= i} triangle(i,j) q_j with orthonormal q_j.
struct Pivots {
  std::vector<std::size_t> rows;
  Matrix<double> triangle;  ///< lower; its diagonal is what was left of each row when it was chosen
};

/// At most `count` rows of a matrix R, pivoted or greedy; fewer if all that is left of the others is below `cutoff`, relative to the
/// largest row, or rounding. A chosen row is projected out of all others, as in a QR factorisation with column pivoting; no definiteness is
/// needed, as Cholesky would. What is left of a row is known by its coefficients; rows themselves are reduced only when that has lost half
/// the digits. Memory: R.rows() × count doubles beside R. The same bits for any number of threads.
Pivots pivots_of(Matrix<double> R, std::size_t count, Landmarks how, double cutoff, std::uint64_t seed, const Execution& execution);

/// Pivots among the rows of a pool, where row p stands for the functions k(p,·) and k(·,p), at some more than `count` rows t of the pool
/// (so few, because that many rows see the rank there is to be found): R(p) holds k(p,t) for half of them and k(t,p) for the others; both
/// for all where they are the whole pool. Throws std::invalid_argument for kernel values that are not finite.
std::vector<std::size_t> choose_pivots(const Kernel& kernel, const RowsView<double>& pool, std::size_t count, Landmarks how, double cutoff,
                                       std::uint64_t seed, const Execution& execution);

/// How many rows see the rank that `count` functions of `most` rows can have.
inline std::size_t n_test_rows(std::size_t count, std::size_t most) { return std::min(count + count / 8 + 16, most); }

}  // namespace askrff::landmarks
