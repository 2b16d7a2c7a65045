// Blocks of differences along a line; everything else is arithmetic on their values.
#include "choosing/kernel_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/vectors.hpp"
#include "measures/composite_measure.hpp"

namespace askrff::choosing {
namespace {

constexpr std::size_t n_line_points = 257;
constexpr double nothing = -std::numeric_limits<double>::infinity();  // the logarithm of 0

Matrix<double> points_along(const Direction& direction, std::span<const double> at) {
  Matrix<double> points(at.size(), direction.u.size());
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t c = 0; c < direction.u.size(); ++c)
      points(i, c) = at[i] * direction.u[c] + (direction.through.empty() ? 0.0 : direction.through[c]);
  return points;
}

/// k(s·u) for all s.
std::vector<double> values_along(const Kernel& kernel, const Direction& direction, std::span<const double> at) {
  std::vector<double> values(at.size());
  kernel.evaluate(points_along(direction, at).view(), values);
  for (const double value : values)
    if (!std::isfinite(value))
      throw InvalidArgument("diagnose",
                            fmt::format("kernel {} returned {} for a difference, expected finite numbers", kernel.name(), value));
  return values;
}

std::vector<double> between(double low, double high, std::size_t count) {
  std::vector<double> at(count);
  for (std::size_t i = 0; i < count; ++i) at[i] = low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1);
  return at;
}

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::fmax(largest, std::fabs(value));
  return largest;
}

/// log2 Σ 2^weight·|k|, all weights 0 if there are none: volumes of boxes in many dimensions are no numbers. NaN if a value of k is not
/// finite, or refused by the kernel for that.
double log_of_sizes(const Kernel& kernel, const Matrix<double>& points, std::span<const double> weights) {
  std::vector<double> values(points.rows());
  try {
    kernel.evaluate(points.view(), values);
  } catch (const std::invalid_argument&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double largest = nothing;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return std::numeric_limits<double>::quiet_NaN();
    values[i] = std::log2(std::fabs(values[i])) + (weights.empty() ? 0.0 : weights[i]);
    largest = std::max(largest, values[i]);
  }
  if (largest == nothing) return nothing;
  double sum = 0;
  for (const double value : values) sum += std::exp2(value - largest);
  return largest + std::log2(sum);
}

/// log_of(2^n) for n = 0 … 20, and up to 60 where what there is then goes on; no further than it is a number: formulas of users may
/// overflow far from all rows.
template <class LogOf, class GoesOn>
std::vector<double> by_octaves(const StopToken& stop, const LogOf& log_of, const GoesOn& goes_on) {
  constexpr std::size_t n_octaves = 21, most_octaves = 61;
  std::vector<double> logs;
  while (logs.size() < most_octaves && (logs.size() != n_octaves || goes_on(logs))) {
    stop.check();
    const double size = log_of(std::exp2(static_cast<double>(logs.size())));
    if (std::isnan(size)) break;
    logs.push_back(size);
  }
  return logs;
}

/// By how much logarithms grow from each to the next, by the last of them, at most n_steps steps; 0 of one alone, of which nothing is seen.
double last_slope(std::span<const double> logs, std::size_t n_steps) {
  const std::size_t n = std::min(n_steps, logs.size() - 1);
  return n == 0 ? 0.0 : (logs.back() - logs[logs.size() - 1 - n]) / static_cast<double>(n);
}

/// The largest second difference of step h at these points, and where it is.
struct Bend {
  double size = 0, at = 0;
};
Bend largest_bend(const Kernel& kernel, const Direction& direction, std::span<const double> centres, double h) {
  std::vector<double> at;
  for (const double s : centres) at.insert(at.end(), {s - h, s, s + h});
  const std::vector<double> values = values_along(kernel, direction, at);
  Bend bend{-1, 0};
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const double size = std::fabs((values[3 * i] - values[3 * i + 1]) + (values[3 * i + 2] - values[3 * i + 1]));
    if (size > bend.size) bend = {size, centres[i]};
  }
  return bend;
}

