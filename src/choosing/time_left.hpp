// How long a search will go on, by what it has tried.
#pragma once

#include <optional>
#include <span>

#include "askrff/choose.hpp"

namespace askrff::choosing {

/// The most that is tried: the time of a fit grows with their cube.
inline constexpr std::size_t max_nystrom_features = 1024;

/// Seconds until the map is there, about: within a factor of 2 or 3 where errors fall steadily with the size, and without what comes after
/// the kind of maps that is tried now. Nothing if a tolerance is given and fewer than two sizes of that kind were made, or the error does
/// not fall. `wanted`: the error looked for.
std::optional<double> seconds_left(std::span<const Candidate> tried, const ChooseOptions& options, double wanted);

}  // namespace askrff::choosing
