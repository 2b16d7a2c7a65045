// Intensity, log-likelihood and gradient of Hawkes processes against direct sums and finite differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "askrff/hawkes.hpp"
#include "causal/direct_sums.hpp"
#include "causal/hawkes_sums.hpp"
#include "support/same_bits.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

HawkesParameters one_type(double baseline, double branching, double decay) {
  return {{baseline}, {Matrix<double>(1, 1, {branching})}, {decay}};
}

TEST(HawkesLikelihood, AgreesWithDirectSums) {
  const HawkesEvents events = simulate_hawkes(three_types(), 1000, 3);
  ASSERT_GT(events.size(), 2500u);
  const double direct = static_cast<double>(direct_log_likelihood(three_types(), events));
  EXPECT_NEAR(hawkes_log_likelihood(three_types(), events).value / direct, 1, 1e-13);
}

TEST(HawkesLikelihood, AgreesWithDirectSumsOnTenThousandEvents) {
  // Of one type: value and derivatives in closed form, over all pairs.
  const HawkesParameters parameters = one_type(0.6, 0.4, 0.8);
  const HawkesEvents events = simulate_hawkes(parameters, 1e4, 5);
  ASSERT_GT(events.size(), 9000u);
  const long double b = 0.8, n = 0.4;  // as doubles
  long double value = -static_cast<long double>(0.6) * events.horizon(), in_baseline = -events.horizon(), in_branching = 0, in_decay = 0;
  long double sizes[2] = {0, 0};
  for (std::size_t i = 0; i < events.size(); ++i) {
    long double wave = 0, slope = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const long double x = b * (static_cast<long double>(events.times()[i]) - events.times()[j]);
      wave += b * std::exp(-x);
      slope += (1 - x) * std::exp(-x);
    }
    const long double intensity = 0.6 + n * wave, left = b * (static_cast<long double>(events.horizon()) - events.times()[i]);
    value += std::log(intensity) + n * std::expm1(-left);
    in_baseline += 1 / intensity;
    in_branching += wave / intensity + std::expm1(-left);
    in_decay += n * slope / intensity - n * left / b * std::exp(-left);
    sizes[0] += wave / intensity;
    sizes[1] += std::fabs(n * slope / intensity);
  }
  const auto [found, gradient] = hawkes_log_likelihood(parameters, events);
  EXPECT_NEAR(found / static_cast<double>(value), 1, 1e-13);
  EXPECT_NEAR(gradient.baseline[0], static_cast<double>(in_baseline), 1e-12 * events.horizon());
  EXPECT_NEAR(gradient.branching[0](0, 0), static_cast<double>(in_branching), 1e-12 * static_cast<double>(sizes[0]));
  EXPECT_NEAR(gradient.decays[0], static_cast<double>(in_decay), 1e-12 * static_cast<double>(sizes[1]));
}

/// Central differences of `f` in one number of the parameters.
template <class F>
double difference(HawkesParameters& parameters, double& number, const F& f) {
  const double at = number, step = 1e-5 * std::max(at, 0.1);
  number = at + step;
  const double above = static_cast<double>(f(parameters));
  number = at - step;
  const double below = static_cast<double>(f(parameters));
  number = at;
  return (above - below) / (2 * step);
}

TEST(HawkesLikelihood, GradientIsThatOfDirectSums) {
  HawkesParameters parameters = three_types();
  for (Matrix<double>& matrix : parameters.branching)
    for (std::size_t i = 0; i < 9; ++i) matrix.data()[i] += 0.01;
  const HawkesEvents events = random_events(300, 3, 100, 1);  // with ties
  const HawkesLikelihood likelihood = hawkes_log_likelihood(parameters, events);
  EXPECT_NEAR(likelihood.value, static_cast<double>(direct_log_likelihood(parameters, events)), 1e-11);
  const auto direct = [&](const HawkesParameters& p) { return direct_log_likelihood(p, events); };
  for (std::size_t v = 0; v < 3; ++v)
    EXPECT_NEAR(likelihood.gradient.baseline[v], difference(parameters, parameters.baseline[v], direct), 1e-4);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(likelihood.gradient.decays[k], difference(parameters, parameters.decays[k], direct), 1e-4);
    for (std::size_t i = 0; i < 9; ++i)
      EXPECT_NEAR(likelihood.gradient.branching[k].data()[i], difference(parameters, parameters.branching[k].data()[i], direct), 1e-4);
  }
}

