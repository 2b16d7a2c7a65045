// The grid for a number of frequencies.
#pragma once

#include <cstddef>
#include <span>

#include "askrff/measure.hpp"
#include "askrff/structure.hpp"

namespace askrff::sampling {

/// A grid reaches over so much more than the rows it is made for: others like them may lie a little outside.
inline constexpr double grid_reserve = 1.1;

/// The one with the smallest bounds that has at most n frequencies, for differences up to `extent`. Throws InvalidArgument for other than 1
/// to 3 dimensions, a measure that knows no bounds, and where n is too few for a bound below 1/2.
FrequencyGrid grid_of_at_most(const ComplexMeasure& measure, std::size_t n, std::span<const double> extent);

}  // namespace askrff::sampling
