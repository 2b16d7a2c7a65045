// How far generic frequencies should reach in every direction, by the kernel's slopes on the data and the spread of the data.
#pragma once

#include <cstdint>

#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::weighting {

/// A triangular matrix L; frequencies are multiples of L·z, z standard normal. L Lᵀ is E ∇k ∇kᵀ / E k², the second moments of the
/// frequencies that k is made of on the data, plus spread_share/spread² for every coordinate: fewer waves than fit between the rows tell
/// nothing apart. Rounded, so that roundings of k do not change the frequencies. Empty for sparse rows, more than 64 columns, columns
/// without spread, and a kernel that is 0 or not finite on the differences looked at.
Matrix<double> frequency_shape(const Kernel& kernel, const RowsView<double>& data, double spread_share, std::uint64_t seed,
                               const StopToken& stop);

}  // namespace askrff::weighting
