// Tries kernel parameters.
#include "tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "askrff/bandwidth.hpp"
#include "askrff/errors.hpp"
#include "askrff/labels.hpp"
#include "memory.hpp"
#include "plain_words.hpp"
#include "plural.hpp"
#include "progress_bar.hpp"
#include "recipe.hpp"

namespace askrff::cli {
namespace {

constexpr double factors[] = {0.25, 0.5, 1, 2, 4};
constexpr std::size_t most_rows = 4000;

CoordinateParameter times(const CoordinateParameter& parameter, double factor, std::size_t dim) {
  if (parameter.is_over_dim()) return CoordinateParameter::over_dim(factor * parameter.scalar());
  if (!parameter.is_vector()) return factor * parameter.scalar();
  std::vector<double> values = parameter.expand(dim, "--tune", "parameter");
  for (double& value : values) value *= factor;
  return values;
}

/// All combinations of the factors for the tuned parameters, the middle one first: among equals the values given win.
std::vector<std::vector<double>> combinations(std::size_t n_parameters) {
  std::vector<std::vector<double>> all = {{}};
  for (std::size_t k = 0; k < n_parameters; ++k) {
    std::vector<std::vector<double>> longer;
    for (const auto& start : all)
      for (const double factor : factors) {
        longer.push_back(start);
        longer.back().push_back(factor);
      }
    all = std::move(longer);
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const auto& each) { return std::ranges::all_of(each, [](double factor) { return factor == 1; }); });
  return all;
}

/// The sample, or the part of it that is tried, as it would come from a file. Of every class there are rows for all folds, if the data have
/// so many: those of the reserve where the sample has too few.
struct TuningRows {
  Matrix<double> X;
  std::vector<std::string> labels;

  TuningRows(const Survey& survey, const Targets& targets, std::size_t n_folds, std::uint64_t seed) {
    const SampledRows &sample = survey.sample, &reserve = survey.reserve;
    const auto chosen = choose_rows(sample.X.rows(), std::min(most_rows, sample.X.rows()), seed, Purpose::sampled_rows);
    std::vector<std::span<const double>> rows;
    std::unordered_map<std::string, std::size_t> n_of_class;
    std::unordered_set<std::uint64_t> taken;
    const auto take = [&](const SampledRows& from, std::size_t i) {
      rows.push_back(from.X.row(i));
      labels.push_back(from.labels[i]);
      taken.insert(from.numbers[i]);
      ++n_of_class[label_key(from.labels[i])];
    };
    for (const std::size_t i : chosen) take(sample, i);
    for (std::size_t i = 0; i < reserve.X.rows() && targets.task == Task::classification; ++i)
      if (!taken.contains(reserve.numbers[i]) && n_of_class[label_key(reserve.labels[i])] < n_folds) take(reserve, i);
    X = Matrix<double>(rows.size(), sample.X.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], X.row(i).begin());
  }
};

CrossValidation validate(const TrainOptions& options, const Preparation& preparation, const TuningRows& rows, const Targets& targets) {
  TrainOptions trial = options;
  trial.leave_one_out = false;
  if (trial.c) trial.c_grid = {*trial.c};
  trial.c.reset();
  if (options.trainer == Trainer::svm) return validate_classifier(trial, preparation, rows.X, ClassLabels::of(rows.labels));
  Dataset data;
  data.X = rows.X;
  data.labels = rows.labels;
  TrainingRows in_memory("the sample of --tune", std::move(data));
  Targets here = targets;
  if (targets.task == Task::classification) {
    const ClassLabels labels = ClassLabels::of(rows.labels);
    here.classes = labels.names;
    here.class_sizes.assign(labels.n_classes(), 0);
    for (const std::uint32_t label : labels.of_rows) ++here.class_sizes[label];
  } else {
    here.class_sizes = {rows.X.rows()};
  }
  return fit_least_squares(trial, preparation, in_memory, here).validation;
}

/// The parameter of the kernel as it was given, or its default.
const CoordinateParameter& value_of(const ChosenKernel& kernel, const std::string& name) {
  return std::ranges::find_if(kernel.parameters, [&](const auto& parameter) { return parameter.first == name; })->second;
}

void require_multiples(const TrainOptions& options, const ChosenKernel& start, std::size_t dim) {
  for (const std::string& name : options.tuned) {
    const std::vector<double> values = value_of(start, name).expand(dim, start.name, "--" + name);
    if (std::ranges::all_of(values, [](double value) { return value == 0; }))
      throw std::invalid_argument(fmt::format("--tune: {} is 0, and so are its multiples; expected another value of --{}", name, name));
  }
}

