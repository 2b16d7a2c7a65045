// Which point set a sampler means for a measure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "askrff/sampling.hpp"
#include "sampling/normal_points.hpp"

namespace askrff::sampling {

/// Throws std::invalid_argument if n frequencies in `dim` dimensions (at least 1 and 1) do not fit into 16 GiB.
void require_room(const char* who, std::size_t n, std::size_t dim);

/// Throws std::invalid_argument unless there is one number for each dimension, or none, finite and not negative.
void check_extent(const ComplexMeasure& measure, const SamplingOptions& options);

/// The n points (fewer for quadrature and ridge) of options.sampler, which must not be exact, rejection, structured or grid; set `number`
/// of the seed. Throws std::invalid_argument if the measure lacks what the sampler needs.
NormalPoints point_set(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options, std::uint64_t number);

}  // namespace askrff::sampling
