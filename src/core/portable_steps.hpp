// The steps of the portable logarithm, sine and cosine, one number at a time and without branches: portable_math.cpp strings them together
// for one number, box_muller.hpp for several at once, in loops that become vector code. Operations and their order are part of the bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/portable_math.hpp"

namespace askrff::portable {

inline constexpr double pi = 3.14159265358979323846;

// ln 2 in two parts; the first has 32 trailing zero bits, so its product with an exponent is exact.
inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

// reciprocal[n] = 1/n: a multiplication where Horner's scheme would divide.
inline constexpr auto reciprocal = [] {
  std::array<double, 32> table{};
  for (int n = 1; n < 32; ++n) table[n] = 1.0 / n;
  return table;
}();

// --- logarithm: x = 2^exponent · (1 + q)/(1 - q), log x = exponent · ln 2 + 2 atanh(q) ---------------------------------------------------

struct LogArgument {
  double exponent, q;
};

/// x > 0, finite and not subnormal. |q| ≤ 0.172.
inline LogArgument log_argument(double x) {
  constexpr std::uint64_t sqrt_half = std::bit_cast<std::uint64_t>(0.70710678118654752440), one = std::bit_cast<std::uint64_t>(1.0);
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  // Relative to √½ the exponent's bits are those of the power of 2 that leaves m in [√½, √2).
  const std::uint64_t relative = std::bit_cast<std::uint64_t>(x) - sqrt_half + one;
  const double m = std::bit_cast<double>((relative & fraction) + sqrt_half);
  // The exponent in the last bits of 2^52 + exponent + 1023: SSE2 has no conversion from 64-bit integers.
  const double exponent = std::bit_cast<double>(relative >> 52 | std::bit_cast<std::uint64_t>(0x1p52)) - (0x1p52 + 1023);
  return {exponent, (m - 1.0) / (m + 1.0)};
}

/// Series of (atanh(q) - q)/q, its 11 terms from the last to the first: sum starts at 0, step k of 0 … 10. 12 terms leave 3e-19.
inline constexpr std::size_t n_log_steps = 11;
inline constexpr auto log_terms = [] {
  std::array<double, n_log_steps> terms{};
  for (std::size_t k = 0; k < n_log_steps; ++k) terms[k] = reciprocal[2 * (n_log_steps - k) + 1];
  return terms;
}();
inline double log_step(double sum, double q2, std::size_t k) { return (sum + log_terms[k]) * q2; }

inline double log_value(LogArgument a, double sum) {
  return a.exponent * ln2_high + (a.exponent * ln2_low + (2.0 * a.q + 2.0 * a.q * sum));
}

// --- sine and cosine: x = r + quarters · π/2, |r| ≤ π/4 ---

/// Taylor series of sin(r)/r and cos(r), from the last term to the first: both start at 1. The first neglected terms are below 1e-19.
inline constexpr std::size_t n_sin_steps = 8, n_cos_steps = 9;
inline constexpr auto taylor_factors = [](std::size_t steps, int last) {
  std::array<double, n_cos_steps> factors{};
  for (std::size_t k = 0; k < steps; ++k, last -= 2) factors[k] = reciprocal[last] * reciprocal[last - 1];
  return factors;
};
inline constexpr auto sin_factors = taylor_factors(n_sin_steps, 17), cos_factors = taylor_factors(n_cos_steps, 18);
inline double sin_step(double sum, double r2, std::size_t k) { return 1.0 - r2 * sin_factors[k] * sum; }
inline double cos_step(double sum, double r2, std::size_t k) { return 1.0 - r2 * cos_factors[k] * sum; }

struct TurnsArgument {
  double r, quarters;
};

/// 0 ≤ turns ≤ 1.
inline TurnsArgument turns_argument(double turns) {
  // floor without a branch or SSE4: to the nearest integer, then one down where that was up.
  const double quarters = 4.0 * turns + 0.5, nearest = (quarters + 0x1p52) - 0x1p52;
  const std::uint64_t went_up = 0 - (std::bit_cast<std::uint64_t>(quarters - nearest) >> 63);
  const double n = nearest - std::bit_cast<double>(went_up & std::bit_cast<std::uint64_t>(1.0));
  return {2.0 * pi * (turns - 0.25 * n), n};
}

/// (sin, cos) of a + quarters · π/2; only the last two bits of quarters count.
inline SinCos rotate(SinCos a, std::uint64_t quarters) {
  const std::uint64_t sine = std::bit_cast<std::uint64_t>(a.sin), cosine = std::bit_cast<std::uint64_t>(a.cos);
  const std::uint64_t swap = (sine ^ cosine) & (0 - (quarters & 1));
  return {std::bit_cast<double>(sine ^ swap ^ (quarters & 2) << 62), std::bit_cast<double>(cosine ^ swap ^ ((quarters + 1) & 2) << 62)};
}

/// The last bits of a small whole number ≥ 0.
inline std::uint64_t last_bits(double whole) { return std::bit_cast<std::uint64_t>(whole + 0x1p52); }

}  // namespace askrff::portable
