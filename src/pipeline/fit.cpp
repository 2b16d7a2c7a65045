// The two ways from features to a linear model.
#include "pipeline/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "askrff/linear.hpp"
#include "askrff/errors.hpp"
#include "askrff/grid_ridge.hpp"
#include "core/resources.hpp"
#include "pipeline/grid_reach.hpp"
#include "pipeline/held_out_outputs.hpp"
#include "pipeline/scaled_rows.hpp"
#include "pipeline/training_record.hpp"

namespace askrff::pipeline {
namespace {

/// Share of rows that get their own class, by their weights.
template <class T>
double training_accuracy(const Design<T>& design, const LinearModel& model, const SvmLabels& labels, const Execution& execution) {
  const std::size_t n_outputs = model.n_outputs();
  Matrix<double> weights(n_outputs, design.n_columns()), outputs(n_outputs, design.rows());
  for (std::size_t k = 0; k < n_outputs; ++k) {
    for (std::size_t f = 0; f < model.n_features(); ++f) weights(k, f) = model.weights(f, k);
    if (design.has_bias()) weights(k, model.n_features()) = model.bias[k];
  }
  design.times(weights, outputs, execution);
  double right = 0, all = 0;
  std::vector<double> of_row(n_outputs);
  for (std::size_t i = 0; i < design.rows(); ++i) {
    for (std::size_t k = 0; k < n_outputs; ++k) of_row[k] = outputs(k, i);
    const double weight = labels.weights.empty() ? 1 : labels.weights[i];
    right += class_of_outputs(of_row) == labels.classes.of_rows[i] ? weight : 0;
    all += weight;
  }
  return right / all;
}

SvmOptions solver_options(const TrainOptions& options, const SvmLabels& labels) {
  return {.row_weights = labels.weights, .execution = options.execution};
}

template <class T>
CrossValidation validated(const TrainOptions& options, const Design<T>& design, const SvmLabels& labels) {
  const auto folds = stratified_folds(labels.classes, options.n_folds, options.seed);
  return cross_validate_svm(design, labels.classes, folds, options.c, solver_options(options, labels));
}

/// By the folds of the cross-validation, fitted once more for the C it chose. Nothing if that fails where a path over C did not.
template <class T>
std::optional<OutputScale> svm_output_scale(const TrainOptions& options, const Design<T>& design, const SvmLabels& labels, double c) {
  try {
    const auto folds = stratified_folds(labels.classes, options.n_folds, options.seed);
    const Matrix<double> outputs = held_out_outputs(design, labels.classes, folds, c, solver_options(options, labels));
    return fit_output_scale(outputs, labels.classes.of_rows, labels.weights);
  } catch (const NumericalError&) {
    return std::nullopt;
  }
}

/// Calls use(design) with features of the precision asked for.
template <class Use>
auto with_design(const TrainOptions& options, const Map& map, const RowsView<double>& X, RowsMatrix<double>* given_up, const Use& use) {
  const DesignOptions how{.bias = options.bias, .execution = options.execution};
  const Features features = map.features(options.execution.backend);
  if (options.precision == Precision::float64) return use(Design<double>(features, X, how));
  RoundedRows<float> storage;
  const Map of_scaled = map.with([](MapContent& content) { content.scaler = {}; });
  const RowsView<float> rounded = storage.scaled(of_scaled, X);
  if (given_up && !X.is_sparse()) *given_up = {};  // of sparse rows the places stay those of X
  return use(Design<float>(features, rounded, how));
}

}  // namespace

void require_memory_for_fit(const TrainOptions& options, std::size_t n_features, const Targets& targets) {
  const std::size_t n_folds = !chooses_c(options) && options.tuned.empty() ? 1 : options.n_folds;
  const double p = static_cast<double>(n_features);
  const std::string advice = "use fewer frequencies, columns or folds";
  if (options.trainer == Trainer::ridge) {
    // The sums of every fold and, while they are solved, their total, what is left of it without a fold, and its factor.
    const double n_matrices = static_cast<double>(n_folds + 3);
    return require_memory(n_matrices * p * p * sizeof(double), "train",
                          fmt::format("the sums over {} features for {} folds", n_features, n_folds), advice);
  }
  // Weights, directions and gradients of all folds and classes at once.
  constexpr double vectors_of_each = 4;
  const double n_fits = static_cast<double>(n_folds * targets.n_outputs());
  require_memory(n_fits * vectors_of_each * p * sizeof(double), "train",
                 fmt::format("the weights of {} features for {} classes", n_features, targets.classes.size()), advice);
}

void require_memory_for_fit(const TrainOptions& options, const Map& map, const Targets& targets, bool all_products) {
  if (options.trainer != Trainer::ridge || all_products) return require_memory_for_fit(options, map.n_features(), targets);
  const std::size_t n_folds = !chooses_c(options) && options.tuned.empty() ? 1 : options.n_folds;
  require_memory(GridRidge::n_bytes(*map.atoms()->grid(), targets.n_outputs(), n_folds), "train",
                 fmt::format("the sums on a grid of {} frequencies for {} folds", map.n_frequencies(), n_folds),
                 "use a larger tolerance, fewer folds or a single C");
}

bool can_sum_on_grid(const Map& map, const ColumnRange& box) {
  if (!is_on_grid(map)) return false;
  for (std::size_t k = 0; k < box.lowest.size(); ++k)
    if (!(box.highest[k] - box.lowest[k] <= map.atoms()->grid()->extent[k])) return false;
  return true;
}

TrainedModel svm_model(const TrainOptions& options, const Map& map, const std::vector<std::string>& classes, SvmFit fit, double c,
                       TrainingReport report) {
  TrainedModel model{{.map = map, .linear = std::move(fit.model)}, std::move(report)};
  for (const std::uint64_t n : model.report.class_sizes) model.report.n_rows += n;
  model.report.objectives = std::move(fit.objectives);
  model.report.n_iterations = fit.n_iterations;
  if (chooses_c(options)) warn_of_c(model.report, options.c.empty());
  model.classes = classes;
  model.precision = options.precision;
  model.training = training_record(Trainer::svm, options.seed, c, model.report);
  return model;
}

TrainedModel fit_svm_model(const TrainOptions& options, const Map& map, RowsMatrix<double>& X, const SvmLabels& labels) {
  return with_design(options, map, X, &X, [&](const auto& design) {
    TrainingReport report;
    if (chooses_c(options)) report.validation = validated(options, design, labels);
    const double c = chooses_c(options) ? report.validation.c[report.validation.best()] : options.c[0];
    SvmFit solved = fit_svm(design, labels.classes, c, solver_options(options, labels));
    std::optional<OutputScale> scale;
    if (chooses_c(options) && options.probabilities) scale = svm_output_scale(options, design, labels, c);
    report.class_sizes.assign(labels.classes.n_classes(), 0);
    for (const std::uint32_t k : labels.classes.of_rows) ++report.class_sizes[k];
    report.accuracy = training_accuracy(design, solved.model, labels, options.execution);
    TrainedModel model = svm_model(options, map, labels.classes.names, std::move(solved), c, std::move(report));
    model.output_scale = scale;
    return model;
  });
}

CrossValidation validate_svm(const TrainOptions& options, const Map& map, const RowsView<double>& X, const SvmLabels& labels) {
  return with_design(options, map, X, nullptr, [&](const auto& design) { return validated(options, design, labels); });
}

namespace {

/// As the sums saw them, in double.
template <class T>
Matrix<double> features_of_block(const Map& map, const RowsView<double>& X, const Execution& execution) {
  RoundedRows<T> storage;
  const Features features = map.features(execution.backend);
  Matrix<T> values(X.rows(), features.n_features());
  storage.scaled(map, X).visit([&](const auto& of_kind) { features.transform(of_kind, values.view(), execution); });
  Matrix<double> widened(values.rows(), values.cols());
  std::copy_n(values.data(), values.rows() * values.cols(), widened.data());
  return widened;
}

void leave_one_out(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets, const LeaveOneOut& leave,
                   TrainingReport& report) {
  LabelCoder coder(rows.stream(), targets);
  double squares = 0, right = 0, all = 0;
  rows.visit([&](const RowBlock& block) {
    coder.read(block);
    const Matrix<double> values = options.precision == Precision::float32 ? features_of_block<float>(map, block.X, options.execution)
                                                                          : features_of_block<double>(map, block.X, options.execution);
    Matrix<double> Y(block.X.rows(), targets.n_outputs());
    for (std::size_t i = 0; i < Y.rows(); ++i)
      for (std::size_t t = 0; t < Y.cols(); ++t)
        Y(i, t) = targets.task == Task::regression ? coder.numbers()(i, t) : coder.classes()[i] == (Y.cols() == 1 ? 1 : t) ? 1 : -1;
    const Matrix<double> outputs = leave.outputs(values, Y, coder.weights());
    for (std::size_t i = 0; i < outputs.rows(); ++i) {
      const double weight = coder.weights().empty() ? 1 : coder.weights()[i];
      for (std::size_t t = 0; t < outputs.cols(); ++t) squares += weight * std::pow(outputs(i, t) - Y(i, t), 2);
      if (targets.task == Task::classification) right += class_of_outputs(outputs.row(i)) == coder.classes()[i] ? weight : 0;
      all += weight;
    }
  });
  report.loo_rmse = std::sqrt(squares / all / static_cast<double>(targets.n_outputs()));
  if (targets.task == Task::classification) report.loo_accuracy = right / all;
}

OutputScale ridge_output_scale(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets,
                               std::uint64_t n_rows, std::vector<LinearModel> models) {
  LabelCoder coder(rows.stream(), targets);
  HeldOutPass pass(map, std::move(models), options.precision, options.seed, held_out_step(n_rows, targets.n_outputs()),
                   std::vector<std::uint64_t>(targets.classes.size()));
  rows.visit([&](const RowBlock& block) {
    coder.read(block);
    pass.add(block.X, coder.classes(), coder.weights(), options.execution);
  });
  return pass.result().scale();
}

}  // namespace

RidgeTrainer ridge_trainer(const TrainOptions& options, const Map& map, const Targets& targets, std::size_t n_folds, bool all_products) {
  if (n_folds > 1) check_folds(n_folds, targets.class_sizes, targets.classes);
  return RidgeTrainer(map, {.classes = targets.classes,
                            .n_targets = targets.n_numbers,
                            .n_folds = n_folds,
                            .bias = options.bias,
                            .precision = options.precision,
                            .all_products = all_products,
                            .seed = options.seed,
                            .execution = options.execution});
}

void add_to(RidgeTrainer& trainer, const RowsView<double>& X, const LabelCoder& labels) {
  if (trainer.options().classes.empty())
    trainer.add<double>(X, labels.numbers(), labels.weights());
  else
    trainer.add<double>(X, labels.classes(), labels.weights());
}

RidgeModelPasses passes_over(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets) {
  return {.output_scale =
              [&](std::uint64_t n_rows, std::vector<LinearModel> models) {
                return ridge_output_scale(options, map, rows, targets, n_rows, std::move(models));
              },
          .leave_one_out = [&](const LeaveOneOut& leave,
                               TrainingReport& report) { leave_one_out(options, map, rows, targets, leave, report); }};
}

TrainedModel solve_ridge_model(const TrainOptions& options, RidgeTrainer& trainer, const RidgeModelPasses& passes) {
  std::optional<LeaveOneOut> leave;
  std::vector<LinearModel> models_of_folds;
  TrainedModel model =
      trainer.solve(options.c, options.execution,
                    {.leave_one_out = options.leave_one_out ? &leave : nullptr,
                     .models_of_folds = options.probabilities && !trainer.options().classes.empty() ? &models_of_folds : nullptr});
  if (!models_of_folds.empty()) model.output_scale = passes.output_scale(model.report.n_rows, std::move(models_of_folds));
  if (leave) passes.leave_one_out(*leave, model.report);
  return model;
}

TrainedModel fit_ridge_model(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets, std::size_t n_folds,
                             bool all_products, std::optional<RidgeTrainer>* kept) {
  RidgeTrainer trainer = ridge_trainer(options, map, targets, n_folds, all_products);
  LabelCoder coder(rows.stream(), targets);
  rows.visit([&](const RowBlock& block) {
    coder.read(block);
    add_to(trainer, block.X, coder);
  });
  TrainedModel model = solve_ridge_model(options, trainer, passes_over(options, map, rows, targets));
  if (kept) *kept = std::move(trainer);
  return model;
}

}  // namespace askrff::pipeline
