// What training did, as a table for people and as JSON.
#include "train_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "choice_report.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "plural.hpp"
#include "askrff/errors.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

Json validation_json(const CrossValidation& validation) {
  Json json = Json::array();
  for (std::size_t i = 0; i < validation.c.size(); ++i)
    json.push_back({{"c", validation.c[i]},
                    {"mean", validation.mean(i)},
                    {"std", validation.deviation(i)},
                    {"folds", std::vector<double>(validation.scores.row(i).begin(), validation.scores.row(i).end())}});
  return json;
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json tuning_json(const Tuning& tuning, std::size_t dim) {
  Json json = Json::array();
  for (const TuningPoint& point : tuning.points) {
    Json entry = Json::object();
    for (const auto& [name, value] : point.values) entry[name] = parameter_json(value, dim, "--tune", name);
    entry["c"] = optional_json(point.c);
    entry["score"] = optional_json(point.score);
    if (!point.refused.empty()) entry["refused"] = point.refused;
    json.push_back(std::move(entry));
  }
  return json;
}

std::string classes_text(const TrainedModel& model) {
  constexpr std::size_t max_shown = 6;
  std::string text = fmt::format("{} classes (", model.classes.size());
  for (std::size_t k = 0; k < std::min(max_shown, model.classes.size()); ++k)
    text += fmt::format("{}{}: {}", k == 0 ? "" : ", ", printable(model.classes[k], 30), model.report.class_sizes[k]);
  return text + (model.classes.size() > max_shown ? ", …)" : ")");
}

}  // namespace

std::string map_features_text(const Map& map) {
  const std::size_t n = map.n_features();
  if (map.is_linear()) return n == 1 ? "1 column as it is" : fmt::format("{} columns as they are", n);
  if (map.matrix()) return fmt::format("{} of rows of a kernel matrix", counted(n, "feature"));
  return fmt::format("{} of {}", counted(n, "feature"),
                     map.atoms() ? frequencies_text(map.n_frequencies()) : counted(map.n_landmarks(), "landmark"));
}

std::string map_title(const Map& map) {
  if (!map.content().kernel.name.empty()) return ChosenKernel{map.content().kernel}.title(map.dim());
  return (map.matrix() ? "rows of a kernel matrix with " : "linear in ") + counted(map.dim(), "column");
}

namespace {

/// "95.31 %" or "0.0123".
std::string score_text(double score, Score measure) {
  if (!std::isfinite(score)) return "not solved";
  return measure == Score::accuracy ? fmt::format("{:.2f} %", 100 * score) : fmt::format("{:.5g}", score);
}

std::string validation_text(const CrossValidation& validation) {
  if (validation.c.empty()) return "";
  Table table({{"C"}, {std::string(name_of(validation.measure))}, {"± over folds"}, {"", Align::left}});
  for (std::size_t i = 0; i < validation.c.size(); ++i)
    table.add({fmt::format("{:.6g}", validation.c[i]), score_text(validation.mean(i), validation.measure),
               score_text(validation.deviation(i), validation.measure), i == validation.best() ? "best" : ""});
  return fmt::format("{} folds\n{}\n", validation.scores.cols(), table.text());
}

Json sizes_json(const SizeSearch& sizes) {
  Json json = Json::array();
  for (const SizeTrial& trial : sizes.trials)
    json.push_back({{"n_features", trial.n_features}, {"c", trial.c}, {"score", trial.score}, {"seconds", trial.seconds}});
  return json;
}

std::string sizes_text(const SizeSearch& sizes, const Map& map) {
  Table table({{"features"}, {std::string(name_of(sizes.measure))}, {"C"}});
  for (const SizeTrial& trial : sizes.trials)
    table.add({fmt::format("{}", trial.n_features), score_text(trial.score, sizes.measure), fmt::format("{:.6g}", trial.c)});
  return table.text() + "\n" + map.content().reason + "\n\n";
}

std::string tuning_text(const Tuning& tuning) {
  std::vector<Column> columns;
  for (const auto& [name, value] : tuning.points[0].values) columns.push_back({name});
  for (const char* title : {"C", "score"}) columns.push_back({title});
  columns.push_back({"", Align::left});
  Table table(columns);
  for (std::size_t i = 0; i < tuning.points.size(); ++i) {
    const TuningPoint& point = tuning.points[i];
    std::vector<std::string> cells;
    for (const auto& [name, value] : point.values) cells.push_back(value.text());
    cells.push_back(point.c ? fmt::format("{:.6g}", *point.c) : "");
    cells.push_back(point.score ? score_text(*point.score, tuning.measure) : "");
    cells.push_back(point.refused.empty() ? (i == tuning.best ? "best" : "") : printable(point.refused, 60));
    table.add(cells);
  }
  return fmt::format("tuned by {} on a sample of the rows\n{}\n", name_of(tuning.measure), table.text());
}

}  // namespace

