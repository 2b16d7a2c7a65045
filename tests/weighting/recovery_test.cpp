// The subset fit as a statistical estimate: it finds the exact masses with many frequencies, and the printed sign does not (erratum 1).
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

struct Mean {
  double sum = 0, squares = 0, n = 0;
  void add(double value) { sum += value, squares += value * value, n += 1; }
  double value() const { return sum / n; }
  double standard_error() const { return std::sqrt(std::max(0.0, squares / n - value() * value()) / (n - 1)); }
};

/// 40 fits with 1024 frequencies per part on 25 points: bias is of order 1/M, the standard error of the mean 1/√(40 M). 7 comparisons at 5
/// standard errors (Student, 39 degrees of freedom, two-sided: 1.2e-5 each): false-alarm rate below 1e-4.
TEST(Recovery, ExactMassesWithManyFrequencies) {
  std::vector<std::unique_ptr<Kernel>> kernels;
  kernels.push_back(shift_gaussian({.sigma = 1.0, .shift = {0.8, -0.4}}));
  kernels.push_back(sinh_gaussian({.sigma = 1.0, .beta = {0.4, 0.3}}));
  kernels.push_back(cosh_gaussian({.sigma = 1.0, .beta = {0.7, 0.2}}));
  kernels.push_back(difference_of_gaussians({.sigma = 1.0, .sigma2 = 2.0, .weight = 0.5}));
  for (const auto& kernel : kernels) {
    const Masses exact = exact_masses(*kernel->measure(2));
    Mean negative, imaginary;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const auto atoms = approximate(*kernel, 2, {.n_frequencies = 1024, .seed = seed});
      const MassFit fit = fit_masses(*kernel, atoms, random_matrix(25, 2, 500 + seed));
      EXPECT_NEAR(fit.real_positive - fit.real_negative, kernel->at_zero(2), 1e-14);
      negative.add(fit.real_negative);
      imaginary.add(fit.imaginary_positive);
    }
    EXPECT_NEAR(negative.value(), exact.real_negative, 5 * negative.standard_error()) << kernel->name();
    EXPECT_NEAR(imaginary.value(), exact.imaginary_positive, 5 * imaginary.standard_error()) << kernel->name();
  }
}

/// Erratum 1. With -2ξ₃ as printed the minimiser is max(0, -unconstrained ξ₃): it collapses to 0 in ten trials of ten in the setting of
/// figure 1 (d = 1, ten normal points, M = 1024). In 1000 other trials the sign was the other one never for shift and once for cosh, so the
/// false-alarm rate of these ten trials of each is about 1e-2.
TEST(Recovery, PrintedSignLosesTheImaginaryPart) {
  std::vector<std::unique_ptr<Kernel>> kernels;
  kernels.push_back(shift_gaussian());
  kernels.push_back(cosh_gaussian());
  for (const auto& kernel : kernels) {
    std::size_t collapsed = 0;
    for (std::uint64_t trial = 0; trial < 10; ++trial) {
      const auto atoms = approximate(*kernel, 1, {.n_frequencies = 1024, .seed = trial});
      const MassFit fit = fit_masses(*kernel, atoms, random_matrix(10, 1, 900 + trial));
      const double as_printed = std::max(0.0, -fit.unconstrained_imaginary_positive);
      collapsed += as_printed == 0;
      EXPECT_GT(fit.imaginary_positive, 0.0);
    }
    EXPECT_EQ(collapsed, 10u) << kernel->name();
  }
}

}  // namespace
}  // namespace askrff::test
