// Kernel parameters by cross-validation: a small grid around the values given, on a sample of the rows.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fitting.hpp"
#include "kernel_options.hpp"
#include "train_options.hpp"
#include "training_rows.hpp"

namespace askrff::cli {

/// The map of the features the model will see, for scaled rows like `sample`. `kernel` may be null: the columns themselves.
Preparation prepare(const TrainOptions& options, const ChosenKernel* kernel, MatrixView<const double> sample);

/// --sigma auto: the median distance of the sample; nothing if it was not asked for.
std::optional<double> automatic_sigma(const TrainOptions& options, MatrixView<const double> sample);

/// One point of the grid.
struct Trial {
  std::vector<std::pair<std::string, CoordinateParameter>> values;  ///< of the tuned parameters
  std::vector<double> factors;                                      ///< of the values given
  std::optional<double> c, score;                                   ///< the best C there, and its mean score; unset if it was refused
  std::string refused;                                              ///< why it could not be tried; empty if it was
};

struct Tuning {
  ParameterValues values;  ///< the best
  std::vector<Trial> trials;
  std::size_t best = 0;  ///< among the trials
  Score measure = Score::accuracy;
};

/// Tries them all. `values` are those given or automatic. Throws std::invalid_argument if none could be tried, or for a parameter that is 0
/// and so are its multiples.
Tuning tune(const TrainOptions& options, const ParameterValues& values, const Survey& survey, const Targets& targets);

}  // namespace askrff::cli
