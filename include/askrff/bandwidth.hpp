// A bandwidth for people who do not know one: the median distance of the data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "askrff/views.hpp"

namespace askrff {

/// Euclidean: √Σδ²; absolute: Σ|δ|, for kernels of that.
enum class Distance { euclidean, absolute };

/// The median distance of `n_pairs` random pairs of different rows (all of them if there are no more), leaving out pairs of equal rows:
/// where exp(-‖δ‖²/2σ²) varies over the data. Throws std::invalid_argument for fewer than two rows, numbers that are not finite, or rows
/// that are all the same.
double median_distance(MatrixView<const double> X, std::uint64_t seed, Distance distance = Distance::euclidean,
                       std::size_t n_pairs = 20'000);

}  // namespace askrff
