// Random orthogonal matrices and reflections, by portable arithmetic.
#pragma once

#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/random.hpp"
#include "askrff/views.hpp"

namespace askrff::sampling {

/// The first `count` ≤ dim rows of a dim × dim matrix that is uniform among the orthogonal ones. Cost O(count²·dim).
Matrix<double> random_rotation(std::size_t count, std::size_t dim, RandomStream& random, const StopToken& stop = {});

/// Reflects every row so that the first coordinate axis becomes `direction`, a unit vector.
void turn_first_axis_to(std::span<const double> direction, MatrixView<double> rows);

}  // namespace askrff::sampling
