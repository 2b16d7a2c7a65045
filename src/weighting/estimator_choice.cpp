// Mean variances over differences of the data.
#include "weighting/estimator_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/measure.hpp"
#include "askrff/errors.hpp"
#include "core/row_pairs.hpp"
#include "weighting/jordan_atoms.hpp"

namespace askrff::weighting {
namespace {

double& of(EstimatorVariance& variance, Part part) {
  return part == Part::real_positive   ? variance.real_positive
         : part == Part::real_negative ? variance.real_negative
                                       : variance.imaginary_positive;
}

EstimatorVariance mean_variance(const ComplexMeasure& measure, MatrixView<const double> differences) {
  EstimatorVariance mean;
  for (std::size_t i = 0; i < differences.rows(); ++i) {
    EstimatorVariance each = estimator_variance(measure, differences.row(i));
    for (const Part part : all_parts) of(mean, part) += of(each, part) / static_cast<double>(differences.rows());
    mean.polar += each.polar / static_cast<double>(differences.rows());
  }
  return mean;
}

/// Whether the sampler can draw the parts of this measure one by one.
bool serves_parts(const ComplexMeasure& measure, Sampler sampler) {
  switch (sampler) {
    case Sampler::exact:
      return measure.draws_exactly();
    case Sampler::rejection:
      return true;  // or it says why not
    case Sampler::orthogonal:
    case Sampler::mub:
    case Sampler::sobol:
      return measure.normal_vector_use().parts;
    case Sampler::structured:
    case Sampler::quadrature:
    case Sampler::ridge:
    case Sampler::grid:
      return false;
  }
  return false;
}

}  // namespace

Matrix<double> sample_differences(const RowsView<double>& data, std::uint64_t seed) {
  constexpr std::size_t max_pairs = 200;
  if (data.rows() < 2) return Matrix<double>(1, data.cols());  // the one there is: of a row and itself
  RandomStream random(seed, Purpose::variance_pairs, 0);
  Matrix<double> differences(max_pairs, data.cols());
  for (std::size_t p = 0; p < max_pairs; ++p) {
    const std::size_t i = random.below(data.rows()), j = (i + 1 + random.below(data.rows() - 1)) % data.rows();
    for_each_coordinate(data, i, data, j, [&](std::size_t k, double x, double y) { differences(p, k) = x - y; });
  }
  return differences;
}

double mean_part_variance(const ComplexMeasure& measure, Part part, MatrixView<const double> differences) {
  EstimatorVariance variance = mean_variance(measure, differences);
  if (std::isnan(of(variance, part)))
    throw InvalidArgument("approximate", "the variances of this measure's parts are not known; allocate frequencies by mass or equally");
  return of(variance, part);
}

void require_part_sampler(const ComplexMeasure& measure, Sampler sampler) {
  if (serves_parts(measure, sampler)) return;
  throw InvalidArgument(
      "approximate", fmt::format("subset weights are the masses of jordan parts, which the {} sampler cannot draw one by one; use the {} "
                                 "sampler, or calibrated weights",
                                 name_of(sampler), name_of(measure.draws_exactly() ? Sampler::exact : Sampler::rejection)));
}

Sampler sampler_for(const ComplexMeasure& measure, Estimator estimator, Sampler sampler) {
  if (sampler != Sampler::orthogonal) return sampler;
  if (estimator == Estimator::polar) return measure.normal_vector_use().proposals ? sampler : Sampler::exact;
  if (serves_parts(measure, sampler)) return sampler;
  return measure.draws_exactly() ? Sampler::exact : Sampler::rejection;
}

EstimatorChoice choose_estimator(const ComplexMeasure& measure, const ApproximateOptions& options, MatrixView<const double> differences) {
  if (options.weights == Weights::subset) return {Estimator::jordan, "subset weights are the masses of jordan parts"};
  if (options.sampler == Sampler::rejection) return {Estimator::jordan, "the rejection sampler draws the parts one by one"};
  if (measure.parts().size() == 1 && measure.parts()[0] == Part::real_positive)
    return {measure.proposal_bound(Part::real_positive) || measure.draws_weighted() ? Estimator::polar : Estimator::jordan,
            "the measure is positive: jordan and polar are the same"};
  if (!serves_parts(measure, options.sampler))
    return {Estimator::polar, fmt::format("the {} sampler serves this measure as a whole only", name_of(options.sampler))};
  if (differences.empty())
    throw InvalidArgument("approximate",
                          "the automatic estimator compares variances on the data's differences: give data, or jordan or polar");
  const auto records = plan_parts(measure, options, differences);
  if (std::ranges::all_of(records, [](const PartRecord& record) { return record.dropped || record.part == Part::real_positive; }))
    return {Estimator::polar, "all parts but the positive one are negligible"};
  EstimatorVariance variance = mean_variance(measure, differences);
  double jordan = 0, n_frequencies = 0;
  for (const PartRecord& record : records) {
    if (record.count == 0) continue;
    jordan += of(variance, record.part) / static_cast<double>(record.count);
    n_frequencies += static_cast<double>(record.count);
  }
  jordan *= n_frequencies;
  if (std::isnan(jordan) || std::isnan(variance.polar)) {
    const bool exact_masses = !std::isnan(jordan) || measure.exact_moments(measure.parts()[0]).has_value();
    return exact_masses && !measure.modulus_bound()
               ? EstimatorChoice{Estimator::jordan, "variances are not known, and there is no bound to draw from |μ| with"}
               : EstimatorChoice{Estimator::polar, "variances are not known; polar needs one set of frequencies instead of several"};
  }
  const bool polar_wins = variance.polar <= jordan;
  return {
      polar_wins ? Estimator::polar : Estimator::jordan,
      fmt::format("on the data's differences one frequency has variance {:.3g} with polar, {:.3g} with jordan", variance.polar, jordan)};
}

}  // namespace askrff::weighting
