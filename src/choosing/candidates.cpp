// Candidates made, measured and recorded.
#include "choosing/candidates.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "choosing/time_left.hpp"
#include "weighting/jordan_atoms.hpp"

namespace askrff::choosing {
namespace {

// Arithmetic beside the projection: sine and cosine of a phase, or the exponential of a kernel value.
constexpr double operations_per_wave = 24;

// A sixth of fewer rows is fewer than 400, whose intervals are wide.
constexpr std::size_t min_held_out_rows = 2400;

std::vector<Variant> variants_for(const ComplexMeasure& measure, std::size_t n_rows) {
  constexpr std::size_t min_rows_of_extent = 200;  // a quadrature is exact within the extent of the rows only, of which few say little
  std::vector<Variant> variants;
  const auto use = measure.normal_vector_use();
  const std::size_t dim = measure.dim();
  const bool gaussian = measure.gaussian_sigma().has_value(), has_ridge = gaussian && !measure.ridge().empty();
  if (gaussian && dim <= 5 && n_rows >= min_rows_of_extent) variants.push_back({Estimator::polar, Sampler::quadrature});
  if (dim <= 3 && measure.mass_beyond(0, 0.0) && n_rows >= min_rows_of_extent) variants.push_back({Estimator::polar, Sampler::grid});
  if (use.proposals && dim <= 600) variants.push_back({Estimator::polar, Sampler::mub});  // beyond, its rotation takes seconds
  if (use.proposals && dim > 600 && dim <= 1500) variants.push_back({Estimator::polar, Sampler::orthogonal});
  if (use.proposals && dim <= 200) variants.push_back({Estimator::polar, Sampler::sobol});
  if (has_ridge && dim > 5) variants.push_back({Estimator::polar, Sampler::ridge});
  if (use.scaled_proposals && dim >= 256) variants.push_back({Estimator::polar, Sampler::structured});
  if (measure.draws_exactly() && (measure.parts().size() > 1 || !use.proposals)) variants.push_back({Estimator::jordan, Sampler::exact});
  if (variants.empty()) variants.push_back({Estimator::polar, Sampler::exact});  // a proposal is all that takes
  return variants;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

RowRoles assign_rows(const RowsView<double>& data, std::uint64_t seed) {
  const std::size_t n = data.rows(), held_out = n < min_held_out_rows ? 0 : std::min<std::size_t>(1000, n / 6);
  const std::size_t comparison = held_out == 0 ? n / 3 : held_out;
  // Fits use pairs of rows: more rows than this teach nothing new, and need not be copied.
  const std::size_t training = std::min<std::size_t>(n - comparison - 2 * held_out, 200'000);
  const auto order = choose_rows(n, training + comparison + 2 * held_out, seed, Purpose::held_out_rows);
  std::span<const std::size_t> left(order);
  const auto take = [&](std::size_t count) {
    const auto rows = left.first(count);
    left = left.subspan(count);
    return RowsMatrix<double>::taken_from(data, rows);
  };
  RowRoles roles;
  roles.certification = take(held_out);
  roles.comparison = take(comparison);
  roles.confirmation = take(held_out);
  roles.training = take(training);
  return roles;
}

CandidateMaker::CandidateMaker(std::shared_ptr<const Kernel> kernel, const RowsView<double>& data, const ChooseOptions& options)
    : kernel_(std::move(kernel)),
      data_(data),
      rows_(assign_rows(data, options.seed)),
      options_(options),
      matrix_rows_(std::min(default_matrix_rows, data.rows())) {
  using Clock = std::chrono::steady_clock;
  constexpr double max_seconds = 1e9;  // what a duration can hold
  if (options.time_limit)
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(*options.time_limit, max_seconds)));
  const ColumnRange range = ColumnRange::of(data);
  for (std::size_t k = 0; k < data.cols(); ++k) extent_.push_back(range.highest[k] - range.lowest[k]);
  const auto measure = kernel_->measure(rows_.training.cols(), options_.execution);
  variants_ = measure ? variants_for(*measure, data.rows()) : std::vector<Variant>{{Estimator::polar, Sampler::exact}};
  if (!measure) return;
  const auto records = weighting::plan_parts(*measure, {.n_frequencies = 1}, {});
  n_parts_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::ranges::count(records, false, &PartRecord::dropped)));
}

