// Means and deviations over trials.
#include "experiments/results.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace askrff::experiments {

Spread spread_of(std::span<const double> values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {nan, nan, 0};
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : nan, values.size()};
}

double Spread::standard_error() const { return deviation / std::sqrt(static_cast<double>(n_trials)); }

double Cell::difference() const {
  return paper ? (accuracy.mean - paper->mean) / allowed_deviation : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace askrff::experiments
