// Sums of exponentials fitted to functions: errors on times of the test's own, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/causal.hpp"
#include "askrff/errors.hpp"

namespace askrff::test {
namespace {

TimeFunction each(const std::function<double(double)>& phi) {
  return [phi](std::span<const double> t, std::span<double> out) { std::transform(t.begin(), t.end(), out.begin(), phi); };
}

/// Fits, judges at 3333 times, and returns the number of exponentials.
std::size_t fitted_terms(const std::function<double(double)>& phi, double horizon, const ExponentialFitOptions& options) {
  const ExponentialFit fit = fit_exponential_sum(each(phi), horizon, options);
  EXPECT_LE(fit.error, options.tolerance);
  const double shortest = options.shortest > 0 ? options.shortest : 1e-6 * horizon;
  double largest = 0, error = 0;
  for (int i = 0; i <= 3333; ++i) {
    const double t = std::min(horizon, shortest * std::pow(horizon / shortest, i / 3333.0));
    largest = std::max(largest, std::fabs(phi(t)));
    error = std::max(error, std::fabs(phi(t) - fit.sum.value(t)));
  }
  EXPECT_LE(error, 1.1 * options.tolerance * largest);
  return fit.sum.size();
}

TEST(ExponentialFit, FindsTheSumItself) {
  const ExponentialSum wanted{{0.5, 2.0, -1.0}, {0.1, 1.0, 9.0}};
  const ExponentialFit fit = fit_exponential_sum(each([&](double t) { return wanted.value(t); }), 20, {.tolerance = 1e-9});
  ASSERT_EQ(fit.sum.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(fit.sum.rates[k], wanted.rates[k], 1e-6 * wanted.rates[k]);
    EXPECT_NEAR(fit.sum.amplitudes[k], wanted.amplitudes[k], 1e-6);
  }
}

TEST(ExponentialFit, PowerLaws) {
  EXPECT_LE(fitted_terms([](double t) { return std::pow(1 + t, -1.5); }, 1000, {.tolerance = 1e-6}), 12u);
  EXPECT_LE(fitted_terms([](double t) { return 1e-30 * std::pow(t, -0.5); }, 100, {.tolerance = 1e-4, .shortest = 0.01}), 10u);
}

TEST(ExponentialFit, KernelsThatRiseFirst) {
  EXPECT_LE(fitted_terms([](double t) { return t * std::exp(-t); }, 30, {.tolerance = 1e-5}), 6u);
  EXPECT_LE(fitted_terms([](double t) { return t * t * std::exp(-t); }, 30, {.tolerance = 1e-4}), 10u);
}

TEST(ExponentialFit, Refusals) {
  const TimeFunction jump = each([](double t) { return t < 1 ? 1.0 : 0.0; });
  try {
    fit_exponential_sum(jump, 2, {.tolerance = 1e-3, .max_terms = 8});
    FAIL() << "a jump was fitted";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("exponentials come within"), std::string::npos) << error.what();
  }
  const TimeFunction one = each([](double) { return 1.0; }), bad = each([](double) { return std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_THROW(fit_exponential_sum(bad, 1), std::invalid_argument);
  for (const double horizon : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(fit_exponential_sum(one, horizon), std::invalid_argument);
  EXPECT_THROW(fit_exponential_sum(one, 1, {.tolerance = 0}), std::invalid_argument);
  EXPECT_THROW(fit_exponential_sum(one, 1, {.shortest = 1}), std::invalid_argument);
  EXPECT_THROW(fit_exponential_sum(one, 1, {.max_terms = 0}), std::invalid_argument);
}

TEST(ExponentialFit, ConstantsAndZero) {
  EXPECT_EQ(fit_exponential_sum(each([](double) { return 0.0; }), 1).sum.value(0.5), 0);
  fitted_terms([](double) { return 7.0; }, 5, {.tolerance = 1e-8});
}

}  // namespace
}  // namespace askrff::test