double CandidateMaker::fourier_operations(std::size_t n_frequencies) const {
  return static_cast<double>(n_frequencies) * (2 * static_cast<double>(rows_.training.cols()) + operations_per_wave);
}

double CandidateMaker::nystrom_operations(std::size_t n_landmarks, std::size_t n_features) const {
  return fourier_operations(n_landmarks) + 2 * static_cast<double>(n_landmarks) * static_cast<double>(n_features);
}

bool CandidateMaker::out_of_time() const { return deadline_ && std::chrono::steady_clock::now() >= *deadline_; }

template <class Make>
std::optional<MadeCandidate> CandidateMaker::try_out(Candidate record, const ApproximateOptions& how, const Make& make) {
  std::optional<MadeCandidate> made;
  const bool has_deadline = deadline_ && !tried_.empty();  // the first is made in any case
  if (has_deadline && out_of_time()) return made;
  const auto start = std::chrono::steady_clock::now();
  const StopSource by_deadline = deadline_stop();
  Execution execution = options_.execution;
  if (has_deadline) execution.stop = by_deadline.token();
  try {
    FeatureSource source = make(record, execution);
    record.seconds = seconds_since(start);
    made.emplace(record, std::move(source), how);
    made->record.error = record.error = compare(made->map);
  } catch (const NumericalError& error) {
    record.refused = error.what();
    made.reset();
  } catch (const Stopped&) {
    if (!has_deadline || options_.execution.stop.stop_requested()) throw;
    record.refused = "there was no time to make it";
    made.reset();
  } catch (const std::invalid_argument& error) {  // a kernel without finite masses, say; other variants or Nyström may do
    record.refused = error.what();
    made.reset();
  }
  tried_.push_back(std::move(record));
  tried_.back().seconds_left = expected_seconds();
  if (options_.on_candidate) options_.on_candidate(tried_.back());
  return made;
}

std::optional<double> CandidateMaker::expected_seconds() const {
  const auto expected = seconds_left(tried_, options_, options_.tolerance ? comparison_margin * *options_.tolerance : 0);
  if (!deadline_) return expected;
  const double allowed = std::max(0.0, std::chrono::duration<double>(*deadline_ - std::chrono::steady_clock::now()).count());
  return std::min(expected.value_or(allowed), allowed);
}

std::optional<MadeCandidate> CandidateMaker::fourier(const Variant& variant, std::size_t n_frequencies) {
  const bool jordan = variant.estimator == Estimator::jordan;
  const ApproximateOptions how{.n_frequencies = jordan ? std::max<std::size_t>(1, n_frequencies / n_parts_) : n_frequencies,
                               .estimator = variant.estimator,
                               .sampler = variant.sampler,
                               .weights = Weights::calibrated,
                               .n_subset = std::min<std::size_t>(50, rows_.training.rows()),
                               .seed = options_.seed,
                               .extent = extent_};
  Candidate record;
  record.estimator = name_of(variant.estimator);
  record.sampler = name_of(variant.sampler);
  record.weights = name_of(how.weights);
  record.n_frequencies = n_frequencies;
  return try_out(std::move(record), how, [&](Candidate& made, const Execution& execution) {
    ApproximateOptions now = how;
    now.execution = execution;
    SpectralAtoms atoms = approximate(*kernel_, rows_.training, now);
    made.estimator = atoms.provenance().estimator;
    made.sampler = atoms.provenance().sampler;
    made.n_frequencies = atoms.size();
    made.n_features = 2 * made.n_frequencies;
    made.operations = fourier_operations(made.n_frequencies);
    if (const auto* blocks = atoms.structure())
      made.operations =
          static_cast<double>(made.n_frequencies) * (3 * static_cast<double>(std::bit_width(blocks->padded_dim)) + operations_per_wave);
    return FeatureSource(std::move(atoms));
  });
}

