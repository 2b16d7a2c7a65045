// A Gaussian across one direction times any function along it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/portable_math.hpp"
#include "core/vectors.hpp"
#include "found_measures/line_probes.hpp"
#include "found_measures/line_ridge.hpp"
#include "found_measures/probed_function.hpp"

namespace askrff::found_measures {
namespace {

/// A unit vector; its coordinates are rounded first, so that roundings of k do not turn it.
std::vector<double> unit_vector(std::vector<double> vector) {
  const double length = scaled_norm<double>(vector);
  for (double& value : vector) value = std::floor(value / length * 0x1p26 + 0.5) * 0x1p-26;
  const double again = scaled_norm<double>(vector);
  for (double& value : vector) value /= again;
  return vector;
}

/// The direction of ∇k(0), by differences of fourth order; empty if that is 0.
std::vector<double> gradient_direction(const ProbedFunction& k) {
  const std::size_t dim = k.dim();
  const double step = coarse_power_of_two(*std::ranges::min_element(k.scales())) * 0x1p-8;
  std::vector<double> gradient(dim);
  for (std::size_t i = 0; i < dim; ++i) {
    Matrix<double> points(4, dim);
    for (int p = 0; p < 4; ++p) points(p, i) = step * (p < 2 ? 1 : 2) * (p % 2 == 0 ? 1 : -1);
    const auto values = k.values(points);
    gradient[i] = (8 * (values[0] - values[1]) - (values[2] - values[3])) / 12;
  }
  const double size = scaled_norm<double>(gradient);
  if (!(size > 1e-6 * k.largest())) return {};  // of a step of 1/256 of the scale
  return unit_vector(gradient);
}

/// A unit vector at a right angle to `direction`.
std::vector<double> across(std::span<const double> direction) {
  const auto least = std::ranges::min_element(direction, {}, [](double value) { return std::fabs(value); });
  std::vector<double> vector(direction.size(), 0.0);
  const double along = *least;
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = -along * direction[i];
  vector[static_cast<std::size_t>(least - direction.begin())] += 1;
  const double length = scaled_norm<double>(vector);
  for (double& value : vector) value /= length;
  return vector;
}

/// σ with k(start + s·v) = k(start) e^{-s²/2σ²} for the s at which the ratio is about a half; 0 if there is none.
double width_across(const ProbedFunction& k, std::span<const double> start, std::span<const double> v) {
  const double whole = k.at(start);
  if (!(std::fabs(whole) > 1e-3 * k.largest())) return 0;
  std::vector<double> point(start.size());
  const int centre = std::ilogb(k.scales()[0]);
  for (int power = centre - 40; power < centre + 40; ++power)
    for (const double fraction : {1.0, 1.1875, 1.4375, 1.6875}) {
      const double s = std::ldexp(fraction, power);
      for (std::size_t i = 0; i < point.size(); ++i) point[i] = start[i] + s * v[i];
      const double ratio = k.at(point) / whole;
      if (!(ratio < 0.75)) continue;
      if (!(ratio > 0.05)) return 0;
      const double sigma = s / std::sqrt(-2 * portable::log(ratio));
      int exponent = 0;
      const double mantissa = std::frexp(sigma, &exponent);
      return std::ldexp(std::floor(mantissa * 0x1p28 + 0.5), exponent - 28);
    }
  return 0;
}

/// Where |k| is largest along the direction through 0.
std::vector<double> start_on_ridge(const ProbedFunction& k, std::span<const double> direction) {
  const int centre = std::ilogb(k.scales()[0]);
  std::vector<double> steps{0.0};
  for (int power = centre - 6; power < centre + 12; ++power)
    for (const double fraction : {1.0, 1.1875, 1.4375, 1.6875})
      for (const double sign : {1.0, -1.0}) steps.push_back(sign * std::ldexp(fraction, power));
  Matrix<double> points(steps.size(), k.dim());
  for (std::size_t p = 0; p < steps.size(); ++p)
    for (std::size_t i = 0; i < k.dim(); ++i) points(p, i) = steps[p] * direction[i];
  const auto values = k.values(points);
  std::size_t best = 0;
  for (std::size_t p = 1; p < values.size(); ++p)
    if (std::isfinite(values[p]) && std::fabs(values[p]) > std::fabs(values[best]) * 1.01) best = p;
  return {points.row(best).begin(), points.row(best).end()};
}

bool is_ridge(const ProbedFunction& k, std::span<const double> direction, double sigma) {
  const Matrix<double>& tests = k.test_points();
  Matrix<double> points(tests.rows(), k.dim());
  std::vector<double> factors(tests.rows());
  for (std::size_t p = 0; p < tests.rows(); ++p) {
    const double t = dot(direction, tests.row(p));
    double square = 0;
    for (std::size_t i = 0; i < k.dim(); ++i) {
      points(p, i) = t * direction[i];
      square += (tests(p, i) - points(p, i)) * (tests(p, i) - points(p, i));
    }
    factors[p] = std::exp(-0.5 * square / (sigma * sigma));
  }
  const auto values = k.values(points);
  for (std::size_t p = 0; p < factors.size(); ++p)
    if (!(std::fabs(values[p] * factors[p] - k.test_values()[p]) <= k.same())) return false;
  return true;
}

}  // namespace

std::optional<FoundMeasure> ridge_route(const ProbedFunction& k) {
  if (k.dim() == 1) return std::nullopt;
  const bool is_given = !k.form().direction.empty();
  if (is_given && k.form().direction.size() != k.dim())
    throw InvalidArgument(k.form().name,
                          fmt::format("the direction has {} numbers, the data {} dimensions", k.form().direction.size(), k.dim()));
  const std::vector<double> direction = is_given ? unit_vector(k.form().direction) : gradient_direction(k);
  if (direction.empty()) return std::nullopt;
  const double sigma = width_across(k, start_on_ridge(k, direction), across(direction));
  if (!(sigma > 0) || !is_ridge(k, direction, sigma)) return std::nullopt;
  auto line = TabulatedLine::of(k.line(direction), k.form().tolerance, k.search());
  const std::string what =
      fmt::format("ridge: Gaussian of width {:.6g} across a direction that was {}, {} frequencies tabulated from {} values", sigma,
                  is_given ? "given" : "found", line->table.n_knots(), line->n_values);
  const double expected = line->error();
  auto measure = std::make_shared<const LineRidge>(std::move(line), direction, sigma);
  return judged(k, std::move(measure), Route::ridge, what, expected);
}

}  // namespace askrff::found_measures
