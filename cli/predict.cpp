// askrff predict: a model and rows of data → labels or numbers, block by block.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/labels.hpp"
#include "askrff/model.hpp"
#include "askrff/output_file.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "messages.hpp"
#include "output_checks.hpp"
#include "plural.hpp"
#include "askrff/errors.hpp"
#include "stored_columns.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

struct PredictOptions {
  DataOptions data;
  std::string model, out, scores, probabilities, weight;
  CLI::Option *out_given = nullptr, *scores_given = nullptr, *probabilities_given = nullptr, *weight_given = nullptr;
  Execution execution;
};

/// How well it went, where the rows have labels; added up block by block.
class Scores {
 public:
  explicit Scores(const Model& model) : model_(model), lookup_(model.classes) {
    constexpr std::size_t max_classes = 100;  // nobody reads a larger table, and its memory grows with the square
    const std::size_t n = model.classes.size();
    if (n <= max_classes) counts_.assign(n, std::vector<std::uint64_t>(n));
  }

  void add(const RowBlock& block, MatrixView<const double> outputs, std::span<const std::size_t> classes) {
    const BlockLabels labels(block);
    for (std::size_t i = 0; i < outputs.rows() && !labels.empty(); ++i) {
      const double weight = block.weights.empty() ? 1 : block.weights[i];
      ++n_labelled_;
      labelled_ += weight;
      if (model_.task == Task::regression)
        add_number(labels.number(i), outputs(i, 0), weight);
      else
        add_class(labels.are_numbers() ? lookup_.find(*labels.number(i)) : lookup_.find(labels.text(i)), classes[i], weight);
    }
  }

  bool has_labels() const { return n_labelled_ > 0; }
  std::uint64_t n_unknown() const { return n_unknown_; }
  double accuracy() const { return right_ / labelled_; }
  /// Some label could be compared with what the model says.
  bool has_known_labels() const { return n_labelled_ > n_unknown_; }
  double rmse() const { return static_cast<double>(std::sqrt(squares_ / known_)); }
  /// 1 - (squared error)/(variance of the labels); nothing where they do not vary.
  std::optional<double> r_squared() const {
    const auto value = static_cast<double>(1 - squares_ / spread_of_labels_);
    return spread_of_labels_ > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  /// Label × what it was taken for; empty for more than 100 classes.
  const std::vector<std::vector<std::uint64_t>>& counts() const { return counts_; }

 private:
  void add_number(const std::optional<double>& label, double output, double weight) {
    if (!label) {
      ++n_unknown_;
      return;
    }
    if (weight == 0) return;
    const long double error = static_cast<long double>(*label) - output, before = *label - mean_;
    squares_ += weight * error * error;
    known_ += weight;
    mean_ += weight * before / known_;
    spread_of_labels_ += weight * before * (*label - mean_);  // Welford: no cancellation, whatever the offset
  }
  void add_class(const std::optional<std::uint32_t>& label, std::size_t taken_for, double weight) {
    if (!label) {
      ++n_unknown_;
      return;
    }
    if (!counts_.empty()) ++counts_[*label][taken_for];
    right_ += *label == taken_for ? weight : 0;
  }

  const Model& model_;
  ClassLookup lookup_;
  std::uint64_t n_labelled_ = 0, n_unknown_ = 0;
  double labelled_ = 0, known_ = 0, right_ = 0;                // by weight: all rows with labels, those with numbers, those that are right
  long double squares_ = 0, mean_ = 0, spread_of_labels_ = 0;  // squares of numbers beyond 1e154 are no doubles
  std::vector<std::vector<std::uint64_t>> counts_;
};

/// Predictions and, if asked for, outputs as text; the files appear when they are complete.
class Writer {
 public:
  Writer(const PredictOptions& options, const Model& model) : model_(model) {
    for (const std::string& name : model.classes)
      if (!options.out.empty() && name.find_first_of("\n\r") != std::string::npos)
        throw std::invalid_argument(
            fmt::format("--out: class {} of {} has a line break, predictions are one per line; --scores can be written", printable(name),
                        options.model));
    if (!options.probabilities.empty() && !model.output_scale)
      throw InvalidArgument("--proba", fmt::format("{} has no probabilities, expected a classifier trained with several values of C",
                                                   printable(options.model)));
    if (!options.out.empty()) predictions_.emplace(options.out, "--out");
    if (!options.probabilities.empty()) {
      probabilities_.emplace(options.probabilities, "--proba");
      probabilities_->append(names_of_classes());
    }
    if (options.scores.empty()) return;
    scores_.emplace(options.scores, "--scores");
    scores_->append(header());
  }

