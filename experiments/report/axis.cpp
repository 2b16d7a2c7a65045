// Chooses ranges and marks; gnuplot's own choice fails on empty ranges and leaves short logarithmic ones without numbers.
#include "experiments/report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/report/numbers.hpp"

namespace askrff::experiments {
namespace {

/// The step 1, 2, 2.5 or 5 times a power of ten that cuts `span` into about five pieces.
double round_step(double span) {
  const double rough = span / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough * 0.999) return factor * power;
  return 10 * power;
}

std::string seconds_label(double seconds) {
  // Exact multiples only come here, so the shortest form has no rounding noise after a few digits.
  if (seconds < 0.9e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 0.9) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.6g} s", seconds);
}

std::string logarithmic_label(double value, bool in_seconds) {
  if (in_seconds) return seconds_label(value);
  const std::string text = rounded(value, 1), one = "1·";
  return text.starts_with(one) ? text.substr(one.size()) : text;
}

/// Decimals with which multiples of `step` differ.
int decimals_of(double step) {
  int decimals = 0;
  while (decimals < 12 && std::abs(step - std::round(step)) > 1e-6 * step) step *= 10, ++decimals;
  return decimals;
}

/// k-th of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, …; the 0th is 1.
double one_two_five(int k) {
  const int decade = static_cast<int>(std::floor(k / 3.0));
  constexpr std::array factors{1.0, 2.0, 5.0};
  return factors[static_cast<std::size_t>(k - 3 * decade)] * std::pow(10.0, decade);
}

Axis short_logarithmic_axis(const Extent& extent, bool in_seconds) {
  int first = 3 * static_cast<int>(std::floor(std::log10(extent.low))), last = first;
  while (one_two_five(first + 1) <= extent.low * 1.0001) ++first;
  last = first + 1;
  while (one_two_five(last) < extent.high * 0.9999) ++last;
  Axis axis{one_two_five(first), one_two_five(last), {}};
  for (int k = first; k <= last; ++k) axis.marks.push_back({one_two_five(k), logarithmic_label(one_two_five(k), in_seconds)});
  return axis;
}

}  // namespace

void Extent::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

Axis linear_axis(const Extent& extent) {
  if (extent.empty()) return {};
  double low = extent.low, high = extent.high;
  const double min_span = 1e-6 * std::max({std::abs(low), std::abs(high), 1e-6});
  if (high - low < min_span) {
    const double room = std::max(0.1 * std::abs(low), 1e-6);
    low -= room;
    high += room;
  }
  const double step = round_step(high - low);
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  const int decimals = decimals_of(step);
  Axis axis{first * step, last * step, {}};
  for (double k = first; k <= last; ++k) axis.marks.push_back({k * step, fixed(k == 0 ? 0.0 : k * step, decimals)});
  return axis;
}

Axis logarithmic_axis(const Extent& extent, bool in_seconds) {
  if (extent.empty()) return {0.1, 1, {{0.1, logarithmic_label(0.1, in_seconds)}, {1, logarithmic_label(1, in_seconds)}}};
  if (std::log10(extent.high / extent.low) < 1.5) return short_logarithmic_axis(extent, in_seconds);
  const int first = static_cast<int>(std::floor(std::log10(extent.low) + 1e-9)),
            last = static_cast<int>(std::ceil(std::log10(extent.high) - 1e-9));
  const int step = (last - first) / 7 + 1;
  Axis axis{std::pow(10.0, first), std::pow(10.0, last), {}};
  for (int k = last; k >= first; k -= step) axis.marks.push_back({std::pow(10.0, k), logarithmic_label(std::pow(10.0, k), in_seconds)});
  return axis;
}

Axis whole_number_axis(const Extent& extent) {
  if (extent.empty()) return {0, 1, {}};
  constexpr double room = 0.4;
  Axis axis{extent.low - room, extent.high + room, {}};
  const double step = std::max(1.0, std::ceil((extent.high - extent.low) / 10));
  for (int k = 0; k <= 10; ++k) {
    const double x = std::ceil(extent.low) + k * step;
    if (x <= extent.high) axis.marks.push_back({x, fixed(x == 0 ? 0.0 : x, 0)});
  }
  return axis;
}

}  // namespace askrff::experiments
