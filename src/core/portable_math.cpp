// Portable elementary functions: argument reduction, then a Taylor polynomial long enough for the last bit.
#include "core/portable_math.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace askrff::portable {
namespace {

constexpr double pi = 3.14159265358979323846;

// ln 2 in two parts; the first has 32 trailing zero bits, so its product with an exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

// π/2 in four parts of 24 bits: their products with an integer below 2^29 are exact.
constexpr double half_pi[4] = {0x1.921fb4p+0, 0x1.4442d0p-24, 0x1.846988p-48, 0x1.8cc516p-72};

// reciprocal[n] = 1/n: a multiplication where Horner's scheme would divide.
constexpr auto reciprocal = [] {
  std::array<double, 32> table{};
  for (int n = 1; n < 32; ++n) table[n] = 1.0 / n;
  return table;
}();

// x in [-π/4, π/4]; the first neglected terms are below 1e-19.
SinCos taylor(double x) {
  const double x2 = x * x;
  double s = 1.0, c = 1.0;
  for (int n = 17; n >= 3; n -= 2) s = 1.0 - x2 * (reciprocal[n] * reciprocal[n - 1]) * s;
  for (int n = 18; n >= 2; n -= 2) c = 1.0 - x2 * (reciprocal[n] * reciprocal[n - 1]) * c;
  return {x * s, c};
}

// (sin, cos) of a + quarter_turns · π/2.
SinCos rotate(SinCos a, long long quarter_turns) {
  switch (quarter_turns & 3) {
    case 0:
      return a;
    case 1:
      return {a.cos, -a.sin};
    case 2:
      return {-a.sin, -a.cos};
    default:
      return {-a.cos, a.sin};
  }
}

}  // namespace

double log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // in [1/2, 1), exact
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --exponent;
  }
  // log m = 2 atanh(q), |q| ≤ 0.172; 12 terms leave 3e-19 of it.
  const double q = (m - 1.0) / (m + 1.0), q2 = q * q;
  double sum = 0.0;
  for (int k = 11; k >= 1; --k) sum = (sum + reciprocal[2 * k + 1]) * q2;
  return exponent * ln2_high + (exponent * ln2_low + (2.0 * q + 2.0 * q * sum));
}

double exp(double x) {
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0.0;
  const double k = std::floor(x / (ln2_high + ln2_low) + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| ≤ 0.347; 15 terms leave 2e-19
  double sum = 1.0;
  for (int n = 15; n >= 1; --n) sum = 1.0 + r * reciprocal[n] * sum;
  return std::ldexp(sum, static_cast<int>(k));
}

SinCos sincos(double x) {
  if (!std::isfinite(x)) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  if (std::fabs(x) > 0x1p28) x = std::fmod(x, 2.0 * pi);
  const double n = std::floor(x * (2.0 / pi) + 0.5);
  const double r = ((x - n * half_pi[0]) - n * half_pi[1]) - (n * half_pi[2] + n * half_pi[3]);
  return rotate(taylor(r), static_cast<long long>(n));
}

SinCos sincos_turns(double turns) {
  const double n = std::floor(4.0 * turns + 0.5);
  return rotate(taylor(2.0 * pi * (turns - 0.25 * n)), static_cast<long long>(n));
}

}  // namespace askrff::portable
