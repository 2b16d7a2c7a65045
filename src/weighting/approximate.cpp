// The whole way from a kernel to its atoms: parts, frequencies, weights.
#include "askrff/approximate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "askrff/masses.hpp"
#include "core/checks.hpp"
#include "weighting/reference_fit.hpp"
#include "weighting/subset_kernel.hpp"

namespace askrff {
namespace {

void check(const ApproximateOptions& options, std::size_t dim) {
  if (dim == 0) throw std::invalid_argument("approximate: the dimension is 0, expected at least 1");
  if (options.n_frequencies == 0) throw std::invalid_argument("approximate: n_frequencies is 0, expected at least 1");
  if (options.drop_tolerance && (!(*options.drop_tolerance >= 0) || *options.drop_tolerance >= 1))
    throw std::invalid_argument(fmt::format("approximate: drop_tolerance is {}, expected a number in [0, 1)", *options.drop_tolerance));
}

// Every part of the measure with its mass where that is known exactly; negligible ones marked as dropped.
std::vector<PartRecord> plan_parts(const ComplexMeasure& measure, const ApproximateOptions& options) {
  std::vector<PartRecord> records;
  double total = 0;
  for (const Part part : measure.parts()) {
    PartRecord record{.part = part, .mass = std::nan(""), .log_mass = std::nan("")};
    if (const auto moments = measure.exact_moments(part)) {
      record.mass = moments->mass;
      record.log_mass = moments->log_mass;
      if (!std::isfinite(record.mass))
        throw std::invalid_argument(
            fmt::format("approximate: part {} has mass {}: a kernel without finite total mass (one with a jump, say) has no Fourier "
                        "features",
                        traits(part).name, record.mass));
    }
    total += std::abs(traits(part).coefficient) * record.mass;
    records.push_back(record);
  }
  const double tolerance = options.drop_tolerance.value_or(options.sampler == Sampler::exact ? 1e-12 : 0.0);
  const bool may_drop = options.drop_tolerance || options.sampler == Sampler::exact;
  for (PartRecord& record : records) record.dropped = may_drop && record.mass <= tolerance * total;  // false where a mass is not known
  return records;
}

// Draws the parts that are kept; weights are filled in later.
SpectralAtoms draw_parts(const ComplexMeasure& measure, std::vector<PartRecord> records, const ApproximateOptions& options) {
  const SamplingOptions sampling{.sampler = options.sampler, .seed = options.seed, .min_acceptance = options.min_acceptance};
  std::vector<Matrix<double>> drawn;
  std::size_t n_atoms = 0;
  for (PartRecord& record : records) {
    record.first = n_atoms;
    record.count = record.dropped ? 0 : options.n_frequencies;
    if (record.count == 0) continue;
    drawn.push_back(draw_frequencies(measure, record.part, 0, record.count, sampling));
    n_atoms += record.count;
  }
  if (n_atoms == 0) throw std::invalid_argument("approximate: every part of the measure is negligible, the kernel is zero");
  Matrix<double> frequencies(n_atoms, measure.dim());
  auto* next = frequencies.data();
  for (const auto& block : drawn) next = std::copy_n(block.data(), block.rows() * block.cols(), next);
  return {std::move(frequencies), std::vector<std::complex<double>>(n_atoms), std::move(records)};
}

// c = coefficient · mass / M for every atom of a part.
SpectralAtoms weigh(const SpectralAtoms& drawn, const Masses& masses, bool masses_are_exact) {
  std::vector<std::complex<double>> weights(drawn.size());
  std::vector<PartRecord> records(drawn.parts().begin(), drawn.parts().end());
  for (PartRecord& record : records) {
    if (!record.dropped && !masses_are_exact) {
      record.mass = masses.of(record.part);
      record.log_mass = std::log(record.mass);
    }
    for (std::size_t j = record.first; j < record.first + record.count; ++j)
      weights[j] = traits(record.part).coefficient * (record.mass / static_cast<double>(record.count));
  }
  const auto frequencies = drawn.frequencies();
  return {Matrix<double>(frequencies.rows(), frequencies.cols(),
                         {frequencies.data(), frequencies.data() + frequencies.rows() * frequencies.cols()}),
          std::move(weights), std::move(records)};
}

std::unique_ptr<const ComplexMeasure> measure_or_throw(const Kernel& kernel, std::size_t dim) {
  auto measure = kernel.measure(dim);
  if (!measure)
    throw std::invalid_argument(fmt::format("approximate: {} has no Fourier measure; give data and use subset weights", kernel.name()));
  if (measure->dim() != dim)
    throw std::invalid_argument(
        fmt::format("approximate: the measure of {} has dimension {}, expected {}", kernel.name(), measure->dim(), dim));
  if (measure->parts().empty()) throw std::invalid_argument(fmt::format("approximate: the measure of {} has no parts", kernel.name()));
  return measure;
}

}  // namespace

SpectralAtoms approximate(const Kernel& kernel, std::size_t dim, const ApproximateOptions& options) {
  check(options, dim);
  if (options.weights != Weights::exact) throw std::invalid_argument("approximate: subset weights need data to be fitted on");
  const auto measure = measure_or_throw(kernel, dim);
  const Masses masses = exact_masses(*measure);
  return weigh(draw_parts(*measure, plan_parts(*measure, options), options), masses, true);
}

SpectralAtoms approximate(const Kernel& kernel, MatrixView<const double> data, const ApproximateOptions& options) {
  check(options, data.cols());
  if (options.weights == Weights::exact) return approximate(kernel, data.cols(), options);
  if (options.n_subset == 0) throw std::invalid_argument("approximate: n_subset is 0, expected at least 1");
  if (options.n_subset > data.rows())
    throw std::invalid_argument(fmt::format("approximate: n_subset is {}, the data has {} rows", options.n_subset, data.rows()));
  const auto subset = weighting::take_rows(data, choose_rows(data.rows(), options.n_subset, options.seed, Purpose::subset_rows));
  require_finite<double>(subset, "approximate", "the data");
  if (!kernel.measure(data.cols())) return weighting::fit_reference_atoms(kernel, subset, options.n_frequencies, options.seed);

  const auto measure = measure_or_throw(kernel, data.cols());
  const SpectralAtoms drawn = draw_parts(*measure, plan_parts(*measure, options), options);
  const MassFit fit = fit_masses(kernel, drawn, subset);
  return weigh(
      drawn, {.real_positive = fit.real_positive, .real_negative = fit.real_negative, .imaginary_positive = fit.imaginary_positive}, false);
}

}  // namespace askrff
