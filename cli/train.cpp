// askrff train: from a file of labelled rows to a model file.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "askrff/model.hpp"
#include "askrff/version.hpp"
#include "command.hpp"
#include "fitting.hpp"
#include "messages.hpp"
#include "output_file.hpp"
#include "plain_words.hpp"
#include "stored_columns.hpp"
#include "train_options.hpp"
#include "train_report.hpp"
#include "training_rows.hpp"
#include "tune.hpp"

namespace askrff::cli {
namespace {

/// The map of --features, if there is one; it decides on the scaling.
std::optional<Preparation> stored_map(const TrainOptions& options) {
  if (!options.stored_map()) return std::nullopt;
  require_other_file({"--out", options.out}, {"--features", options.features});
  Preparation map = load_map(options.features);
  if (map.atoms && !map.atoms->parts().empty()) map.side = FeatureSide::classifier;
  return map;
}

Targets targets_of(const TrainOptions& options, const TrainingRows& rows, const Survey& found) {
  Targets targets;
  targets.task = options.trainer == Trainer::svm ? Task::classification : found.labels.task(rows.source(), options.task);
  if (targets.task == Task::classification) {
    targets.classes = found.labels.classes(rows.source());
    targets.class_sizes = found.labels.class_sizes();
  } else {
    found.labels.require_numbers(rows.source());
    targets.class_sizes = {found.n_rows};
  }
  if (!options.c || !options.tuned.empty()) check_folds(options.n_folds, targets.class_sizes, targets.classes);
  return targets;
}

/// The map for the features, and how its parameters were found.
Preparation made_map(const TrainOptions& options, const Survey& found, const Targets& targets, std::optional<Tuning>& tuning) {
  if (options.linear()) return prepare(options, nullptr, found.sample.X);
  ParameterValues values = options.kernel.values();
  if (const auto sigma = automatic_sigma(options, found.sample.X)) values.insert_or_assign("sigma", *sigma);
  if (!options.tuned.empty()) {
    tuning = tune(options, values, found, targets);
    values = tuning->values;
  }
  const ChosenKernel kernel = choose_kernel(options.kernel.name(), values);
  return prepare(options, &kernel, found.sample.X);
}

Fitted fitted_model(const TrainOptions& options, const Preparation& preparation, TrainingRows& rows, const Targets& targets) {
  const std::string advice = preparation.scaler.kind == Scaling::none
                                 ? "look at the size of the numbers, --scale minmax makes them comparable"
                                 : "look at the size of the numbers";
  return in_plain_words(rows.source(), advice, [&] {
    if (options.trainer == Trainer::ridge) return fit_least_squares(options, preparation, rows, targets);
    const Dataset& data = rows.data();
    return fit_classifier(options, preparation, data.X, ClassLabels::of(data.labels));
  });
}

Model model_of(const TrainOptions& options, const Survey& found, const Targets& targets, const Preparation& preparation,
               const Fitted& fitted) {
  Model model;
  model.preparation = preparation;
  model.linear = fitted.linear;
  model.task = targets.task;
  model.classes = targets.classes;
  model.precision = options.precision;
  Training& training = model.training;
  training.version = ASKRFF_VERSION;
  training.command = options.command();
  training.trainer = name_of(trainers, options.trainer);
  training.solver = options.trainer == Trainer::svm ? std::string(name_of(options.solver)) : "normal-equations";
  training.seed = options.draw.values.seed;
  training.n_rows = found.n_rows;
  training.c = fitted.c;
  training.cv_measure = fitted.validation.c.empty() ? "" : std::string(name_of(fitted.validation.measure));
  training.cv_c = fitted.validation.c;
  for (std::size_t i = 0; i < fitted.validation.c.size(); ++i) {
    const double score = fitted.validation.mean(i);
    training.cv_scores.push_back(std::isnan(score) ? std::numeric_limits<double>::infinity() : score);  // files hold no NaN
  }
  return model;
}

Survey surveyed(const TrainOptions& options, TrainingRows& rows, Scaling scaling) {
  return in_plain_words(rows.source(), "--scale none does",
                        [&] { return survey(rows, scaling, options.draw.values.seed, options.tuned.empty() ? 0 : options.n_folds); });
}

Report run(const TrainOptions& options) {
  options.check();
  for (const NamedFile& input : {NamedFile{"--data", options.data.source}, {"--labels", options.data.read.label_file}})
    require_other_file({"--out", options.out}, input);
  require_creatable(options.out);  // known before the work, not after it
  const auto stored = stored_map(options);
  const auto start = std::chrono::steady_clock::now();
  TrainingRows rows(options.data, options.trainer == Trainer::svm, options.execution);
  if (stored) check_stored_columns(options.data, rows.dim(), rows.column_names(), *stored, options.features);
  Survey found = surveyed(options, rows, stored ? Scaling::none : options.data.scale);
  if (stored) found.scaler = stored->scaler;
  const Targets targets = targets_of(options, rows, found);
  std::optional<Tuning> tuning;
  Preparation preparation = stored ? *stored : made_map(options, found, targets, tuning);
  preparation.scaler = found.scaler;
  if (!rows.column_names().empty()) preparation.column_names = rows.column_names();
  rows.scale_by(found.scaler);
  const Fitted fitted = fitted_model(options, preparation, rows, targets);
  as_out([&] { save_model(options.out, model_of(options, found, targets, preparation, fitted)); });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (const std::string warning = edge_warning(fitted.validation); !warning.empty()) print_warning(warning);
  if (tuning)
    for (const std::string& warning : edge_warnings(*tuning)) print_warning(warning);
  const TrainedFacts facts{options, found, targets, tuning, preparation, fitted, seconds};
  return {train_json(facts), train_text(facts)};
}

}  // namespace

Command add_train(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("train", "Labelled rows → a classifier or regression on the features of a kernel, in a model file");
  auto options = std::make_shared<TrainOptions>();
  options->add_to(*parser);
  parser->footer(
      "The model holds the scaling of the columns, the features, the weights and the labels as they were written: askrff predict needs "
      "nothing\n"
      "else. svm keeps the rows in memory; ridge goes through the file, whatever its size (twice, the first time for the scaling).\n"
      "Examples:\n"
      "  askrff train --data train.libsvm --kernel sinh-gaussian --frequencies 2d --out m.askrff\n"
      "  askrff train --data train.csv --label price --kernel gaussian --sigma auto --model ridge --out m.askrff\n"
      "  askrff train --data train.csv --label class --kernel shift-gaussian --tune sigma,shift --out m.askrff\n"
      "  askrff predict --model m.askrff --data test.libsvm");
  return {parser, [options] { return run(*options); }};
}

}  // namespace askrff::cli
