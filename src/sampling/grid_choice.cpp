// How long the period and how far the frequencies, by bounds of what is left out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/pair_kernel.hpp"
#include "askrff/grid.hpp"
#include "core/checks.hpp"
#include "sampling/grid_choice.hpp"

namespace askrff {
namespace {

constexpr const char* grid_name = "grid";
// Of the tolerance. Frequencies left out get less: their part of a sum with signs, in the root mean square, may be twice their bound.
constexpr double aliasing_share = 0.4, truncation_share = 0.2;

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

/// The copies k(δ + n·period), n ≠ 0, for all δ in the extent, by what the measure says of k far out.
class Copies {
 public:
  Copies(const ComplexMeasure& measure, std::span<const double> extent, std::span<const double> period)
      : measure_(measure), extent_(extent), period_(period), distances_(extent.size()) {
    for (int n = 0; n <= last_single; ++n) stretches_.push_back({static_cast<double>(n), n == 0 ? 1.0 : 2.0});
    for (double n = last_single; stretches_.size() < last_single + 1 + n_octaves; n *= 2) stretches_.push_back({n + 1, 2 * n});
  }

  /// A bound of Σ |k(δ + n·period)|, by shells of stretches; or of a part of it that is more than `enough`. Infinite where shells do not
  /// fall.
  double sum(double enough) {
    double sum = 0, shell_before = 0, shell = 0;
    for (std::size_t s = 1; s < stretches_.size(); ++s) {
      shell_before = std::exchange(shell, shell_of(s));
      sum += shell;
      if (shell == 0 || !(sum <= enough)) return sum;
      // A shell that adds little says nothing of those behind it: where a narrow and a wide kernel are added they are many and all alike.
      if (shell > 1e-2 * sum) continue;
      if (const double rest = crude_rest(s < last_single ? stretches_[s + 1].nearest : 2 * stretches_[s].nearest - 1); rest <= 1e-3 * sum)
        return sum + rest;
    }
    const double ratio = shell / shell_before;  // of octaves
    return ratio < 0.95 ? sum + shell * ratio / (1 - ratio) : std::numeric_limits<double>::infinity();
  }

 private:
  /// Numbers n of one axis that are bounded together by the nearest: those of both signs count.
  struct Stretch {
    double nearest, count;
  };
  static constexpr int last_single = 8;
  static constexpr std::size_t n_octaves = 24;

  double distance(std::size_t axis, double n) const { return std::max(0.0, n * period_[axis] - extent_[axis]); }

  /// The images whose largest stretch is number s.
  double shell_of(std::size_t s) {
    const std::size_t dim = extent_.size(), side = s + 1;
    std::size_t n_cells = 1;
    for (std::size_t k = 0; k < dim; ++k) n_cells *= side;
    double sum = 0;
    for (std::size_t cell = 0; cell < n_cells; ++cell) {
      bool on_shell = false;
      double count = 1;
      for (std::size_t k = 0, rest = cell; k < dim; ++k, rest /= side) {
        const Stretch& stretch = stretches_[rest % side];
        on_shell |= rest % side == s;
        count *= stretch.count;
        distances_[k] = distance(k, stretch.nearest);
      }
      if (on_shell) sum += count * *measure_.largest_beyond(distances_);
    }
    return sum;
  }

  /// A bound of all images with some |n_k| ≥ first, by the axes alone: small where k falls faster than any power, infinite where it does
  /// not.
  double crude_rest(double first) {
    constexpr int most_octaves = 64;
    double sum = 0;
    for (int octave = 0; octave < most_octaves; ++octave, first *= 2) {
      double largest = 0;
      for (std::size_t axis = 0; axis < extent_.size(); ++axis) {
        std::ranges::fill(distances_, 0.0);
        distances_[axis] = distance(axis, first);
        largest = std::max(largest, *measure_.largest_beyond(distances_));
      }
      if (largest == 0) return sum;
      sum += std::pow(4 * first + 1, static_cast<double>(extent_.size())) * largest;
    }
    return std::numeric_limits<double>::infinity();
  }

