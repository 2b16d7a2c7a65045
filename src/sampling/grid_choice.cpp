// How long the period and how far the frequencies, by bounds of what is left out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

constexpr const char* grid_name = "grid";

/// The least x > 0, to one in a thousand, where a falling function is at most `target`.
double where_below(const std::function<double(double)>& f, double start, double target, const char* what) {
  double high = start;
  for (; !(f(high) <= target); high *= 2)
    if (!(high < 1e300)) throw InvalidArgument(grid_name, fmt::format("{} does not fall to {:.3g}", what, target));
  double low = high / 2;
  while (low > 0 && f(low) <= target) {
    high = low;
    low = high > start * 1e-9 ? high / 2 : 0;
  }
  while (high - low > 1e-3 * high) {
    const double middle = 0.5 * (low + high);
    (f(middle) <= target ? high : low) = middle;
  }
  return high;
}

/// A bound of Σ |k(δ + n·period)| over n ≠ 0, for all δ in the extent: shell by shell of n, until one adds little. Kernels fall at least
/// as 1/δ² in every coordinate, so that what follows the last shell is no more than that shell times its number.
double alias_bound(const ComplexMeasure& measure, std::span<const double> extent, std::span<const double> period) {
  constexpr int last_shell = 8;
  const int dim = static_cast<int>(extent.size());
  double sum = 0, shell_sum = 0;
  std::vector<double> nearest(extent.size());
  for (int shell = 1; shell <= last_shell; ++shell) {
    shell_sum = 0;
    const int side = 2 * shell + 1, count = static_cast<int>(std::pow(side, dim) + 0.5);
    for (int image = 0; image < count; ++image) {
      bool on_shell = false;
      for (int k = 0, rest = image; k < dim; ++k, rest /= side) {
        const int n = std::abs(rest % side - shell);
        on_shell |= n == shell;
        nearest[k] = std::max(0.0, n * period[k] - extent[k]);
      }
      if (on_shell) shell_sum += *measure.largest_beyond(nearest);
    }
    sum += shell_sum;
    if (shell_sum <= 1e-3 * sum) break;
  }
  return sum + last_shell * shell_sum;
}

/// The largest |k| on the extent, by its values on a lattice, at 0 and where the phase of μ at low frequencies says that k is moved to.
double largest_value(const Kernel& kernel, const ComplexMeasure& measure, std::span<const double> extent) {
  constexpr std::size_t side = 17;
  const std::size_t dim = extent.size();
  std::size_t n_lattice = 1;
  for (std::size_t k = 0; k < dim; ++k) n_lattice *= side;
  Matrix<double> differences(n_lattice + 2, dim);
  for (std::size_t i = 0; i < n_lattice; ++i)
    for (std::size_t k = 0, rest = i; k < dim; ++k, rest /= side)
      differences(i, k) = extent[k] * (static_cast<double>(rest % side) / ((side - 1) / 2) - 1);
  std::vector<double> omega(dim);
  for (std::size_t k = 0; k < dim; ++k) {
    const double low = extent[k] > 0 ? 0.01 / extent[k] : 0;
    omega.assign(dim, 0.0);
    omega[k] = low;
    const double moved = low > 0 ? std::arg(measure.density(omega)) / low : 0;
    differences(n_lattice, k) = std::clamp(-moved, -extent[k], extent[k]);
  }
  std::vector<double> values(differences.rows());
  kernel.evaluate(differences, values);
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

void require_room_for(const FrequencyGrid& grid, std::span<const double> half, const GridOptions& options) {
  double frequencies = 1, bytes = 12;  // cells in double, and half as much for modes
  for (const double n : half) {
    frequencies *= 2 * n + 1;
    bytes *= 4 * n + 32;
  }
  if (bytes <= static_cast<double>(options.max_bytes)) return;
  throw InvalidArgument(grid_name,
                        fmt::format("a tolerance of {:.3g} takes {:.3g} frequencies and {:.3g} GB here, more than {:.3g} GB; a larger "
                                    "tolerance, a wider kernel or a smoother one takes fewer",
                                    grid.tolerance, frequencies / 2, bytes / 1e9, static_cast<double>(options.max_bytes) / 1e9));
}

void require_options(std::span<const double> extent, const GridOptions& options) {
  if (extent.empty() || extent.size() > 3) throw InvalidArgument(grid_name, fmt::format("{} dimensions, expected 1 to 3", extent.size()));
  for (const double e : extent)
    if (!(e >= 0) || !(e < 1e150)) throw InvalidArgument(grid_name, fmt::format("an extent of {}, expected 0 to 1e150", e));
  if (!(options.tolerance >= 1e-13 && options.tolerance <= 0.5))
    throw InvalidArgument(grid_name, fmt::format("a tolerance of {}, expected 1e-13 to 0.5", options.tolerance));
}

template <class T>
std::vector<double> extent_of_rows(MatrixView<const T> X, MatrixView<const T> Y) {
  if (X.cols() != Y.cols()) throw InvalidArgument(grid_name, fmt::format("X has {} columns, Y has {}", X.cols(), Y.cols()));
  require_finite<T>(X, grid_name, "X");
  require_finite<T>(Y, grid_name, "Y");
  std::vector<double> extent(X.cols(), 0.0);
  if (X.rows() == 0 || Y.rows() == 0) return extent;
  const auto range = [](MatrixView<const T> rows, std::size_t k) {
    std::pair<double, double> found{rows(0, k), rows(0, k)};
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      found.first = std::min<double>(found.first, rows(i, k));
      found.second = std::max<double>(found.second, rows(i, k));
    }
    return found;
  };
  for (std::size_t k = 0; k < extent.size(); ++k) {
    const auto of_x = range(X, k), of_y = range(Y, k);
    extent[k] = std::max(std::fabs(of_x.second - of_y.first), std::fabs(of_y.second - of_x.first));
  }
  return extent;
}

}  // namespace

