// Exact variances of the estimators at one difference.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "askrff/measure.hpp"
#include "askrff/errors.hpp"

namespace askrff {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Variance of Re(c·m·e^{iω·δ}), ω from a part of mass m, c its coefficient: |c|² m (m + Re(e^{2i arg c} T(2δ)))/2 - (Re c T(δ))², T the
// transform.
double part_variance(const ComplexMeasure& measure, Part part, std::span<const double> delta, std::span<const double> twice) {
  const auto moments = measure.exact_moments(part);
  const auto once = measure.exact_transform(part, delta), doubled = measure.exact_transform(part, twice);
  if (!moments || !once || !doubled) return unknown;
  const std::complex<double> c = traits(part).coefficient;
  const double mean = (c * *once).real();
  return std::fmax(0.0, 0.5 * moments->mass * (std::norm(c) * moments->mass + (c * c * *doubled).real()) - mean * mean);
}

}  // namespace

EstimatorVariance estimator_variance(const ComplexMeasure& measure, std::span<const double> delta) {
  if (delta.size() != measure.dim())
    throw InvalidArgument("estimator_variance",
                          fmt::format("the difference has {} coordinates, the measure {}", delta.size(), measure.dim()));
  std::vector<double> twice(delta.begin(), delta.end());
  for (double& value : twice) value *= 2;
  EstimatorVariance variance;
  double mean = 0;
  for (const Part part : measure.parts()) {
    const double value = part_variance(measure, part, delta, twice);
    (part == Part::real_positive   ? variance.real_positive
     : part == Part::real_negative ? variance.real_negative
                                   : variance.imaginary_positive) = value;
    const auto transform = measure.exact_transform(part, delta);
    mean += transform ? (traits(part).coefficient * *transform).real() : unknown;
  }
  const auto total = measure.exact_total_variation();
  const auto polar = measure.exact_polar_transform(twice);
  variance.polar = total && polar ? std::fmax(0.0, 0.5 * *total * (*total + polar->real()) - mean * mean) : unknown;
  return variance;
}

}  // namespace askrff
