// The whole way from a kernel to its atoms: estimator, frequencies, weights.
#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/pair_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/checks.hpp"
#include "weighting/estimator_choice.hpp"
#include "weighting/jordan_atoms.hpp"
#include "weighting/reference_fit.hpp"

namespace askrff {
namespace {

void check(const ApproximateOptions& options, std::size_t dim) {
  if (dim == 0) throw InvalidArgument("approximate", "the dimension is 0, expected at least 1");
  if (options.estimator == Estimator::nystrom || options.estimator == Estimator::best || options.estimator == Estimator::paper)
    throw InvalidArgument("approximate", fmt::format("the estimator is {}, expected fourier, jordan or polar; make_map knows the others",
                                                     name_of(options.estimator)));
  if (options.n_frequencies == 0) throw InvalidArgument("approximate", "n_frequencies is 0, expected at least 1");
  if (options.n_features % 2 != 0)
    throw InvalidArgument("approximate", fmt::format("n_features is {}, expected an even number: a cosine and a sine for every frequency",
                                                     options.n_features));
  if (options.drop_tolerance && (!(*options.drop_tolerance >= 0) || *options.drop_tolerance >= 1))
    throw InvalidArgument("approximate", fmt::format("drop_tolerance is {}, expected a number in [0, 1)", *options.drop_tolerance));
}

std::string in_brackets(const std::string& reason) { return reason.empty() ? "" : " (" + reason + ")"; }

std::unique_ptr<const ComplexMeasure> measure_or_throw(const Kernel& kernel, std::size_t dim, const Execution& execution) {
  auto measure = kernel.measure(dim, execution);
  if (!measure)
    throw InvalidArgument("approximate", fmt::format("{} has no Fourier measure{}; give data and use subset or calibrated weights",
                                                     kernel.name(), in_brackets(kernel.measure_reason(dim))));
  if (measure->dim() != dim)
    throw InvalidArgument("approximate",
                          fmt::format("the measure of {} has dimension {}, expected {}", kernel.name(), measure->dim(), dim));
  if (measure->parts().empty()) throw InvalidArgument("approximate", fmt::format("the measure of {} has no parts", kernel.name()));
  return measure;
}

/// Frequencies of a map that is not drawn part by part.
std::size_t total_frequencies(const ApproximateOptions& options) {
  return options.n_features != 0 ? options.n_features / 2 : options.n_frequencies;
}

bool chooses_estimator(const ApproximateOptions& options) {
  return options.estimator == Estimator::automatic || options.estimator == Estimator::fourier;
}

// What the data says: how far apart its rows are, and some of their differences. Empty without data.
struct DataShape {
  std::vector<double> extent;
  Matrix<double> differences;
};

DataShape shape_of(const RowsView<double>& data, const ApproximateOptions& options) {
  const ColumnRange range = ColumnRange::of(data);
  DataShape shape{std::vector<double>(data.cols()), {}};
  for (std::size_t k = 0; k < data.cols(); ++k) shape.extent[k] = range.highest[k] - range.lowest[k];
  if (chooses_estimator(options) || options.allocation == Allocation::variance)
    shape.differences = weighting::sample_differences(data, options.seed);
  return shape;
}

/// Frequencies with exact weights where they are known; jordan parts of unknown mass get weight 0, to be fitted.
SpectralAtoms draw(const ComplexMeasure& measure, const ApproximateOptions& options, const DataShape& shape) {
  weighting::EstimatorChoice choice{options.estimator, ""};
  if (chooses_estimator(options)) choice = weighting::choose_estimator(measure, options, shape.differences);
  const Sampler sampler = weighting::sampler_for(measure, choice.estimator, options.sampler);
  if (sampler != options.sampler)
    choice.reason += fmt::format("{}its frequencies are not made from normal vectors, so the {} sampler takes the place of {}",
                                 choice.reason.empty() ? "" : "; ", name_of(sampler), name_of(options.sampler));
  const SamplingOptions sampling{sampler, options.seed, options.min_acceptance, options.extent.empty() ? shape.extent : options.extent,
                                 options.execution.stop};
  if (options.allocation == Allocation::variance && choice.estimator == Estimator::jordan && shape.differences.empty())
    throw InvalidArgument("approximate", "variance-optimal allocation needs data");
  const auto explained = [&](const SpectralAtoms& atoms, const char* estimator) {
    return atoms.with_provenance({estimator, std::string(name_of(sampler)), "exact", choice.reason, std::nullopt});
  };
  if (choice.estimator == Estimator::polar) return explained(draw_polar_atoms(measure, total_frequencies(options), sampling), "polar");
  auto records = weighting::plan_parts(measure, options, shape.differences);
  const SpectralAtoms drawn = weighting::draw_parts(measure, records, sampling);
  for (const PartRecord& record : records)
    if (std::isnan(record.mass)) return explained(drawn, "jordan");
  return explained(weighting::weigh(drawn), "jordan");
}

/// How the measure was found, before why its frequencies were drawn as they were.
SpectralAtoms with_measure_reason(const Kernel& kernel, SpectralAtoms atoms) {
  const std::string found = kernel.measure_reason(atoms.dim());
  if (found.empty()) return atoms;
  Provenance provenance = atoms.provenance();
  provenance.reason = provenance.reason.empty() ? found : found + "; " + provenance.reason;
  return atoms.with_provenance(std::move(provenance));
}

bool is_weighted(const SpectralAtoms& atoms) {
  for (const PartRecord& record : atoms.parts())
    if (std::isnan(record.mass)) return false;
  return true;
}

SpectralAtoms with_subset_masses(const Kernel& kernel, const SpectralAtoms& drawn, const RowsView<double>& subset,
                                 const Execution& execution) {
  if (drawn.parts().empty())
    throw InvalidArgument("approximate",
                          "subset weights are the masses of jordan parts, and polar atoms have none; use exact or calibrated weights");
  const MassFit fit = fit_masses(kernel, drawn, subset, execution);
  Provenance provenance = drawn.provenance();
  provenance.weights = "subset";
  return weighting::weigh(drawn, &fit).with_provenance(std::move(provenance));
}

RowsMatrix<double> subset_of(const RowsView<double>& data, const ApproximateOptions& options) {
  if (options.n_subset == 0) throw InvalidArgument("approximate", "a subset of 0 rows, expected at least 1");
  if (options.n_subset > data.rows())
    throw InvalidArgument("approximate",
                          fmt::format("a subset of {} rows, but the data has {}, expected at most as many", options.n_subset, data.rows()));
  auto subset = RowsMatrix<double>::taken_from(data, choose_rows(data.rows(), options.n_subset, options.seed, Purpose::subset_rows));
  require_finite_rows<double>(subset, "approximate", "the data");
  return subset;
}

CalibrationOptions calibration_of(const ApproximateOptions& options) {
  return {.n_pairs = options.n_pairs,
          .pin_origin = options.pin_origin,
          .unconstrained = options.weights == Weights::unconstrained,
          .seed = options.seed,
          .execution = options.execution};
}

// Without a measure every weight is fitted, on generic frequencies.
SpectralAtoms fit_without_measure(const Kernel& kernel, const RowsView<double>& data, const ApproximateOptions& options) {
  if (options.weights == Weights::exact) measure_or_throw(kernel, data.cols(), options.execution);
  if (options.weights == Weights::subset)
    return weighting::fit_reference_atoms(kernel, subset_of(data, options), total_frequencies(options), calibration_of(options));
  return weighting::fit_reference_atoms(kernel, data, total_frequencies(options), calibration_of(options));
}

SpectralAtoms fit_to_data(const Kernel& kernel, const RowsView<double>& data, const ApproximateOptions& options) {
  if (!kernel.measure(data.cols(), options.execution)) return fit_without_measure(kernel, data, options);
  const auto measure = measure_or_throw(kernel, data.cols(), options.execution);
  require_finite_rows(data, "approximate", "the data", options.execution.stop);
  if (options.weights == Weights::subset && options.estimator != Estimator::polar)
    weighting::require_part_sampler(*measure, weighting::sampler_for(*measure, Estimator::jordan, options.sampler));
  SpectralAtoms atoms = with_measure_reason(kernel, draw(*measure, options, shape_of(data, options)));
  if (options.weights == Weights::subset) return with_subset_masses(kernel, atoms, subset_of(data, options), options.execution);
  if (!is_weighted(atoms)) {
    if (options.weights == Weights::exact)
      throw InvalidArgument(
          "approximate", fmt::format("the masses of {} are not known exactly; use the polar estimator or subset weights", kernel.name()));
    ApproximateOptions smaller = options;
    smaller.n_subset = std::min(options.n_subset, data.rows());
    atoms = with_subset_masses(kernel, atoms, subset_of(data, smaller), options.execution);
  }
  return is_calibrated(options.weights) ? calibrate(kernel, atoms, data, calibration_of(options)) : atoms;
}

/// No error is known of a map for a kernel that is 0; of a single row nothing is said by that.
void require_some_value(const Kernel& kernel, const RowsView<double>& data, std::uint64_t seed) {
  if (data.rows() < 2 || kernel.at_zero(data.cols()) != 0) return;
  const Matrix<double> differences = weighting::sample_differences(data, seed);
  std::vector<double> values(differences.rows());
  kernel.evaluate(differences.view(), values);
  if (std::ranges::all_of(values, [](double value) { return value == 0; }))
    throw InvalidArgument("approximate",
                          fmt::format("kernel {} is zero between all rows looked at, expected one that is not", kernel.name()));
}

}  // namespace

SpectralAtoms approximate(const Kernel& kernel, std::size_t dim, const ApproximateOptions& options) {
  check(options, dim);
  require_shift_invariant(kernel, "approximate");
  if (options.weights != Weights::exact)
    throw InvalidArgument("approximate", fmt::format("{} weights need data to be fitted on", name_of(options.weights)));
  SpectralAtoms atoms = with_measure_reason(kernel, draw(*measure_or_throw(kernel, dim, options.execution), options, {}));
  if (!is_weighted(atoms))
    throw InvalidArgument(
        "approximate",
        fmt::format("the masses of {} are not known exactly; use the polar estimator, or give data and use subset weights", kernel.name()));
  return atoms;
}

SpectralAtoms approximate(const Kernel& kernel, const RowsView<double>& data, const ApproximateOptions& options) {
  check(options, data.cols());
  require_shift_invariant(kernel, "approximate");
  if (data.rows() == 0) throw InvalidArgument("approximate", "the data has no rows");
  require_some_value(kernel, data, options.seed);
  return fit_to_data(kernel, data, options);
}

}  // namespace askrff
