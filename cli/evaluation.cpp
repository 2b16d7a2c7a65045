// Runs trials and averages them; features are timed in row blocks, so that memory does not grow with the number of points.
#include "evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "askrff/features.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "messages.hpp"
#include "spread.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Exact masses are those of any trial; fitted ones are averaged: trial number `trial` (from 0) enters the mean of those before.
void record_masses(std::vector<PartRecord>& means, std::span<const PartRecord> parts, const std::string& weights, std::size_t trial) {
  if (trial == 0) means.assign(parts.begin(), parts.end());
  if (weights == name_of(Weights::exact) || means.size() != parts.size()) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    means[i].mass += (parts[i].mass - means[i].mass) / static_cast<double>(trial + 1);
    means[i].log_mass = std::log(means[i].mass);
  }
}

/// Trial number `trial` (from 0) enters the means of those before.
void record_calibration(std::optional<CalibrationSummary>& means, const SpectralAtoms& atoms, std::size_t trial) {
  const auto& calibration = atoms.provenance().calibration;
  if (!calibration) return;
  if (!means) means.emplace();
  const auto enter = [&](double& value, double next) { value += (next - value) / static_cast<double>(trial + 1); };
  enter(means->error_before, calibration->error_before);
  enter(means->error_after, calibration->error_after);
  enter(means->weight_sum, atoms.weight_sum());
  enter(means->seconds, calibration->seconds);
  means->n_pairs = calibration->n_pairs;
}

void record(Evaluation& result, const Map& map, std::size_t trial) {
  result.n_features = std::max(result.n_features, map.n_features());
  result.n_landmarks = std::max(result.n_landmarks, map.n_landmarks());
  result.n_frequencies = std::max(result.n_frequencies, map.n_frequencies());
  if (trial == 0) result.estimator = map.kind();
  const SpectralAtoms* atoms = map.atoms();
  if (!atoms) return;
  record_masses(result.parts, atoms->parts(), atoms->provenance().weights, trial);
  record_calibration(result.calibration, *atoms, trial);
  if (trial > 0) return;
  result.estimator = atoms->provenance().estimator;
  result.reason = atoms->provenance().reason;
}

}  // namespace

Evaluation evaluate(const NamedKernel& kernel, const RowsView<double>& data, const RowsView<double>& points, MapOptions options,
                    std::size_t n_trials, ProgressBar& progress, std::optional<double> work, const Deadline& deadline) {
  std::vector<double> errors, max_errors, sampling, features;
  Evaluation result;
  result.frequencies_per_part = options.n_frequencies;
  options.certify = false;  // the points tell
  const std::uint64_t seed = options.seed;
  const Execution all_the_time = options.execution;
  const auto try_out = [&](const Execution& execution) {
    options.seed = derive_seed(seed, result.n_trials);
    options.execution = execution;
    const auto start = std::chrono::steady_clock::now();
    const Map map = make_map(kernel, data, options);
    const double seconds = seconds_since(start);
    const ApproximationError error = approximation_error(*kernel.kernel, map.feature_map(), points, points, execution);
    if (!std::isfinite(error.frobenius))
      throw InvalidArgument("--data",
                            "the exact kernel matrix of the rows is zero, or nearly so: there is no error relative to it; expected other "
                            "rows, or parameters of the kernel that suit them");
    sampling.push_back(seconds);
    features.push_back(error.feature_seconds);
    errors.push_back(error.frobenius);
    max_errors.push_back(error.maximum);
    record(result, map, result.n_trials++);
  };
  while (result.n_trials < n_trials && deadline.in_time(all_the_time, try_out))
    progress.advance(work.value_or(static_cast<double>(options.n_frequencies)));
  if (result.n_trials == 0) return result;
  const Spread spread = spread_of(errors);
  result.error_mean = spread.mean;
  result.error_std = result.n_trials > 1 ? spread.deviation : 0;
  result.max_error_mean = spread_of(max_errors).mean;
  result.seconds_sample = spread_of(sampling).mean;
  result.seconds_features = spread_of(features).mean;
  return result;
}