  void write(MatrixView<const double> outputs, std::span<const std::size_t> classes) {
    std::string text;
    for (std::size_t i = 0; i < outputs.rows() && predictions_; ++i)
      text += (model_.task == Task::classification ? model_.classes[classes[i]] : fmt::format("{}", outputs(i, 0))) + "\n";
    if (predictions_) predictions_->append(text);
    if (scores_) scores_->append(lines(outputs));
    if (probabilities_) probabilities_->append(lines(model_.probabilities_of(outputs)));
  }
  /// All or none, unless one of the very last steps fails; then the error says what stands.
  void finish() {
    std::string standing;
    const std::pair<OutputFile*, const char*> files[] = {{predictions_ ? &*predictions_ : nullptr, "--out"},
                                                         {scores_ ? &*scores_ : nullptr, "--scores"},
                                                         {probabilities_ ? &*probabilities_ : nullptr, "--proba"}};
    for (const auto& [file, option] : files)
      if (file) file->complete();
    for (const auto& [file, option] : files) {
      if (!file) continue;
      try {
        file->finish();
      } catch (const WriteError& error) {
        throw WriteError(error.where(),
                         fmt::format("{}{}", error.message(), standing.empty() ? "" : "; complete are the files of" + standing));
      }
      standing += fmt::format(" {}", option);
    }
  }

 private:
  std::string header() const {
    if (model_.task == Task::regression) return "output\n";
    if (model_.classes.size() == 2) return quoted(model_.classes[1]) + "\n";
    return names_of_classes();
  }
  static std::string lines(MatrixView<const double> values) {
    std::string text;
    for (std::size_t i = 0; i < values.rows(); ++i)
      for (std::size_t k = 0; k < values.cols(); ++k) text += fmt::format("{}{}", values(i, k), k + 1 < values.cols() ? "," : "\n");
    return text;
  }
  std::string names_of_classes() const {
    std::string text;
    for (const std::string& name : model_.classes) text += (text.empty() ? "" : ",") + quoted(name);
    return text + "\n";
  }
  static std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
  }

  const Model& model_;
  std::optional<OutputFile> predictions_, scores_, probabilities_;
};

DataStream open_rows(const PredictOptions& options, const Model& model) {
  DataOptions data = options.data;
  data.read.libsvm_columns = model.map.dim() + (options.weight.empty() ? 0 : 1);  // the last ones may be all zero
  return data.open(options.execution);
}

std::string confusion_text(const Model& model, const Scores& scores_of_rows) {
  constexpr std::size_t max_classes = 12;
  if (model.classes.size() > max_classes) return "";
  std::vector<Column> columns = {{"label", Align::left}};
  for (const std::string& name : model.classes) columns.push_back({"taken for " + printable(name, 20)});
  Table table(columns);
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    std::vector<std::string> cells = {printable(model.classes[k], 20)};
    for (const std::uint64_t count : scores_of_rows.counts()[k]) cells.push_back(fmt::format("{}", count));
    table.add(cells);
  }
  return table.text() + "\n";
}

Json to_json(const PredictOptions& options, const Model& model, std::uint64_t n_rows, const Scores& scores_of_rows, std::uint64_t n_outside,
             double seconds) {
  Json json = {{"rows", n_rows}};
  if (scores_of_rows.has_labels()) {
    if (model.task == Task::classification) {
      json["accuracy"] = scores_of_rows.accuracy();
      json["classes"] = model.classes;
      json["confusion"] = scores_of_rows.counts().empty() ? Json(nullptr) : Json(scores_of_rows.counts());
    } else {
      json["rmse"] = scores_of_rows.has_known_labels() ? Json(scores_of_rows.rmse()) : Json(nullptr);
      json["r_squared"] = scores_of_rows.r_squared() ? Json(*scores_of_rows.r_squared()) : Json(nullptr);
    }
    json["unknown_labels"] = scores_of_rows.n_unknown();
  }
  json["task"] = name_of(model.task);
  json["rows_outside"] = n_outside;
  json["model"] = options.model;
  json["data"] = options.data.source;
  json["out"] = options.out.empty() ? Json(nullptr) : Json(options.out);
  json["scores"] = options.scores.empty() ? Json(nullptr) : Json(options.scores);
  json["probabilities"] = options.probabilities.empty() ? Json(nullptr) : Json(options.probabilities);
  json["seconds"] = seconds;
  return json;
}

std::string to_text(const PredictOptions& options, const Model& model, std::uint64_t n_rows, const Scores& scores_of_rows, double seconds) {
  std::string text;
  if (scores_of_rows.has_labels() && model.task == Task::classification)
    text += confusion_text(model, scores_of_rows) + fmt::format("accuracy {:.2f} %\n", 100 * scores_of_rows.accuracy());
  if (scores_of_rows.has_known_labels() && model.task == Task::regression) {
    text += fmt::format("root mean squared error {:.6g}", scores_of_rows.rmse());
    if (const auto r_squared = scores_of_rows.r_squared())
      text += ", R² " + (std::abs(*r_squared) < 1e6 ? fmt::format("{:.4f}", *r_squared) : fmt::format("{:.4g}", *r_squared));
    text += "\n";
  }
  text += fmt::format("{} of {} by {}", counted(n_rows, "row"), options.data.source, options.model);
  if (!options.out.empty()) text += fmt::format(", predictions in {}", options.out);
  if (!options.scores.empty()) text += fmt::format(", outputs in {}", options.scores);
  if (!options.probabilities.empty()) text += fmt::format(", probabilities in {}", options.probabilities);
  return text + fmt::format(", in {:.3g} s\n", seconds);
}

