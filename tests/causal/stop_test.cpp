// Products, likelihoods and fits that are stopped in the middle.
#include <gtest/gtest.h>

#include "askrff/causal.hpp"
#include "askrff/hawkes.hpp"
#include "causal/direct_sums.hpp"
#include "support/random_inputs.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

TEST(Stop, CausalProducts) {
  const std::vector<double> times = random_times(500'000, 0, 1000, 1);
  ExponentialSum kernel;
  for (int k = 1; k <= 100; ++k) {
    kernel.amplitudes.push_back(1);
    kernel.rates.push_back(k);
  }
  const CausalOperator op(kernel, times, times);
  const Matrix<double> V = uniform_matrix(500'000, 1, 2);
  expect_stops([&](const Execution& execution) { op.apply(V, execution); });
}

TEST(Stop, HawkesFits) {
  HawkesParameters parameters{std::vector<double>(12, 1.0), {Matrix<double>(12, 12)}, {1.0}};
  for (std::size_t i = 0; i < 12; ++i) parameters.branching[0](i, (i + 1) % 12) = 0.5;
  const HawkesEvents events = simulate_hawkes(parameters, 40'000, 1);
  expect_stops([&](const Execution& execution) { fit_hawkes(events, {}, execution); });
  expect_stops([&](const Execution& execution) {
    simulate_hawkes({{1e9}, {Matrix<double>(1, 1)}, {1.0}}, 1, 1, 1'000'000'000, execution);
  });
}

TEST(Stop, HawkesFitsOfManyTypes) {
  const std::size_t n_types = 250, n = 4000;
  std::vector<std::uint32_t> types(n);
  for (std::size_t i = 0; i < n; ++i) types[i] = static_cast<std::uint32_t>(i * i / 7 % n_types);
  const HawkesEvents events(random_times(n, 0, 1000, 3), types, 1000, n_types);
  expect_stops([&](const Execution& execution) { fit_hawkes(events, {{1.0}}, execution); }, std::chrono::milliseconds(3000));
}

TEST(Stop, ChildrenThatComeAfterTheHorizon) {
  HawkesParameters parameters{{10.0, 0.0}, {Matrix<double>(2, 2)}, {1e-15}};
  parameters.branching[0](0, 1) = 1e12;  // the ratio is 0, and few of so many come before the horizon
  expect_stops([&](const Execution& execution) { simulate_hawkes(parameters, 1, 1, default_max_events, execution); });
}

}  // namespace
}  // namespace askrff::test
