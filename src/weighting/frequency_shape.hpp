// How far generic frequencies should reach in every direction, by the kernel's slopes on the data and the spread of the data.
#pragma once

#include <cstdint>
#include <vector>

#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::weighting {

struct FrequencyShape {
  Matrix<double> factor = {};       ///< lower triangular, L; L·z, z standard normal, are frequencies
  std::vector<double> spread = {};  ///< root mean squares of the differences of rows, by coordinate

  bool empty() const { return spread.empty(); }
};

/// L Lᵀ is E ∇k ∇kᵀ / E k², the second moments of the frequencies that k is made of on the data, plus spread_share/spread² for every
/// coordinate: fewer waves than fit between the rows tell nothing apart. Rounded, so that roundings of k do not change the frequencies.
/// Empty for sparse rows, more than 64 columns, columns without spread, and a kernel that is 0 or not finite on the differences looked at.
FrequencyShape frequency_shape(const Kernel& kernel, const RowsView<double>& data, double spread_share, std::uint64_t seed,
                               const StopToken& stop);

}  // namespace askrff::weighting
