// Total variation and exact transforms of the ridge measures: what the variances of the estimators need.
#include <boost/math/quadrature/gauss.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vectors.hpp"
#include "measures/half_waves.hpp"
#include "measures/ridge_gaussian.hpp"

namespace askrff::measures {
namespace {

constexpr double normal_end = 12.0;  // the normal law has 4e-33 beyond

// ∫ f over [from, to] in pieces no longer than 1, on the scale of the normal density.
template <class Function>
double panel(const Function& f, double from, double to) {
  const int pieces = static_cast<int>(std::ceil(to - from));
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const double a = from + (to - from) * i / pieces, b = from + (to - from) * (i + 1) / pieces;
    sum += boost::math::quadrature::gauss<double, 20>::integrate(f, a, b);
  }
  return sum;
}

// E f(z) for even f, z ~ N(0,1), where f has branch points about 1/C beside the zeros of sin(sz): panels graded towards them.
template <class Function>
double graded_expectation(double s, double amplitude, const Function& f) {
  const auto weighted = [&](double z) { return f(z) * std::exp(-0.5 * z * z) * std::sqrt(2 / std::numbers::pi); };  // both signs of z
  const double half = 0.5 * std::numbers::pi / s;  // from a zero of sin(sz) to the middle between two
  const int depth = std::clamp(static_cast<int>(std::ceil(std::log2(2 * std::numbers::pi * amplitude))), 2, 55);
  double sum = 0;
  for (double zero = 0; zero < normal_end; zero += 2 * half) {
    // Halving panels on both sides of the zero; the innermost reach it.
    for (int k = 0; k <= depth; ++k) {
      const double outer = half * std::ldexp(1.0, -k), inner = k == depth ? 0.0 : 0.5 * outer;
      if (zero + inner < normal_end) sum += panel(weighted, zero + inner, std::min(zero + outer, normal_end));
      if (zero > 0) sum += panel(weighted, zero - outer, zero - inner);
    }
  }
  return sum;
}

}  // namespace

std::optional<double> RidgeGaussian::exact_total_variation() const {
  if (profile_.cosine_real) return amplitude_;
  if (s_ == 0) return 1.0;
  return graded_expectation(s_, amplitude_, [&](double z) { return std::hypot(1.0, amplitude_ * std::sin(s_ * z)); });
}

double RidgeGaussian::scaled_gaussian(std::span<const double> delta, double n) const {
  double squares = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) {
    const double x = (delta[i] + n * ridge_[i]) / sigma_;
    squares += x * x;
  }
  return std::exp(static_cast<double>(log_amplitude_) - 0.5 * squares);
}

std::optional<std::complex<double>> RidgeGaussian::exact_transform(Part part, std::span<const double> delta) const {
  if (part == Part::real_positive && !profile_.cosine_real) return scaled_gaussian(delta, 0) / amplitude_;
  if (s_ == 0) return part == Part::real_positive ? scaled_gaussian(delta, 0) : 0.0;
  if (part == Part::real_negative && !profile_.cosine_real) return 0.0;
  const auto wave = [&](double n) { return 0.5 * (scaled_gaussian(delta, n) + scaled_gaussian(delta, -n)); };
  const double reach = static_cast<double>(scaled_norm(delta) / scaled_norm(ridge_)) + 2;
  const HalfWaves waves = half_waves(wave, reach);
  if (part == Part::real_positive) return waves.cos_positive;
  if (part == Part::real_negative) return waves.cos_negative;
  return std::complex<double>(waves.half_abs_sin, 0.25 * profile_.sine_sign * (scaled_gaussian(delta, -1) - scaled_gaussian(delta, +1)));
}

std::optional<std::complex<double>> RidgeGaussian::exact_polar_transform(std::span<const double> delta) const {
  if (profile_.cosine_real) return scaled_gaussian(delta, 2 * profile_.sine_sign);
  if (s_ == 0) return scaled_gaussian(delta, 0);
  // e^{2iθ}|h| = h²/|h|; across the ridge ω·δ is Gaussian and independent of z, along it ω·δ = z b.
  const double b = dot(direction_, delta) / sigma_, across = squared_norm(delta) / (sigma_ * sigma_) - b * b;
  const double along = graded_expectation(s_, amplitude_, [&](double z) {
    const double sine = amplitude_ * std::sin(s_ * z), modulus = std::hypot(1.0, sine);
    return (1 / modulus - sine / modulus * sine) * std::cos(z * b) - 2 * profile_.sine_sign * sine / modulus * std::sin(z * b);
  });
  return std::exp(-0.5 * std::max(across, 0.0)) * along;
}

}  // namespace askrff::measures
