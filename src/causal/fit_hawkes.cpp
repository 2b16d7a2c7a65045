// Maximum likelihood for Hawkes processes: where to begin, then Newton's method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "askrff/hawkes.hpp"
#include "causal/hawkes_newton.hpp"
#include "core/resources.hpp"

namespace askrff {
namespace {

constexpr std::size_t max_newton_steps = 200, max_theta = 2000;

/// Half of the events cause themselves, the others are caused: every event has half a child, of types as frequent as they are.
HawkesPoint first_guess(const HawkesEvents& events, std::size_t n_decays, double log_decay) {
  const std::size_t n_types = events.n_types(), n = 1 + n_types * n_decays;
  HawkesPoint point{std::vector<double>(n_types * n), log_decay};
  for (std::size_t v = 0; v < n_types; ++v) {
    const double count = static_cast<double>(std::ranges::count(events.types(), v));
    point.theta[v * n] = 0.5 * count / events.horizon();
    const double children = 0.5 * count / static_cast<double>(events.size()) / static_cast<double>(n_decays);
    for (std::size_t q = 1; q < n; ++q) point.theta[v * n + q] = children;
  }
  return point;
}

/// Times between one event and the next that are not 0, ascending.
std::vector<double> gaps_of(const HawkesEvents& events) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < events.size(); ++i)
    if (events.times()[i] > events.times()[i - 1]) gaps.push_back(events.times()[i] - events.times()[i - 1]);
  std::ranges::sort(gaps);
  return gaps;
}

/// The first events, as if nothing had been observed afterwards; all of them if that would be no time.
HawkesEvents beginning_of(const HawkesEvents& events) {
  constexpr std::size_t enough = 5000;
  if (events.size() <= enough || !(events.times()[enough - 1] >= 1e-300)) return events;
  return {{events.times().begin(), events.times().begin() + enough},
          {events.types().begin(), events.types().begin() + enough},
          events.times()[enough - 1],
          events.n_types()};
}

/// The likelihood may have several maxima in the decay: the best of a range of them, judged by the first events, with its θ.
HawkesPoint best_start(const HawkesEvents& events, double median_gap, const DecayRange& range, const Execution& execution) {
  const HawkesEvents some = beginning_of(events);
  const double slowest = std::max(range.lowest, std::log(2 / some.horizon()));
  const double fastest = std::max(slowest, std::min(range.highest, std::log(10 / median_gap)));
  const auto n_tries = static_cast<std::size_t>(std::clamp(std::ceil((fastest - slowest) / 1.4), 1.0, 12.0));
  HawkesPoint best;
  double best_value = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n_tries; ++i) {
    const double log_decay = slowest + (fastest - slowest) * (static_cast<double>(i) + 0.5) / static_cast<double>(n_tries);
    HawkesNewton newton(some, {std::exp(log_decay)}, {}, execution);
    newton.climb(first_guess(some, 1, log_decay), 12, false);
    if (!(newton.value() > best_value)) continue;
    best_value = newton.value();
    best = newton.point();
  }
  // Numbers that the first events have at 0 may not be there in the end.
  const HawkesPoint guess = first_guess(events, 1, best.log_decay);
  if (best.theta.empty()) return guess;
  for (std::size_t i = 0; i < guess.theta.size(); ++i) best.theta[i] = std::max(best.theta[i], 0.01 * guess.theta[i]);
  return best;
}

void require_fit(const HawkesEvents& events, std::size_t n_decays) {
  if (events.size() == 0) throw InvalidArgument("fit_hawkes", "got no events, expected at least one");
  const std::size_t n_theta = 1 + events.n_types() * n_decays;
  if (n_theta > max_theta)
    throw InvalidArgument("fit_hawkes", fmt::format("{} types and {} decays make {} parameters of a type, expected at most {}",
                                                    events.n_types(), n_decays, n_theta, max_theta));
  const double block = 8.0 * static_cast<double>(events.n_types()) * static_cast<double>(n_theta) * static_cast<double>(n_theta);
  require_memory(8 * block, "fit_hawkes", fmt::format("second derivatives of {} types and {} decays", events.n_types(), n_decays),
                 "take fewer types or decays");
}

HawkesFit finished(const HawkesNewton& newton, bool decay_found) {
  HawkesFit fit;
  fit.parameters = newton.parameters_at(newton.point());
  const HawkesPoint errors = newton.standard_errors();
  fit.standard_errors = newton.parameters_at(errors);
  // Of the decay itself, not of its logarithm.
  for (std::size_t k = 0; k < fit.parameters.decays.size(); ++k)
    fit.standard_errors.decays[k] = decay_found ? fit.parameters.decays[k] * errors.log_decay : std::numeric_limits<double>::quiet_NaN();
  fit.log_likelihood = newton.value();
  fit.n_steps = newton.n_steps();
  return fit;
}

}  // namespace

HawkesFit fit_hawkes(const HawkesEvents& events, const HawkesFitOptions& options, const Execution& execution) {
  for (std::size_t k = 0; k < options.decays.size(); ++k)
    if (!(options.decays[k] >= 1e-300 && std::isfinite(options.decays[k])))
      throw InvalidArgument("fit_hawkes",
                            fmt::format("decays[{}] is {}, expected a finite number of at least 1e-300", k, options.decays[k]));
  require_fit(events, std::max<std::size_t>(1, options.decays.size()));
  if (!options.decays.empty()) {
    HawkesNewton newton(events, options.decays, {}, execution);
    newton.climb(first_guess(events, options.decays.size(), 0), max_newton_steps, true);
    return finished(newton, false);
  }
  const std::vector<double> gaps = gaps_of(events);
  if (gaps.empty()) {  // no event is after another: nothing is known of the decay
    HawkesNewton newton(events, {1 / events.horizon()}, {}, execution);
    newton.climb(first_guess(events, 1, 0), max_newton_steps, true);
    return finished(newton, false);
  }
  const DecayRange range{true, std::log(0.01 / events.horizon()), std::log(std::min(100 / gaps.front(), 1e300))};
  HawkesNewton newton(events, {1}, range, execution);
  newton.climb(best_start(events, gaps[gaps.size() / 2], range, execution), max_newton_steps, true);
  return finished(newton, true);
}

}  // namespace askrff
