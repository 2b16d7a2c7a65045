// Products of functions of one coordinate.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>

#include "core/threads.hpp"
#include "found_measures/line_probes.hpp"
#include "found_measures/probed_function.hpp"
#include "found_measures/product_measure.hpp"

namespace askrff::found_measures {
namespace {

constexpr std::size_t max_product_dim = 1024, max_profiles = 128;

/// Whether k(δ) k(b)^(d-1) = Π k(b with δ_i in place of b_i) at the test points, b the base.
bool is_product(const ProbedFunction& k) {
  const std::size_t dim = k.dim(), n = k.test_points().rows();
  std::vector<double> products(n, k.base_value());
  for (std::size_t i = 0; i < dim; ++i) {
    Matrix<double> points(n, dim);
    for (std::size_t p = 0; p < n; ++p) {
      std::ranges::copy(k.base(), points.row(p).begin());
      points(p, i) = k.test_points()(p, i);
    }
    const auto values = k.values(points);
    for (std::size_t p = 0; p < n; ++p) products[p] *= values[p] / k.base_value();
  }
  for (std::size_t p = 0; p < n; ++p)
    if (!(std::fabs(products[p] - k.test_values()[p]) <= k.same())) return false;
  return true;
}

/// Which coordinates have the same profile: the number of each among those that differ, and the first coordinate of each.
struct Profiles {
  std::vector<std::size_t> which, first;
};

Profiles different_profiles(const ProbedFunction& k) {
  constexpr int steps = 32;
  Profiles profiles;
  std::vector<std::vector<double>> points_of, values_of;
  for (std::size_t i = 0; i < k.dim(); ++i) {
    std::vector<double> points = points_near(k.lengths(i));
    for (int step = 0; step < steps; ++step)
      for (const double sign : {1.0, -1.0})
        points.push_back(k.base()[i] + sign * k.scales()[i] * std::ldexp(step % 2 == 0 ? 1.0 : 1.4375, step / 2 - 8));
    std::vector<double> values(points.size());
    k.along(i).values(points, values);
    std::size_t same = 0;
    for (; same < profiles.first.size(); ++same) {
      const std::size_t other = profiles.first[same];
      if (points_of[same] != points || k.base()[other] != k.base()[i] || k.scales()[other] != k.scales()[i]) continue;
      bool equal = true;
      for (std::size_t p = 0; p < values.size() && equal; ++p) {
        const double a = values[p], b = values_of[same][p];
        equal = !(std::fabs(a - b) > 1e-9 * std::fabs(k.largest() / k.base_value()));  // not numbers far out are equal too
      }
      if (equal) break;
    }
    if (same == profiles.first.size()) {
      profiles.first.push_back(i);
      points_of.push_back(points);
      values_of.push_back(values);
    }
    profiles.which.push_back(same);
    if (profiles.first.size() > max_profiles)
      throw NoMeasure(
          k.form().name,
          fmt::format("a product of more than {} different functions of one coordinate; use the calibrated route", max_profiles));
  }
  return profiles;
}

/// The transforms of all profiles, on several threads. If some have none, what is thrown is said of the first of them.
std::vector<std::shared_ptr<const TabulatedLine>> transforms_of(const ProbedFunction& k, const Profiles& profiles, double tolerance) {
  constexpr double work_of_line = 1e9;
  const std::size_t n = profiles.first.size();
  std::vector<std::shared_ptr<const TabulatedLine>> lines(n);
  std::vector<std::exception_ptr> failures(n);
  std::atomic<std::size_t> first_failed = n;
  const Team team = team_for(work_of_line * static_cast<double>(n), k.search().execution(), k.form().thread_safe);
  parallel_for(n, team, [&](std::size_t i) {
    if (i > first_failed) return;
    try {
      lines[i] = TabulatedLine::of(k.dim() == 1 ? k.line({1.0}) : k.along(profiles.first[i]), tolerance, k.search());
    } catch (const NoMeasure&) {
      failures[i] = std::current_exception();
      for (std::size_t known = first_failed; i < known && !first_failed.compare_exchange_weak(known, i);) {
      }
    }
  });
  if (first_failed < n) std::rethrow_exception(failures[first_failed]);
  return lines;
}

FoundMeasure transform_product(const ProbedFunction& k, const Profiles& profiles) {
  const std::size_t dim = k.dim();
  // Errors of coordinates add up, but not all of them are as large as their bounds.
  const double tolerance = std::max(1e-8, k.form().tolerance / std::min(4.0, std::sqrt(static_cast<double>(dim))));
  std::vector<std::shared_ptr<const TabulatedLine>> lines = transforms_of(k, profiles, tolerance);
  std::size_t n_knots = 0, n_values = 0;
  for (const auto& line : lines) {
    n_knots += line->table.n_knots();
    n_values += line->n_values;
  }
  double expected = 0, n_sums = 0;
  for (const std::size_t each : profiles.which) {
    expected += lines[each]->error();
    n_sums += static_cast<double>(lines[each]->table.n_knots());
  }
  const std::string what = dim == 1
                               ? fmt::format("product: one coordinate, {} frequencies tabulated from {} values", n_knots, n_values)
                               : fmt::format("product: {} different function{} of one coordinate, {} frequencies tabulated from {} values",
                                             lines.size(), lines.size() == 1 ? "" : "s", n_knots, n_values);
  auto measure = std::make_shared<const ProductMeasure>(std::move(lines), profiles.which, dim == 1 ? 1.0 : k.base_value());
  const auto most = static_cast<std::size_t>(std::clamp(1e7 / n_sums, 8.0, 128.0));
  return judged(k, std::move(measure), Route::product, what, expected, most);
}

}  // namespace

std::optional<FoundMeasure> product_route(const ProbedFunction& k) {
  if (k.dim() == 1) return transform_product(k, {{0}, {0}});
  if (k.dim() > max_product_dim || !is_product(k)) return std::nullopt;
  return transform_product(k, different_profiles(k));
}

}  // namespace askrff::found_measures
