// Errors and times of an approximation on given points, over independent trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/map.hpp"
#include "askrff/views.hpp"
#include "command.hpp"
#include "deadline.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {

/// What calibration did, means of the trials.
struct CalibrationSummary {
  double error_before = 0, error_after = 0;  ///< relative, on pairs of rows held out of the fit
  double weight_sum = 0;                     ///< Σ|c_j|
  std::size_t n_pairs = 0;
  double seconds = 0;
};

/// Trials with one number of frequencies.
struct Evaluation {
  std::size_t frequencies_per_part = 0;  ///< as asked for: of each Jordan part, the paper's M; in all for other estimators
  std::size_t n_frequencies = 0;         ///< over the parts kept; the most of the trials; 0 for Nyström
  std::size_t n_features = 0, n_landmarks = 0;
  std::size_t n_trials = 0;
  double error_mean = 0, error_std = 0;  ///< ‖K-K̃‖_F/‖K‖_F and its sample standard deviation, 0 for one trial
  double max_error_mean = 0;             ///< max|K-K̃|/max|K|
  double seconds_sample = 0;             ///< drawing and weighting, mean of the trials
  double seconds_features = 0;           ///< left and right features of the points, mean of the trials
  std::vector<PartRecord> parts;         ///< fitted masses are means of the trials
  std::string estimator, reason;         ///< of the first trial; the reason where the library chose
  std::optional<CalibrationSummary> calibration;
};

/// Trial t draws with derive_seed(options.seed, t). `data` is what is fitted on, `points` where errors are measured. Advances progress by
/// the frequencies asked for per trial, or by `work`. No trial is begun, or goes on, after the deadline: n_trials of the result says how
/// many were made; of none nothing is known.
Evaluation evaluate(const NamedKernel& kernel, const RowsView<double>& data, const RowsView<double>& points, MapOptions options,
                    std::size_t n_trials, ProgressBar& progress, std::optional<double> work = {},
                    const Deadline& deadline = Deadline(std::nullopt));

/// `count` rows of X drawn by seed for evaluation; all of them, in order, if count ≥ X.rows().
RowsMatrix<double> evaluation_points(const RowsView<double>& X, std::size_t count, std::uint64_t seed);

/// Rows to measure errors on are chosen, to learn from the others. The points are those of evaluation_points(); if fewer than 24 rows would
/// be left, half of the rows are points, with a warning that names `source`. Throws std::invalid_argument for fewer than 6 rows.
RowSplit split_points(const RowsView<double>& X, std::size_t count, std::uint64_t seed, const std::string& source);

Json evaluation_json(const Evaluation& evaluation);
/// One line per evaluation.
std::string evaluations_text(const std::vector<Evaluation>& evaluations);

}  // namespace askrff::cli
