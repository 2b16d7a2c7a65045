// Philox streams, the distributions the samplers need, and choices of rows.
#include "askrff/random.hpp"

#include <Random123/philox.h>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "core/portable_math.hpp"

namespace askrff {

// Counter words: block number (32 bits), purpose (8 bits) and block number's higher bits (24), index (64).
RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t index)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32)} {}

std::uint64_t RandomStream::bits() {
  if (unused_in_block_ == 0) {
    const r123::Philox4x32::ctr_type counter{{counter_[0], counter_[1], counter_[2], counter_[3]}};
    const r123::Philox4x32::key_type key{{key_[0], key_[1]}};
    const auto words = r123::Philox4x32()(counter, key);
    block_ = {std::uint64_t{words[1]} << 32 | words[0], std::uint64_t{words[3]} << 32 | words[2]};
    if (++counter_[0] == 0) counter_[1] += 0x100;
    unused_in_block_ = 2;
  }
  return block_[2 - unused_in_block_--];
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  if (bound == 0) throw std::invalid_argument("RandomStream::below: the bound is 0, expected at least 1");
  const std::uint64_t remainder = (0 - bound) % bound;  // 2^64 mod bound: values below it would be drawn once too often
  std::uint64_t value = bits();
  while (value < remainder) value = bits();
  return value % bound;
}

double RandomStream::uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }

// Box and Muller: both numbers of a pair are used.
double RandomStream::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * portable::log(uniform()));
  const auto direction = portable::sincos_turns(uniform());
  spare_normal_ = radius * direction.sin;
  has_spare_normal_ = true;
  return radius * direction.cos;
}

double RandomStream::exponential() { return -portable::log(uniform()); }

// Marsaglia and Tsang (2000): acceptance above 0.95 for shape ≥ 1; smaller shapes by Gamma(a) = Gamma(a+1)·U^{1/a}.
double RandomStream::gamma(double shape) {
  if (!(shape > 0) || !std::isfinite(shape)) throw std::invalid_argument("RandomStream::gamma: the shape must be positive and finite");
  if (shape < 1.0) return gamma(shape + 1.0) * portable::exp(portable::log(uniform()) / shape);
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal(), root = 1.0 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (portable::log(uniform()) < 0.5 * x * x + d - d * v + d * portable::log(v)) return d * v;
  }
}

double RandomStream::chi_squared(double degrees_of_freedom) { return 2.0 * gamma(0.5 * degrees_of_freedom); }

std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t index) { return RandomStream(seed, Purpose::derived_seed, index).bits(); }

std::vector<std::size_t> choose_rows(std::size_t n_rows, std::size_t count, std::uint64_t seed, Purpose purpose) {
  if (count > n_rows)
    throw std::invalid_argument("choose_rows: " + std::to_string(count) + " rows asked for, there are " + std::to_string(n_rows));
  // Fisher and Yates, keeping only the entries that were swapped: O(count) memory.
  RandomStream random(seed, purpose, 0);
  std::unordered_map<std::size_t, std::size_t> swapped;
  const auto value_at = [&](std::size_t i) {
    const auto found = swapped.find(i);
    return found == swapped.end() ? i : found->second;
  };
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + random.below(n_rows - i);
    rows[i] = value_at(j);
    swapped[j] = value_at(i);
  }
  return rows;
}

}  // namespace askrff
