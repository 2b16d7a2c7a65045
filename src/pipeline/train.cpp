// train(): survey, map, fit.
#include "askrff/train.hpp"

#include <fmt/format.h>

#include <utility>

#include "askrff/errors.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/training_passes.hpp"
#include "pipeline/training_record.hpp"

namespace askrff {
namespace {

using pipeline::Survey;
using pipeline::Targets;
using pipeline::TrainingRows;

/// Models are compared on a part of the rows before the one that is kept is fitted.
bool tries_models(const TrainOptions& options) { return !options.tuned.empty() || (!options.map && options.features.tolerance); }

void check_train_options(const TrainOptions& options) {
  if (options.trainer == Trainer::svm && options.task == Task::regression)
    throw InvalidArgument("train", "the task is regression, but svm is a classifier; expected ridge");
  if (options.trainer == Trainer::svm && options.leave_one_out)
    throw InvalidArgument("train", "leave-one-out is asked for, which only ridge has");
  if (options.map && !options.tuned.empty()) throw InvalidArgument("train", "a ready map has no kernel to tune");
  if (!options.c.empty()) checked_c_grid(options.c);
}

/// What was asked of the map: what is used, and what is not the default.
std::string map_description(const MapOptions& how) {
  const MapOptions usual;
  std::string text = fmt::format(" --estimator {}", name_of(how.estimator));
  text += how.tolerance         ? fmt::format(" --tolerance {} --max-frequencies {}", *how.tolerance, how.max_frequencies)
          : how.n_features != 0 ? fmt::format(" --n-features {}", how.n_features)
                                : fmt::format(" --frequencies {}", how.n_frequencies);
  if (how.estimator == Estimator::nystrom) {
    if (how.n_landmarks != usual.n_landmarks) text += fmt::format(" --landmarks {}", how.n_landmarks);
    return text + fmt::format(" --landmark-choice {}", name_of(how.landmarks));
  }
  const bool has_subset = how.weights == Weights::subset || how.estimator == Estimator::paper;
  if (has_subset) text += fmt::format(" --subset {}", how.n_subset);
  if (how.estimator == Estimator::paper || how.estimator == Estimator::best) return text;
  text += fmt::format(" --sampler {} --weights {}", name_of(how.sampler), name_of(how.weights));
  if (how.allocation != usual.allocation) text += fmt::format(" --allocation {}", name_of(how.allocation));
  if (how.n_pairs != usual.n_pairs) text += fmt::format(" --pairs {}", how.n_pairs);
  if (how.pin_origin) text += " --pin-origin";
  if (how.drop_tolerance) text += fmt::format(" --drop-tolerance {}", *how.drop_tolerance);
  if (how.sampler == Sampler::rejection) text += fmt::format(" --min-acceptance {}", how.min_acceptance);
  return text;
}

/// The options as the command line has them: what was asked for, whoever asked.
std::string description(const TrainOptions& options) {
  std::string text = "askrff train";
  if (options.map) {
    text += " --features FILE";
  } else {
    const std::string& name = options.kernel.name.empty() ? options.kernel.own.name : options.kernel.name;
    text += fmt::format(" --kernel {}", name.empty() ? "OWN" : name);
    for (const auto& [parameter, value] : options.kernel.values) text += fmt::format(" --{} {}", parameter, value.text());
    for (const auto& [parameter, value] : options.kernel.own.parameters) text += fmt::format(" --{} {}", parameter, value.text());
    const MapOptions& how = options.features;
    if (options.kernel.name != linear_kernel) text += map_description(how);
    text += fmt::format(" --scale {}", name_of(how.scale));
  }
  std::string joined;
  for (const std::string& name : options.tuned) joined += (joined.empty() ? "" : ",") + name;
  if (!joined.empty()) text += " --tune " + joined;
  text += fmt::format(" --model {}", name_of(options.trainer));
  if (options.task) text += fmt::format(" --task {}", name_of(*options.task));
  if (options.leave_one_out) text += " --leave-one-out";
  if (options.c.empty()) text += " --c auto";
  if (options.c.size() == 1) text += fmt::format(" --c {}", options.c[0]);
  if (options.c.size() > 1) text += fmt::format(" --c-grid {}", fmt::join(options.c, ","));
  if (options.class_weights.balanced) text += " --class-weight balanced";
  joined.clear();
  for (const auto& [label, weight] : options.class_weights.by_label)
    joined += fmt::format("{}{}={}", joined.empty() ? "" : ",", label, weight);
  if (!joined.empty()) text += " --class-weight " + joined;
  if (pipeline::chooses_c(options) || !options.tuned.empty()) text += fmt::format(" --folds {}", options.n_folds);
  return text + fmt::format("{} --precision {} --seed {}", options.bias ? "" : " --no-bias", name_of(options.precision), options.seed);
}

/// A ready map for these rows.
Map ready_map(const Map& map, const RowStream& rows) {
  if (map.dim() != rows.n_columns())
    throw InvalidArgument("train", fmt::format("the map is of {} columns, the rows have {}", map.dim(), rows.n_columns()));
  Map ready = pipeline::model_side(map);
  if (rows.column_names().empty()) return ready;
  return ready.with([&](MapContent& content) { content.column_names = rows.column_names(); });
}

/// Rows of a stream, in this process.
class StreamPasses final : public pipeline::TrainingPasses {
 public:
  StreamPasses(RowStream& stream, const TrainOptions& options)
      : rows_(stream, options.trainer == Trainer::svm, options.execution), seed_(options.seed) {}

