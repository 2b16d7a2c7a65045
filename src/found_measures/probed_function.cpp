// Points, scales and test differences of a user's function.
#include "found_measures/probed_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/random.hpp"
#include "core/vectors.hpp"
#include "found_measures/line_probes.hpp"

namespace askrff::found_measures {
namespace {

constexpr std::size_t rows_at_once = 16384, numbers_at_once = std::size_t{1} << 22;
constexpr std::uint64_t probe_seed = 20260118;
constexpr int lowest_power = -400, n_powers = 800;
// Of more coordinates some are looked at, and the others taken to be like them: every look at one is a block of whole differences.
constexpr std::size_t most_looked_at_one_by_one = 1024, n_looked_at = 128, n_axes_of_few = 16, n_axes_of_many = 4;
constexpr std::size_t n_test_points = 192, n_test_points_of_many = 64, many_dimensions = 64;

double finite_or_zero(double value) { return std::isfinite(value) ? value : 0.0; }

/// Two sizes in every octave, at no round numbers.
std::vector<double> probe_sizes(int lowest, int count) {
  std::vector<double> sizes;
  for (int i = 0; i < count; ++i)
    for (const double size : {1.0871, 1.5337}) sizes.push_back(std::ldexp(size, lowest + i));
  return sizes;
}

/// The first, the last, and some drawn between them, without the very first.
std::vector<std::size_t> coordinates_to_look_at(std::size_t dim) {
  std::vector<std::size_t> looked_at;
  if (dim <= most_looked_at_one_by_one) {
    for (std::size_t i = 1; i < dim; ++i) looked_at.push_back(i);
    return looked_at;
  }
  RandomStream random(probe_seed, Purpose::function_probes, n_test_points);  // after those of the test points
  for (std::size_t n = 0; n < n_looked_at / 4; ++n) {
    looked_at.push_back(n + 1);
    looked_at.push_back(dim - 1 - n);
    for (int drawn = 0; drawn < 2; ++drawn) looked_at.push_back(1 + random.below(dim - 1));
  }
  return looked_at;
}

}  // namespace

ProbedFunction::ProbedFunction(const BlockFunction& k, std::size_t dim, const FunctionForm& form, const Search& search)
    : k_(k), dim_(dim), form_(form), search_(search), base_(dim, 0.0), scales_(dim, 1.0) {
  const double at_zero = at(base_);
  if (!std::isfinite(at_zero)) throw NoMeasure(form_.name, fmt::format("k is {} at a difference of 0, expected a finite number", at_zero));
  find_base();
  find_scales();
  make_test_points();
}

void ProbedFunction::evaluate(MatrixView<const double> points, std::span<double> values) const {
  const std::size_t rows = std::clamp<std::size_t>(numbers_at_once / dim_, 1, rows_at_once);
  for (std::size_t first = 0; first < points.rows(); first += rows) {
    const std::size_t count = std::min(rows, points.rows() - first);
    search_.go_on();
    k_(points.middle_rows(first, count), values.subspan(first, count));
  }
}

std::vector<double> ProbedFunction::values(MatrixView<const double> points) const {
  std::vector<double> out(points.rows());
  evaluate(points, out);
  return out;
}

double ProbedFunction::at(std::span<const double> point) const {
  double value = 0;
  evaluate(MatrixView<const double>(point.data(), 1, dim_), std::span(&value, 1));
  return value;
}

LineFunction ProbedFunction::on_line(const BlockFunction& f, std::vector<double> start, std::vector<double> direction) const {
  return [this, &f, start = std::move(start), direction = std::move(direction)](std::span<const double> x, std::span<double> out) {
    const std::size_t rows = std::clamp<std::size_t>(numbers_at_once / dim_, 1, rows_at_once);
    for (std::size_t first = 0; first < x.size(); first += rows) {
      const std::size_t count = std::min(rows, x.size() - first);
      Matrix<double> points(count, dim_);
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < dim_; ++c) points(r, c) = direction[c] == 0 ? start[c] : start[c] + x[first + r] * direction[c];
      search_.go_on();
      f(points, out.subspan(first, count));
    }
  };
}

