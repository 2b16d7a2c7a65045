// Fits the linear model of `askrff train` on prepared rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "askrff/cross_validation.hpp"
#include "askrff/model.hpp"
#include "train_options.hpp"
#include "training_rows.hpp"

namespace askrff::cli {

/// What a trainer found.
struct Fitted {
  LinearModel linear;
  double c = 0;
  CrossValidation validation;          ///< empty if C was given
  std::vector<double> objectives;      ///< svm: one per output
  std::optional<double> accuracy;      ///< on the training rows
  std::optional<double> rmse;          ///< on the training rows, of the ±1 targets for classes
  std::optional<double> loo_accuracy;  ///< exact leave-one-out
  std::optional<double> loo_rmse;
};

/// X: scaled rows.
Fitted fit_classifier(const TrainOptions& options, const Preparation& preparation, MatrixView<const double> X, const ClassLabels& labels);

/// The cross-validation of it alone.
CrossValidation validate_classifier(const TrainOptions& options, const Preparation& preparation, MatrixView<const double> X,
                                    const ClassLabels& labels);

/// What the outputs of a ridge model stand for.
struct Targets {
  Task task = Task::regression;
  std::vector<std::string> classes;        ///< empty for regression
  std::vector<std::uint64_t> class_sizes;  ///< rows of each; for regression one number, all rows

  std::size_t n_outputs() const { return classes.size() <= 2 ? 1 : classes.size(); }
};

/// Goes through the scaled rows once, or twice for leave-one-out.
Fitted fit_least_squares(const TrainOptions& options, const Preparation& preparation, TrainingRows& rows, const Targets& targets);

}  // namespace askrff::cli