/// The power of h with which second differences fall at the sharpest bend; 2 where k is flat.
double power_of_bends(const Kernel& kernel, const Direction& direction, const StopToken& stop) {
  constexpr std::size_t n_levels = 40, n_looked_at = 5;
  const std::vector<double> centres = between(-direction.reach, direction.reach, n_line_points);
  const double noise = 1e-13 * largest_of(values_along(kernel, direction, centres));
  double h = centres[1] - centres[0];
  Bend bend = largest_bend(kernel, direction, centres, h);
  std::vector<double> sizes{bend.size};
  for (std::size_t level = 1; level < n_levels && bend.size > 1e3 * noise; ++level) {
    stop.check();
    const std::vector<double> near = between(bend.at - h, bend.at + h, 9);  // half a step apart
    h /= 2;
    bend = largest_bend(kernel, direction, near, h);
    sizes.push_back(bend.size);
  }
  if (bend.size <= 1e3 * noise) sizes.pop_back();  // may be rounding
  if (sizes.size() < 2) return 2;
  const std::size_t last = sizes.size() - 1, first = last - std::min(last, n_looked_at);
  return std::log2(sizes[first] / sizes[last]) / static_cast<double>(last - first);
}

/// How coordinates that are not the largest are drawn: all over the box, or with uniform logarithms, so that ridges along coordinates are
/// seen.
enum class Spread { uniform, logarithmic };

/// Whether what octaves of the largest coordinate contribute to ∫|k| is seen to fall.
bool falls_far_out(const Kernel& kernel, std::span<const double> extent, Spread spread, const StopToken& stop) {
  constexpr std::size_t n_points = 2048, n_looked_at = 8;
  constexpr double negligible = -40, slowest = -0.1, octaves_inwards = 31;
  const std::size_t dim = extent.size();
  const std::uint64_t first_draw = std::uint64_t{1} << 40;
  Matrix<double> at(n_points, dim);
  std::vector<double> weights(n_points);
  const double range = octaves_inwards * std::numbers::ln2;
  const auto falls = [&](std::span<const double> contributions) {
    return contributions.back() <= negligible + std::ranges::max(contributions) || last_slope(contributions, n_looked_at) < slowest;
  };
  const auto contribution = [&](double from) {
    for (std::size_t i = 0; i < n_points; ++i) {  // the same draws for every octave: what they have in common cancels in ratios
      RandomStream random(0, Purpose::evaluation_rows, first_draw + i);
      weights[i] = std::log2(from);
      for (std::size_t k = 0; k < dim; ++k) {
        const bool is_largest = k == i % dim;
        const double u = random.uniform();
        const double size = is_largest ? from * (1 + u) : 2 * from * (spread == Spread::uniform ? u : std::exp(-range * u));
        if (!is_largest) weights[i] += std::log2(spread == Spread::uniform ? 2 * from : size * range);
        const double unit = extent[k] > 0 ? extent[k] : 1;
        at(i, k) = (random.coin() ? unit : -unit) * size;
      }
    }
    return log_of_sizes(kernel, at, weights);
  };
  const std::vector<double> contributions = by_octaves(stop, contribution, [&](const auto& so_far) { return !falls(so_far); });
  return !contributions.empty() && falls(contributions);
}

}  // namespace

std::vector<Direction> directions_of(std::span<const double> extent) {
  constexpr std::size_t most = 3;
  std::vector<Direction> directions;
  std::size_t n_wide = 0;
  for (std::size_t k = 0; k < extent.size(); ++k) {
    if (!(extent[k] > 0)) continue;
    ++n_wide;
    if (directions.size() == most) continue;
    Direction along{fmt::format("x{}", k + 1), std::vector<double>(extent.size()), extent[k]};
    along.u[k] = 1;
    directions.push_back(std::move(along));
  }
  if (n_wide > 1) {
    const double each = 1 / std::sqrt(static_cast<double>(extent.size()));
    directions.push_back({"diagonal", std::vector<double>(extent.size(), each), scaled_norm<double>(extent)});
  }
  return directions;
}