  const ComplexMeasure& measure_;
  std::span<const double> extent_, period_;
  std::vector<Stretch> stretches_;
  std::vector<double> distances_;
};

/// The largest |k| on the extent, by its values on a lattice, and at 0 and where the phases of μ at low frequencies say that k is moved to,
/// with what is around these along every axis, at distances that halve: a narrow k may be large between 0 and the lattice only.
double largest_value(const Kernel& kernel, const ComplexMeasure& measure, std::span<const double> extent) {
  constexpr std::size_t side = 17, n_distances = 64;  // half of them one half after the other, half of them in between
  const std::size_t dim = extent.size(), n_around = 1 + 2 * dim * n_distances;
  std::size_t n_lattice = 1;
  for (std::size_t k = 0; k < dim; ++k) n_lattice *= side;
  Matrix<double> differences(n_lattice + 2 * n_around, dim);
  for (std::size_t i = 0; i < n_lattice; ++i)
    for (std::size_t k = 0, rest = i; k < dim; ++k, rest /= side)
      differences(i, k) = extent[k] * (2 * static_cast<double>(rest % side) / static_cast<double>(side - 1) - 1);
  std::vector<double> omega(dim), centre(dim);
  std::size_t row = n_lattice;
  const auto put_around_centre = [&] {
    std::ranges::copy(centre, differences.row(row++).begin());
    for (std::size_t k = 0; k < dim; ++k)
      for (std::size_t i = 0; i < 2 * n_distances; ++i, ++row) {
        const double distance = extent[k] * std::exp2(-0.5 * static_cast<double>(i / 2));
        std::ranges::copy(centre, differences.row(row).begin());
        differences(row, k) = std::clamp(centre[k] + (i % 2 == 0 ? distance : -distance), -extent[k], extent[k]);
      }
  };
  put_around_centre();
  for (std::size_t k = 0; k < dim; ++k) {
    const double low = extent[k] > 0 ? 0.01 / extent[k] : 0;
    const auto density_at = [&](double frequency) {
      omega.assign(dim, 0.0);
      omega[k] = frequency;
      return measure.density(omega);
    };
    const double turned = std::arg(density_at(2 * low) / density_at(low));  // μ itself may be negative there
    centre[k] = low > 0 ? std::clamp(-turned / low, -extent[k], extent[k]) : 0.0;
  }
  put_around_centre();
  std::vector<double> values(differences.rows());
  kernel.evaluate(differences, values);
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// Period and number of frequencies to one side, of every axis, with bounds of what is left out.
struct GridSizes {
  std::vector<double> period, half;
  double truncation = 0, aliasing = 0;

  double n_frequencies() const {
    double all = 1;
    for (const double n : half) all *= 2 * n + 1;
    return (all + 1) / 2;
  }
  /// Of cells in double, and half as much for modes; a single line is complex, twice, and has turns and weights that count beside it.
  double n_bytes() const {
    double bytes = half.size() == 1 ? 60 : 12;
    for (const double n : half) bytes *= 4 * n + 32;
    return bytes;
  }
  FrequencyGrid grid(std::span<const double> extent, double tolerance) const {
    FrequencyGrid made{{}, {}, {extent.begin(), extent.end()}, tolerance};
    for (std::size_t k = 0; k < period.size(); ++k) {
      made.spacing.push_back(2 * std::numbers::pi / period[k]);
      made.half.push_back(static_cast<std::size_t>(half[k]));
    }
    made.check();
    return made;
  }
};

/// With bounds of at most their shares of `allowed`.
GridSizes sizes_for(const ComplexMeasure& measure, std::span<const double> extent, double allowed) {
  const std::size_t dim = extent.size();
  const double longest = std::max(*std::ranges::max_element(extent), 1e-150);
  GridSizes sizes{std::vector<double>(dim), std::vector<double>(dim)};
  const auto aliasing_of = [&](double margin) {
    for (std::size_t k = 0; k < dim; ++k) sizes.period[k] = extent[k] + margin;
    return Copies(measure, extent, sizes.period).sum(aliasing_share * allowed);
  };
  sizes.aliasing = aliasing_of(where_below(aliasing_of, longest, aliasing_share * allowed, "the sum of the periodic copies of k"));
  for (std::size_t k = 0; k < dim; ++k) {
    const auto beyond = [&](double cut) { return *measure.mass_beyond(k, cut); };
    const double cut = where_below(beyond, 1 / longest, truncation_share * allowed / static_cast<double>(dim), "the measure");
    sizes.half[k] = std::ceil(cut * sizes.period[k] / (2 * std::numbers::pi));
    sizes.truncation += beyond(sizes.half[k] * 2 * std::numbers::pi / sizes.period[k]);
  }
  return sizes;
}

void require_bounds(const ComplexMeasure* measure, const std::string& owner) {
  if (!measure || !measure->mass_beyond(0, 0.0) || !measure->largest_beyond(std::vector<double>(measure->dim(), 0.0)))
    throw InvalidArgument(grid_name, fmt::format("{} has no Fourier measure with known bounds (mass_beyond, largest_beyond)", owner));
}

void require_room_for(const GridSizes& sizes, const GridOptions& options) {
  if (sizes.n_bytes() <= static_cast<double>(options.max_bytes)) return;
  throw InvalidArgument(grid_name, fmt::format("a tolerance of {:.3g} takes {:.3g} frequencies and {:.3g} GB here, more than {:.3g} GB; a "
                                               "larger tolerance, a wider kernel or a smoother one takes fewer",
                                               options.tolerance, sizes.n_frequencies(), sizes.n_bytes() / 1e9,
                                               static_cast<double>(options.max_bytes) / 1e9));
}

void require_options(std::span<const double> extent, const GridOptions& options) {
  if (extent.empty() || extent.size() > 3)
    throw InvalidArgument(grid_name, fmt::format("a grid of frequencies in {} dimensions, expected 1 to 3", extent.size()));
  for (const double e : extent)
    if (!(e >= 0) || !(e < 1e150)) throw InvalidArgument(grid_name, fmt::format("an extent of {}, expected 0 to 1e150", e));
  if (!(options.tolerance >= 1e-13 && options.tolerance <= 0.5))
    throw InvalidArgument(grid_name, fmt::format("a tolerance of {}, expected 1e-13 to 0.5", options.tolerance));
}

/// The smallest and the largest number of every column. Six numbers are whole rows of 1, 2 or 3 columns: where rows lie together, as many
/// are compared at once, and none waits for its neighbour's comparison.
template <class T>
std::vector<std::pair<double, double>> ranges_of(MatrixView<const T> rows) {
  constexpr std::size_t lanes = 6;
  const std::size_t cols = rows.cols();
  std::vector<std::pair<double, double>> ranges;
  for (const T value : rows.row(0)) ranges.emplace_back(value, value);
  const auto include = [&](std::size_t column, T low, T high) {
    ranges[column].first = std::min(ranges[column].first, static_cast<double>(low));
    ranges[column].second = std::max(ranges[column].second, static_cast<double>(high));
  };
  std::size_t i = 0;
  if (cols >= 1 && lanes % cols == 0 && rows.stride() == cols && rows.rows() >= lanes) {
    T low[lanes], high[lanes];
    std::copy_n(rows.data(), lanes, low);
    std::copy_n(rows.data(), lanes, high);
    for (; i + lanes <= rows.rows(); i += lanes / cols)
      for (std::size_t l = 0; l < lanes; ++l) {
        const T value = rows.data()[i * cols + l];
        low[l] = value < low[l] ? value : low[l];
        high[l] = value > high[l] ? value : high[l];
      }
    for (std::size_t l = 0; l < lanes; ++l) include(l % cols, low[l], high[l]);
  }
  for (; i < rows.rows(); ++i)
    for (std::size_t k = 0; k < cols; ++k) include(k, rows(i, k), rows(i, k));
  return ranges;
}

template <class T>
std::vector<double> extent_of_rows(MatrixView<const T> X, MatrixView<const T> Y) {
  if (X.cols() != Y.cols()) throw InvalidArgument(grid_name, fmt::format("X has {} columns, Y has {}", X.cols(), Y.cols()));
  require_finite<T>(X, grid_name, "X");
  require_finite<T>(Y, grid_name, "Y");
  std::vector<double> extent(X.cols(), 0.0);
  if (X.rows() == 0 || Y.rows() == 0) return extent;
  const auto of_x = ranges_of(X), of_y = ranges_of(Y);
  for (std::size_t k = 0; k < extent.size(); ++k)
    extent[k] = std::max(std::fabs(of_x[k].second - of_y[k].first), std::fabs(of_y[k].second - of_x[k].first));
  return extent;
}

}  // namespace

std::vector<double> extent_of(MatrixView<const double> X, MatrixView<const double> Y) { return extent_of_rows(X, Y); }
std::vector<double> extent_of(MatrixView<const float> X, MatrixView<const float> Y) { return extent_of_rows(X, Y); }

ChosenGrid choose_grid(const Kernel& kernel, std::span<const double> extent, const GridOptions& options) {
  require_options(extent, options);
  require_shift_invariant(kernel, grid_name);
  const auto measure = kernel.measure(extent.size());
  require_bounds(measure.get(), kernel.name());
  ChosenGrid chosen;
  chosen.largest = largest_value(kernel, *measure, extent);
  const double allowed = options.tolerance * chosen.largest, size = *measure->mass_beyond(0, 0.0);
  if (!(8 * std::numeric_limits<double>::epsilon() * size <= truncation_share * allowed))
    throw InvalidArgument(
        grid_name, fmt::format("{} is at most {:.3g} here but its measure has the size {:.3g}: rounding exceeds a tolerance of {:.3g}",
                               kernel.name(), chosen.largest, size, options.tolerance));
  const GridSizes sizes = sizes_for(*measure, extent, allowed);
  require_room_for(sizes, options);
  chosen.grid = sizes.grid(extent, options.tolerance);
  chosen.truncation = sizes.truncation / chosen.largest;
  chosen.aliasing = sizes.aliasing / chosen.largest;
  return chosen;
}

FrequencyGrid sampling::grid_of_at_most(const ComplexMeasure& measure, std::size_t n, std::span<const double> extent) {
  require_options(extent, {});
  require_bounds(&measure, "the kernel");
  const double largest = *measure.largest_beyond(std::vector<double>(measure.dim(), 0.0)), coarsest = 0.5, finest = 1e-13;
  const auto sizes_of = [&](double tolerance) { return sizes_for(measure, extent, tolerance * largest); };
  const auto fits = [&](double tolerance) {
    try {
      return sizes_of(tolerance).n_frequencies() <= static_cast<double>(n);
    } catch (const InvalidArgument&) {  // the measure is not known as well as that
      if (tolerance == coarsest) throw;
      return false;
    }
  };
  if (!fits(coarsest))
    throw InvalidArgument("grid sampler", fmt::format("{} frequencies, expected at least {:.0f}: fewer do not reach over the data; use mub "
                                                      "or sobol",
                                                      n, sizes_of(coarsest).n_frequencies()));
  double low = std::log(finest), high = std::log(coarsest);  // high fits
  if (fits(finest)) high = low;
  while (high - low > 0.01) {
    const double middle = 0.5 * (low + high);
    (fits(std::exp(middle)) ? high : low) = middle;
  }
  return sizes_of(std::exp(high)).grid(extent, std::max(finest, std::exp(high)));
}

SpectralAtoms grid_atoms(const ComplexMeasure& measure, const FrequencyGrid& grid, const StopToken& stop) {
  if (measure.dim() != grid.dim())
    throw InvalidArgument(grid_name, fmt::format("the measure has {} dimensions, the grid {}", measure.dim(), grid.dim()));
  const Matrix<double> frequencies = grid.frequencies();
  double cell = 1;
  for (const double spacing : grid.spacing) cell *= spacing;
  std::vector<std::complex<double>> weights(frequencies.rows());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (j % 65536 == 0) stop.check();
    weights[j] = (j == 0 ? 1.0 : 2.0) * cell * measure.density(frequencies.row(j));
  }
  return {grid, std::move(weights)};
}

}  // namespace askrff
