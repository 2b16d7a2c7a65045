// Events in the order of time, and parameters that fit together.
#include "askrff/errors.hpp"
#include "askrff/hawkes.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace askrff {
namespace {

constexpr std::size_t max_types = 10'000;

void require_event_times(std::span<const double> times, double horizon) {
  if (!(horizon >= 1e-300 && horizon <= 1e300))
    throw InvalidArgument("HawkesEvents", fmt::format("the horizon is {}, expected a number from 1e-300 to 1e300", horizon));
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] >= 0 && times[i] <= horizon))
      throw InvalidArgument("HawkesEvents",
                            fmt::format("times[{}] is {}, expected a number from 0 to the horizon, {}", i, times[i], horizon));
}

std::size_t checked_types(std::span<const std::uint32_t> types, std::size_t n_types) {
  if (n_types > max_types)
    throw InvalidArgument("HawkesEvents", fmt::format("{} types asked for, expected at most {}", n_types, max_types));
  const std::size_t limit = n_types == 0 ? max_types : n_types;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] >= limit)
      throw InvalidArgument("HawkesEvents", fmt::format("types[{}] is {}, expected a number from 0 to {}", i, types[i], limit - 1));
    largest = std::max<std::size_t>(largest, types[i]);
  }
  return n_types == 0 ? largest + 1 : n_types;
}

void require_numbers(std::span<const double> values, double least, const std::string& what, const char* expected) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= least && std::isfinite(values[i])))
      throw InvalidArgument("HawkesParameters", fmt::format("{}[{}] is {}, expected {}", what, i, values[i], expected));
}

}  // namespace

HawkesEvents::HawkesEvents(std::vector<double> times, std::vector<std::uint32_t> types, double horizon, std::size_t n_types)
    : times_(std::move(times)), types_(std::move(types)), horizon_(horizon) {
  if (types_.empty()) types_.resize(times_.size());
  if (types_.size() != times_.size())
    throw InvalidArgument("HawkesEvents", fmt::format("got {} types, expected one for each of {} times", types_.size(), times_.size()));
  require_event_times(times_, horizon_);
  n_types_ = checked_types(types_, n_types);
  if (std::ranges::is_sorted(times_)) return;
  std::vector<std::size_t> order(times_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return times_[i]; });
  std::vector<double> sorted_times(order.size());
  std::vector<std::uint32_t> sorted_types(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted_times[i] = times_[order[i]];
    sorted_types[i] = types_[order[i]];
  }
  times_ = std::move(sorted_times);
  types_ = std::move(sorted_types);
}

void HawkesParameters::check() const {
  constexpr const char* who = "HawkesParameters";
  const std::size_t n = n_types();
  if (n < 1 || n > max_types) throw InvalidArgument(who, fmt::format("the baseline has {} types, expected 1 to {}", n, max_types));
  if (decays.empty()) throw InvalidArgument(who, "got no decays, expected at least one");
  if (branching.size() != decays.size())
    throw InvalidArgument(who,
                          fmt::format("got {} branching matrices, expected one for each of {} decays", branching.size(), decays.size()));
  require_numbers(baseline, 0, "baseline", "a finite number of at least 0");
  require_numbers(decays, 1e-300, "decays", "a finite number of at least 1e-300");
  for (std::size_t k = 0; k < branching.size(); ++k) {
    if (branching[k].rows() != n || branching[k].cols() != n)
      throw InvalidArgument(who,
                            fmt::format("branching[{}] is {} x {}, expected {} x {}", k, branching[k].rows(), branching[k].cols(), n, n));
    for (std::size_t u = 0; u < n; ++u)
      require_numbers(branching[k].row(u), 0, fmt::format("branching[{}][{}]", k, u), "a finite number of at least 0");
  }
}

double HawkesParameters::branching_ratio() const {
  check();
  const auto n = static_cast<Eigen::Index>(n_types());
  Eigen::MatrixXd total = Eigen::MatrixXd::Zero(n, n);
  for (const Matrix<double>& matrix : branching)
    for (Eigen::Index u = 0; u < n; ++u)
      for (Eigen::Index v = 0; v < n; ++v) total(u, v) += matrix(static_cast<std::size_t>(u), static_cast<std::size_t>(v));
  const double largest = total.maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) return largest;
  return largest * Eigen::EigenSolver<Eigen::MatrixXd>(total / largest, false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace askrff
