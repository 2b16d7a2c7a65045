// Spread: what trials have in common, and by how much they differ.
#pragma once

#include <cstddef>
#include <span>

namespace askrff::experiments {

/// Mean and standard deviation (of n - 1) over trials.
struct Spread {
  double mean = 0;
  double deviation = 0;  ///< NaN for a single trial
  std::size_t n_trials = 0;

  double standard_error() const;
};
/// NaN for no values.
Spread spread_of(std::span<const double> values);

}  // namespace askrff::experiments
