// Intensities of a Hawkes process and its log-likelihood with gradient.
#include "askrff/causal.hpp"
#include "askrff/errors.hpp"
#include "askrff/hawkes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "causal/hawkes_sums.hpp"

namespace askrff {
namespace {

void require_types(const HawkesParameters& parameters, const HawkesEvents& events, std::string_view who) {
  parameters.check();
  if (parameters.n_types() != events.n_types())
    throw InvalidArgument(who,
                          fmt::format("the parameters have {} types, expected {} as the events", parameters.n_types(), events.n_types()));
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

HawkesParameters gradient_of(const HawkesSums& sums, const HawkesParameters& parameters) {
  const std::size_t n_types = parameters.n_types(), n = sums.n_theta();
  HawkesParameters gradient = parameters;
  for (std::size_t v = 0; v < n_types; ++v) {
    gradient.baseline[v] = sums.gradient[v * n];
    for (std::size_t q = 0; q < sums.n_waves; ++q) gradient.branching[q / n_types](q % n_types, v) = sums.gradient[v * n + 1 + q];
  }
  for (std::size_t k = 0; k < parameters.decays.size(); ++k) gradient.decays[k] = sums.decay_gradient[k] / parameters.decays[k];
  return gradient;
}

void set_all(HawkesParameters& parameters, double value) {
  std::ranges::fill(parameters.baseline, value);
  std::ranges::fill(parameters.decays, value);
  for (Matrix<double>& matrix : parameters.branching)
    for (std::size_t u = 0; u < matrix.rows(); ++u) std::ranges::fill(matrix.row(u), value);
}

}  // namespace

Matrix<double> hawkes_intensity(const HawkesParameters& parameters, const HawkesEvents& events, std::span<const double> times,
                                const Execution& execution) {
  require_types(parameters, events, "hawkes_intensity");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] >= 0 && times[i] <= 1e300))
      throw InvalidArgument("hawkes_intensity", fmt::format("times[{}] is {}, expected a number from 0 to 1e300", i, times[i]));
  const std::size_t n_types = events.n_types();
  Matrix<double> intensity(times.size(), n_types), excitation(events.size(), n_types);
  for (std::size_t i = 0; i < times.size(); ++i) std::ranges::copy(parameters.baseline, intensity.row(i).begin());
  for (std::size_t k = 0; k < parameters.decays.size(); ++k) {
    for (std::size_t j = 0; j < events.size(); ++j)
      std::ranges::copy(parameters.branching[k].row(events.types()[j]), excitation.row(j).begin());
    const CausalOperator waves({{parameters.decays[k]}, {parameters.decays[k]}}, times, events.times());
    const Matrix<double> part = waves.apply(excitation, execution);
    for (std::size_t i = 0; i < times.size() * n_types; ++i) intensity.data()[i] += part.data()[i];
  }
  return intensity;
}

HawkesLikelihood hawkes_log_likelihood(const HawkesParameters& parameters, const HawkesEvents& events, const Execution& execution) {
  require_types(parameters, events, "hawkes_log_likelihood");
  const HawkesSums sums = hawkes_sums(parameters, events, Derivatives::first, execution);
  HawkesLikelihood likelihood{sums.value, gradient_of(sums, parameters)};
  if (sums.value == -std::numeric_limits<double>::infinity()) {
    set_all(likelihood.gradient, std::numeric_limits<double>::quiet_NaN());
    return likelihood;
  }
  if (!std::isfinite(sums.value) || !all_finite(sums.gradient) || !all_finite(sums.decay_gradient))
    throw NumericalError(
        "hawkes_log_likelihood",
        fmt::format("the log-likelihood is {} or its gradient is not finite, expected parameters whose sums fit a double", sums.value));
  return likelihood;
}

}  // namespace askrff
