// Least squares under x ≥ 0.
#pragma once

#include <span>
#include <vector>

#include "weighting/wave_matrix.hpp"

namespace askrff::weighting {

/// The x ≥ 0 that minimises ½ xᵀ(gram + shift·I)x - right·x; empty if it is not found: where gram + shift·I is singular to working
/// precision, signs are those of rounding. `is_positive` says which entries to begin with as positive and, afterwards, which are: the
/// solution for another shift begins near it. Block principal pivoting: all entries of a wrong sign change sides at once, and one at a time
/// where that does not help; some rounds are enough.
std::vector<double> solve_non_negative(const NormalSystem& system, double shift, std::span<const double> right,
                                       std::vector<bool>& is_positive, const Execution& execution);

}  // namespace askrff::weighting
