// Training in numbers and words.
#include "train_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plural.hpp"
#include "printable.hpp"
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
  for (const Trial& trial : tuning.trials) {
    Json entry = Json::object();
    for (const auto& [name, value] : trial.values) entry[name] = parameter_json(value, dim, "--tune", name);
    entry["c"] = optional_json(trial.c);
    entry["score"] = optional_json(trial.score);
    if (!trial.refused.empty()) entry["refused"] = trial.refused;
    json.push_back(std::move(entry));
  }
  return json;
}

std::string classes_text(const Targets& targets) {
  constexpr std::size_t most = 6;
  std::string text = fmt::format("{} classes (", targets.classes.size());
  for (std::size_t k = 0; k < std::min(most, targets.classes.size()); ++k)
    text += fmt::format("{}{}: {}", k == 0 ? "" : ", ", printable(targets.classes[k], 30), targets.class_sizes[k]);
  return text + (targets.classes.size() > most ? ", …)" : ")");
}

std::string features_text(const Preparation& preparation) {
  const std::size_t n = preparation.n_features();
  if (preparation.is_linear()) return n == 1 ? "1 column as it is" : fmt::format("{} columns as they are", n);
  return fmt::format(
      "{} of {}", counted(n, "feature"),
      preparation.atoms ? frequencies_text(preparation.atoms->size()) : counted(preparation.nystrom->n_landmarks(), "landmark"));
}

std::string title(const TrainedFacts& facts) {
  if (!facts.preparation.kernel.name.empty()) return ChosenKernel{facts.preparation.kernel}.title(facts.preparation.dim);
  return "linear in " + counted(facts.preparation.dim, "column");
}

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

std::string tuning_text(const Tuning& tuning) {
  std::vector<Column> columns;
  for (const auto& [name, value] : tuning.trials[0].values) columns.push_back({name});
  for (const char* title : {"C", "score"}) columns.push_back({title});
  columns.push_back({"", Align::left});
  Table table(columns);
  for (std::size_t i = 0; i < tuning.trials.size(); ++i) {
    const Trial& trial = tuning.trials[i];
    std::vector<std::string> cells;
    for (const auto& [name, value] : trial.values) cells.push_back(value.text());
    cells.push_back(trial.c ? fmt::format("{:.6g}", *trial.c) : "");
    cells.push_back(trial.score ? score_text(*trial.score, tuning.measure) : "");
    cells.push_back(trial.refused.empty() ? (i == tuning.best ? "best" : "") : printable(trial.refused, 60));
    table.add(cells);
  }
  return fmt::format("tuned by {} on a sample of the rows\n{}\n", name_of(tuning.measure), table.text());
}

}  // namespace

std::string edge_warning(const CrossValidation& validation) {
  if (validation.c.size() < 2) return "";
  const std::size_t best = validation.best();
  if (best != 0 && best + 1 != validation.c.size()) return "";
  return fmt::format("the best C, {:.6g}, is the {} tried; --c-grid takes others", validation.c[best], best == 0 ? "smallest" : "largest");
}

std::vector<std::string> edge_warnings(const Tuning& tuning) {
  std::vector<std::string> warnings;
  const Trial& best = tuning.trials[tuning.best];
  for (std::size_t k = 0; k < best.values.size(); ++k) {
    double least = best.factors[k], most = least;
    for (const Trial& trial : tuning.trials) {
      least = std::min(least, trial.factors[k]);
      most = std::max(most, trial.factors[k]);
    }
    if (best.factors[k] != least && best.factors[k] != most) continue;
    const auto& [name, value] = best.values[k];
    warnings.push_back(fmt::format("the best {}, {}, is at the {} end of what was tried; --{} {} --tune {} goes on from there", name,
                                   value.text(), best.factors[k] == least ? "lower" : "upper", name, value.text(), name));
  }
  return warnings;
}

Json train_json(const TrainedFacts& facts) {
  const TrainOptions& options = facts.options;
  const Preparation& preparation = facts.preparation;
  Json json = {{"train_rows", facts.survey.n_rows},
               {"dim", preparation.dim},
               {"n_features", preparation.n_features()},
               {"n_frequencies", preparation.atoms ? preparation.atoms->size() : 0},
               {"n_landmarks", preparation.nystrom ? preparation.nystrom->n_landmarks() : 0},
               {"c", facts.fitted.c},
               {"cv_scores", validation_json(facts.fitted.validation)},
               {"cv_measure", facts.fitted.validation.c.empty() ? Json(nullptr) : Json(name_of(facts.fitted.validation.measure))},
               {"seconds", facts.seconds},
               {"model", name_of(trainers, options.trainer)},
               {"solver", options.trainer == Trainer::svm ? "newton" : "normal-equations"},
               {"task", name_of(facts.targets.task)},
               {"classes", Json::array()},
               {"bias", options.bias()},
               {"precision", name_of(options.precision)},
               {"train_accuracy", optional_json(facts.fitted.accuracy)},
               {"train_rmse", optional_json(facts.fitted.rmse)},
               {"loo_accuracy", optional_json(facts.fitted.loo_accuracy)},
               {"loo_rmse", optional_json(facts.fitted.loo_rmse)},
               {"objectives", facts.fitted.objectives},
               {"kernel", preparation.kernel.name.empty() ? Json(nullptr) : Json(preparation.kernel.name)},
               {"parameters", ChosenKernel{preparation.kernel}.parameters_json(preparation.dim)},
               {"scale", name_of(preparation.scaler.kind)},
               {"seed", options.draw.values.seed},
               {"data", options.data.source},
               {"out", options.out}};
  for (std::size_t k = 0; k < facts.targets.classes.size(); ++k)
    json["classes"].push_back({{"label", facts.targets.classes[k]}, {"rows", facts.targets.class_sizes[k]}});
  if (facts.tuning) json["tuned"] = tuning_json(*facts.tuning, preparation.dim);
  return json;
}

std::string train_text(const TrainedFacts& facts) {
  const Fitted& fitted = facts.fitted;
  std::string text = fmt::format("{}\ndata {}: {}{}, {}\n{}; seed {}\n\n", title(facts), facts.options.data.source,
                                 counted(facts.survey.n_rows, "row"), scale_text(facts.preparation.scaler.kind),
                                 facts.targets.task == Task::classification ? classes_text(facts.targets) : "numbers to be predicted",
                                 features_text(facts.preparation), facts.options.draw.values.seed);
  if (facts.tuning) text += tuning_text(*facts.tuning);
  text += validation_text(fitted.validation);
  text += fmt::format("{}: {} with C = {:.6g}", facts.options.out, name_of(trainers, facts.options.trainer), fitted.c);
  if (fitted.accuracy) text += fmt::format(", {} of the training rows right", score_text(*fitted.accuracy, Score::accuracy));
  if (fitted.rmse) text += fmt::format(", root mean squared error {:.5g} on the training rows", *fitted.rmse);
  if (fitted.loo_accuracy) text += fmt::format(", leave-one-out accuracy {}", score_text(*fitted.loo_accuracy, Score::accuracy));
  if (fitted.loo_rmse) text += fmt::format(", leave-one-out error {:.5g}", *fitted.loo_rmse);
  return text + fmt::format(", in {:.3g} s\n", facts.seconds);
}

}  // namespace askrff::cli
