// askrff train: from a file of labelled rows to a model file.
#include "askrff/train.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "choice_report.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output_checks.hpp"
#include "stored_columns.hpp"
#include "train_report.hpp"

namespace askrff::cli {
namespace {

struct TrainCommandOptions {
  KernelOptions kernel;
  DataOptions data;
  MapFlags map;
  TrainOptions train;
  bool no_bias = false, c_is_number = false;
  std::string features, weight, out;
  CLI::Option *features_given = nullptr, *grid_given = nullptr, *folds_given = nullptr, *weight_given = nullptr;
};

// --- options --------------------------------------------------------------------------------------------------------------

void add_features(CLI::App& app, TrainCommandOptions& options) {
  options.kernel.add_to(app, "linear: no kernel, the columns themselves");
  options.kernel.make_optional();
  options.features_given =
      add_text(app, "--features", options.features,
               "A map written by askrff choose, instead of --kernel and the options of\nMap; it brings its scaling", "FILE");
  in_group(options.features_given, "Kernel");
  const auto read_tuned = [&options](const std::string& text) { options.train.tuned = split_at_commas(text); };
  in_group(add_text_option(app, "--tune", read_tuned,
                           "Kernel parameters to be tried at 1/4, 1/2, 1, 2 and 4 times their value, and\nbeyond while that is better, by "
                           "cross-validation on up to 4000 rows",
                           "NAME[,NAME]"),
           "Kernel");
  options.map.values = options.train.features;
  options.map.frequencies = {options.map.values.n_frequencies, false};
  options.map.add_size(app);
  options.map.add_tolerance(app,
                            "Instead of --n-features: what cross-validation may lose against the best\nnumber of features, in accuracy or "
                            "relative in root mean squared error",
                            false);
  options.map.add_seed(app);
  options.map.add_method(app);
}

double parse_c(const char* option, const std::string& text) {
  const double c = parse_number(option, text);
  if (!(c > 0)) throw InvalidArgument(option, fmt::format("got \"{}\", expected a number above 0", text));
  return c;
}

void add_penalties(CLI::App& app, TrainCommandOptions& options) {
  TrainOptions& train = options.train;
  const auto read_c = [&options](const std::string& text) {
    if (text == "auto") return;  // what no values mean
    options.train.c = {parse_c("--c", text)};
    options.c_is_number = true;
  };
  const auto read_grid = [&train](const std::string& text) {
    train.c.clear();
    for (const std::string& word : split_at_commas(text)) train.c.push_back(parse_c("--c-grid", word));
  };
  in_group(add_text_option(app, "--c", read_c, "Weight of the loss against ½‖w‖²; auto: the best in cross-validation", "auto|X", "auto"),
           "Model");
  options.grid_given = add_text_option(app, "--c-grid", read_grid, "Values of C to be tried, with commas between them", "X,X...",
                                       "2^-5 to 2^5, and beyond while that is better");
  options.folds_given = add_count(app, "--folds", train.n_folds, "Folds of the cross-validation", 2, 1000);
  in_group(options.grid_given, "Model");
  in_group(options.folds_given, "Model");
}

void add_weights(CLI::App& app, TrainCommandOptions& options) {
  const auto read_weights = [&options](const std::string& text) {
    ClassWeights& weights = options.train.class_weights;
    weights = {.balanced = text == "balanced"};
    if (weights.balanced) return;
    for (const std::string& word : split_at_commas(text)) {
      const std::size_t equals = word.rfind('=');
      if (equals == std::string::npos || equals == 0)
        throw InvalidArgument("--class-weight", fmt::format("got \"{}\", expected balanced or LABEL=X with commas between them", text));
      weights.by_label.emplace_back(word.substr(0, equals), parse_number("--class-weight", word.substr(equals + 1)));
    }
  };
  in_group(
      add_text_option(app, "--class-weight", read_weights,
                      "What rows of a class count more than others; balanced: every class as much as\nany other", "balanced|LABEL=X,..."),
      "Model");
  options.weight_given =
      add_text(app, "--row-weight", options.weight,
               "The column that says what every row counts, 0 or 1e-15 to 1e15, and is no part of the\ndata: its name or its "
               "number (from 1, without the labels)",
               "COLUMN");
  in_group(options.weight_given, "Model");
}

void add_model(CLI::App& app, TrainCommandOptions& options) {
  TrainOptions& train = options.train;
  in_group(add_word(app, "--model", train.trainer, "What is fitted."), "Model");
  const auto read_task = [&train](const std::string& text) {
    train.task.reset();
    for (const auto& word : words_of(Task{}))
      if (word.name == text) train.task = word.value;
    if (!train.task && text != "auto")
      throw InvalidArgument("--task", fmt::format("got \"{}\", expected auto, classification or regression", text));
  };
  in_group(
      add_text_option(app, "--task", read_task, "ridge: auto is classification for two different labels or labels that are no\nnumbers",
                      "auto|classification|regression", "auto"),
      "Model");
  add_penalties(app, options);
  add_weights(app, options);
  in_group(add_flag(app, "--leave-one-out", train.leave_one_out, "ridge: also the exact leave-one-out error, in one more pass"), "Model");
  in_group(add_flag(app, "--no-bias", options.no_bias, "No constant term (as in the paper)"), "Model");
  in_group(add_word(app, "--precision", train.precision, "Of the features."), "Model");
}

/// Refuses options that have no effect in this call.
void check(const TrainCommandOptions& options) {
  const bool has_map = given(options.features_given), is_linear = options.kernel.name() == linear_kernel;
  if (has_map || is_linear) {
    const std::string reason = has_map ? "--features brings its own" : "--kernel linear takes the columns as they are";
    if (has_map) options.kernel.refuse_all(reason + " kernel");
    if (has_map) options.data.refuse_scale(reason + " scaling of the columns");
    options.kernel.refuse_parameters(reason);
    options.map.refuse_all_but_seed(reason);
  } else {
    if (!options.kernel.is_given())
      throw InvalidArgument("--kernel", "missing, expected a kernel, linear, or --features with a file of askrff choose");
    options.map.check();
  }
  if (given(options.weight_given) && options.weight.empty())
    throw InvalidArgument("--row-weight", "got \"\", expected the name or number of a column");
  if (options.c_is_number) {
    refuse_if_given(options.grid_given, "--c is a number, nothing is tried");
    if (options.train.tuned.empty()) refuse_if_given(options.folds_given, "--c is a number, there is no cross-validation");
  }
}

// --- the work -------------------------------------------------------------------------------------------------------------

KernelChoice kernel_of(const TrainCommandOptions& options) {
  try {
    return options.kernel.choice();
  } catch (const InvalidArgument& error) {
    if (!error.message().starts_with("unknown kernel")) throw;
    throw InvalidArgument(fmt::format("{}, or {}", error.message(), linear_kernel));
  }
}

TrainOptions assembled(const TrainCommandOptions& options, const RowStream& rows) {
  TrainOptions train = options.train;
  train.bias = !options.no_bias;
  train.seed = options.map.values.seed;
  if (given(options.features_given)) {
    train.map = load_map(options.features);
    check_stored_columns(options.data, rows.n_columns(), rows.column_names(), *train.map, options.features);
    return train;
  }
  train.kernel = kernel_of(options);
  if (train.kernel.name != linear_kernel) train.features = options.map.resolved(rows.n_columns(), train.execution);
  train.features.scale = options.data.scale;
  return train;
}

/// What the library says of numbers, said of the file they come from.
TrainedModel trained(const TrainCommandOptions& options, RowStream& rows) {
  const TrainOptions train = assembled(options, rows);
  const bool is_scaled = train.map || train.features.scale != Scaling::none;
  const std::string advice = std::string("look at the size of the numbers") + (is_scaled ? "" : ", --scale minmax makes them comparable");
  try {
    return askrff::train(rows, train);
  } catch (const DataError&) {
    throw;
  } catch (const NumericalError& error) {
    throw NumericalError(options.data.source, fmt::format("{}; {}", error.message(), advice));
  } catch (const InvalidArgument& error) {
    if (error.where() == "choose_features") throw InvalidArgument(options.data.source, error.message());
    const bool is_of_numbers = error.where().find("::") != std::string_view::npos || error.where() == "Map";
    if (!is_of_numbers) throw;
    throw InvalidArgument(options.data.source, fmt::format("{}; {}", error.message(), advice));
  }
}

Report run_train(const TrainCommandOptions& options) {
  check(options);
  check_files({{"--out", options.out}}, options.data.inputs({{"--features", options.features}}));
  const auto start = std::chrono::steady_clock::now();
  const auto rows = options.data.rows(options.train.trainer == Trainer::svm, options.train.execution);
  std::optional<WeightedRows> weighted;
  if (!options.weight.empty()) weighted.emplace(*rows, options.weight);
  const TrainedModel model = trained(options, weighted ? *weighted : *rows);
  model.save(options.out);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const std::string& warning : train_warnings(model)) print_warning(warning);
  const TrainFacts facts{model, options.data.source, options.out, seconds};
  return {.json = train_json(facts), .text = train_text(facts), .files = {options.out}};
}

}  // namespace

