// Reads the options of a training and refuses those that would have no effect.
#include "train_options.hpp"

#include <algorithm>
#include <utility>

#include "numbers.hpp"
#include "stored_columns.hpp"

namespace askrff::cli {
namespace {

double parse_c(const char* option, const std::string& text) {
  const double c = parse_number(option, text);
  if (!(c > 0)) throw InvalidArgument(option, fmt::format("got \"{}\", expected a number above 0", text));
  return c;
}

KernelChoice kernel_of(const KernelOptions& options) {
  try {
    return options.choice();
  } catch (const InvalidArgument& error) {
    if (!error.message().starts_with("unknown kernel")) throw;
    throw InvalidArgument(fmt::format("{}, or {}", error.message(), linear_kernel));
  }
}

}  // namespace

void TrainFlags::add_to(CLI::App& app, std::vector<Trainer> trainers) {
  data.scale = train.features.scale;
  data.add_to(app, "Fitted on the training rows and stored in the model.");
  data.add_labels_to(app);
  add_features(app);
  add_model(app, std::move(trainers));
}

void TrainFlags::add_features(CLI::App& app) {
  kernel.add_to(app, "linear: no kernel, the columns themselves" + (takes_matrix ? "\n" + matrix_kernel_help() : ""));
  kernel.make_optional();
  features_ = add_text(app, "--features", features,
                       "A map written by askrff choose, instead of --kernel and the options of\nMap; it brings its scaling", "FILE");
  in_group(features_, "Kernel");
  const auto read_tuned = [this](const std::string& text) { train.tuned = split_at_commas(text); };
  tune_ = in_group(
      add_text_option(app, "--tune", read_tuned,
                      "Kernel parameters to be tried at 1/4, 1/2, 1, 2 and 4 times their value, and\nbeyond while that is better, by "
                      "cross-validation on up to 4000 rows",
                      "NAME[,NAME]"),
      "Kernel");
  map.values = train.features;
  map.frequencies = {map.values.n_frequencies, false};
  map.add_size(app);
  map.add_tolerance(app,
                    "Instead of --n-features: what cross-validation may lose against the best\nnumber of features, in accuracy or "
                    "relative in root mean squared error;\nwith --sampler grid: of every value of the kernel, relative to its largest",
                    false);
  map.add_seed(app);
  map.add_method(app);
}

void TrainFlags::add_penalties(CLI::App& app) {
  const auto read_c = [this](const std::string& text) {
    if (text == "auto") return;  // what no values mean
    train.c = {parse_c("--c", text)};
    c_is_number_ = true;
  };
  const auto read_grid = [this](const std::string& text) {
    train.c.clear();
    for (const std::string& word : split_at_commas(text)) train.c.push_back(parse_c("--c-grid", word));
  };
  c_ = in_group(
      add_text_option(app, "--c", read_c, "Weight of the loss against ½‖w‖²; auto: the best in cross-validation", "auto|X", "auto"),
      "Model");
  grid_ = add_text_option(app, "--c-grid", read_grid, "Values of C to be tried, with commas between them", "X,X...",
                          "2^-5 to 2^5, and beyond while that is better");
  folds_ = add_count(app, "--folds", train.n_folds, "Folds of the cross-validation", 2, 1000);
  in_group(grid_, "Model");
  in_group(folds_, "Model");
}

void TrainFlags::add_weights(CLI::App& app) {
  const auto read_weights = [this](const std::string& text) {
    ClassWeights& weights = train.class_weights;
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
  weight_ = add_text(app, "--row-weight", weight,
                     "The column that says what every row counts, 0 or 1e-15 to 1e15, and is no part of the\ndata: its name or its "
                     "number (from 1, without the labels)",
                     "COLUMN");
  in_group(weight_, "Model");
}

void TrainFlags::add_memory(CLI::App& app) {
  memory_ = in_group(add_text_option(
                         app, "--memory", [this](const std::string& text) { train.max_row_bytes = parse_bytes("--memory", text); },
                         "svm: rows that take no more, 8 bytes a number, are kept in memory; of more every step is\na pass over the file, "
                         "with memory for some blocks. K, M, G: times 2^10, 2^20, 2^30",
                         "BYTES", "1G"),
                     "Model");
}

void TrainFlags::add_model(CLI::App& app, std::vector<Trainer> trainers) {
  const bool has_svm = trainers.empty() || std::ranges::find(trainers, Trainer::svm) != trainers.end();
  in_group(add_word(app, "--model", train.trainer, "What is fitted.", std::move(trainers)), "Model");
  const auto read_task = [this](const std::string& text) {
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
  if (has_svm) add_memory(app);
  add_penalties(app);
  add_weights(app);
  in_group(add_flag(app, "--no-bias", no_bias_, "No constant term (as in the paper)"), "Model");
  in_group(add_word(app, "--precision", train.precision, "Of the features."), "Model");
}

void TrainFlags::check() const {
  const bool has_map = given(features_), is_linear = kernel.name() == linear_kernel;
  if (has_map || is_linear) {
    const std::string reason = has_map ? "--features brings its own" : "--kernel linear takes the columns as they are";
    if (has_map) kernel.refuse_all(reason + " kernel");
    if (has_map) data.refuse_scale(reason + " scaling of the columns");
    kernel.refuse_parameters(reason);
    map.refuse_all_but_seed(reason);
  } else if (kernel.is_matrix()) {
    if (!takes_matrix) kernel.choose();  // refuses it
    check_matrix();
  } else {
    if (!kernel.is_given())
      throw InvalidArgument("--kernel", "missing, expected a kernel, linear, or --features with a file of askrff choose");
    map.check();
  }
  if (given(weight_) && weight.empty()) throw InvalidArgument("--row-weight", "got \"\", expected the name or number of a column");
  if (train.trainer != Trainer::svm) refuse_if_given(memory_, "only for --model svm; ridge keeps no rows");
  if (c_is_number_) {
    refuse_if_given(grid_, "--c is a number, nothing is tried");
    if (train.tuned.empty()) refuse_if_given(folds_, "--c is a number, there is no cross-validation");
  }
}

void TrainFlags::check_matrix() const {
  check_matrix_options(kernel, data);
  refuse_if_given(tune_, "--kernel precomputed has no parameters");
  map.of_matrix(train.execution);
  if (map.values.tolerance)
    throw InvalidArgument("--tolerance",
                          "--kernel precomputed has as many features as --n-features says; askrff choose --tolerance finds how "
                          "many an error of K takes, and --features takes its map");
}

TrainOptions TrainFlags::assembled_of_matrix(const NamedMatrix& matrix) const {
  TrainOptions assembled = train;
  assembled.bias = !no_bias_;
  assembled.seed = map.values.seed;
  std::vector<Candidate> tried;
  assembled.map = made_matrix_map(matrix, map.of_matrix(assembled.execution), {}, "features", tried);
  return assembled;
}

std::optional<std::vector<double>> TrainFlags::c_given() const {
  if (c_is_number_) refuse_if_given(grid_, "--c is a number, nothing is tried");
  return given(c_) || given(grid_) ? std::optional(train.c) : std::nullopt;
}

TrainOptions TrainFlags::assembled(const RowStream& rows) const {
  TrainOptions assembled = train;
  assembled.bias = !no_bias_;
  assembled.seed = map.values.seed;
  if (given(features_)) {
    assembled.map = load_map(features);
    check_stored_columns(data, rows.n_columns(), rows.column_names(), *assembled.map, features);
    return assembled;
  }
  assembled.kernel = kernel_of(kernel);
  if (assembled.kernel.name != linear_kernel) assembled.features = map.resolved(rows.n_columns(), assembled.execution);
  assembled.features.scale = data.scale;
  return assembled;
}

}  // namespace askrff::cli