RowsMatrix<double> evaluation_points(const RowsView<double>& X, std::size_t count, std::uint64_t seed) {
  if (count < X.rows()) return RowsMatrix<double>::taken_from(X, choose_rows(X.rows(), count, seed, Purpose::evaluation_rows));
  return split_rows(X, 0, seed, Purpose::evaluation_rows).others;  // none is chosen, the others are all
}

RowSplit split_points(const RowsView<double>& X, std::size_t count, std::uint64_t seed, const std::string& source) {
  constexpr std::size_t min_points = 3, min_others = 24;
  const std::size_t n = X.rows();
  if (n < 2 * min_points)
    throw std::invalid_argument(fmt::format(
        "--data: {} has {} rows, expected at least {}: some to learn from, others to measure the error on", source, n, 2 * min_points));
  if (n < count + min_others) {
    print_warning(fmt::format("--points: {} has {} rows, the error is measured on half of them instead of {}", source, n, count));
    count = n / 2;
  }
  return split_rows(X, count, seed, Purpose::evaluation_rows);
}

Json evaluation_json(const Evaluation& evaluation) {
  Json masses = Json::object();
  for (const PartRecord& record : evaluation.parts) masses[std::string(traits(record.part).name)] = record.mass;
  Json json = {{"frequencies_per_part", evaluation.frequencies_per_part},
               {"n_frequencies", evaluation.n_frequencies},
               {"n_features", evaluation.n_features},
               {"error_mean", evaluation.error_mean},
               {"error_std", evaluation.error_std},
               {"max_error_mean", evaluation.max_error_mean},
               {"seconds_sample", evaluation.seconds_sample},
               {"seconds_features", evaluation.seconds_features},
               {"masses", std::move(masses)}};
  if (evaluation.n_landmarks > 0) json["n_landmarks"] = evaluation.n_landmarks;
  if (!evaluation.calibration) return json;
  const CalibrationSummary& calibration = *evaluation.calibration;
  json["calibration"] = {{"error_before", calibration.error_before},
                         {"error_after", calibration.error_after},
                         {"weight_sum", calibration.weight_sum},
                         {"n_pairs", calibration.n_pairs},
                         {"seconds", calibration.seconds}};
  return json;
}

std::string evaluations_text(const std::vector<Evaluation>& evaluations) {
  const bool per_part = evaluations.front().estimator == "jordan", landmarks = evaluations.front().n_landmarks > 0;
  Table table({{per_part ? "frequencies per part" : "frequencies asked"},
               {landmarks ? "landmarks" : "frequencies"},
               {"features"},
               {"relative error"},
               {"± deviation"},
               {"largest error"},
               {landmarks ? "fitting [s]" : "sampling [s]"},
               {"features [s]"}});
  std::string calibrations;
  for (const Evaluation& evaluation : evaluations) {
    table.add({fmt::format("{}", evaluation.frequencies_per_part),
               fmt::format("{}", landmarks ? evaluation.n_landmarks : evaluation.n_frequencies), fmt::format("{}", evaluation.n_features),
               fmt::format("{:.3e}", evaluation.error_mean), fmt::format("{:.1e}", evaluation.error_std),
               fmt::format("{:.3e}", evaluation.max_error_mean), fmt::format("{:.4f}", evaluation.seconds_sample),
               fmt::format("{:.4f}", evaluation.seconds_features)});
    if (const auto& calibration = evaluation.calibration)
      calibrations += fmt::format("  {} frequencies: held-out error {:.3g} before, {:.3g} after; Σ|c_j| = {:.3g}; {} pairs, {:.3g} s\n",
                                  evaluation.n_frequencies, calibration->error_before, calibration->error_after, calibration->weight_sum,
                                  calibration->n_pairs, calibration->seconds);
  }
  return table.text() + (calibrations.empty() ? "" : "\nCalibration, on rows like the data:\n" + calibrations);
}

}  // namespace askrff::cli