/// A point of the grid that has not been tried yet; `tried` gets its values.
Trial trial_at(const TrainOptions& options, const ChosenKernel& start, const std::vector<double>& point, std::size_t dim,
               ParameterValues& tried) {
  Trial trial;
  trial.factors = point;
  for (std::size_t k = 0; k < point.size(); ++k) {
    const CoordinateParameter value = times(value_of(start, options.tuned[k]), point[k], dim);
    tried.insert_or_assign(options.tuned[k], value);
    trial.values.emplace_back(options.tuned[k], value);
  }
  return trial;
}

/// Refuses frequencies that need more memory than there is.
void require_memory_for(const TrainOptions& options, const ChosenKernel& kernel, std::size_t dim, std::size_t n_frequencies) {
  if (options.draw.approach == Approach::nystrom) {
    constexpr std::size_t most_features = 4096;  // the library's limit, in the words of the command line
    if (n_frequencies > most_features / 2)
      throw std::invalid_argument(fmt::format("--frequencies: got {}, expected at most {} with --estimator nystrom, two features for each",
                                              options.frequencies.text(), most_features / 2));
    return;
  }
  const auto measure = options.draw.approach == Approach::polar ? nullptr : kernel.kernel->measure(dim);
  const double n_parts = measure ? static_cast<double>(measure->parts().size()) : 1;
  const double of_each = 3 * static_cast<double>(dim) + 8;  // atoms while they are drawn, and their plan
  require_memory(n_parts * static_cast<double>(n_frequencies) * of_each * sizeof(double),
                 fmt::format("--frequencies: {} in {}", options.frequencies.text(), counted(dim, "dimension")), "use fewer");
}

}  // namespace

Preparation prepare(const TrainOptions& options, const ChosenKernel* kernel, MatrixView<const double> sample) {
  Preparation preparation;
  preparation.dim = sample.cols();
  preparation.seed = options.draw.values.seed;
  if (!kernel) return preparation;
  kernel->check_dim(sample.cols());
  options.draw.check_rows(sample.rows());
  const std::size_t n_frequencies = options.frequencies.per_part(sample.cols());
  require_memory_for(options, *kernel, sample.cols(), n_frequencies);
  MadeMap made = make_map(kernel->kernel, sample, options.draw.recipe(n_frequencies, options.execution), preparation.seed);
  preparation.kernel = *kernel;
  if (made.atoms && !made.atoms->parts().empty()) preparation.side = FeatureSide::classifier;
  if (made.nystrom) preparation.range = ColumnRange::of(sample);
  preparation.atoms = std::move(made.atoms);
  preparation.nystrom = std::move(made.nystrom);
  return preparation;
}

std::optional<double> automatic_sigma(const TrainOptions& options, MatrixView<const double> sample) {
  if (!options.kernel.sigma_is_auto()) return std::nullopt;
  const bool absolute = options.kernel.name().ends_with("laplacian");  // the one kernel of Σ|δ|
  try {
    return median_distance(sample, options.draw.values.seed, absolute ? Distance::absolute : Distance::euclidean);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--sigma: auto: {}; give a number, or look at --scale", without_function(error.what())));
  }
}

Tuning tune(const TrainOptions& options, const ParameterValues& values, const Survey& survey, const Targets& targets) {
  const std::size_t dim = survey.sample.X.cols();
  const TuningRows rows(survey, targets, options.n_folds, options.draw.values.seed);
  const ChosenKernel start = choose_kernel(options.kernel.name(), values);
  require_multiples(options, start, dim);
  Tuning tuning;
  tuning.values = values;
  const auto grid = combinations(options.tuned.size());
  ProgressBar progress("tune", static_cast<double>(grid.size()));
  for (const std::vector<double>& point : grid) {
    ParameterValues tried = values;
    Trial trial = trial_at(options, start, point, dim, tried);
    try {
      const ChosenKernel kernel = choose_kernel(options.kernel.name(), tried);
      const CrossValidation validation = validate(options, prepare(options, &kernel, rows.X), rows, targets);
      trial.c = validation.c[validation.best()];
      trial.score = validation.mean(validation.best());
      tuning.measure = validation.measure;
    } catch (const NumericalError& error) {
      trial.refused = without_function(error.what());
    } catch (const std::invalid_argument& error) {
      trial.refused = without_function(error.what());
    }
    tuning.trials.push_back(std::move(trial));
    const Trial &now = tuning.trials.back(), &best = tuning.trials[tuning.best];
    if (now.score && (!best.score || &now == &best || is_better(tuning.measure, *now.score, *best.score))) {
      tuning.best = tuning.trials.size() - 1;
      tuning.values = tried;
    }
    progress.advance(1);
  }
  if (!tuning.trials[tuning.best].score)
    throw std::invalid_argument(fmt::format("--tune: nothing could be tried: {}", tuning.trials[0].refused));
  return tuning;
}

}  // namespace askrff::cli
