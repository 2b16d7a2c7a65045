// Structured Gaussian frequencies: signs of a block and length of a frequency, each from its own random stream.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "askrff/random.hpp"
#include "askrff/sampling.hpp"
#include "askrff/errors.hpp"

namespace askrff {
namespace {

constexpr std::size_t max_numbers = std::size_t{1} << 31;  // 16 GiB of frequencies

void draw_signs(std::uint64_t seed, std::size_t block, std::span<signed char> signs) {
  RandomStream random(seed, Purpose::structured_signs, block);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    bits = i % 64 == 0 ? random.bits() : bits >> 1;
    signs[i] = (bits & 1) != 0 ? 1 : -1;
  }
}

}  // namespace

HadamardBlocks draw_hadamard_blocks(std::size_t n, std::size_t dim, std::uint64_t seed) {
  if (n == 0 || dim == 0)
    throw InvalidArgument("draw_hadamard_blocks",
                          fmt::format("{} frequencies in dimension {} were asked for, expected at least one of each", n, dim));
  if (dim > HadamardBlocks::max_padded_dim || n > max_numbers / dim)
    throw InvalidArgument("draw_hadamard_blocks", fmt::format("{} frequencies in dimension {} do not fit into memory", n, dim));
  HadamardBlocks blocks;
  blocks.dim = dim;
  blocks.padded_dim = std::bit_ceil(std::max(dim, HadamardBlocks::min_padded_dim));
  blocks.scales.resize(n);
  blocks.signs.resize(blocks.n_blocks() * 3 * blocks.padded_dim);
  const std::size_t n_signs = 3 * blocks.padded_dim;
  for (std::size_t b = 0; b < blocks.n_blocks(); ++b) draw_signs(seed, b, std::span(blocks.signs).subspan(b * n_signs, n_signs));
  for (std::size_t j = 0; j < n; ++j)
    blocks.scales[j] = std::sqrt(RandomStream(seed, Purpose::structured_radii, j).chi_squared(static_cast<double>(blocks.padded_dim)));
  return blocks;
}

}  // namespace askrff
