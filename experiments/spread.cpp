// Means and deviations over trials.
#include "experiments/spread.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace askrff::experiments {

Spread spread_of(std::span<const double> values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {nan, nan, 0};
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  long double squares = 0;  // holds the square of any double
  for (const double value : values) squares += static_cast<long double>(value - mean) * (value - mean);
  const double deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size() - 1)));
  return {mean, values.size() > 1 ? deviation : nan, values.size()};
}

double Spread::standard_error() const { return deviation / std::sqrt(static_cast<double>(n_trials)); }

}  // namespace askrff::experiments
