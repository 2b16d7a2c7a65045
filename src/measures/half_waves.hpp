// Integrals of the half waves max(cos t, 0), max(-cos t, 0), ½|sin t| against a measure ν, from its cosine transform f(n) = ∫ cos(nt) dν
// alone:
//   max(±cos t, 0) = 1/π ± ½ cos t + (2/π) Σ_{k≥1} (-1)^{k+1} cos(2kt)/(4k²-1),   ½|sin t| = 1/π - (2/π) Σ_{k≥1} cos(2kt)/(4k²-1).
// Behind the masses, second moments and component kernels of every shifted kernel.
#pragma once

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

namespace askrff::measures {

struct HalfWaves {
  double cos_positive, cos_negative, half_abs_sin;
};

/// f: any real n ≥ 0 → ∫ cos(nt) dν, bounded and eventually decaying or constant; `decays_after`: f may still grow up to this n.
/// Absolute error about 1e-15 · sup|f|. At most 10^5 terms are summed; beyond, the tail is an integral (midpoint rule, error below 1e-16
/// sup|f|) for the plain series and Boole's half term for the alternating one.
template <class Transform>
HalfWaves half_waves(Transform f, double decays_after = 0) {
  constexpr double max_terms = 1e5;
  const double f0 = f(0.0), negligible = 1e-19 * (std::fabs(f0) + std::fabs(f(1.0)));
  const auto term = [&](double k) { return f(2 * k) / (4 * k * k - 1); };
  long double plain = 0, alternating = 0;  // 10^5 roundings of a double would show
  double sign = 1, k = 1;
  for (bool vanished = false; !vanished && k < max_terms; ++k, sign = -sign) {
    const double value = term(k);
    plain += value;
    alternating += sign * value;
    vanished = std::fabs(value) <= negligible && 2 * k > decays_after;
  }
  if (k >= max_terms) {
    const double start = k - 0.5;
    const auto mapped = [&](double y) { return term(start / y) * start / (y * y); };  // x = start/y maps [start, ∞) to (0, 1]
    plain += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(mapped, 0.0, 1.0, 15, 1e-9);
    alternating += sign * 0.5 * term(start);
  }
  constexpr long double pi = std::numbers::pi_v<long double>;
  const long double even = f0 / pi + 2 / pi * alternating, odd = 0.5L * f(1.0);
  return {static_cast<double>(even + odd), static_cast<double>(even - odd), static_cast<double>((f0 - 2 * plain) / pi)};
}

}  // namespace askrff::measures
