// Philox4x32-10 for several consecutive blocks at once: rounds outside, blocks inside, so that the loop over blocks becomes vector code.
// One block is the same code with one lane.
#pragma once

#include <Random123/philox.h>
#include <array>
#include <cstddef>
#include <cstdint>

namespace askrff {

using PhiloxKey = std::array<std::uint32_t, 2>;

/// Block number (32 bits), purpose (8 bits) and the block number's higher bits (24), index (64).
using PhiloxCounter = std::array<std::uint32_t, 4>;

inline void skip_blocks(PhiloxCounter& counter, std::uint32_t n_blocks) {
  counter[0] += n_blocks;
  if (counter[0] < n_blocks) counter[1] += 0x100;
}

/// The `lanes` blocks from `counter` on, each as its first and its second 64 bits; counter[0] + lanes - 1 must not overflow.
template <std::size_t lanes>
inline void philox_blocks(const PhiloxCounter& counter, PhiloxKey key, std::uint64_t* first, std::uint64_t* second) {
  constexpr std::uint64_t multiplier0 = PHILOX_M4x32_0, multiplier1 = PHILOX_M4x32_1;
  constexpr auto low = [](std::uint64_t product) { return static_cast<std::uint32_t>(product); };
  constexpr auto high = [](std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); };
  const auto next_round = [&] { key[0] += PHILOX_W32_0, key[1] += PHILOX_W32_1; };

  // The first two rounds: blocks differ in the first word of the counter only, so that in each round one product is the same for all.
  const std::uint64_t common1 = multiplier1 * counter[2], common0 = multiplier0 * (high(common1) ^ counter[1] ^ key[0]);
  const std::uint32_t first_mask = counter[3] ^ key[1];
  next_round();
  std::uint32_t c0[lanes], c1[lanes], c2[lanes], c3[lanes];
#pragma omp simd
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::uint64_t product0 = multiplier0 * (counter[0] + static_cast<std::uint32_t>(i));
    const std::uint64_t product1 = multiplier1 * (high(product0) ^ first_mask);
    c0[i] = high(product1) ^ low(common1) ^ key[0];
    c1[i] = low(product1);
    c2[i] = high(common0) ^ low(product0) ^ key[1];
    c3[i] = low(common0);
  }
#pragma GCC unroll 8
  for (int round = 2; round < 10; ++round) {
    next_round();
#pragma omp simd  // asked for: GCC estimates that vectors do not pay here, yet they halve the time
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::uint64_t product0 = multiplier0 * c0[i], product1 = multiplier1 * c2[i];
      c0[i] = high(product1) ^ c1[i] ^ key[0];
      c1[i] = low(product1);
      c2[i] = high(product0) ^ c3[i] ^ key[1];
      c3[i] = low(product0);
    }
  }
  for (std::size_t i = 0; i < lanes; ++i) {
    first[i] = std::uint64_t{c1[i]} << 32 | c0[i];
    second[i] = std::uint64_t{c3[i]} << 32 | c2[i];
  }
}

}  // namespace askrff
