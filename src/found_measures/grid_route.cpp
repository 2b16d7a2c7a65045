// Any function of 1 to 3 coordinates that falls off within a box, by a discrete Fourier transform of its values on a grid.
//
// The transform is a sum for each axis, with sines and cosines of portable arithmetic: grids are small, Eigen's fast transform takes its
// sines from the machine's library, and the house's own makes other kinds of lines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/portable_math.hpp"
#include "found_measures/grid_measure.hpp"
#include "found_measures/line_probes.hpp"
#include "found_measures/probed_function.hpp"

namespace askrff::found_measures {
namespace {

constexpr std::array<std::size_t, 3> grid_half{1024, 128, 40};  // points to one side, by dimension
constexpr std::size_t lines_at_once = 16;                       // between two looks at the stop token
constexpr double cells_per_scale = 2, reach_level = 1e-4, nothing_of_density = 1e-7;

using GridValues = std::vector<std::complex<double>>;

/// Distance along axis i, to both sides, beyond which k is less than reach_level of its largest value; infinite if there is none.
double grid_reach(const ProbedFunction& k, std::size_t i) {
  constexpr int octaves = 60;
  const int lowest = std::ilogb(k.scales()[i]) - 2;
  std::vector<double> points, values(2 * 4 * octaves);
  for (int octave = lowest; octave < lowest + octaves; ++octave)
    for (const double size : {1.03, 1.27, 1.51, 1.77})
      for (const double sign : {1.0, -1.0}) points.push_back(sign * std::ldexp(size, octave));
  k.along(i).values(points, values);
  double reach = std::fabs(k.base()[i]) + k.scales()[i];
  for (std::size_t p = 0; p < points.size(); ++p)
    if (!(std::fabs(values[p] * k.base_value()) <= reach_level * k.largest())) reach = std::max(reach, std::fabs(points[p]));
  return reach < 0.5 * std::ldexp(1.0, lowest + octaves) ? reach : HUGE_VAL;
}

/// The transform along one axis: Σ_m v_m e^{-2πi nm/N}, n and m from -half to half.
void transform_axis(GridValues& values, std::size_t side, std::size_t stride, const Search& search) {
  const std::size_t half = side / 2;
  std::vector<double> cosines(side), sines(side);
  for (std::size_t j = 0; j < side; ++j) {
    const auto wave = portable::sincos_turns(static_cast<double>(j) / static_cast<double>(side));
    cosines[j] = wave.cos;
    sines[j] = wave.sin;
  }
  GridValues line(side);
  for (std::size_t start = 0; start < values.size(); start += stride * side)
    for (std::size_t offset = start; offset < start + stride; ++offset) {
      if (offset % lines_at_once == 0) search.go_on(static_cast<double>(offset) / static_cast<double>(values.size()));
      bool all_zero = true;
      for (std::size_t m = 0; m < side; ++m) {
        line[m] = values[offset + m * stride];
        all_zero = all_zero && line[m] == 0.0;
      }
      if (all_zero) continue;
      for (std::size_t n = 0; n < side; ++n) {
        // (n - half)(m - half) mod side, in steps of n - half.
        const std::size_t step = (n + side - half) % side;
        std::size_t turn = (side - (step * half) % side) % side;
        double re = 0, im = 0;
        for (std::size_t m = 0; m < side; ++m) {
          re += line[m].real() * cosines[turn] + line[m].imag() * sines[turn];
          im += line[m].imag() * cosines[turn] - line[m].real() * sines[turn];
          turn += step;
          if (turn >= side) turn -= side;
        }
        values[offset + n * stride] = {re, im};
      }
    }
}

struct Grid {
  std::size_t half;
  std::vector<double> spacing;  // of points
  std::size_t side() const { return 2 * half + 1; }
  double period(std::size_t i) const { return spacing[i] * static_cast<double>(side()); }
};

/// (sin(x)/x)² of π δ/period: what pyramids around the frequencies make of k.
double pyramid_factor(double turns) {
  const double x = std::numbers::pi * turns;
  if (std::fabs(x) < 1e-8) return 1;
  const double sinc = portable::sincos(x).sin / x;
  return sinc * sinc;
}

/// Values of k at the points, rounded, over what the pyramids take away.
GridValues grid_values(const ProbedFunction& k, const Grid& grid) {
  const std::size_t dim = k.dim(), side = grid.side();
  std::size_t total = 1;
  for (std::size_t i = 0; i < dim; ++i) total *= side;
  GridValues values(total);
  constexpr std::size_t at_once = 8192;
  for (std::size_t first = 0; first < total; first += at_once) {
    const std::size_t count = std::min(at_once, total - first);
    Matrix<double> points(count, dim);
    std::vector<double> factors(count, 1.0);
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t i = dim, rest = first + p; i-- > 0; rest /= side) {
        const double place = static_cast<double>(rest % side) - static_cast<double>(grid.half);
        points(p, i) = place * grid.spacing[i];
        factors[p] *= pyramid_factor(place / static_cast<double>(side));
      }
    const auto found = k.values(points);
    for (std::size_t p = 0; p < count; ++p) {
      if (!std::isfinite(found[p]))
        throw NoMeasure(k.form().name, fmt::format("k is {} on the grid of its transform, expected finite numbers", found[p]));
      values[first + p] = k.rounded(found[p]) / factors[p];
    }
  }
  return values;
}

/// The conjugate at opposite frequencies, exactly; what is nothing but rounding is 0.
void tidy(GridValues& values, bool symmetric) {
  double largest = 0;
  for (const auto& value : values) largest = std::max({largest, std::fabs(value.real()), std::fabs(value.imag())});
  const double nothing = nothing_of_density * largest;
  const auto kept = [&](double x) { return std::fabs(x) > nothing ? x : 0.0; };
  for (std::size_t n = 0; n <= values.size() / 2; ++n) {
    auto& one = values[n];
    auto& other = values[values.size() - 1 - n];
    one = {kept(0.5 * (one.real() + other.real())), symmetric ? 0.0 : kept(0.5 * (one.imag() - other.imag()))};
    other = std::conj(one);
  }
}

/// |k̂| a period away, where k has a faint copy.
double copies(const ProbedFunction& k, const Grid& grid, const GridMeasure& measure) {
  double most = 0;
  for (std::size_t i = 0; i < k.dim(); ++i)
    for (const double share : {0.5, 1.0, 2.0}) {
      std::vector<double> delta(k.base().begin(), k.base().end());
      delta[i] += grid.period(i) + share * k.scales()[i];
      k.search().go_on();
      most = std::max(most, std::fabs(measure.value(delta) - k.at(delta)));
    }
  return most / k.largest();
}

}  // namespace

