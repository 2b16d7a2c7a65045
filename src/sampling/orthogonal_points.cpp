// Blocks of orthogonal directions.
#include <algorithm>
#include <cmath>

#include "sampling/normal_points.hpp"
#include "sampling/rotation.hpp"

namespace askrff::sampling {

NormalPoints orthogonal_points(std::size_t n, std::size_t dim, SetSeed seed, const StopToken& stop) {
  NormalPoints set{Matrix<double>(n, dim), std::vector<double>(n, 1 / static_cast<double>(n))};
  for (std::size_t first = 0; first < n; first += dim) {
    RandomStream random = set_stream(seed, first / dim);
    const std::size_t count = std::min(n - first, dim);
    RandomStream lengths = set_stream(seed, (std::uint64_t{1} << 39) + first / dim);  // their own: a longer set begins with the shorter one
    const Matrix<double> directions = random_rotation(count, dim, random, stop);
    for (std::size_t j = first; j < first + count; ++j) {
      const double length = std::sqrt(lengths.chi_squared(static_cast<double>(dim)));
      for (std::size_t k = 0; k < dim; ++k) set.points(j, k) = length * directions(j - first, k);
    }
  }
  return set;
}

}  // namespace askrff::sampling