std::string trials_text(const TrainingReport& report, const Map& map) {
  return (report.tuning ? tuning_text(*report.tuning) : "") + (report.sizes ? sizes_text(*report.sizes, map) : "");
}

void add_trials(Json& json, const TrainingReport& report, std::size_t dim) {
  if (report.sizes) json["sizes"] = sizes_json(*report.sizes);
  if (report.tuning) json["tuned"] = tuning_json(*report.tuning, dim);
}

std::vector<std::string> train_warnings(const TrainedModel& model) {
  const TrainingReport& report = model.report;
  std::vector<std::string> warnings = report.warnings;
  if (report.rmse && *report.rmse < report.rmse_resolution)
    warnings.push_back(
        fmt::format("root mean squared errors below {:.1g} are rounding here; askrff predict on the same rows shows the true one{}",
                    report.rmse_resolution, model.precision == Precision::float32 ? ", --precision float64 is finer" : ""));
  if (std::string warning = model.map.scaling_warning(); !warning.empty()) warnings.push_back(std::move(warning));
  if (std::string warning = model.map.accuracy_warning(); !warning.empty()) warnings.push_back(std::move(warning));
  return warnings;
}

Json train_json(const TrainFacts& facts) {
  const TrainedModel& model = facts.model;
  const TrainingReport& report = model.report;
  const Map& map = model.map;
  const NamedKernel& kernel = map.content().kernel;
  Json json = {{"train_rows", report.n_rows},
               {"dim", map.dim()},
               {"n_features", map.n_features()},
               {"n_frequencies", map.n_frequencies()},
               {"n_landmarks", map.n_landmarks()},
               {"c", model.training.c},
               {"cv_scores", validation_json(report.validation)},
               {"cv_measure", report.validation.c.empty() ? Json(nullptr) : Json(name_of(report.validation.measure))},
               {"seconds", facts.seconds},
               {"model", model.training.trainer},
               {"solver", model.training.solver},
               {"task", name_of(model.task)},
               {"classes", Json::array()},
               {"precision", name_of(model.precision)},
               {"train_accuracy", optional_json(report.accuracy)},
               {"train_rmse", optional_json(report.rmse)},
               {"loo_accuracy", optional_json(report.loo_accuracy)},
               {"loo_rmse", optional_json(report.loo_rmse)},
               {"objectives", report.objectives},
               {"passes", report.n_passes},
               {"kernel", kernel.name.empty() ? Json(nullptr) : Json(kernel.name)},
               {"parameters", ChosenKernel{kernel}.parameters_json(map.dim())},
               {"probabilities", model.output_scale.has_value()},
               {"certificate", map.content().certificate ? certificate_json(*map.content().certificate, false) : Json(nullptr)},
               {"warning", warning_json(map)},
               {"scale", name_of(map.content().scaler.kind)},
               {"seed", model.training.seed},
               {"data", facts.source},
               {"out", facts.out}};
  for (std::size_t k = 0; k < model.classes.size(); ++k)
    json["classes"].push_back({{"label", model.classes[k]}, {"rows", report.class_sizes[k]}});
  add_trials(json, report, map.dim());
  return json;
}

std::string train_text(const TrainFacts& facts) {
  const TrainedModel& model = facts.model;
  const TrainingReport& report = model.report;
  std::string text = fmt::format("{}\ndata {}: {}{}, {}\n{}; seed {}\n\n", map_title(model.map), facts.source,
                                 counted(report.n_rows, "row"), scale_text(model.map.content().scaler.kind),
                                 model.task == Task::classification ? classes_text(model) : "numbers to be predicted",
                                 map_features_text(model.map), model.training.seed);
  if (const auto& certificate = model.map.content().certificate)
    text += fmt::format(
        "the features stand for the kernel to {:.3g} (95 % interval {:.3g} to {:.3g}, on {} rows, none judging a map it was fitted to)\n\n",
        certificate->error.error, certificate->error.lower, certificate->error.upper, certificate->error.n_rows);
  text += trials_text(report, model.map);
  text += validation_text(report.validation);
  text += fmt::format("{}: {} with C = {:.6g}", facts.out, model.training.trainer, model.training.c);
  if (report.accuracy) text += fmt::format(", {} of the training rows right", score_text(*report.accuracy, Score::accuracy));
  if (report.rmse) text += fmt::format(", root mean squared error {:.5g} on the training rows", *report.rmse);
  if (report.loo_accuracy) text += fmt::format(", leave-one-out accuracy {}", score_text(*report.loo_accuracy, Score::accuracy));
  if (report.loo_rmse) text += fmt::format(", leave-one-out error {:.5g}", *report.loo_rmse);
  if (report.n_passes > 0) text += fmt::format(", {} over rows that were not kept in memory", counted(report.n_passes, "pass", "passes"));
  return text + fmt::format(", in {:.3g} s\n", facts.seconds);
}

}  // namespace askrff::cli
