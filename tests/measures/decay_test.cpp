// What measures say of their decay, against quadrature of the density and values of the kernel.
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

#include "askrff/kernels.hpp"
#include "askrff/random.hpp"

namespace askrff {
namespace {

std::vector<std::unique_ptr<Kernel>> all_kernels() {
  std::vector<std::unique_ptr<Kernel>> kernels;
  for (const KernelInfo& info : kernel_registry()) {
    if (!info.wraps_another) kernels.push_back(make_kernel(info.name, {{"sigma", 0.7}}));
    if (!info.wraps_another && info.symmetric) kernels.push_back(make_kernel("shifted:" + info.name, {{"sigma", 0.7}, {"shift", 0.3}}));
  }
  return kernels;
}

/// ∫ |μ| beyond the cut, in one dimension, where the tail is smooth: from the cut to infinity on both sides.
double mass_by_quadrature(const ComplexMeasure& measure, double cut) {
  const auto modulus = [&](double omega) { return std::abs(measure.density(std::span(&omega, 1))); };
  using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
  double sum = 0;
  for (double from = cut, to = std::max(2 * cut, 1.0); from < 1e9; from = to, to *= 2)
    sum +=
        Rule::integrate(modulus, from, to, 15, 1e-10) + Rule::integrate([&](double omega) { return modulus(-omega); }, from, to, 15, 1e-10);
  return sum;
}

TEST(Decay, MassBeyondIsThatOfQuadratureOrABoundOfIt) {
  for (const auto& kernel : all_kernels()) {
    const auto measure = kernel->measure(1);
    for (const double cut : {0.0, 0.5, 2.0, 7.0}) {
      const auto bound = measure->mass_beyond(0, cut);
      ASSERT_TRUE(bound) << kernel->name();
      const double mass = mass_by_quadrature(*measure, cut);
      EXPECT_GE(*bound * (1 + 1e-7) + 1e-12, mass) << kernel->name() << ", cut " << cut;
      if (kernel->positive_definite()) {
        EXPECT_NEAR(*bound, mass, 1e-7) << kernel->name() << ", cut " << cut;
      }
    }
  }
}

TEST(Decay, TailsOfACoordinateAreThoseOfDraws) {
  constexpr std::size_t n = 40'000;
  for (const auto& kernel : all_kernels()) {
    if (!kernel->positive_definite()) continue;
    const auto measure = kernel->measure(3);
    std::size_t beyond = 0;
    std::vector<double> omega(3);
    for (std::size_t i = 0; i < n; ++i) {
      RandomStream random(5, Purpose::real_positive, i);
      measure->draw(Part::real_positive, random, omega);
      beyond += std::fabs(omega[1]) > 2.0;
    }
    const double p = *measure->mass_beyond(1, 2.0), found = static_cast<double>(beyond) / n;
    EXPECT_NEAR(found, p, 4.5 * std::sqrt(p * (1 - p) / n)) << kernel->name();  // false alarms: 7e-6 for each of the kernels
  }
}

TEST(Decay, NoValueIsLargerThanTheBound) {
  for (const auto& kernel : all_kernels())
    for (std::size_t dim = 1; dim <= 3; ++dim) {
      const auto measure = kernel->measure(dim);
      for (std::size_t i = 0; i < 300; ++i) {
        RandomStream random(6, Purpose::landmark_pivots, i);
        std::vector<double> distances(dim), delta(dim);
        for (std::size_t k = 0; k < dim; ++k) {
          distances[k] = 3 * random.uniform();
          delta[k] = (random.coin() ? 1 : -1) * (distances[k] + (i % 2 == 0 ? 0.0 : random.exponential()));
        }
        const auto bound = measure->largest_beyond(distances);
        ASSERT_TRUE(bound) << kernel->name();
        EXPECT_LE(std::fabs((*kernel)(delta)), *bound * (1 + 1e-12)) << kernel->name();
      }
      const std::vector<double> far(dim, 1e4);
      EXPECT_LE(*measure->largest_beyond(far), 1e-7) << kernel->name();
    }
}

}  // namespace
}  // namespace askrff
