// Box and Muller's pairs of normal numbers, several at once. One number's logarithm, sine and cosine are long chains of dependent
// operations; in lanes beside each other they take the time of their operations instead of that of their latencies.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/portable_steps.hpp"

namespace askrff {

/// 52 bits to the middle of one of 2^52 equal parts of (0, 1); exact.
inline double uniform_of(std::uint64_t word) {
  return std::bit_cast<double>(word >> 12 | std::bit_cast<std::uint64_t>(1.0)) - (1.0 - 0x1p-53);
}

/// out[2i], out[2i+1]: radius √(-2 log u) of the i-th radius word times cosine and sine of the i-th angle word.
template <std::size_t lanes>
inline void box_muller(const std::uint64_t* radius_words, const std::uint64_t* angle_words, double* out) {
  using namespace portable;
  constexpr std::size_t log_ahead = n_log_steps - n_sin_steps, cos_ahead = n_cos_steps - n_sin_steps;
  double exponent[lanes], q[lanes], q2[lanes], quarters[lanes], r[lanes], r2[lanes], log_sum[lanes], sine[lanes], cosine[lanes];
#pragma omp simd
  for (std::size_t i = 0; i < lanes; ++i) {
    const LogArgument length = log_argument(uniform_of(radius_words[i]));
    const TurnsArgument angle = turns_argument(uniform_of(angle_words[i]));
    exponent[i] = length.exponent;
    q[i] = length.q;
    q2[i] = length.q * length.q;
    quarters[i] = angle.quarters;
    r[i] = angle.r;
    r2[i] = angle.r * angle.r;
    // The longer series begin alone, so that all three end together.
    log_sum[i] = 0.0;
    sine[i] = cosine[i] = 1.0;
    for (std::size_t k = 0; k < log_ahead; ++k) log_sum[i] = log_step(log_sum[i], q2[i], k);
    for (std::size_t k = 0; k < cos_ahead; ++k) cosine[i] = cos_step(cosine[i], r2[i], k);
  }
  // A step of every lane before the next step. Unrolled, GCC would put every lane's steps behind each other again.
#pragma GCC unroll 1
  for (std::size_t k = 0; k < n_sin_steps; ++k) {
#pragma omp simd
    for (std::size_t i = 0; i < lanes; ++i) cosine[i] = cos_step(cosine[i], r2[i], cos_ahead + k);
#pragma omp simd
    for (std::size_t i = 0; i < lanes; ++i) sine[i] = sin_step(sine[i], r2[i], k);
#pragma omp simd
    for (std::size_t i = 0; i < lanes; ++i) log_sum[i] = log_step(log_sum[i], q2[i], log_ahead + k);
  }
#pragma omp simd
  for (std::size_t i = 0; i < lanes; ++i) {
    const double radius = std::sqrt(-2.0 * log_value({exponent[i], q[i]}, log_sum[i]));
    const SinCos direction = rotate({r[i] * sine[i], cosine[i]}, last_bits(quarters[i]));
    out[2 * i] = radius * direction.cos;
    out[2 * i + 1] = radius * direction.sin;
  }
}

}  // namespace askrff
