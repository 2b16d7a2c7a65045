// Spread: mean and standard deviation over trials.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>

namespace askrff::cli {

struct Spread {
  double mean = 0;
  double deviation = 0;  ///< of n - 1; NaN for a single trial
  std::size_t n_trials = 0;

  double standard_error() const { return deviation / std::sqrt(static_cast<double>(n_trials)); }
};

/// NaN for no values.
inline Spread spread_of(std::span<const double> values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {nan, nan, 0};
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  long double squares = 0;  // holds the square of any double
  for (const double value : values) squares += static_cast<long double>(value - mean) * (value - mean);
  const double deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size() - 1)));
  return {mean, values.size() > 1 ? deviation : nan, values.size()};
}

}  // namespace askrff::cli
