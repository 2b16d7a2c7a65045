// A kernel of a user's function: the same bits however its values are rounded, what it throws comes out, one search for each dimension.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <thread>

#include "askrff/approximate.hpp"
#include "support/functions.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

/// Up to one unit in the last place off, by a hash of the value.
double off_by_an_ulp(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  std::uint64_t key = std::bit_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15ULL;
  key ^= key >> 31;
  const int step = static_cast<int>(key % 3) - 1;
  return step == 0 ? value : std::nextafter(value, step * HUGE_VAL);
}

using Extended = long double;
struct FunctionCase {
  const char* name;
  std::size_t dim;
  std::function<double(std::span<const double>)> plain;
  std::function<Extended(std::span<const double>)> extended;
};

template <class Real>
Real squares_of(std::span<const double> x, Real shift = 0) {
  Real sum = 0;
  for (const double value : x) sum += (value + shift) * (value + shift);
  return sum;
}
template <class Real>
Real shifted_bell(std::span<const double> x) {
  return std::exp(-squares_of<Real>(x, Real(0.4)) / Real(1.7));
}
template <class Real>
Real kinked(std::span<const double> x) {
  Real sum = 0;
  for (const double value : x) sum += std::fabs(static_cast<Real>(value));
  return std::exp(-sum / Real(0.8));
}
template <class Real>
Real radial(std::span<const double> x) {
  const Real r = std::sqrt(3 * squares_of<Real>(x));
  return (1 + r) * std::exp(-r);
}
template <class Real>
Real skew(std::span<const double> x) {
  Real along = 0;
  for (std::size_t i = 0; i < x.size(); ++i) along += Real(i % 2 == 0 ? 0.5 : -0.2) * x[i];
  return std::exp(-squares_of<Real>(x) / 2) * (1 + std::sinh(along));
}
template <class Real>
Real turned(std::span<const double> x) {
  const Real a = x[0] + Real(0.5) * x[1], b = x[1] - Real(0.2) * x[0];
  return std::exp(-a * a - b * b) * (1 + std::tanh(a * b + Real(0.5)));
}

/// Three ways of rounding one kernel: doubles, long double rounded, and doubles with an ulp of noise. That a boundary of the rounding to
/// the grain is met has a probability of a few in ten thousand for each of these (line_profile.hpp), and the values are what they are.
TEST(FunctionKernel, TheSameAtomsHoweverItIsRounded) {
  const std::vector<FunctionCase> cases = {{"product", 3, shifted_bell<double>, shifted_bell<Extended>},
                                           {"kinked product", 2, kinked<double>, kinked<Extended>},
                                           {"radial", 4, radial<double>, radial<Extended>},
                                           {"ridge", 3, skew<double>, skew<Extended>},
                                           {"grid", 2, turned<double>, turned<Extended>}};
  for (const FunctionCase& each : cases) {
    SCOPED_TRACE(each.name);
    const auto plain = function_kernel(for_every_row(each.plain));
    const auto extended = function_kernel(for_every_row([&](std::span<const double> x) { return static_cast<double>(each.extended(x)); }));
    const auto noisy = function_kernel(for_every_row([&](std::span<const double> x) { return off_by_an_ulp(each.plain(x)); }));
    ASSERT_TRUE(plain->measure(each.dim)) << plain->measure_reason(each.dim);
    for (const Sampler sampler : {Sampler::exact, Sampler::sobol}) {
      if (sampler == Sampler::sobol && !plain->measure(each.dim)->normal_vector_use().proposals) continue;
      const ApproximateOptions options{.n_frequencies = 300, .estimator = Estimator::polar, .sampler = sampler, .seed = 5};
      const auto wanted = approximate(*plain, each.dim, options);
      for (const auto* other : {&extended, &noisy}) {
        const auto atoms = approximate(**other, each.dim, options);
        ASSERT_EQ(atoms.size(), wanted.size());
        for (std::size_t j = 0; j < wanted.size(); ++j) {
          EXPECT_EQ(atoms.weights()[j], wanted.weights()[j]) << j;
          for (std::size_t c = 0; c < each.dim; ++c) ASSERT_EQ(atoms.frequencies()(j, c), wanted.frequencies()(j, c)) << j;
        }
      }
    }
  }
}

TEST(FunctionKernel, AsksOnceForEachDimensionInBlocks) {
  std::atomic<std::size_t> n_calls = 0, longest = 0;
  const auto kernel = function_kernel([&](MatrixView<const double> differences, std::span<double> values) {
    ++n_calls;
    longest = std::max<std::size_t>(longest, differences.rows());
    ASSERT_EQ(values.size(), differences.rows());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = shifted_bell<double>(differences.row(i));
  });
  const auto first = kernel->measure(2);
  const std::size_t after_first = n_calls;
  EXPECT_GT(after_first, 0u);
  EXPECT_LE(longest, 16384u);
  EXPECT_TRUE(kernel->measure(2));
  EXPECT_FALSE(kernel->measure_reason(2).empty());
  EXPECT_EQ(n_calls, after_first);
  EXPECT_TRUE(kernel->measure(3));
  EXPECT_GT(n_calls, after_first);
}

TEST(FunctionKernel, ManyThreadsFindTheSame) {
  const auto kernel = function_kernel(for_every_row(shifted_bell<double>));
  std::vector<double> totals(8);
  std::vector<std::thread> threads;
  for (double& total : totals) threads.emplace_back([&] { total = *kernel->measure(2)->exact_total_variation(); });
  for (auto& thread : threads) thread.join();
  for (const double total : totals) EXPECT_EQ(total, totals[0]);
}

struct Mine {};

TEST(FunctionKernel, WhatTheFunctionThrowsComesOut) {
  for (const Route route : {Route::automatic, Route::product, Route::radial}) {
    const auto kernel = function_kernel([](MatrixView<const double>, std::span<double>) { throw Mine(); }, {.route = route});
    EXPECT_THROW(kernel->measure(2), Mine);
    const auto later = function_kernel(
        [](MatrixView<const double> differences, std::span<double> values) {
          for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = shifted_bell<double>(differences.row(i));
            if (differences(i, 0) > 1e6) throw Mine();
          }
        },
        {.route = route});
    EXPECT_THROW(later->measure(2), Mine);
  }
}

TEST(FunctionKernel, RefusesEmptyFunctionsAndBadForms) {
  EXPECT_NE(refusal_text([] { function_kernel({}); }).find("empty"), std::string::npos);
  EXPECT_NE(refusal_text([] { function_kernel(for_every_row(shifted_bell<double>), {.tolerance = 0}); }).find("tolerance"),
            std::string::npos);
  EXPECT_NE(refusal_text([] { function_kernel(for_every_row(shifted_bell<double>), {.direction = {std::nan("")}}); }).find("finite"),
            std::string::npos);
}

}  // namespace
}  // namespace askrff::test
