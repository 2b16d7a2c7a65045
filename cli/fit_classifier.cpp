// The SVM on rows in memory: design, cross-validation, fit.
#include <fmt/format.h>

#include <algorithm>

#include "askrff/design.hpp"
#include "askrff/svm.hpp"
#include "fitting.hpp"
#include "memory.hpp"
#include "plural.hpp"
#include "progress_bar.hpp"
#include "rounding.hpp"

namespace askrff::cli {
namespace {

/// shown: on a bar of its own.
SvmOptions solver_options(const TrainOptions& options, bool shown) {
  SvmOptions solver;
  solver.solver = options.solver;
  solver.execution = options.execution;
  if (shown) solver.execution.progress = stages_on_a_bar();
  return solver;
}

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
CrossValidation validated(const TrainOptions& options, const Design<T>& design, const ClassLabels& labels, bool shown) {
  const auto folds = stratified_folds(labels, options.n_folds, options.draw.values.seed);
  return cross_validate_svm(design, labels, folds, options.c_grid, solver_options(options, shown));
}

template <class T>
Fitted fit(const TrainOptions& options, const Design<T>& design, const ClassLabels& labels) {
  Fitted fitted;
  if (options.c) {
    fitted.c = *options.c;
  } else {
    fitted.validation = validated(options, design, labels, true);
    fitted.c = fitted.validation.c[fitted.validation.best()];
  }
  SvmFit solved = fit_svm(design, labels, fitted.c, solver_options(options, true));
  fitted.accuracy = training_accuracy(design, solved.model, labels, options.execution);
  fitted.linear = std::move(solved.model);
  fitted.objectives = std::move(solved.objectives);
  return fitted;
}

/// Weights, directions and gradients of all folds and classes at once.
void require_memory_for_fits(const TrainOptions& options, std::size_t n_features, std::size_t n_classes) {
  const double n_fits = static_cast<double>((options.c ? 1 : options.n_folds) * (n_classes <= 2 ? 1 : n_classes)), vectors_of_each = 4;
  require_memory(
      n_fits * vectors_of_each * static_cast<double>(n_features) * sizeof(double),
      fmt::format("--model svm: the weights of {} for {}", counted(n_features, "feature"), counted(n_classes, "class", "classes")),
      options.linear() ? "use fewer columns" : "use fewer --frequencies");
}

/// Calls use(design) with features of the precision asked for.
template <class Use>
auto with_design(const TrainOptions& options, const Preparation& preparation, MatrixView<const double> X, const Use& use) {
  const DesignOptions how{.bias = options.bias(), .execution = options.execution};
  if (options.precision == Precision::float64) return use(Design<double>(preparation.features(), X, how));
  Matrix<float> rounded;
  return use(Design<float>(preparation.features(), round_rows<float>(X, rounded), how));
}

}  // namespace

Fitted fit_classifier(const TrainOptions& options, const Preparation& preparation, MatrixView<const double> X, const ClassLabels& labels) {
  require_memory_for_fits(options, preparation.n_features(), labels.n_classes());
  return with_design(options, preparation, X, [&](const auto& design) { return fit(options, design, labels); });
}

CrossValidation validate_classifier(const TrainOptions& options, const Preparation& preparation, MatrixView<const double> X,
                                    const ClassLabels& labels) {
  require_memory_for_fits(options, preparation.n_features(), labels.n_classes());
  return with_design(options, preparation, X, [&](const auto& design) { return validated(options, design, labels, false); });
}

}  // namespace askrff::cli
