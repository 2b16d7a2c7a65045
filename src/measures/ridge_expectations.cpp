// Series for P, Q, S. With F(s) = E f(t), t = s z: E z² f(t) = F + s F'(s), so every second moment follows from a derivative.
#include "measures/ridge_expectations.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "askrff/measure.hpp"
#include "askrff/errors.hpp"

namespace askrff::measures {
namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

struct WithDerivative {
  long double value, slope;  // F(s) and s·F'(s)
  long double second_moment() const { return 1 + slope / value; }
};

// Σ_{k≥1} sign^{k+1} e^{-2k²s²}/(4k²-1) and its s-derivative times s; terms below e^{-50} of the first are dropped.
WithDerivative theta_sum(long double s, int sign) {
  WithDerivative sum{0, 0};
  const int n_terms = static_cast<int>(std::ceil(std::sqrt(25.0L) / s)) + 1;
  for (int k = n_terms; k >= 1; --k) {
    const long double exponent = 2.0L * k * k * s * s;
    const long double term = (sign < 0 && k % 2 == 0 ? -1 : 1) * std::exp(-exponent) / (4.0L * k * k - 1);
    sum.value += term;
    sum.slope -= 2 * exponent * term;
  }
  return sum;
}

// S = E max(sin t, 0).
WithDerivative sine(long double s) {
  if (s >= 0.18L) {
    const auto sum = theta_sum(s, +1);
    return {(1 - 2 * sum.value) / pi, -2 * sum.slope / pi};
  }
  // Σ (-1)^k s^{2k+1}/(2k+1)!! / √(2π); lobes beyond |t| = π weigh less than e^{-150}.
  WithDerivative sum{0, 0};
  long double term = s / std::sqrt(2 * pi);
  for (int k = 0; k < 14; ++k) {
    sum.value += term;
    sum.slope += (2 * k + 1) * term;
    term *= -s * s / (2 * k + 3);
  }
  return sum;
}

struct Lobe {
  long double log_mass, second_moment;
};

// Q for s < 0.6, where all of it that counts is in the first lobe |t| in [π/2, 3π/2] (the next weighs e^{-82} of it). With |t| = π/2 + u
// and u = s²v/π: Q = 2 n(π/2; s) (s²/π)² ∫ v sinc(u) e^{-v/2·(1 + u/π)} dv, free of cancellation and underflow.
Lobe first_lobe(long double s) {
  using Rule = boost::math::quadrature::gauss<long double, 30>;
  const long double s2_over_pi = s * s / pi, end = std::min(100.0L, pi / s2_over_pi);
  constexpr int n_panels = 10;
  long double mass = 0, moment = 0;
  for (int panel = 0; panel < n_panels; ++panel) {
    const long double from = end * panel / n_panels, to = end * (panel + 1) / n_panels;
    const auto weight = [&](long double v) {
      const long double u = s2_over_pi * v;
      return v * (u == 0 ? 1 : std::sin(u) / u) * std::exp(-v / 2 * (1 + u / pi));
    };
    mass += Rule::integrate(weight, from, to);
    moment += Rule::integrate(
        [&](long double v) {
          const long double z = (pi / 2 + s2_over_pi * v) / s;
          return z * z * weight(v);
        },
        from, to);
  }
  const long double log_density = -pi * pi / (8 * s * s) - std::log(s) - 0.5L * std::log(2 * pi);
  return {std::log(2.0L) + log_density + 4 * std::log(s) - 2 * std::log(pi) + std::log(mass), moment / mass};
}

}  // namespace

ExtendedRidgeExpectations extended_ridge_expectations(long double s) {
  constexpr long double infinity = std::numeric_limits<long double>::infinity();
  if (!(s >= 0) || s == infinity) throw InvalidArgument("ridge_expectations", "s must be finite and not negative");
  if (s == 0) return {1, 0, -infinity, 0, 1, infinity, 2};

  const WithDerivative s_part = sine(s);
  const long double bell = std::exp(-s * s / 2);  // P - Q
  ExtendedRidgeExpectations e{};
  e.sin_positive = s_part.value;
  e.sin_positive_second_moment = s_part.second_moment();

  WithDerivative q{};
  if (s < 0.6L) {
    const Lobe lobe = first_lobe(s);
    e.log_cos_negative = lobe.log_mass;
    e.cos_negative_second_moment = lobe.second_moment;
    q.value = std::exp(lobe.log_mass);
    q.slope = q.value > 0 ? (lobe.second_moment - 1) * q.value : 0;
  } else {
    const auto sum = theta_sum(s, -1);
    q = {1 / pi - bell / 2 + 2 * sum.value / pi, s * s * bell / 2 + 2 * sum.slope / pi};
    e.log_cos_negative = std::log(q.value);
    e.cos_negative_second_moment = q.second_moment();
  }
  e.cos_negative = q.value;
  const WithDerivative p{q.value + bell, q.slope - s * s * bell};
  e.cos_positive = p.value;
  e.cos_positive_second_moment = p.second_moment();
  return e;
}

}  // namespace askrff::measures

namespace askrff {

RidgeExpectations ridge_expectations(double s) {
  const auto e = measures::extended_ridge_expectations(s);
  return {.cos_positive = static_cast<double>(e.cos_positive),
          .cos_negative = static_cast<double>(e.cos_negative),
          .log_cos_negative = static_cast<double>(e.log_cos_negative),
          .sin_positive = static_cast<double>(e.sin_positive),
          .cos_positive_second_moment = static_cast<double>(e.cos_positive_second_moment),
          .cos_negative_second_moment = static_cast<double>(e.cos_negative_second_moment),
          .sin_positive_second_moment = static_cast<double>(e.sin_positive_second_moment)};
}

}  // namespace askrff