Line ProbedFunction::divided_line(const std::vector<double>& start, const std::vector<double>& direction, double divisor,
                                  std::size_t coordinate) const {
  const auto values = [divided = on_line(k_, start, direction), divisor](std::span<const double> x, std::span<double> out) {
    divided(x, out);
    for (double& value : out) value /= divisor;
  };
  return {values, form_.pieces ? on_line(form_.pieces, start, direction) : LineFunction(), lengths(coordinate)};
}

Line ProbedFunction::line(const std::vector<double>& direction) const {
  return divided_line(std::vector<double>(dim_, 0.0), direction, 1.0, 0);
}

std::vector<double> ProbedFunction::lengths(std::size_t i) const { return form_.lengths ? form_.lengths(dim_, i) : std::vector<double>(); }

Line ProbedFunction::along(std::size_t i) const {
  std::vector<double> start = base_, direction(dim_, 0.0);
  start[i] = 0;
  direction[i] = 1;
  return divided_line(start, direction, base_value_, i);
}

double ProbedFunction::rounded(double value) const { return std::floor(value / grain_ + 0.5) * grain_; }

// Along the axes (of the first few coordinates) and the diagonal; where k is small at 0 the largest value found is improved from there.
void ProbedFunction::find_base() {
  const std::size_t max_axes = dim_ <= most_looked_at_one_by_one ? n_axes_of_few : n_axes_of_many;
  const auto sizes = probe_sizes(lowest_power, n_powers);
  const std::size_t n_axes = std::min(dim_, max_axes), n_lines = dim_ > 1 ? n_axes + 1 : 1;
  Matrix<double> points(2 * sizes.size(), dim_);
  std::vector<double> best(dim_, 0.0);
  largest_ = std::fabs(at(best));
  double best_size = largest_;
  const double at_zero = largest_;
  for (std::size_t l = 0; l < n_lines; ++l) {
    for (std::size_t i = 0; i < points.rows(); ++i)
      for (std::size_t c = 0; c < dim_; ++c) points(i, c) = l == n_axes || c == l ? (i % 2 == 0 ? sizes[i / 2] : -sizes[i / 2]) : 0.0;
    const auto found = values(points);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (const double size = std::fabs(finite_or_zero(found[i])); size > best_size * (1 + 1e-9)) {
        best_size = size;
        std::ranges::copy(points.row(i), best.begin());
      }
  }
  if (best_size == 0) {
    base_value_ = 1;  // a line may still find something
    largest_ = 1;
  } else {
    largest_ = best_size;
    base_ = best;
    if (at_zero >= best_size / 64)
      base_.assign(dim_, 0.0);
    else if (dim_ > 1)
      improve_base();
  }
  grain_ = coarse_power_of_two(largest_) * std::ldexp(1.0, std::ilogb(form_.tolerance) - 10);
  if (best_size > 0) base_value_ = rounded(at(base_));
  if (base_value_ == 0) base_value_ = largest_;
}

// One coordinate after the other is moved to where k is largest, by steps that are shares of its distance from 0.
void ProbedFunction::improve_base() {
  constexpr std::size_t most_coordinates = 64;
  constexpr int most_sweeps = 8, n_steps = 14;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const double before = largest_;
    for (std::size_t c = 0; c < std::min(dim_, most_coordinates); ++c) {
      Matrix<double> points(4 * n_steps, dim_);
      const double size = base_[c] == 0 ? scaled_norm<double>(base_) : base_[c];
      for (std::size_t i = 0; i < points.rows(); ++i) {
        std::ranges::copy(base_, points.row(i).begin());
        points(i, c) += std::ldexp((i % 2 == 0 ? 1 : -1) * (i % 4 < 2 ? 0.8671 : 1.2157) * size, 2 - static_cast<int>(i / 4));
      }
      const auto found = values(points);
      for (std::size_t i = 0; i < found.size(); ++i)
        if (const double value = std::fabs(finite_or_zero(found[i])); value > largest_ * (1 + 1e-9)) {
          largest_ = value;
          base_[c] = points(i, c);
        }
    }
    if (largest_ < 1.01 * before) return;
  }
}

