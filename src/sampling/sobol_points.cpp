// Sobol's sequence, scrambled as Owen does (a bit is flipped or not depending on all bits above it), through the inverse normal law.
#include <fmt/format.h>

#include <boost/random/sobol.hpp>

#include "core/portable_quantiles.hpp"
#include "sampling/normal_points.hpp"
#include "sampling/rotation.hpp"
#include "askrff/errors.hpp"

namespace askrff::sampling {
namespace {

constexpr std::size_t max_sobol_dimensions = 1000;
constexpr int scrambled_bits = 32;  // of 53; the others are random

// One random bit for every key: the finaliser of a 64-bit hash (multiplications and shifts, a bijection that mixes every bit).
bool hashed_bit(std::uint64_t key) {
  key ^= key >> 30;
  key *= 0xbf58476d1ce4e5b9ULL;
  key ^= key >> 27;
  key *= 0x94d049bb133111ebULL;
  return ((key ^ (key >> 31)) >> 63) != 0;
}

std::uint64_t scrambled(std::uint64_t bits, std::uint64_t key) {
  std::uint64_t out = 0;
  for (int i = 0; i < scrambled_bits; ++i) {
    const int place = 63 - i;
    const std::uint64_t above = i == 0 ? 0 : bits >> (64 - i);     // the bits above, as a number of i bits …
    const std::uint64_t prefix = above | (std::uint64_t{1} << i);  // … marked with their number
    const bool flip = hashed_bit(key + prefix * 0x9e3779b97f4a7c15ULL);
    out |= ((bits >> place & 1) ^ static_cast<std::uint64_t>(flip)) << place;
  }
  return out;
}

}  // namespace

NormalPoints sobol_points(std::size_t n, std::size_t dim, std::span<const double> direction, SetSeed seed, const StopToken& stop) {
  if (dim > max_sobol_dimensions)
    throw InvalidArgument(
        fmt::format("sobol sampler: {} dimensions, expected at most {}; use orthogonal or mub", dim, max_sobol_dimensions));
  boost::random::sobol sequence(dim);
  RandomStream keys = set_stream(seed, 0);
  std::vector<std::uint64_t> key(dim);
  for (auto& value : key) value = keys.bits();
  NormalPoints set{Matrix<double>(n, dim), std::vector<double>(n, 1 / static_cast<double>(n))};
  for (std::size_t j = 0; j < n; ++j) {
    stop.check();
    RandomStream random = set_stream(seed, 1 + j);
    for (std::size_t k = 0; k < dim; ++k) {
      const std::uint64_t bits = scrambled(sequence(), key[k]) | (random.bits() >> scrambled_bits);
      const double u = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;  // in (0, 1)
      set.points(j, k) = portable::normal_quantile(u);
    }
  }
  if (!direction.empty()) turn_first_axis_to(direction, set.points.view());
  return set;
}

}  // namespace askrff::sampling
