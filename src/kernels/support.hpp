// Shared by the kernel files: checks of parameters and rows, and the loop over a block of differences.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"
#include "core/row_pairs.hpp"

namespace askrff::kernels {

/// Widths of kernels: finite, also when squared and inverted.
constexpr double smallest_scale = 1e-150, largest_scale = 1e150;

/// `value` if it is positive and finite, also when squared and inverted; throws std::invalid_argument otherwise.
inline double positive_scale(double value, const std::string& owner, const std::string& what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InvalidArgument(owner, fmt::format("{} is {}, expected a positive finite number", what, value));
  if (value < smallest_scale || value > largest_scale)
    throw InvalidArgument(owner, fmt::format("{} is {}, expected a number between 1e-150 and 1e150", what, value));
  return value;
}

/// `value` if it is between both ends; throws std::invalid_argument otherwise, with `why` if that is not empty.
inline double within(double value, double lowest, double highest, const std::string& owner, const std::string& what,
                     const std::string& why = "") {
  if (value >= lowest && value <= highest) return value;
  throw InvalidArgument(owner, fmt::format("{} is {}, expected {} to {}{}{}", what, value, lowest, highest, why.empty() ? "" : ": ", why));
}

inline bool has_different_rows(const RowsView<double>& X) {
  bool differ = false;
  for (std::size_t i = 1; i < X.rows() && !differ; ++i)
    for_each_coordinate(X, i, X, 0, [&](std::size_t, double x, double y) { differ = differ || x != y; });
  return differ;
}

/// out[i] = value(row i of differences).
template <class PointFunction>
void evaluate_rows(MatrixView<const double> differences, std::span<double> out, const PointFunction& value) {
  if (out.size() != differences.rows())
    throw InvalidArgument("Kernel::evaluate", fmt::format("{} differences but room for {} values", differences.rows(), out.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(differences.row(i));
}

/// ‖δ‖²/2σ², scaled before it is squared so that no σ overflows it.
inline double half_scaled_square(std::span<const double> delta, double sigma) {
  double sum = 0;
  for (const double x : delta) sum += (x / sigma) * (x / sigma);
  return 0.5 * sum;
}

}  // namespace askrff::kernels
