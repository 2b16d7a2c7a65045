// One draw by acceptance-rejection from a measure's proposal, with a limit instead of an endless loop.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "askrff/measure.hpp"

namespace askrff::measures {

/// Fills omega with a draw from the normalised part and returns the number of proposals it took; empty if none of `max_proposals` was
/// accepted. Throws std::invalid_argument if the measure's proposal_bound is exceeded or its ratio is not finite.
std::optional<std::uint64_t> draw_by_rejection(const ComplexMeasure& measure, Part part, RandomStream& random, std::span<double> omega,
                                               std::uint64_t max_proposals);

}  // namespace askrff::measures