  const RowStream& facts() const override { return rows_.stream(); }
  Survey survey(Scaling scaling, std::size_t n_reserved) override { return pipeline::survey(rows_, scaling, seed_, n_reserved); }
  TrainedModel fit(const TrainOptions& options, const Map& map, const Targets& targets, std::optional<RidgeTrainer>* sums) override {
    if (options.trainer == Trainer::ridge)
      return pipeline::fit_ridge_model(options, map, rows_, targets, pipeline::chooses_c(options) ? options.n_folds : 1, sums);
    pipeline::SvmLabels labels{{targets.classes, {}}, {}};
    pipeline::LabelCoder coder(facts(), targets);
    rows_.visit([&](const RowBlock& block) {
      coder.read(block);
      labels.classes.of_rows.insert(labels.classes.of_rows.end(), coder.classes().begin(), coder.classes().end());
      labels.weights.insert(labels.weights.end(), coder.weights().begin(), coder.weights().end());
    });
    map.content().scaler.apply(rows_.X().view(), options.execution.stop);
    return pipeline::fit_svm_model(options, map, rows_.X(), labels);
  }

 private:
  TrainingRows rows_;
  std::uint64_t seed_;
};

}  // namespace

namespace pipeline {

TrainedModel train_by(TrainingPasses& passes, const TrainOptions& options, std::optional<RidgeTrainer>* sums) {
  check_train_options(options);
  const Survey survey = passes.survey(options.map ? Scaling::none : options.features.scale, tries_models(options) ? options.n_folds : 0);
  Targets targets = survey.labels.targets(options.trainer == Trainer::svm ? Task::classification : options.task);
  set_class_weights(options.class_weights, targets);
  if (chooses_c(options) || tries_models(options)) check_folds(options.n_folds, targets.class_sizes, targets.classes);
  if (!options.map && options.kernel.name != linear_kernel && !options.features.tolerance)  // before so many are drawn
    require_memory_for_fit(options, options.features.n_features != 0 ? options.features.n_features : 2 * options.features.n_frequencies,
                           targets);
  std::optional<Tuning> tuning;
  std::optional<SizeSearch> sizes;
  const Map map =
      options.map ? ready_map(*options.map, passes.facts()) : fitted_map(options, survey, targets, passes.facts(), tuning, sizes);
  require_memory_for_fit(options, map.n_features(), targets);
  TrainedModel model = [&] {
    try {
      return passes.fit(options, map, targets, sums);
    } catch (const InvalidArgument& error) {
      if (error.where() != "cholesky") throw;  // which knows its matrix only
      throw InvalidArgument("Map", "the squares of the features add up to numbers that are too large or too different");
    }
  }();
  model.training.command = description(options);
  model.report.tuning = std::move(tuning);
  model.report.sizes = std::move(sizes);
  warn_of_tuning(model.report);
  return model;
}

}  // namespace pipeline

namespace {

TrainedModel trained(RowStream& stream, const TrainOptions& options, std::optional<RidgeTrainer>* sums) {
  check_train_options(options);  // before any row is read
  StreamPasses passes(stream, options);
  return pipeline::train_by(passes, options, sums);
}

}  // namespace

TrainedModel train(RowStream& rows, const TrainOptions& options) { return trained(rows, options, nullptr); }
TrainedModel train(RowStream& rows, const TrainOptions& options, std::optional<RidgeTrainer>& sums) {
  return trained(rows, options, &sums);
}

}  // namespace askrff