void check_outputs(const PredictOptions& options) {
  const auto refuse_empty = [](const CLI::Option* option, const std::string& name, const std::string& path) {
    if (given(option) && path.empty()) throw std::invalid_argument(name + ": got \"\", expected the name of a file");
  };
  refuse_empty(options.out_given, "--out", options.out);
  refuse_empty(options.scores_given, "--scores", options.scores);
  refuse_empty(options.probabilities_given, "--proba", options.probabilities);
  if (given(options.weight_given) && options.weight.empty())
    throw InvalidArgument("--row-weight", "got \"\", expected the name or number of a column");
  std::vector<NamedFile> outputs;
  for (const NamedFile& output :
       {NamedFile{"--out", options.out}, NamedFile{"--scores", options.scores}, NamedFile{"--proba", options.probabilities}})
    if (!output.path.empty()) outputs.push_back(output);
  check_files(outputs, options.data.inputs({{"--model", options.model}}));
}

void warn(const Model& model, const Scores& scores_of_rows, std::uint64_t n_rows, std::uint64_t n_outside) {
  warn_if_any(Map::outside_warning(n_outside, n_rows));
  if (scores_of_rows.n_unknown() > 0)
    print_warning(fmt::format("{} of {} rows have labels {}", scores_of_rows.n_unknown(), n_rows,
                              model.task == Task::classification ? "the model does not know; they count as errors"
                                                                 : "that are no numbers; they are left out of the error"));
}

Report run_predict(const PredictOptions& options) {
  check_outputs(options);
  const auto start = std::chrono::steady_clock::now();
  const Model model = load_model(options.model);
  DataStream data = open_rows(options, model);
  Writer writer(options, model);  // after the files of a pattern have been found: it makes files of its own
  std::optional<WeightedRows> weighted;
  if (!options.weight.empty()) weighted.emplace(data, options.weight);
  RowStream& stream = weighted ? static_cast<RowStream&>(*weighted) : data;
  check_stored_columns(options.data, stream.n_columns(), stream.column_names(), model.map, options.model);
  Scores scores_of_rows(model);
  RowBlock block;
  std::uint64_t n_rows = 0, n_outside = 0;
  while (stream.next_as_is(block)) {
    const Matrix<double> outputs = model.outputs(block.X, options.execution);
    const auto classes = model.task == Task::classification ? model.classes_of(outputs) : std::vector<std::size_t>{};
    scores_of_rows.add(block, outputs, classes);
    writer.write(outputs, classes);
    n_outside += model.map.rows_outside(block.X);
    n_rows += block.X.rows();
  }
  writer.finish();
  warn(model, scores_of_rows, n_rows, n_outside);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Report report{to_json(options, model, n_rows, scores_of_rows, n_outside, seconds),
                to_text(options, model, n_rows, scores_of_rows, seconds)};
  for (const std::string& file : {options.out, options.scores})
    if (!file.empty()) report.files.push_back(file);
  return report;
}

}  // namespace

Command add_predict(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "predict", "A model file and rows of data → labels or numbers, and how many are right");
  auto options = std::make_shared<PredictOptions>();
  required(add_text(*parser, "--model", options->model, "A model written by askrff train", "FILE"));
  options->data.add_unscaled_to(*parser);
  options->data.add_labels_to(*parser);
  options->data.require();
  options->out_given = add_text(*parser, "--out", options->out, "Predictions, one per line, in the words of the training labels", "FILE");
  options->scores_given = add_text(*parser, "--scores", options->scores,
                                   "The outputs of the model as CSV: one column, or one per class; the largest wins", "FILE");
  options->probabilities_given = add_text(*parser, "--proba", options->probabilities,
                                          "Probabilities as CSV, one column per class, where the model has them: see inspect", "FILE");
  options->weight_given = add_text(
      *parser, "--row-weight", options->weight,
      "The column that says what every row counts in the scores, and is no part of the data: its name or number (from 1)", "COLUMN");
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "The rows are those of the training data before scaling: the model brings its own. Data of any size: rows go by in blocks. Where "
      "there\n"
      "are labels (LIBSVM text, --label, --labels), the report says how well the model does on them.\n"
      "Examples:\n"
      "  askrff predict --model m.askrff --data test.libsvm\n"
      "  askrff predict --model m.askrff --data new.csv --out predictions.txt --scores scores.csv --proba probabilities.csv");
  return {parser, [options] { return run_predict(*options); }};
}

}  // namespace askrff::cli