void ProbedFunction::find_scales() {
  constexpr int around = 40;
  const auto scale_in = [&](std::size_t i, int lowest, int count) {
    const auto sizes = probe_sizes(lowest, count);
    Matrix<double> points(2 * sizes.size(), dim_);
    for (std::size_t p = 0; p < points.rows(); ++p) {
      std::ranges::copy(base_, points.row(p).begin());
      points(p, i) += p % 2 == 0 ? sizes[p / 2] : -sizes[p / 2];
    }
    const auto found = values(points);
    for (std::size_t p = 0; p < found.size(); ++p)
      if (!(std::fabs(found[p] - base_value_) < 0.5 * std::fabs(base_value_))) return sizes[p / 2];
    return std::numeric_limits<double>::infinity();
  };
  const double first = scale_in(0, lowest_power, n_powers);
  scales_[0] = std::isfinite(first) ? first : 1.0;
  const std::vector<std::size_t> looked_at = coordinates_to_look_at(dim_);
  for (const std::size_t i : looked_at) {
    const int lowest = std::max(lowest_power, std::ilogb(scales_[0]) - around);
    double scale = scale_in(i, lowest, std::min(2 * around, lowest_power + n_powers - lowest));
    if (!std::isfinite(scale) || scale < std::ldexp(2.0, lowest)) scale = scale_in(i, lowest_power, n_powers);
    scales_[i] = std::isfinite(scale) ? scale : scales_[0];
  }
  if (dim_ <= most_looked_at_one_by_one) return;
  std::vector<double> known;
  for (const std::size_t i : looked_at) known.push_back(scales_[i]);
  std::ranges::nth_element(known, known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2));
  const double usual = known[known.size() / 2];
  std::vector<double> all(dim_, usual);
  all[0] = scales_[0];
  for (const std::size_t i : looked_at) all[i] = scales_[i];
  scales_ = std::move(all);
}

void ProbedFunction::make_test_points() {
  test_points_ = Matrix<double>(dim_ > many_dimensions ? n_test_points_of_many : n_test_points, dim_);
  const double share = 1 / std::sqrt(static_cast<double>(dim_));
  for (std::size_t p = 0; p < test_points_.rows(); ++p) {
    RandomStream random(probe_seed, Purpose::function_probes, p);
    const auto point = test_points_.row(p);
    std::ranges::copy(base_, point.begin());
    if (p % 4 == 3) {  // two coordinates alone
      for (int n = 0; n < 2; ++n) {
        const std::size_t i = random.below(dim_);
        point[i] += scales_[i] * random.normal();
      }
      continue;
    }
    const double size = p % 4 == 0 ? share : p % 4 == 1 ? 2 * share : share * std::ldexp(1.0, -static_cast<int>(random.below(8)));
    for (std::size_t i = 0; i < dim_; ++i) point[i] += size * scales_[i] * random.normal();
  }
  test_values_ = values(test_points_);
  for (const double value : test_values_) {
    if (!std::isfinite(value))
      throw NoMeasure(form_.name, fmt::format("k is {} at a difference where it still counts, expected finite numbers", value));
    largest_ = std::max(largest_, std::fabs(value));
  }
}

FoundMeasure judged(const ProbedFunction& k, std::shared_ptr<const EnvelopeMeasure> measure, Route route, const std::string& what,
                    double expected, std::size_t most_points) {
  constexpr double most_error = 1e-2;
  double seen = 0;
  const std::size_t n = std::min(most_points, k.test_points().rows());
  for (std::size_t p = 0; p < n; ++p) {
    k.search().go_on();
    const double error = std::fabs(measure->value(k.test_points().row(p)) - k.test_values()[p]) / k.largest();
    seen = error <= HUGE_VAL ? std::max(seen, error) : HUGE_VAL;
  }
  if (!(seen <= most_error))
    throw RouteFails(k.form().name, fmt::format("{}: k comes back from its transform with an error of {:.2g} of its largest value, "
                                                "expected at most {:g}",
                                                what, seen, most_error));
  return {std::move(measure), route,
          fmt::format("{}; where it was looked at, k comes back with an error of {:.1e} of its largest value by estimate, of {:.1e} at {} "
                      "test differences",
                      what, expected, seen, n),
          std::max(expected, seen)};
}

}  // namespace askrff::found_measures