std::optional<FoundMeasure> grid_route(const ProbedFunction& k) {
  if (k.dim() > 3) return std::nullopt;
  const std::size_t dim = k.dim();
  Grid grid{grid_half[dim - 1], {}};
  double cell = 1;
  std::vector<double> step;
  for (std::size_t i = 0; i < dim; ++i) {
    const double reach = grid_reach(k, i);
    if (!(reach < HUGE_VAL)) return std::nullopt;
    const double side = static_cast<double>(grid.side());
    grid.spacing.push_back(std::max(2.5 * reach / side, k.scales()[i] / cells_per_scale));
    cell *= grid.spacing[i] / (2 * std::numbers::pi);
    step.push_back(2 * std::numbers::pi / grid.period(i));
  }
  GridValues values = grid_values(k, grid);
  for (std::size_t i = 0, stride = 1; i < dim; ++i, stride *= grid.side()) transform_axis(values, grid.side(), stride, k.search());
  for (auto& value : values) value *= cell;
  tidy(values, k.form().symmetric);
  const std::string what = fmt::format("grid: {} frequencies along every axis", grid.side());
  auto measure = std::make_shared<const GridMeasure>(std::move(step), std::vector<std::size_t>(dim, grid.half), std::move(values));
  if (!(measure->envelope_total() > 0)) return std::nullopt;
  const double expected = copies(k, grid, *measure);
  return judged(k, std::move(measure), Route::grid, what, expected, 48);
}

}  // namespace askrff::found_measures
