// Frequencies on a lattice: spread evenly over where a kernel's frequencies are, without gaps and crowds.
#pragma once

#include <cstddef>
#include <span>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff::weighting {

/// The n points of a lattice, one of each pair ±, that are nearest to 0 in |L⁻¹·|, L lower triangular with a positive diagonal. The lattice
/// is that of integers and of integers + 1/2 in all coordinates, times `cell` and a number for which the points fill |L⁻¹ω| ≤ reach, about:
/// sums of its waves repeat themselves in space as far apart as balls in a dense packing (D_d). Not random. Empty where too many points are
/// equally near to tell n of them.
Matrix<double> lattice_points(std::size_t n, MatrixView<const double> L, std::span<const double> cell, double reach, const StopToken& stop);

}  // namespace askrff::weighting