Smoothness smoothness_along(const Kernel& kernel, const std::vector<Direction>& directions, const std::vector<double>& through,
                            const StopToken& stop) {
  double power = 2;
  for (const Direction& direction : directions) power = std::min(power, power_of_bends(kernel, direction, stop));
  // Products are 0 along lines through 0 where one of their factors is 0 there.
  for (Direction direction : directions) {
    direction.through = through;
    power = std::min(power, power_of_bends(kernel, direction, stop));
  }
  return power > 1.5 ? Smoothness::smooth : power > 0.25 ? Smoothness::kink : Smoothness::jump;
}

double decay_along(const Kernel& kernel, const std::vector<Direction>& directions, const StopToken& stop) {
  constexpr std::size_t n_looked_at = 4, points_of_octave = 33;
  constexpr double negligible = -46.5, sudden = -13.3;
  double overall = 0;
  for (const Direction& direction : directions)
    overall = std::max(overall, largest_of(values_along(kernel, direction, between(-direction.reach, direction.reach, n_line_points))));
  const auto counts = [&](double log) { return log > negligible + std::log2(overall); };
  const auto largest_mean = [&](double from) {
    double most = nothing;
    for (const Direction& direction : directions)
      for (const double sign : {-direction.reach, direction.reach}) {
        const std::vector<double> at = between(sign * from, sign * 2 * from, points_of_octave);
        const double size = log_of_sizes(kernel, points_along(direction, at), {});
        if (std::isnan(size)) return size;
        most = std::max(most, size);
      }
    return most - std::log2(points_of_octave);
  };
  const std::vector<double> largest = by_octaves(stop, largest_mean, [&](const auto& so_far) { return counts(so_far.back()); });
  std::size_t end = largest.size();
  while (end > 0 && !counts(largest[end - 1])) --end;
  const auto falls_suddenly = [&](std::size_t octave) { return largest[octave] - largest[octave - 1] < sudden; };
  if (end < largest.size() && (end <= n_looked_at || falls_suddenly(end - 1) || falls_suddenly(end)))
    return std::numeric_limits<double>::infinity();
  return end == 0 ? 0.0 : 0 - last_slope(std::span(largest).first(end), n_looked_at);
}

bool integrable_far_out(const Kernel& kernel, std::span<const double> extent, const StopToken& stop) {
  return falls_far_out(kernel, extent, Spread::uniform, stop) && falls_far_out(kernel, extent, Spread::logarithmic, stop);
}

KernelLine line_of(const Kernel& kernel, const ComplexMeasure* measure, const Direction& direction) {
  KernelLine line{direction.name, between(-direction.reach, direction.reach, n_line_points), {}, {}, {}, {}, {}};
  line.value = values_along(kernel, direction, line.at);
  for (std::size_t i = 0; i < line.at.size(); ++i) line.skew.push_back(0.5 * (line.value[i] - line.value[line.at.size() - 1 - i]));
  if (!measure || !measures::knows_density(*measure)) return line;
  const auto density = [&](double w) {
    std::vector<double> omega(direction.u.size());
    for (std::size_t c = 0; c < omega.size(); ++c) omega[c] = w * direction.u[c];
    return measure->density(omega);
  };
  // As far as the density is seen in a picture: from what one period of the rows' reach is, outwards and inwards by factors of 2.
  constexpr double seen = 1e-4, octaves = 30;
  double largest = std::abs(density(0)), cut = 0;
  const double unit = 1 / direction.reach;
  for (double octave = -octaves; octave <= octaves; octave += 0.5)
    largest = std::fmax(largest, std::abs(density(unit * std::exp2(octave))));
  for (double octave = -octaves; octave <= octaves; octave += 0.5)
    if (std::abs(density(unit * std::exp2(octave))) > seen * largest) cut = unit * std::exp2(octave + 0.5);
  if (!(cut > 0) || !std::isfinite(largest)) return line;
  line.frequency = between(-cut, cut, n_line_points);
  for (const double w : line.frequency) {
    const std::complex<double> mu = density(w);
    line.real.push_back(mu.real());
    line.imaginary.push_back(mu.imag());
  }
  return line;
}

}  // namespace askrff::choosing