std::vector<double> extent_of(MatrixView<const double> X, MatrixView<const double> Y) { return extent_of_rows(X, Y); }
std::vector<double> extent_of(MatrixView<const float> X, MatrixView<const float> Y) { return extent_of_rows(X, Y); }

ChosenGrid choose_grid(const Kernel& kernel, std::span<const double> extent, const GridOptions& options) {
  constexpr double share = 0.4;  // of the tolerance, for each of the two
  require_options(extent, options);
  const std::size_t dim = extent.size();
  const auto measure = kernel.measure(dim);
  const std::vector<double> origin(dim, 0.0);
  if (!measure || !measure->mass_beyond(0, 0.0) || !measure->largest_beyond(origin))
    throw InvalidArgument(grid_name,
                          fmt::format("{} has no Fourier measure with known bounds (mass_beyond, largest_beyond)", kernel.name()));
  ChosenGrid chosen{{std::vector<double>(dim), std::vector<std::size_t>(dim), {extent.begin(), extent.end()}, options.tolerance}};
  chosen.largest = largest_value(kernel, *measure, extent);
  const double target = share * options.tolerance * chosen.largest;
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * *measure->mass_beyond(0, 0.0);
  if (!(rounding <= target))
    throw InvalidArgument(
        grid_name, fmt::format("{} is at most {:.3g} here but its measure has the size {:.3g}: rounding exceeds a tolerance of {:.3g}",
                               kernel.name(), chosen.largest, *measure->mass_beyond(0, 0.0), options.tolerance));
  const double longest = std::max(*std::ranges::max_element(extent), 1e-150);
  std::vector<double> period(dim), half(dim), cuts(dim);
  const auto periods_for = [&](double margin) {
    for (std::size_t k = 0; k < dim; ++k) period[k] = extent[k] + margin;
    return alias_bound(*measure, extent, period);
  };
  const double margin = where_below(periods_for, longest, target, "k");
  const double aliasing = periods_for(margin);
  for (std::size_t k = 0; k < dim; ++k) {
    const auto beyond = [&](double cut) { return *measure->mass_beyond(k, cut); };
    cuts[k] = where_below(beyond, 1 / longest, target / static_cast<double>(dim), "the measure");
    half[k] = std::ceil(cuts[k] * period[k] / (2 * std::numbers::pi));
  }
  require_room_for(chosen.grid, half, options);
  double truncation = 0;
  for (std::size_t k = 0; k < dim; ++k) {
    chosen.grid.spacing[k] = 2 * std::numbers::pi / period[k];
    chosen.grid.half[k] = static_cast<std::size_t>(half[k]);
    truncation += *measure->mass_beyond(k, half[k] * chosen.grid.spacing[k]);
  }
  chosen.truncation = truncation / chosen.largest;
  chosen.aliasing = aliasing / chosen.largest;
  chosen.grid.check();
  return chosen;
}

SpectralAtoms grid_atoms(const ComplexMeasure& measure, const FrequencyGrid& grid) {
  if (measure.dim() != grid.dim())
    throw InvalidArgument(grid_name, fmt::format("the measure has {} dimensions, the grid {}", measure.dim(), grid.dim()));
  const Matrix<double> frequencies = grid.frequencies();
  double cell = 1;
  for (const double spacing : grid.spacing) cell *= spacing;
  std::vector<std::complex<double>> weights(frequencies.rows());
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = (j == 0 ? 1.0 : 2.0) * cell * measure.density(frequencies.row(j));
  return {grid, std::move(weights)};
}

}  // namespace askrff
