// Newton's method on the incomplete gamma function, kept inside a bracket.
#include "core/portable_quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/portable_math.hpp"

namespace askrff::portable {

ChiQuantile::ChiQuantile(std::size_t dim) : shape_(0.5 * static_cast<double>(dim)), log_gamma_(0) {
  // Γ(a + 1) = a (a - 1) … down to Γ(1) = 1 or Γ(1/2) = √π.
  double factor = shape_;
  for (; factor > 0.75; factor -= 1) log_gamma_ += log(factor);
  if (factor > 0.25) log_gamma_ += log(factor) + 0.5 * log(std::numbers::pi);
}

// With x^a e^{-x}/Γ(a+1) in front: the series Σ x^n/((a+1)…(a+n)) for the lower tail, Lentz's continued fraction for the upper one.
ChiQuantile::Tails ChiQuantile::tails(double x) const {
  const double front = exp(shape_ * log(x) - x - log_gamma_), density = front * shape_ / x;
  constexpr int max_terms = 100'000;
  if (x < shape_ + 1) {
    double term = 1, sum = 1;
    for (int n = 1; n < max_terms && term > 1e-17 * sum; ++n) sum += term *= x / (shape_ + n);
    const double lower = std::min(front * sum, 1.0);
    return {lower, 1 - lower, density};
  }
  double b = x + 1 - shape_, c = 1e300, d = 1 / b, fraction = d;
  for (int n = 1; n < max_terms; ++n) {
    const double numerator = -n * (n - shape_);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const double step = c * d;
    fraction *= step;
    if (std::fabs(step - 1) < 1e-16) break;
  }
  const double upper = std::min(density * x * fraction, 1.0);
  return {1 - upper, upper, density};
}

// Wilson and Hilferty's cube of a normal number; for small u the first term of the series.
double ChiQuantile::first_guess(double lower, double upper) const {
  const double tail = std::min(lower, upper), t = std::sqrt(-2 * log(tail));
  const double size = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  const double z = lower < upper ? -size : size, root = 1 - 1 / (9 * shape_) + z / (3 * std::sqrt(shape_));
  if (root > 0.3) return shape_ * root * root * root;
  return exp((log(lower) + log_gamma_) / shape_);
}

double ChiQuantile::with_tails(double lower, double upper) const {
  double low = 0, high = 1e300, x = first_guess(lower, upper);
  for (int step = 0; step < 100; ++step) {
    const Tails at = tails(x);
    const double excess = lower < upper ? at.lower - lower : upper - at.upper;
    (excess > 0 ? high : low) = x;
    double next = at.density > 0 ? x - excess / at.density : 0;
    if (!(next > low && next < high)) next = high < 1e300 ? 0.5 * (low + high) : 2 * x;
    const bool settled = std::fabs(next - x) <= 1e-14 * x;
    x = next;
    if (settled) break;
  }
  return std::sqrt(2 * x);
}

double normal_quantile(double u) {
  static const ChiQuantile half_normal(1);
  if (u == 0.5) return 0;
  // |z| has the share 1 - 2·tail of shorter ones.
  const double tail = std::min(u, 1 - u), size = half_normal.with_tails(1 - 2 * tail, 2 * tail);
  return u < 0.5 ? -size : size;
}

// φ(z) times the series Σ z^(2k+1)/(2k+1)!!, or beyond 3 the continued fraction z + 1/(z + 2/(z + …)) under it.
double normal_share(double z) {
  constexpr double over_root_two_pi = 0.3989422804014327, least = 0x1p-53;
  const double size = std::fabs(z), density = over_root_two_pi * exp(-0.5 * size * size);
  double tail = 0;
  if (size < 3) {
    double term = size, sum = size;
    for (int k = 1; k < 200 && term > 1e-18 * sum; ++k) sum += term *= size * size / (2 * k + 1);
    tail = 0.5 - density * sum;
  } else if (size < 40) {
    double below = size;
    for (int k = 60; k > 0; --k) below = size + k / below;
    tail = density / below;
  }
  return z < 0 ? std::max(tail, least) : std::min(1 - tail, 1 - least);
}

}  // namespace askrff::portable
