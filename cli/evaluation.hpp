// Errors and times of an approximation on given points, over independent trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/execution.hpp"
#include "askrff/kernel.hpp"
#include "askrff/views.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace askrff::cli {

/// Trials with one number of frequencies.
struct Evaluation {
  std::size_t frequencies_per_part = 0;  ///< the paper's M
  std::size_t n_frequencies = 0;         ///< over the parts kept; the most of the trials
  double error_mean = 0, error_std = 0;  ///< ‖K-K̃‖_F/‖K‖_F and its sample standard deviation, 0 for one trial
  double max_error_mean = 0;             ///< max|K-K̃|/max|K|
  double seconds_sample = 0;             ///< drawing and weighting, mean of the trials
  double seconds_features = 0;           ///< left and right features of the points, mean of the trials
  std::vector<PartRecord> parts;         ///< fitted masses are means of the trials
};

/// Trial t draws with derive_seed(options.seed, t). `data` is what Weights::subset fits on, `points` where errors are measured.
/// Advances progress by options.n_frequencies per trial.
Evaluation evaluate(const Kernel& kernel, MatrixView<const double> data, MatrixView<const double> points, const ApproximateOptions& options,
                    std::size_t n_trials, const Execution& execution, Progress& progress);

/// `count` rows of X drawn by seed for evaluation; all of them, in order, if count ≥ X.rows().
Matrix<double> evaluation_points(MatrixView<const double> X, std::size_t count, std::uint64_t seed);

Json evaluation_json(const Evaluation& evaluation);
/// One line per evaluation.
std::string evaluations_text(const std::vector<Evaluation>& evaluations);

}  // namespace askrff::cli