std::optional<MadeCandidate> CandidateMaker::nystrom(std::size_t n_features) {
  const NystromOptions how{.n_features = n_features, .seed = options_.seed};
  Candidate record;
  record.estimator = name_of(Estimator::nystrom);
  record.sampler = name_of(how.landmarks);
  return try_out(std::move(record), {}, [&](Candidate& made, const Execution& execution) {
    NystromOptions now = how;
    now.execution = execution;
    NystromFactors factors = askrff::nystrom(kernel_, rows_.training, now);
    made.n_landmarks = factors.n_landmarks();
    made.n_features = factors.n_features();
    made.operations = nystrom_operations(made.n_landmarks, made.n_features);
    return FeatureSource(std::move(factors));
  });
}

FeatureSource CandidateMaker::source_of(const MadeCandidate& candidate, const RowsView<double>& rows, const Execution& execution) const {
  const SpectralAtoms* atoms = candidate.atoms();
  if (!atoms)
    return askrff::nystrom(kernel_, rows, {.n_features = candidate.record.n_features, .seed = options_.seed, .execution = execution});
  if (!cross_fits()) return calibrate(*kernel_, *atoms, rows, {.seed = options_.seed, .execution = execution});
  // Drawn anew: the candidate's weights know of rows that are to judge this map, and so does the extent.
  ApproximateOptions how = candidate.how;
  if (rows.rows() < data_.rows()) how.extent.clear();
  how.n_subset = std::min(how.n_subset, rows.rows());
  how.execution = execution;
  return approximate(*kernel_, rows, how);
}

MadeCandidate CandidateMaker::refitted(const MadeCandidate& candidate) const {
  return {candidate.record, source_of(candidate, data_, options_.execution), candidate.how};
}

StopSource CandidateMaker::deadline_stop() const {
  return StopSource([this] {
    options_.execution.stop.check();
    return out_of_time();
  });
}

HeldOutError CandidateMaker::error_on(const RowsMatrix<double>& rows, const FeatureMap& map) const {
  return held_out_error(*kernel_, map, rows, options_.execution, matrix_rows_, rows_.training);
}
HeldOutError CandidateMaker::cross_fitted(const MadeCandidate& candidate) const {
  const StopSource by_deadline = deadline_stop();
  Execution execution = options_.execution;
  if (deadline_) execution.stop = by_deadline.token();
  const auto make = [&](const RowsView<double>& rows) { return FeatureMap(source_of(candidate, rows, execution)); };
  constexpr HeldOutError none{.error = HUGE_VAL, .upper = HUGE_VAL};
  try {
    return cross_fitted_error(*kernel_, make, data_, 5, options_.seed, execution, matrix_rows_);
  } catch (const Stopped&) {
    if (!deadline_ || options_.execution.stop.stop_requested()) throw;
    return compare(candidate.map);
  } catch (const NumericalError&) {
    return none;
  } catch (const InvalidArgument&) {
    return none;
  }
}
HeldOutError CandidateMaker::compare(const FeatureMap& map) const { return error_on(rows_.comparison, map); }
HeldOutError CandidateMaker::confirm(const MadeCandidate& candidate) const {
  return cross_fits() ? cross_fitted(candidate) : error_on(rows_.confirmation, candidate.map);
}
HeldOutError CandidateMaker::certify(const MadeCandidate& candidate) const {
  return cross_fits() ? cross_fitted(candidate) : error_on(rows_.certification, candidate.map);
}

}  // namespace askrff::choosing
