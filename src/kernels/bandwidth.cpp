// The median heuristic on random pairs of rows, and kernels stretched by it.
#include "askrff/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "askrff/random.hpp"
#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "kernels/expression_form.hpp"
#include "kernels/support.hpp"

namespace askrff {
namespace {

/// With scales: of rows whose coordinates are divided by them.
double distance_of(const RowsView<double>& X, std::size_t i, std::size_t j, Distance distance, std::span<const double> scales) {
  if (!scales.empty()) {
    double absolute = 0, squares = 0;
    for_each_coordinate(X, i, X, j, [&](std::size_t c, double x, double y) {
      const double step = (x - y) / scales[c];
      absolute += std::fabs(step);
      squares += step * step;
    });
    return distance == Distance::absolute ? absolute : std::sqrt(squares);
  }
  if (distance == Distance::absolute) {
    double absolute = 0;
    for_each_coordinate(X, i, X, j, [&](std::size_t, double x, double y) { absolute += std::abs(x - y); });
    return absolute;
  }
  return euclidean_distance(X, i, X, j);
}

double median_of_pairs(const RowsView<double>& X, std::uint64_t seed, Distance distance, std::size_t n_pairs,
                       std::span<const double> scales, const StopToken& stop) {
  if (X.rows() < 2) throw InvalidArgument("median_distance", fmt::format("{} rows, expected at least two", X.rows()));
  if (n_pairs == 0) throw InvalidArgument("median_distance", "got 0 pairs of rows, expected at least one");
  require_finite_rows(X, "median_distance", "X", stop);
  std::vector<double> distances;
  const auto add = [&](std::size_t i, std::size_t j) {
    stop.check();
    const double d = distance_of(X, i, j, distance, scales);
    if (d > 0) distances.push_back(d);
  };
  if (X.rows() < 2048 && X.rows() * (X.rows() - 1) / 2 <= n_pairs) {
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < i; ++j) add(i, j);
  } else {
    RandomStream random(seed, Purpose::sampled_pairs, 0);
    for (std::size_t pair = 0; pair < n_pairs; ++pair) {
      const std::size_t i = random.below(X.rows()), j = random.below(X.rows() - 1);
      add(i, j < i ? j : j + 1);
    }
  }
  if (distances.empty()) throw InvalidArgument("median_distance", "all rows are the same, expected at least two different ones");
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  if (!std::isfinite(*middle)) throw InvalidArgument("median_distance", "the distances of rows overflow, expected smaller numbers");
  return *middle;
}

CoordinateParameter stretched(const ParameterInfo& parameter, double factor) {
  const CoordinateParameter& value = parameter.default_value;
  const double by = parameter.unit == ParameterUnit::length ? factor : parameter.unit == ParameterUnit::inverse_length ? 1 / factor : 1;
  return value.is_over_dim() ? CoordinateParameter::over_dim(by * value.scalar()) : CoordinateParameter(by * value.scalar());
}

ParameterValues values_for(const KernelChoice& choice, const RowsView<double>& X, std::uint64_t seed, const StopToken& stop) {
  ParameterValues values = choice.values;
  if (kernels::is_expression(choice.name)) return values;  // all its parameters are given
  const auto parameters = kernel_parameters(choice.name);
  const auto is_sigma = [](const ParameterInfo& parameter) { return parameter.name == "sigma"; };
  // A composition has all parameters in its text; any bandwidth serves rows that are all the same.
  if (values.contains("sigma") || std::ranges::none_of(parameters, is_sigma) || !kernels::has_different_rows(X)) return values;
  const auto given_scales = values.find("scales");
  const auto scales = given_scales == values.end() ? std::vector<double>() : given_scales->second.expand(X.cols(), choice.name, "scales");
  for (const double s : scales) kernels::positive_scale(s, choice.name, "scales");
  const double sigma = median_of_pairs(X, seed, kernel_distance(choice.name), default_n_pairs, scales, stop);
  if (sigma < kernels::smallest_scale || sigma > kernels::largest_scale)
    throw DataError("fitted_kernel", fmt::format("rows are {:.3g} apart, too {} for a kernel whose width goes by it; expected {} to {}, as "
                                                 "rows of scaled columns are",
                                                 sigma, sigma < 1 ? "near" : "far", kernels::smallest_scale, kernels::largest_scale));
  double factor = 1;
  for (const ParameterInfo& parameter : parameters)
    if (parameter.name == "sigma") factor = sigma / parameter.default_value.scalar();
  values.insert_or_assign("sigma", sigma);
  for (const ParameterInfo& parameter : parameters)
    if (!values.contains(parameter.name) && parameter.name != "scales")
      values.insert_or_assign(parameter.name, stretched(parameter, factor));
  return values;
}

}  // namespace

double median_distance(const RowsView<double>& X, std::uint64_t seed, Distance distance, std::size_t n_pairs, const StopToken& stop) {
  return median_of_pairs(X, seed, distance, n_pairs, {}, stop);
}

NamedKernel fitted_kernel(const KernelChoice& choice, const RowsView<double>& X, std::uint64_t seed, const StopToken& stop) {
  if (choice.name.empty() && !choice.own.kernel)
    throw InvalidArgument("fitted_kernel", "no kernel, expected a name or a kernel of one's own");
  NamedKernel kernel = choice.name.empty() ? choice.own : named_kernel(choice.name, values_for(choice, X, seed, stop));
  for (const auto& [name, value] : kernel.parameters)
    if (value.is_vector()) value.expand(X.cols(), kernel.name, name);
  return kernel;
}

}  // namespace askrff
