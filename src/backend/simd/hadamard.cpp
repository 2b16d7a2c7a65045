// Signs and scales → diagonals and scales in turns, in both precisions.
#include "backend/simd/hadamard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace askrff::backend::simd {
namespace {

/// The least number of blocks, at least `wanted`, that fills whole panels of floats.
std::size_t whole_panels(std::size_t wanted, std::size_t padded_dim) {
  const std::size_t per_panel = std::max<std::size_t>(1, panel_width<float> / padded_dim);
  return (wanted + per_panel - 1) / per_panel * per_panel;
}

constexpr double largest_float_scale = 0x1p64;

template <class T>
HadamardFactors<T> factors_of(const HadamardBlocks& blocks, std::size_t n_blocks) {
  const std::size_t padded = blocks.padded_dim;
  const auto size = static_cast<long double>(padded);
  HadamardFactors<T> factors{AlignedBuffer<T>(n_blocks * 3 * padded), AlignedBuffer<T>(n_blocks * padded)};
  for (std::size_t i = 0; i < factors.diagonals.size(); ++i) {
    const T sign = i < blocks.signs.size() ? static_cast<T>(blocks.signs[i]) : T{1};
    factors.diagonals[i] = i / padded % 3 == 0 ? sign / static_cast<T>(size * size) : sign;
  }
  // 1/P^1.5 of three orthonormal matrices over the P^-2 that the first diagonal holds.
  const long double turns = std::sqrt(size) / (2 * std::numbers::pi_v<long double>);
  for (std::size_t j = 0; j < factors.scales.size(); ++j) {
    const double scale = j < blocks.size() ? blocks.scales[j] : 0.0;
    const bool usable = sizeof(T) == sizeof(double) || std::fabs(scale) <= largest_float_scale;
    factors.scales[j] = usable ? static_cast<T>(scale * turns) : T{0};
  }
  return factors;
}

}  // namespace

HadamardProjection::HadamardProjection(const HadamardBlocks& blocks)
    : n(blocks.size()),
      dim(blocks.dim),
      padded_dim(blocks.padded_dim),
      n_blocks(whole_panels(blocks.n_blocks(), blocks.padded_dim)),
      in_float(factors_of<float>(blocks, n_blocks)),
      in_double(factors_of<double>(blocks, n_blocks)),
      reach(n_blocks * padded_dim),
      block_reach(n_blocks) {
  for (std::size_t j = 0; j < n; ++j) {
    const double size = std::fabs(blocks.scales[j]);
    reach[j] = size <= largest_float_scale ? size / (2 * std::numbers::pi) : std::numeric_limits<double>::infinity();
    double& largest = block_reach[j / padded_dim];
    largest = std::max(largest, reach[j]);
  }
}

}  // namespace askrff::backend::simd
