// Portable elementary functions: argument reduction, then a Taylor polynomial long enough for the last bit.
#include "core/portable_math.hpp"

#include <cmath>
#include <limits>

#include "core/portable_steps.hpp"

namespace askrff::portable {
namespace {

// π/2 in four parts of 24 bits: their products with an integer below 2^29 are exact.
constexpr double half_pi[4] = {0x1.921fb4p+0, 0x1.4442d0p-24, 0x1.846988p-48, 0x1.8cc516p-72};

// r in [-π/4, π/4].
SinCos taylor(double r) {
  const double r2 = r * r;
  double s = 1.0, c = 1.0;
  for (std::size_t k = 0; k < n_sin_steps; ++k) s = sin_step(s, r2, k);
  for (std::size_t k = 0; k < n_cos_steps; ++k) c = cos_step(c, r2, k);
  return {r * s, c};
}

}  // namespace

double log(double x) {
  const bool subnormal = x < std::numeric_limits<double>::min();
  LogArgument a = log_argument(subnormal ? x * 0x1p54 : x);
  if (subnormal) a.exponent -= 54;
  double sum = 0.0;
  for (std::size_t k = 0; k < n_log_steps; ++k) sum = log_step(sum, a.q * a.q, k);
  return log_value(a, sum);
}

double exp(double x) {
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0.0;
  const double k = std::floor(x / (ln2_high + ln2_low) + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| ≤ 0.347; 15 terms leave 2e-19
  double sum = 1.0;
  for (int n = 15; n >= 1; --n) sum = 1.0 + r * reciprocal[n] * sum;
  // Times 2^k: exact, unless the result is subnormal or 2^k too large.
  if (k > -1000 && k < 1000) return sum * std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52);
  return std::ldexp(sum, static_cast<int>(k));
}

SinCos sincos(double x) {
  if (!std::isfinite(x)) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  if (std::fabs(x) > 0x1p28) x = std::fmod(x, 2.0 * pi);
  const double n = std::floor(x * (2.0 / pi) + 0.5);
  const double r = ((x - n * half_pi[0]) - n * half_pi[1]) - (n * half_pi[2] + n * half_pi[3]);
  return rotate(taylor(r), static_cast<std::uint64_t>(static_cast<std::int64_t>(n)));
}

// Half of the angle twice, |x| ≤ tan(π/16) < 0.199, then Taylor: 14 terms leave 2e-21.
double atan(double x) {
  if (std::isnan(x)) return x;
  const double size = std::fabs(x);
  const bool is_steep = size > 1;
  double t = is_steep ? 1 / size : size;
  for (int half = 0; half < 2; ++half) t = t / (1 + std::sqrt(1 + t * t));
  const double t2 = t * t;
  double sum = 0;
  for (int k = 13; k >= 0; --k) sum = 1.0 / (2 * k + 1) - t2 * sum;
  const double angle = 4 * t * sum, value = is_steep ? 0.5 * pi - angle : angle;
  return x < 0 ? -value : value;
}

// Small: the series of the integral. Large: the asymptotic one. Between: Rybicki's sum of Gaussians at odd multiples of h around the even
// multiple next to x, whose error is e^{-(π/2h)²} = 2e-19.
double dawson(double x) {
  const double size = std::fabs(x), x2 = x * x;
  if (size < 0.25) {  // Σ (-2x²)^n/(2n+1)!!
    double sum = 0;
    for (int n = 12; n >= 0; --n) sum = 1 - 2 * x2 / (2 * n + 3) * sum;
    return x * sum;
  }
  if (size > 12) {  // Σ (2n-1)!!/(2x²)^n: 12 terms leave 1e-16 of it
    double sum = 0;
    for (int n = 11; n >= 0; --n) sum = 1 + (2 * n + 1) / (2 * x2) * sum;
    return sum / (2 * x);
  }
  constexpr double h = 0.24, sqrt_pi = 1.7724538509055160273;
  const double even = 2 * std::floor(0.5 * size / h + 0.5), rest = size - even * h;
  double sum = 0;
  for (int n = -29; n <= 29; n += 2) sum += exp(-(rest - n * h) * (rest - n * h)) / (even + n);
  return (x < 0 ? -sum : sum) / sqrt_pi;
}

SinCos sincos_turns(double turns) {
  const TurnsArgument a = turns_argument(turns);
  return rotate(taylor(a.r), last_bits(a.quarters));
}

}  // namespace askrff::portable
