// Laws of the named families' draws: |μ| and the parts of gabor, for a range of parameters. 37 tests at level 1e-4: a correct program would
// fail for 0.37 % of all seeds.
#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "core/vectors.hpp"
#include "sampling/laws.hpp"
#include "support/statistics.hpp"

namespace askrff::test {
namespace {

/// Coordinate `column` of proposals, which for these measures are draws of |μ|; from normal vectors if `given`.
std::vector<double> coordinates(const ComplexMeasure& measure, std::size_t column, bool given, std::uint64_t seed) {
  std::vector<double> values(draws_per_law), omega(measure.dim()), normals(measure.dim());
  for (std::size_t j = 0; j < draws_per_law; ++j) {
    RandomStream random(seed, Purpose::polar, j);
    if (given) {
      random.normals(normals);
      measure.propose_from(normals, random, omega);
    } else {
      measure.propose(random, omega);
    }
    values[j] = omega[column];
  }
  return values;
}

/// The law's distribution function by its tail, which other tests compare with quadrature.
std::function<double(double)> cdf_by_tail(const ComplexMeasure& measure, double total = 1) {
  return [&measure, total](double x) {
    const double tail = 0.5 * *measure.mass_beyond(0, std::fabs(x)) / total;
    return x < 0 ? tail : 1 - tail;
  };
}

TEST(NamedLaws, CoordinatesOfPositiveFamilies) {
  std::vector<std::unique_ptr<Kernel>> kernels;
  for (const double power : {0.2, 0.7, 1.0, 1.6, 2.0}) kernels.push_back(exponential_power({.sigma = law_sigma, .power = power}));
  for (const double decay : {0.05, 1.0, 20.0}) kernels.push_back(generalised_cauchy({.sigma = law_sigma, .power = 0.9, .decay = decay}));
  kernels.push_back(generalised_cauchy({.sigma = law_sigma, .power = 2, .decay = 3}));
  for (const double alpha : {0.02, 0.6, 50.0}) kernels.push_back(rational_quadratic({.sigma = law_sigma, .alpha = alpha}));
  kernels.push_back(periodic_gaussian({.sigma = law_sigma, .period = 0.8, .length = 0.5}));
  std::uint64_t seed = 100;
  for (const auto& kernel : kernels) {
    const auto measure = kernel->measure(3);
    EXPECT_GT(ks_p(coordinates(*measure, 1, false, ++seed), cdf_by_tail(*measure)), test_level) << kernel->name() << ' ' << seed;
    EXPECT_GT(ks_p(coordinates(*measure, 2, true, ++seed), cdf_by_tail(*measure)), test_level) << kernel->name() << ' ' << seed;
  }
}

TEST(NamedLaws, CausalGammaIsAStudentLaw) {
  for (const double shape : {1.3, 2.0, 9.0}) {
    const auto measure = causal_gamma({.sigma = law_sigma, .shape = shape})->measure(2);
    const boost::math::students_t law(shape - 1);
    const auto cdf = [&](double omega) { return boost::math::cdf(law, omega * law_sigma * std::sqrt(shape - 1)); };
    EXPECT_GT(ks_p(coordinates(*measure, 1, false, 140), cdf), test_level) << shape;
  }
}

// By quadrature of the density's modulus, on both kinds of envelope.
TEST(NamedLaws, SkewNormalHasTheModulusOfItsDensity) {
  for (const double skew : {0.7, 2.0, -60.0}) {
    const auto measure = skew_normal({.sigma = law_sigma, .skew = skew})->measure(1);
    const double reach = 12 * std::sqrt(1 + skew * skew) / law_sigma, total = *measure->exact_total_variation();
    constexpr int n = 4000;  // the distribution function on a graded grid, linear in between
    std::vector<double> places(n + 1), below(n + 1);
    const auto modulus = [&](double omega) { return std::abs(measure->density(std::span(&omega, 1))); };
    for (int i = 1; i <= n; ++i) {
      places[i] = reach * std::pow(static_cast<double>(i) / n, 3);
      below[i] = below[i - 1] + boost::math::quadrature::gauss_kronrod<double, 15>::integrate(modulus, places[i - 1], places[i], 0) / total;
    }
    EXPECT_NEAR(below[n], 0.5, 1e-9) << skew;
    const auto cdf = [&](double omega) {
      const double x = std::fmin(std::fabs(omega), reach * (1 - 1e-12));
      const auto i = std::min<std::size_t>(n - 1, static_cast<std::size_t>(n * std::cbrt(x / reach)));
      const double half = below[i] + (below[i + 1] - below[i]) * (x - places[i]) / (places[i + 1] - places[i]);
      return omega < 0 ? 0.5 - half : 0.5 + half;
    };
    for (const bool given : {false, true}) EXPECT_GT(ks_p(coordinates(*measure, 0, given, 150), cdf), test_level) << skew;
  }
}

// Along w: z = σ e·ω of the imaginary part has the density n(z) sinh(sz) on one side; across it is normal.
TEST(NamedLaws, GaborsImaginaryPart) {
  for (const double length : {0.05, 0.5, 3.0}) {
    const std::vector<double> wave{0.6 * length, -0.8 * length}, direction{0.6, -0.8}, across{0.8, 0.6};
    const auto measure = gabor({.sigma = law_sigma, .wave = wave, .phase = -0.4})->measure(2);
    const double s = law_sigma * length, erf_s = std::erf(s / std::numbers::sqrt2);
    const auto omega = draw_frequencies(*measure, Part::imaginary_positive, 0, draws_per_law, {.seed = 160});
    std::vector<double> along(draws_per_law), beside(draws_per_law);
    for (std::size_t j = 0; j < draws_per_law; ++j) {
      along[j] = -law_sigma * dot(direction, omega.row(j));
      beside[j] = law_sigma * dot(across, omega.row(j));
    }
    const auto cdf = [&](double z) {
      return z <= 0 ? 0.0 : (normal_cdf(z - s) - normal_cdf(-s) - normal_cdf(z + s) + normal_cdf(s)) / erf_s;
    };
    EXPECT_GT(ks_p(along, cdf), test_level) << length;
    EXPECT_GT(ks_p(beside, normal_cdf), test_level) << length;
    const double moment = *measure->exact_moments(Part::imaginary_positive)->second_moment;
    Moments squares;
    for (std::size_t j = 0; j < draws_per_law; ++j) squares.add(squared_norm(omega.row(j)));
    EXPECT_NEAR(squares.mean, moment, 4.5 * squares.standard_error()) << length;
  }
}

}  // namespace
}  // namespace askrff::test
