// Functions of the distance alone.
#include <fmt/format.h>

#include <cmath>

#include "core/vectors.hpp"
#include "found_measures/gaussian_mixture.hpp"
#include "found_measures/mixture_fit.hpp"
#include "found_measures/probed_function.hpp"

namespace askrff::found_measures {
namespace {

/// Whether k at every test point is k on the first axis, on both sides of 0, at its distance.
bool is_radial(const ProbedFunction& k) {
  const Matrix<double>& tests = k.test_points();
  Matrix<double> points(2 * tests.rows(), k.dim());
  for (std::size_t p = 0; p < tests.rows(); ++p) {
    const double distance = scaled_norm<double>(tests.row(p));
    points(2 * p, 0) = distance;
    points(2 * p + 1, 0) = -distance;
  }
  const auto values = k.values(points);
  for (std::size_t p = 0; p < tests.rows(); ++p)
    for (const double value : {values[2 * p], values[2 * p + 1]})
      if (!(std::fabs(value - k.test_values()[p]) <= k.same())) return false;
  return true;
}

}  // namespace

std::optional<FoundMeasure> radial_route(const ProbedFunction& k) {
  if (!is_radial(k)) return std::nullopt;
  std::vector<double> direction(k.dim(), 0.0);
  direction[0] = 1;
  const LineProfile profile(k.line(direction), k.form().tolerance, k.search());
  auto sum = fit_gaussian_sum(profile, k.form().tolerance, k.search());
  if (!sum) throw RouteFails(k.form().name, "radial: no sum of Gaussians of the distance comes near enough to k");
  for (double& width : sum->widths) width /= profile.x_unit();
  for (double& weight : sum->weights) weight *= profile.f_unit();
  const double expected = sum->error / profile.largest();
  const std::string what = fmt::format("radial: a sum of {} Gaussians of the distance", sum->widths.size());
  auto measure =
      std::make_shared<const GaussianMixture>(k.dim(), std::move(sum->widths), std::move(sum->weights), sum->error * profile.f_unit());
  return judged(k, std::move(measure), Route::radial, what, expected);
}

}  // namespace askrff::found_measures
