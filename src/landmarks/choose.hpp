// Which rows of a pool become landmarks.
#pragma once

#include <vector>

#include "askrff/nystrom.hpp"

namespace askrff::landmarks {

/// At most `count` rows of the pool, in the order of their choice; fewer if all that is left of the others is rounding. Throws
/// std::invalid_argument for kernel values that are not finite.
///
/// Row p stands for the functions k(p,·) and k(·,p), both at the first `count` rows T of the pool (so few, because that many rows see the
/// rank there is to be found): R(p) = [k(p,T), k(T,p)ᵀ]. A chosen row is projected out of all others, as in a QR factorisation with
/// column pivoting; no definiteness is needed, as Cholesky would. Memory: pool × 2·count doubles.
std::vector<std::size_t> choose_pivots(const Kernel& kernel, MatrixView<const double> pool, std::size_t count, Landmarks how,
                                       std::uint64_t seed, const Execution& execution);

}  // namespace askrff::landmarks
