// Rotated mutually unbiased bases with stratified lengths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/portable_quantiles.hpp"
#include "sampling/normal_points.hpp"
#include "sampling/rotation.hpp"
#include "sampling/unbiased_bases.hpp"
#include "askrff/errors.hpp"

namespace askrff::sampling {
namespace {

constexpr std::size_t max_mub_dimensions = 2000;

std::vector<std::size_t> random_order(std::size_t n, RandomStream& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

// Lengths of the chi law, one from each of n layers of equal probability, in random order: each by itself has exactly that law.
std::vector<double> stratified_lengths(std::size_t n, std::size_t dim, RandomStream& random) {
  const portable::ChiQuantile quantile(dim);
  const auto order = random_order(n, random);
  std::vector<double> lengths(n);
  for (std::size_t j = 0; j < n; ++j) lengths[j] = quantile((static_cast<double>(order[j]) + random.uniform()) / static_cast<double>(n));
  return lengths;
}

// out = direction·rotation, the first coordinates of it.
void rotate(std::span<const double> direction, const Matrix<double>& rotation, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (std::size_t i = 0; i < direction.size(); ++i)
    if (direction[i] != 0)
      for (std::size_t k = 0; k < out.size(); ++k) out[k] += direction[i] * rotation(i, k);
}

}  // namespace

NormalPoints mub_points(std::size_t n, std::size_t dim, SetSeed seed, const StopToken& stop) {
  if (dim > max_mub_dimensions)
    throw InvalidArgument(
        fmt::format("mub sampler: {} dimensions, expected at most {}: its rotation takes their cube; use structured or orthogonal", dim,
                    max_mub_dimensions));
  std::size_t p = std::max<std::size_t>(3, (dim + 1) / 2);
  while (!is_odd_prime(p)) ++p;
  const std::size_t design_size = 3 * p * (p + 1), frames_size = 2 * p * (p + 1);
  NormalPoints set{Matrix<double>(n, dim), std::vector<double>(n, 1 / static_cast<double>(n))};
  std::vector<double> direction(2 * p);
  for (std::size_t first = 0; first < n; first += design_size) {
    RandomStream random = set_stream(seed, first / design_size);
    const Matrix<double> rotation = random_rotation(2 * p, 2 * p, random, stop);
    const auto bases = random_order(p + 1, random);
    const std::size_t count = std::min(design_size, n - first);
    // The design takes the phases 0, π/3, 2π/3. Fewer points do better with 0, π/2: then each basis is orthonormal in R^{2p} as well.
    const std::size_t n_phases = count > frames_size ? 3 : 2, step = count > frames_size ? 2 : 3, basis_size = n_phases * p;
    for (std::size_t j = 0; j < count; ++j) {
      stop.check();
      fill_unbiased_direction(p, bases[j / basis_size], j % p, step * (j / p % n_phases), direction);
      rotate(direction, rotation, set.points.row(first + j));
    }
  }
  RandomStream random = set_stream(seed, (std::uint64_t{1} << 39));
  const auto lengths = stratified_lengths(n, 2 * p, random);
  for (std::size_t j = 0; j < n; ++j)
    for (double& coordinate : set.points.row(j)) coordinate *= lengths[j];
  return set;
}

}  // namespace askrff::sampling
