// One draw by acceptance-rejection from a measure's proposal, with a limit instead of an endless loop.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "askrff/execution.hpp"
#include "askrff/measure.hpp"

namespace askrff::measures {

/// Exact samplers that reject inside refuse a part with a smaller share of what they propose from than this, where they know it …
inline constexpr double min_share = 1e-6;
/// … and give up after this many proposals, where they do not: a false alarm at that share has probability e^-30.
inline constexpr std::uint64_t max_proposals = 30'000'000;

/// Fills omega with a draw from the normalised part and returns the number of proposals it took; empty if none of `n_proposals` was
/// accepted. Throws std::invalid_argument if the measure's proposal_bound is exceeded or its ratio is not finite.
std::optional<std::uint64_t> draw_by_rejection(const ComplexMeasure& measure, Part part, RandomStream& random, std::span<double> omega,
                                               std::uint64_t n_proposals, const StopToken& stop = {});

}  // namespace askrff::measures
