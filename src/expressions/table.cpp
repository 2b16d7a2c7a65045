// Slopes of a table and its cubics.
#include "expressions/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"

namespace askrff::expressions {
namespace {

/// `slope` with the sign of the secants and no steeper than three times the flatter one: enough for a monotone cubic.
double held_back(double slope, double left, double right) {
  if (left * right <= 0 || slope * left <= 0) return 0;
  const double most = 3 * std::min(std::fabs(left), std::fabs(right));
  return std::copysign(std::min(std::fabs(slope), most), left);
}

/// Of the parabola through three points, whose secants over h0 and h1 are d0 and d1, at the end of h0 away from h1.
double end_slope(double h0, double h1, double d0, double d1) { return held_back(d0 + (d0 - d1) * (h0 / (h0 + h1)), d0, d0); }

std::vector<double> slopes_of(std::span<const double> x, std::span<const double> f) {
  const std::size_t n = x.size();
  std::vector<double> h(n - 1), secants(n - 1), slopes(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    secants[i] = (f[i + 1] - f[i]) / h[i];
  }
  if (n == 2) return {secants[0], secants[0]};
  for (std::size_t i = 1; i + 1 < n; ++i)
    slopes[i] = held_back((h[i] * secants[i - 1] + h[i - 1] * secants[i]) / (h[i - 1] + h[i]), secants[i - 1], secants[i]);
  slopes[0] = end_slope(h[0], h[1], secants[0], secants[1]);
  slopes[n - 1] = end_slope(h[n - 2], h[n - 3], secants[n - 2], secants[n - 3]);
  return slopes;
}

}  // namespace

Table::Table(std::span<const double> pairs, const std::string& owner) {
  const std::size_t n = pairs.size() / 2;
  if (pairs.size() % 2 != 0 || n < 2 || n > max_points)
    throw InvalidArgument(owner, fmt::format("{} numbers, expected pairs x0, f0, x1, f1, … of 2 to {} points", pairs.size(), max_points));
  std::vector<double> f(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = pairs[2 * i];
    f[i] = pairs[2 * i + 1];
    if (!std::isfinite(x) || !std::isfinite(f[i]))
      throw InvalidArgument(owner, fmt::format("point {} is ({}, {}), expected finite numbers", i + 1, x, f[i]));
    if (i > 0 && !(x > x_.back()))
      throw InvalidArgument(owner, fmt::format("point {} is at {} behind {}, expected increasing abscissae", i + 1, x, x_.back()));
    x_.push_back(x);
  }
  const auto slopes = slopes_of(x_, f);
  const double mean = (x_.back() - x_.front()) / static_cast<double>(n - 1);
  bool is_equispaced = std::isfinite(1 / mean);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = x_[i + 1] - x_[i], secant = (f[i + 1] - f[i]) / h;
    const Cubic cubic{f[i], slopes[i], (3 * secant - 2 * slopes[i] - slopes[i + 1]) / h,
                      ((slopes[i] + slopes[i + 1]) - 2 * secant) / h / h};
    if (!std::isfinite(cubic.slope) || !std::isfinite(cubic.second) || !std::isfinite(cubic.third))
      throw InvalidArgument(owner, fmt::format("points {} and {} are too near to each other or too steep for doubles", i + 1, i + 2));
    cubics_.push_back(cubic);
    is_equispaced = is_equispaced && std::fabs(h - mean) <= 1e-6 * mean;
  }
  if (is_equispaced) per_interval_ = 1 / mean;
}

/// x is between the first point and the last. Equispaced: a step aside at most, for what was rounded.
std::size_t Table::interval_of(double x) const {
  const std::size_t last = cubics_.size() - 1;
  if (per_interval_ == 0) {
    const auto behind = std::upper_bound(x_.begin(), x_.end(), x);
    return std::min(last, static_cast<std::size_t>(behind - x_.begin()) - 1);
  }
  std::size_t i = std::min(last, static_cast<std::size_t>((x - x_.front()) * per_interval_));
  while (i > 0 && x < x_[i]) --i;
  while (i < last && x >= x_[i + 1]) ++i;
  return i;
}

std::size_t Table::piece_of(double x) const {
  if (x >= x_.front() && x <= x_.back()) return interval_of(x) + 1;
  return x < x_.front() ? 0 : std::isnan(x) ? cubics_.size() + 2 : cubics_.size() + 1;
}

double Table::value(double x) const {
  if (!(x >= x_.front() && x <= x_.back())) return std::isnan(x) ? x : 0.0;
  const std::size_t i = interval_of(x);
  const Cubic& cubic = cubics_[i];
  const double s = x - x_[i];
  return cubic.value + s * (cubic.slope + s * (cubic.second + s * cubic.third));
}

void Table::values(const double* x, double* out, std::size_t n) const {
  for (std::size_t i = 0; i < n; ++i) out[i] = value(x[i]);
}

}  // namespace askrff::expressions
