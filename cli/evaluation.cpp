// Runs trials and averages them; features are timed in row blocks, so that memory does not grow with the number of points.
#include "evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "askrff/features.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sample_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  long double sum = 0;  // holds the square of any double
  for (const double value : values) sum += static_cast<long double>(value - centre) * (value - centre);
  return static_cast<double>(std::sqrt(sum / static_cast<long double>(values.size() - 1)));
}

/// Seconds for left(X) and right(X).
double time_features(const FeatureMap& map, MatrixView<const double> X, const Execution& execution) {
  constexpr std::size_t block_elements = std::size_t{1} << 22;  // 32 MB
  const std::size_t block_rows = std::clamp<std::size_t>(block_elements / map.n_features(), 1, X.rows());
  Matrix<double> block(block_rows, map.n_features());
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, X.rows() - first);
    map.left(X.middle_rows(first, count), block.view().middle_rows(0, count), execution);
    map.right(X.middle_rows(first, count), block.view().middle_rows(0, count), execution);
  }
  return seconds_since(start);
}

/// Exact masses are those of any trial; fitted ones are averaged: trial number `trial` (from 0) enters the mean of those before.
void record_masses(std::vector<PartRecord>& means, std::span<const PartRecord> parts, Weights weights, std::size_t trial) {
  if (trial == 0) means.assign(parts.begin(), parts.end());
  if (weights == Weights::exact || means.size() != parts.size()) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    means[i].mass += (parts[i].mass - means[i].mass) / static_cast<double>(trial + 1);
    means[i].log_mass = std::log(means[i].mass);
  }
}

}  // namespace

Evaluation evaluate(const Kernel& kernel, MatrixView<const double> data, MatrixView<const double> points, const ApproximateOptions& options,
                    std::size_t n_trials, const Execution& execution, Progress& progress) {
  std::vector<double> errors, max_errors, sampling, features;
  Evaluation result;
  result.frequencies_per_part = options.n_frequencies;
  for (std::size_t trial = 0; trial < n_trials; ++trial) {
    ApproximateOptions trial_options = options;
    trial_options.seed = derive_seed(options.seed, trial);
    const auto start = std::chrono::steady_clock::now();
    const SpectralAtoms atoms = approximate(kernel, data, trial_options);
    sampling.push_back(seconds_since(start));
    const FeatureMap map(atoms);
    features.push_back(time_features(map, points, execution));
    const ApproximationError error = approximation_error(kernel, map, points, points, execution);
    errors.push_back(error.frobenius);
    max_errors.push_back(error.maximum);
    result.n_frequencies = std::max(result.n_frequencies, atoms.size());
    record_masses(result.parts, atoms.parts(), options.weights, trial);
    progress.advance(static_cast<double>(options.n_frequencies));
  }
  result.error_mean = mean(errors);
  result.error_std = sample_deviation(errors);
  result.max_error_mean = mean(max_errors);
  result.seconds_sample = mean(sampling);
  result.seconds_features = mean(features);
  return result;
}

Matrix<double> evaluation_points(MatrixView<const double> X, std::size_t count, std::uint64_t seed) {
  count = std::min(count, X.rows());
  std::vector<std::size_t> rows(X.rows());
  if (count < X.rows())
    rows = choose_rows(X.rows(), count, seed, Purpose::evaluation_rows);
  else
    std::iota(rows.begin(), rows.end(), std::size_t{0});
  Matrix<double> points(count, X.cols());
  for (std::size_t i = 0; i < count; ++i) std::copy_n(X.row(rows[i]).begin(), X.cols(), points.row(i).begin());
  return points;
}

Json evaluation_json(const Evaluation& evaluation) {
  Json masses = Json::object();
  for (const PartRecord& record : evaluation.parts) masses[std::string(traits(record.part).name)] = record.mass;
  return {{"frequencies_per_part", evaluation.frequencies_per_part},
          {"n_frequencies", evaluation.n_frequencies},
          {"error_mean", evaluation.error_mean},
          {"error_std", evaluation.error_std},
          {"max_error_mean", evaluation.max_error_mean},
          {"seconds_sample", evaluation.seconds_sample},
          {"seconds_features", evaluation.seconds_features},
          {"masses", std::move(masses)}};
}

std::string evaluations_text(const std::vector<Evaluation>& evaluations) {
  Table table({{"frequencies per part"},
               {"frequencies"},
               {"relative error"},
               {"± deviation"},
               {"largest error"},
               {"sampling [s]"},
               {"features [s]"}});
  for (const Evaluation& evaluation : evaluations)
    table.add({fmt::format("{}", evaluation.frequencies_per_part), fmt::format("{}", evaluation.n_frequencies),
               fmt::format("{:.3e}", evaluation.error_mean), fmt::format("{:.1e}", evaluation.error_std),
               fmt::format("{:.3e}", evaluation.max_error_mean), fmt::format("{:.4f}", evaluation.seconds_sample),
               fmt::format("{:.4f}", evaluation.seconds_features)});
  return table.text();
}

}  // namespace askrff::cli
