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
  std::string model, out, scores;
  CLI::Option *out_given = nullptr, *scores_given = nullptr;
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

  void add(const BlockLabels& labels, MatrixView<const double> outputs, std::span<const std::size_t> classes) {
    for (std::size_t i = 0; i < outputs.rows() && !labels.empty(); ++i) {
      ++n_labelled_;
      if (model_.task == Task::regression)
        add_number(labels.number(i), outputs(i, 0));
      else
        add_class(labels.are_numbers() ? lookup_.find(*labels.number(i)) : lookup_.find(labels.text(i)), classes[i]);
    }
  }

  bool has_labels() const { return n_labelled_ > 0; }
  std::uint64_t n_unknown() const { return n_unknown_; }
  double accuracy() const { return static_cast<double>(n_right_) / static_cast<double>(n_labelled_); }
  /// Some label could be compared with what the model says.
  bool has_known_labels() const { return n_labelled_ > n_unknown_; }
  double rmse() const { return std::sqrt(squares_ / static_cast<double>(n_labelled_ - n_unknown_)); }
  /// 1 - (squared error)/(variance of the labels).
  double r_squared() const { return 1 - squares_ / spread_of_labels_; }
  double spread() const { return spread_of_labels_; }
  /// Label × what it was taken for; empty for more than 100 classes.
  const std::vector<std::vector<std::uint64_t>>& counts() const { return counts_; }

 private:
  void add_number(const std::optional<double>& label, double output) {
    if (!label) {
      ++n_unknown_;
      return;
    }
    squares_ += (*label - output) * (*label - output);
    const double n = static_cast<double>(n_labelled_ - n_unknown_), before = *label - mean_;
    mean_ += before / n;
    spread_of_labels_ += before * (*label - mean_);  // Welford: no cancellation, whatever the offset
  }
  void add_class(const std::optional<std::uint32_t>& label, std::size_t taken_for) {
    if (!label) {
      ++n_unknown_;
      return;
    }
    if (!counts_.empty()) ++counts_[*label][taken_for];
    n_right_ += *label == taken_for ? 1 : 0;
  }

  const Model& model_;
  ClassLookup lookup_;
  std::uint64_t n_labelled_ = 0, n_right_ = 0, n_unknown_ = 0;
  double squares_ = 0, mean_ = 0, spread_of_labels_ = 0;
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
    if (!options.out.empty()) predictions_.emplace(options.out, "--out");
    if (options.scores.empty()) return;
    scores_.emplace(options.scores, "--scores");
    scores_->append(header());
  }

  void write(MatrixView<const double> outputs, std::span<const std::size_t> classes) {
    std::string text;
    for (std::size_t i = 0; i < outputs.rows() && predictions_; ++i)
      text += (model_.task == Task::classification ? model_.classes[classes[i]] : fmt::format("{}", outputs(i, 0))) + "\n";
    if (predictions_) predictions_->append(text);
    text.clear();
    for (std::size_t i = 0; i < outputs.rows() && scores_; ++i)
      for (std::size_t k = 0; k < outputs.cols(); ++k) text += fmt::format("{}{}", outputs(i, k), k + 1 < outputs.cols() ? "," : "\n");
    if (scores_) scores_->append(text);
  }
  void finish() {
    if (predictions_) predictions_->finish();
    if (scores_) scores_->finish();
  }

 private:
  std::string header() const {
    if (model_.task == Task::regression) return "output\n";
    if (model_.classes.size() == 2) return quoted(model_.classes[1]) + "\n";
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
  std::optional<OutputFile> predictions_, scores_;
};

DataStream open_rows(const PredictOptions& options, const Model& model) {
  DataOptions data = options.data;
  data.read.libsvm_columns = model.map.dim();  // the last ones may be all zero
  DataStream stream = data.open(options.execution);
  check_stored_columns(options.data, stream.n_columns(), stream.column_names(), model.map, options.model);
  return stream;
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
      json["r_squared"] = scores_of_rows.spread() > 0 ? Json(scores_of_rows.r_squared()) : Json(nullptr);
    }
    json["unknown_labels"] = scores_of_rows.n_unknown();
  }
  json["task"] = name_of(model.task);
  json["rows_outside"] = n_outside;
  json["model"] = options.model;
  json["data"] = options.data.source;
  json["out"] = options.out.empty() ? Json(nullptr) : Json(options.out);
  json["scores"] = options.scores.empty() ? Json(nullptr) : Json(options.scores);
  json["seconds"] = seconds;
  return json;
}

std::string to_text(const PredictOptions& options, const Model& model, std::uint64_t n_rows, const Scores& scores_of_rows, double seconds) {
  std::string text;
  if (scores_of_rows.has_labels() && model.task == Task::classification)
    text += confusion_text(model, scores_of_rows) + fmt::format("accuracy {:.2f} %\n", 100 * scores_of_rows.accuracy());
  if (scores_of_rows.has_known_labels() && model.task == Task::regression) {
    text += fmt::format("root mean squared error {:.6g}", scores_of_rows.rmse());
    if (scores_of_rows.spread() > 0) text += fmt::format(", R² {:.4f}", scores_of_rows.r_squared());
    text += "\n";
  }
  text += fmt::format("{} of {} by {}", counted(n_rows, "row"), options.data.source, options.model);
  if (!options.out.empty()) text += fmt::format(", predictions in {}", options.out);
  if (!options.scores.empty()) text += fmt::format(", outputs in {}", options.scores);
  return text + fmt::format(", in {:.3g} s\n", seconds);
}

void check_outputs(const PredictOptions& options) {
  const auto refuse_empty = [](const CLI::Option* option, const std::string& name, const std::string& path) {
    if (given(option) && path.empty()) throw std::invalid_argument(name + ": got \"\", expected the name of a file");
  };
  refuse_empty(options.out_given, "--out", options.out);
  refuse_empty(options.scores_given, "--scores", options.scores);
  const NamedFile out{"--out", options.out}, scores{"--scores", options.scores};
  for (const NamedFile& input :
       {NamedFile{"--model", options.model}, {"--data", options.data.source}, {"--labels", options.data.read.label_file}}) {
    require_other_file(out, input);
    require_other_file(scores, input);
  }
  require_other_file(scores, out);
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
  Writer writer(options, model);
  DataStream stream = open_rows(options, model);
  Scores scores_of_rows(model);
  RowBlock block;
  std::uint64_t n_rows = 0, n_outside = 0;
  while (stream.next(block)) {
    const Matrix<double> outputs = model.outputs(block.X, options.execution);
    const auto classes = model.task == Task::classification ? model.classes_of(outputs) : std::vector<std::size_t>{};
    scores_of_rows.add(BlockLabels(block), outputs, classes);
    writer.write(outputs, classes);
    n_outside += model.map.rows_outside(block.X);
    n_rows += block.X.rows();
  }
  writer.finish();
  warn(model, scores_of_rows, n_rows, n_outside);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {to_json(options, model, n_rows, scores_of_rows, n_outside, seconds), to_text(options, model, n_rows, scores_of_rows, seconds)};
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
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "The rows are those of the training data before scaling: the model brings its own. Data of any size: rows go by in blocks. Where "
      "there\n"
      "are labels (LIBSVM text, --label, --labels), the report says how well the model does on them.\n"
      "Examples:\n"
      "  askrff predict --model m.askrff --data test.libsvm\n"
      "  askrff predict --model m.askrff --data new.csv --out predictions.txt --scores scores.csv");
  return {parser, [options] { return run_predict(*options); }};
}

}  // namespace askrff::cli
