// Causal kernels and Hawkes processes by direct sums over all pairs in long double: the judge of the recursions.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "askrff/causal.hpp"
#include "askrff/hawkes.hpp"
#include "askrff/random.hpp"

namespace askrff::test {

inline long double direct_value(const ExponentialSum& kernel, long double t) {
  long double sum = 0;
  for (std::size_t k = 0; k < kernel.size(); ++k) sum += t > 0 ? kernel.amplitudes[k] * std::exp(-kernel.rates[k] * t) : 0;
  return sum;
}

inline long double direct_intensity(const HawkesParameters& parameters, const HawkesEvents& events, long double t, std::size_t v) {
  long double sum = parameters.baseline[v];
  for (std::size_t j = 0; j < events.size() && events.times()[j] < t; ++j)
    for (std::size_t k = 0; k < parameters.decays.size(); ++k) {
      const long double b = parameters.decays[k];
      sum += parameters.branching[k](events.types()[j], v) * b * std::exp(-b * (t - events.times()[j]));
    }
  return sum;
}

inline long double direct_log_likelihood(const HawkesParameters& parameters, const HawkesEvents& events) {
  long double sum = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    sum += std::log(direct_intensity(parameters, events, events.times()[i], events.types()[i]));
    for (std::size_t k = 0; k < parameters.decays.size(); ++k)
      for (std::size_t v = 0; v < events.n_types(); ++v) {
        const long double left = static_cast<long double>(events.horizon()) - events.times()[i];
        sum += parameters.branching[k](events.types()[i], v) * std::expm1(-parameters.decays[k] * left);
      }
  }
  for (const double baseline : parameters.baseline) sum -= static_cast<long double>(baseline) * events.horizon();
  return sum;
}

/// Uniform on [low, high], in no order; every fourth is one of 16 times, so that there are ties.
inline std::vector<double> random_times(std::size_t n, double low, double high, std::uint64_t seed) {
  std::vector<double> times;
  RandomStream random(seed, Purpose::builtin_data, 0);
  for (std::size_t i = 0; i < n; ++i)
    times.push_back(low + (high - low) * (i % 4 == 0 ? static_cast<double>(random.below(16)) / 16 : random.uniform()));
  return times;
}

inline HawkesEvents random_events(std::size_t n, std::size_t n_types, double horizon, std::uint64_t seed) {
  std::vector<std::uint32_t> types;
  RandomStream random(seed, Purpose::builtin_data, 1);
  for (std::size_t i = 0; i < n; ++i) types.push_back(static_cast<std::uint32_t>(random.below(n_types)));
  return {random_times(n, 0, horizon, seed), types, horizon, n_types};
}

/// Three types, two decays, no symmetry.
inline HawkesParameters three_types() {
  return {{0.3, 0.2, 0.5},
          {Matrix<double>(3, 3, {0.2, 0.3, 0.0, 0.05, 0.1, 0.2, 0.0, 0.1, 0.15}),
           Matrix<double>(3, 3, {0.1, 0.0, 0.2, 0.1, 0.02, 0.0, 0.3, 0.0, 0.1})},
          {1.5, 0.1}};
}

}  // namespace askrff::test
