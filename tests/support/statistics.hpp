// Tests of a law: Kolmogorov-Smirnov with one and two samples, chi-square, means in standard errors. Seeds are fixed, so a pass is a pass
// for ever; the levels say how often a correct program would fail for a fresh seed.
#pragma once

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace askrff::test {

/// Every test of a law is made at this level; a file states the sum over its tests.
inline constexpr double test_level = 1e-4;

/// P(sup |B| > λ) for the Brownian bridge B.
inline double kolmogorov_tail(double lambda) {
  if (lambda < 0.3) return 1.0;
  double sum = 0;
  for (int k = 1; k <= 60; ++k) sum += (k % 2 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
  return std::clamp(sum, 0.0, 1.0);
}

// Stephens' correction makes the limit law exact enough from n = 10 on.
inline double kolmogorov_p(double distance, double n) { return kolmogorov_tail((std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance); }

/// p-value of `sample` under the continuous law with this distribution function.
template <class Cdf>
double ks_p(std::vector<double> sample, const Cdf& cdf) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]), rank = static_cast<double>(i);
    if (!(f >= -1e-9 && f <= 1 + 1e-9)) return 0.0;  // NaN in the sample
    distance = std::max({distance, f - rank / n, (rank + 1) / n - f});
  }
  return kolmogorov_p(distance, n);
}

/// p-value of the hypothesis that both samples come from one law.
inline double ks_p_two(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  double distance = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= at) ++i;
    while (j < b.size() && b[j] <= at) ++j;
    distance = std::max(distance, std::fabs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  return kolmogorov_p(distance, n * m / (n + m));
}

/// p-value of counts under equal probabilities.
inline double uniform_counts_p(std::span<const std::size_t> counts) {
  double total = 0, statistic = 0;
  for (const std::size_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  for (const std::size_t count : counts)
    statistic += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) / expected;
  return boost::math::gamma_q(0.5 * (static_cast<double>(counts.size()) - 1), 0.5 * statistic);
}

inline double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// Mean and variance, one value at a time.
struct Moments {
  double n = 0, mean = 0, squares = 0;
  void add(double x) {
    n += 1;
    const double step = x - mean;
    mean += step / n;
    squares += step * (x - mean);
  }
  double variance() const { return squares / (n - 1); }
  double standard_error() const { return std::sqrt(variance() / n); }
};

}  // namespace askrff::test
