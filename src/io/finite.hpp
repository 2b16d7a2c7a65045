// Whether numbers are finite, many at a time.
#pragma once

#include <cstddef>

namespace askrff::io {

inline bool all_finite(const double* x, std::size_t count) {
  double sums[4] = {};  // 0·x is NaN for what is not finite; four sums, so that none waits for another
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += 0 * x[i + k];
  for (; i < count; ++i) sums[0] += 0 * x[i];
  return sums[0] + sums[1] + sums[2] + sums[3] == 0;
}

}  // namespace askrff::io