TEST(HawkesLikelihood, SecondDerivativesAreThoseOfTheGradient) {
  HawkesParameters parameters{{0.3, 0.2}, {Matrix<double>(2, 2, {0.2, 0.3, 0.1, 0.1})}, {1.5}};
  const HawkesEvents events = random_events(200, 2, 80, 2);
  const HawkesSums sums = hawkes_sums(parameters, events, Derivatives::second, {});
  const std::size_t n = sums.n_theta();
  for (std::size_t v = 0; v < 2; ++v)
    for (std::size_t i = 0; i < n; ++i) {
      const auto slope = [&](const HawkesParameters& p) { return hawkes_sums(p, events, Derivatives::first, {}).gradient[v * n + i]; };
      EXPECT_NEAR(-1.5 * difference(parameters, parameters.decays[0], slope), sums.decay_cross[v * n + i], 1e-4);
      for (std::size_t j = 0; j <= i; ++j) {
        double& number = j == 0 ? parameters.baseline[v] : parameters.branching[0](j - 1, v);
        EXPECT_NEAR(-difference(parameters, number, slope), sums.curvature[(v * n + i) * n + j],
                    1e-5 * sums.curvature[(v * n + i) * n + j]);
      }
    }
  const auto slope = [&](const HawkesParameters& p) { return hawkes_sums(p, events, Derivatives::first, {}).decay_gradient[0]; };
  EXPECT_NEAR(-1.5 * difference(parameters, parameters.decays[0], slope), sums.decay_curvature, 1e-5);
}

TEST(HawkesLikelihood, SameBitsForAnyThreads) {
  const HawkesEvents events = simulate_hawkes(three_types(), 40'000, 3);
  const HawkesSums one = hawkes_sums(three_types(), events, Derivatives::second, {.n_threads = 1});
  for (const std::size_t n_threads : {2, 5}) {
    const HawkesSums many = hawkes_sums(three_types(), events, Derivatives::second, {.n_threads = n_threads});
    EXPECT_EQ(one.value, many.value);
    EXPECT_EQ(one.gradient, many.gradient);
    EXPECT_EQ(one.decay_gradient, many.decay_gradient);
    EXPECT_EQ(one.curvature, many.curvature);
  }
}

TEST(HawkesLikelihood, IntensitiesAreDirectSums) {
  const HawkesEvents events = random_events(400, 3, 50, 4);
  std::vector<double> times = random_times(100, 0, 70, 5);
  times.push_back(events.times()[7]);
  const Matrix<double> intensity = hawkes_intensity(three_types(), events, times);
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t v = 0; v < 3; ++v)
      EXPECT_NEAR(intensity(i, v) / static_cast<double>(direct_intensity(three_types(), events, times[i], v)), 1, 1e-13);
}

TEST(HawkesLikelihood, FewEvents) {
  const HawkesParameters parameters = one_type(0.5, 0.4, 2);
  const HawkesLikelihood none = hawkes_log_likelihood(parameters, HawkesEvents({}, {}, 10));
  EXPECT_EQ(none.value, -5);
  EXPECT_EQ(none.gradient.baseline[0], -10);
  EXPECT_EQ(none.gradient.branching[0](0, 0), 0);
  const HawkesEvents same(std::vector<double>(3000, 4.0), {}, 10), single({0.0}, {}, 10), end({10.0}, {}, 10);
  for (const HawkesEvents* events : {&same, &single, &end})
    EXPECT_NEAR(hawkes_log_likelihood(parameters, *events).value, static_cast<double>(direct_log_likelihood(parameters, *events)),
                1e-12 * static_cast<double>(events->size()));
}

