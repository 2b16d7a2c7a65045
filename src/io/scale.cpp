// Column-wise scaling to [0,1].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "askrff/data.hpp"

namespace askrff {

// (x - low) / (high - low) lies in [0,1] exactly: rounding is monotone, so x - low ≤ high - low and the quotient is at most 1.
void scale_minmax(Matrix<double>& X) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> low(X.cols(), infinity), high(X.cols(), -infinity), unit(X.cols(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) {
      if (!std::isfinite(X(i, j)))
        throw std::invalid_argument(fmt::format("scale_minmax: row {}, column {} is {}, expected a finite number", i + 1, j + 1, X(i, j)));
      low[j] = std::min(low[j], X(i, j));
      high[j] = std::max(high[j], X(i, j));
    }
  for (std::size_t j = 0; j < X.cols(); ++j)
    if (high[j] - low[j] == infinity) unit[j] = 0.5;  // halves do not overflow
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) {
      const double range = high[j] * unit[j] - low[j] * unit[j];
      X(i, j) = range == 0 ? 0.0 : (X(i, j) * unit[j] - low[j] * unit[j]) / range;
    }
}

}  // namespace askrff