Command add_train(CLI::App& app) {
  CLI::App* parser =
      add_subcommand(app, "train", "Labelled rows → a classifier or regression on the features of a kernel, in a model file");
  auto options = std::make_shared<TrainCommandOptions>();
  options->data.scale = options->train.features.scale;
  options->data.add_to(*parser, "Fitted on the training rows and stored in the model.");
  options->data.add_labels_to(*parser);
  options->data.require();
  add_features(*parser, *options);
  add_model(*parser, *options);
  required(add_text(*parser, "--out", options->out, "The model file to write; the old one stays until the new one is complete", "FILE"));
  add_threads(*parser, options->train.execution);
  add_footer(
      *parser,
      "The model holds the scaling of the columns, the features, the weights and the labels as they were written: askrff predict needs "
      "nothing\n"
      "else. svm keeps the rows in memory; ridge goes through the file, whatever its size (twice, the first time for the scaling).\n"
      "Examples:\n"
      "  askrff train --data train.libsvm --kernel sinh-gaussian --frequencies 2d --out m.askrff\n"
      "  askrff train --data train.csv --label price --kernel gaussian --sigma auto --model ridge --out m.askrff\n"
      "  askrff train --data train.csv --label class --kernel shift-gaussian --tune sigma,shift --out m.askrff\n"
      "  askrff train --data train.csv --label class --kernel gaussian --class-weight balanced --out m.askrff\n"
      "  askrff train --data 'X-*.npy' --labels 'y-*.npy' --kernel gaussian --model ridge --out m.askrff\n"
      "  askrff predict --model m.askrff --data test.libsvm");
  return {parser, [options] { return run_train(*options); }};
}

}  // namespace askrff::cli
