// The two ways from features to a linear model.
#include "pipeline/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "askrff/linear.hpp"
#include "askrff/errors.hpp"
#include "core/resources.hpp"
#include "pipeline/training_record.hpp"

namespace askrff::pipeline {
namespace {

/// Share of rows that get their own class.
template <class T>
double training_accuracy(const Design<T>& design, const LinearModel& model, const ClassLabels& labels, const Execution& execution) {
  const std::size_t n_outputs = model.n_outputs();
  Matrix<double> weights(n_outputs, design.n_columns()), outputs(n_outputs, design.rows());
  for (std::size_t k = 0; k < n_outputs; ++k) {
    for (std::size_t f = 0; f < model.n_features(); ++f) weights(k, f) = model.weights(f, k);
    if (design.has_bias()) weights(k, model.n_features()) = model.bias[k];
  }
  design.times(weights, outputs, execution);
  std::size_t n_right = 0;
  std::vector<double> of_row(n_outputs);
  for (std::size_t i = 0; i < design.rows(); ++i) {
    for (std::size_t k = 0; k < n_outputs; ++k) of_row[k] = outputs(k, i);
    n_right += class_of_outputs(of_row) == labels.of_rows[i] ? 1 : 0;
  }
  return static_cast<double>(n_right) / static_cast<double>(design.rows());
}

template <class T>
CrossValidation validated(const TrainOptions& options, const Design<T>& design, const ClassLabels& labels) {
  const auto folds = stratified_folds(labels, options.n_folds, options.seed);
  return cross_validate_svm(design, labels, folds, options.c, {.execution = options.execution});
}

/// Calls use(design) with features of the precision asked for.
template <class Use>
auto with_design(const TrainOptions& options, const Map& map, MatrixView<const double> X, Matrix<double>* given_up, const Use& use) {
  const DesignOptions how{.bias = options.bias, .execution = options.execution};
  const Features features = map.features(options.execution.backend);
  if (options.precision == Precision::float64) return use(Design<double>(features, X, how));
  Matrix<float> storage;
  const Map of_scaled = map.with([](MapContent& content) { content.scaler = {}; });
  const MatrixView<const float> rounded = of_scaled.scaled<float, double>(X, storage);
  if (given_up) *given_up = {};
  return use(Design<float>(features, rounded, how));
}

}  // namespace

void require_memory_for_fit(const TrainOptions& options, std::size_t n_features, const Targets& targets) {
  const std::size_t n_folds = options.c.size() == 1 && options.tuned.empty() ? 1 : options.n_folds;
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

TrainedModel fit_svm_model(const TrainOptions& options, const Map& map, Matrix<double>& X, const ClassLabels& labels) {
  return with_design(options, map, X, &X, [&](const auto& design) {
    TrainedModel model{{.map = map, .linear = {}}, {}};
    TrainingReport& report = model.report;
    double c = options.c[0];
    if (options.c.size() > 1) {
      report.validation = validated(options, design, labels);
      c = report.validation.c[report.validation.best()];
    }
    SvmFit solved = fit_svm(design, labels, c, {.execution = options.execution});
    report.n_rows = design.rows();
    report.class_sizes.assign(labels.n_classes(), 0);
    for (const std::uint32_t k : labels.of_rows) ++report.class_sizes[k];
    report.accuracy = training_accuracy(design, solved.model, labels, options.execution);
    report.objectives = std::move(solved.objectives);
    report.n_iterations = solved.n_iterations;
    model.linear = std::move(solved.model);
    model.classes = labels.names;
    model.precision = options.precision;
    model.training = training_record(Trainer::svm, options.seed, c, report);
    return model;
  });
}

CrossValidation validate_svm(const TrainOptions& options, const Map& map, MatrixView<const double> X, const ClassLabels& labels) {
  return with_design(options, map, X, nullptr, [&](const auto& design) { return validated(options, design, labels); });
}

namespace {

/// As the sums saw them, in double.
template <class T>
Matrix<double> features_of_block(const Map& map, MatrixView<const double> X, const Execution& execution) {
  Matrix<T> storage;
  const Matrix<T> values = map.features(execution.backend).transform(map.scaled<T, double>(X, storage), execution);
  Matrix<double> widened(values.rows(), values.cols());
  std::copy_n(values.data(), values.rows() * values.cols(), widened.data());
  return widened;
}

void leave_one_out(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets, const LeaveOneOut& leave,
                   TrainingReport& report) {
  LabelCoder coder(rows.stream(), targets);
  double squares = 0;
  std::uint64_t n_right = 0, n_rows = 0;
  rows.visit([&](const RowBlock& block) {
    coder.read(block);
    const Matrix<double> values = options.precision == Precision::float32 ? features_of_block<float>(map, block.X, options.execution)
                                                                          : features_of_block<double>(map, block.X, options.execution);
    Matrix<double> Y(block.X.rows(), targets.n_outputs());
    for (std::size_t i = 0; i < Y.rows(); ++i)
      for (std::size_t t = 0; t < Y.cols(); ++t)
        Y(i, t) = targets.task == Task::regression ? coder.numbers()(i, t) : coder.classes()[i] == (Y.cols() == 1 ? 1 : t) ? 1 : -1;
    const Matrix<double> outputs = leave.outputs(values, Y);
    for (std::size_t i = 0; i < outputs.rows(); ++i) {
      for (std::size_t t = 0; t < outputs.cols(); ++t) squares += std::pow(outputs(i, t) - Y(i, t), 2);
      if (targets.task == Task::classification) n_right += class_of_outputs(outputs.row(i)) == coder.classes()[i] ? 1 : 0;
    }
    n_rows += outputs.rows();
  });
  report.loo_rmse = std::sqrt(squares / static_cast<double>(n_rows * targets.n_outputs()));
  if (targets.task == Task::classification) report.loo_accuracy = static_cast<double>(n_right) / static_cast<double>(n_rows);
}

}  // namespace

TrainedModel fit_ridge_model(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets, std::size_t n_folds,
                             std::optional<RidgeTrainer>* kept) {
  if (n_folds > 1) check_folds(n_folds, targets.class_sizes, targets.classes);
  RidgeTrainer trainer(map, {.classes = targets.classes,
                             .n_targets = targets.n_numbers,
                             .n_folds = n_folds,
                             .bias = options.bias,
                             .precision = options.precision,
                             .seed = options.seed,
                             .execution = options.execution});
  LabelCoder coder(rows.stream(), targets);
  rows.visit([&](const RowBlock& block) {
    coder.read(block);
    if (targets.task == Task::classification)
      trainer.add<double>(block.X, coder.classes());
    else
      trainer.add<double>(block.X, coder.numbers());
  });
  std::optional<LeaveOneOut> leave;
  TrainedModel model = trainer.solve(options.c, options.execution, [&](const RidgeSums& sums, const RidgeFit& fit) {
    if (options.leave_one_out) leave.emplace(sums, fit, options.execution);
  });
  if (leave) leave_one_out(options, map, rows, targets, *leave, model.report);
  if (kept) *kept = std::move(trainer);
  return model;
}

}  // namespace askrff::pipeline
