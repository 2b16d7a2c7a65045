// Arithmetic of WideSums: pairs of doubles, high + low, of which low is at most half a unit in the last place of high.
#pragma once

#include <span>

#include "askrff/ridge.hpp"

namespace askrff::models {

/// a + b exactly: the rounded sum, and what rounding left (Knuth).
struct ExactPair {
  double sum, rest;
};
inline ExactPair exact_pair(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// high + low with |low| small against |high|, brought to the one form there is for a value.
inline void normalise(double sum, double rest, double& high, double& low) {
  high = sum + rest;
  low = rest - (high - sum);
}

inline WideSums wide_zeros(std::size_t n) { return {std::vector<double>(n), std::vector<double>(n)}; }

/// sums[first + i] += values[i]. Exact unless a value has bits more than 100 below the sum.
inline void add_values(WideSums& sums, std::size_t first, std::span<const double> values) {
  double* const high = sums.high.data() + first;
  double* const low = sums.low.data() + first;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ExactPair pair = exact_pair(high[i], values[i]);
    normalise(pair.sum, low[i] + pair.rest, high[i], low[i]);
  }
}

/// sums += others, of the same size.
inline void add_sums(WideSums& sums, const WideSums& others) {
  for (std::size_t i = 0; i < sums.high.size(); ++i) {
    const ExactPair highs = exact_pair(sums.high[i], others.high[i]), lows = exact_pair(sums.low[i], others.low[i]);
    double high = 0, low = 0;
    normalise(highs.sum, highs.rest + lows.sum, high, low);
    normalise(high, low + lows.rest, sums.high[i], sums.low[i]);
  }
}

}  // namespace askrff::models