TEST(HawkesLikelihood, ExtremeDecaysAndTimes) {
  const HawkesEvents events = random_events(200, 1, 30, 6);
  for (const double decay : {1e-300, 1e-100, 1e-12, 1e12, 1e100, 1e300}) {
    const HawkesLikelihood likelihood = hawkes_log_likelihood(one_type(0.5, 0.4, decay), events);
    EXPECT_NEAR(likelihood.value, static_cast<double>(direct_log_likelihood(one_type(0.5, 0.4, decay), events)), 1e-10) << decay;
    EXPECT_TRUE(std::isfinite(likelihood.gradient.decays[0])) << decay;
  }
  // The compensator of slow decays keeps its digits.
  const HawkesParameters slow = one_type(1e-20, 1e6, 1e-12);
  const double direct = static_cast<double>(direct_log_likelihood(slow, HawkesEvents({1.0, 2.0}, {}, 3)));
  EXPECT_NEAR(hawkes_log_likelihood(slow, HawkesEvents({1.0, 2.0}, {}, 3)).value / direct, 1, 1e-14);
  const HawkesEvents wide({0, 1e-300, 1e299, 1e300}, {}, 1e300), brief({0, 1e-301, 1e-300}, {}, 1e-300);
  EXPECT_TRUE(std::isfinite(hawkes_log_likelihood(one_type(0.5, 0.4, 1), wide).value));
  EXPECT_TRUE(std::isfinite(hawkes_log_likelihood(one_type(0.5, 0.4, 1e300), brief).value));
}

TEST(HawkesLikelihood, EventsThatCannotBe) {
  const HawkesLikelihood impossible = hawkes_log_likelihood(one_type(0, 0.5, 1), HawkesEvents({1, 2}, {}, 3));
  EXPECT_EQ(impossible.value, -infinity);
  EXPECT_TRUE(std::isnan(impossible.gradient.baseline[0]));
  EXPECT_THROW(hawkes_log_likelihood(one_type(1, 1e200, 1e200), HawkesEvents({1, 1 + 1e-15}, {}, 3)), NumericalError);
}

TEST(HawkesLikelihood, Refusals) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(HawkesEvents({nan}, {}, 1), std::invalid_argument);
  EXPECT_THROW(HawkesEvents({-1e-9}, {}, 1), std::invalid_argument);
  EXPECT_THROW(HawkesEvents({1.5}, {}, 1), std::invalid_argument);
  EXPECT_THROW(HawkesEvents({0.5}, {0, 1}, 1), std::invalid_argument);
  EXPECT_THROW(HawkesEvents({0.5}, {2}, 1, 2), std::invalid_argument);
  EXPECT_THROW(HawkesEvents({0.5}, {4'000'000'000}, 1), std::invalid_argument);
  for (const double horizon : {0.0, -1.0, nan, infinity}) EXPECT_THROW(HawkesEvents({}, {}, horizon), std::invalid_argument);
  for (const HawkesParameters& bad :
       {one_type(-1, 0, 1), one_type(nan, 0, 1), one_type(1, -0.1, 1), one_type(1, infinity, 1), one_type(1, 0.1, 0),
        one_type(1, 0.1, infinity), HawkesParameters{{1.0}, {}, {}}, HawkesParameters{{}, {Matrix<double>(0, 0)}, {1.0}},
        HawkesParameters{{1.0}, {Matrix<double>(1, 2)}, {1.0}}, HawkesParameters{{1.0}, {Matrix<double>(1, 1)}, {1.0, 2.0}}})
    EXPECT_THROW(hawkes_log_likelihood(bad, HawkesEvents({}, {}, 1)), std::invalid_argument);
  EXPECT_THROW(hawkes_log_likelihood(three_types(), HawkesEvents({}, {}, 1)), std::invalid_argument);
  EXPECT_THROW(hawkes_intensity(one_type(1, 0, 1), HawkesEvents({}, {}, 1), std::vector<double>{-1}), std::invalid_argument);
}

TEST(HawkesEvents, AreSortedWithTheirTypes) {
  const HawkesEvents events({3, 1, 2, 1}, {0, 1, 2, 3}, 3);
  EXPECT_EQ(std::vector<double>(events.times().begin(), events.times().end()), (std::vector<double>{1, 1, 2, 3}));
  EXPECT_EQ(std::vector<std::uint32_t>(events.types().begin(), events.types().end()), (std::vector<std::uint32_t>{1, 3, 2, 0}));
  EXPECT_EQ(events.n_types(), 4u);
}

}  // namespace
}  // namespace askrff::test
