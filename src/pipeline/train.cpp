// train(): survey, map, fit.
#include "askrff/train.hpp"

#include <fmt/format.h>

#include <utility>

#include "askrff/errors.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/make_map.hpp"
#include "pipeline/training_passes.hpp"
#include "pipeline/training_record.hpp"
#include "pipeline/training_text.hpp"

namespace askrff {
namespace {

using pipeline::Preparation;
using pipeline::Survey;
using pipeline::Targets;
using pipeline::TrainingRows;

/// Models are compared on a part of the rows before the one that is kept is fitted.
bool tries_models(const TrainOptions& options) { return !options.tuned.empty() || (!options.map && pipeline::finds_size(options)); }

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
      : rows_(stream, options.trainer == Trainer::svm ? options.max_row_bytes : 0, options.execution), seed_(options.seed) {}

  const RowStream& facts() const override { return rows_.stream(); }
  Survey survey(Scaling scaling, std::size_t n_reserved) override { return pipeline::survey(rows_, scaling, seed_, n_reserved); }
  TrainedModel fit(const TrainOptions& options, const Preparation& ready, std::optional<RidgeTrainer>* sums) override {
    const Map& map = ready.map;
    const Targets& targets = ready.targets;
    if (!map.content().scaler.keeps_zeros()) rows_.write_out();
    if (options.trainer == Trainer::ridge)
      return pipeline::fit_ridge_model(options, map, rows_, targets, pipeline::chooses_c(options) ? options.n_folds : 1, ready.all_products,
                                       sums);
    return rows_.n_bytes() <= options.max_row_bytes ? fit_kept(options, map, targets)
                                                    : pipeline::fit_svm_in_passes(options, map, rows_, targets);
  }

 private:
  TrainedModel fit_kept(const TrainOptions& options, const Map& map, const Targets& targets) {
    RowsMatrix<double>& X = rows_.X();
    pipeline::SvmLabels labels{{targets.classes, {}}, {}};
    pipeline::LabelCoder coder(facts(), targets);
    rows_.visit([&](const RowBlock& block) {
      coder.read(block);
      labels.classes.of_rows.insert(labels.classes.of_rows.end(), coder.classes().begin(), coder.classes().end());
      labels.weights.insert(labels.weights.end(), coder.weights().begin(), coder.weights().end());
    });
    X = map.content().scaler.applied(std::move(X), options.execution.stop);
    return pipeline::fit_svm_model(options, map, X, labels);
  }

  TrainingRows rows_;
  std::uint64_t seed_;
};

}  // namespace

namespace pipeline {

void check_train_options(const TrainOptions& options) {
  if (options.trainer == Trainer::svm && options.task == Task::regression)
    throw InvalidArgument("train", "the task is regression, but svm is a classifier; expected ridge");
  if (options.trainer == Trainer::svm && options.leave_one_out)
    throw InvalidArgument("train", "leave-one-out is asked for, which only ridge has");
  if (options.map && !options.tuned.empty()) throw InvalidArgument("train", "a ready map has no kernel to tune");
  if (!options.c.empty()) checked_c_grid(options.c);
}

Preparation prepare_training(SurveyPass& pass, const TrainOptions& options) {
  check_train_options(options);
  const Survey survey = pass.survey(options.map ? Scaling::none : options.features.scale, tries_models(options) ? options.n_folds : 0);
  Targets targets = survey.labels.targets(options.trainer == Trainer::svm ? Task::classification : options.task);
  set_class_weights(options.class_weights, targets);
  if (chooses_c(options) || tries_models(options)) check_folds(options.n_folds, targets.class_sizes, targets.classes);
  if (!options.map && options.kernel.name != linear_kernel && !options.features.tolerance &&
      options.features.sampler != Sampler::grid)  // before so many are drawn
    require_memory_for_fit(options, options.features.n_features != 0 ? options.features.n_features : 2 * options.features.n_frequencies,
                           targets);
  std::optional<Tuning> tuning;
  std::optional<SizeSearch> sizes;
  Map map = options.map ? ready_map(*options.map, pass.facts()) : fitted_map(options, survey, targets, pass.facts(), tuning, sizes);
  const ColumnRange box = options.map ? scaled_box(survey.box, map.content().scaler) : survey.box;
  const bool all_products = options.leave_one_out || pass.in_parts() || !can_sum_on_grid(map, box);
  require_memory_for_fit(options, map, targets, all_products);
  return {std::move(targets), std::move(map), all_products, std::move(tuning), std::move(sizes)};
}

TrainedModel train_by(TrainingPasses& passes, const TrainOptions& options, std::optional<RidgeTrainer>* sums) {
  Preparation ready = prepare_training(passes, options);
  TrainedModel model = in_words_of_features([&] { return passes.fit(options, ready, sums); });
  model.training.command = TrainingText::of(options).with(options.c, options.leave_one_out, chooses_c(options));
  model.report.tuning = std::move(ready.tuning);
  model.report.sizes = std::move(ready.sizes);
  warn_of_tuning(model.report);
  if (const auto& squeezed = ready.map.content().squeezed; !squeezed.empty() && model.map.content().squeezed.empty())
    model.map = model.map.with([&](MapContent& content) { content.squeezed = squeezed; });  // lost where the map has been bytes
  return model;
}

}  // namespace pipeline

namespace {

TrainedModel trained(RowStream& stream, const TrainOptions& options, std::optional<RidgeTrainer>* sums) {
  pipeline::check_train_options(options);  // before any row is read
  StreamPasses passes(stream, options);
  return pipeline::train_by(passes, options, sums);
}

}  // namespace

TrainedModel train(RowStream& rows, const TrainOptions& options) { return trained(rows, options, nullptr); }
TrainedModel train(RowStream& rows, const TrainOptions& options, std::optional<RidgeTrainer>& sums) {
  return trained(rows, options, &sums);
}

}  // namespace askrff
