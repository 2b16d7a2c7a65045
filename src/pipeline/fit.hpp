// Fits a linear model on the features of a map: the support vector machine on rows in memory, ridge regression on rows that go by.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "askrff/train.hpp"
#include "models/svm_passes.hpp"
#include "pipeline/labels.hpp"
#include "pipeline/training_rows.hpp"

namespace askrff::pipeline {

/// Throws InvalidArgument if what a fit on so many features holds does not fit into memory.
void require_memory_for_fit(const TrainOptions& options, std::size_t n_features, const Targets& targets);
/// The same of the features of a map. all_products: RidgeTrainerOptions.
void require_memory_for_fit(const TrainOptions& options, const Map& map, const Targets& targets, bool all_products);

/// Whether ridge regression on the map's features can be summed on a grid: frequencies are one, made for scaled rows within the box.
bool can_sum_on_grid(const Map& map, const ColumnRange& box);

/// Classes of rows in memory, and what every row counts; no weights: all 1.
struct SvmLabels {
  ClassLabels classes;
  std::vector<double> weights;
};

/// X: scaled rows, which the map's scaler has been applied to. It is given up if features are float.
TrainedModel fit_svm_model(const TrainOptions& options, const Map& map, RowsMatrix<double>& X, const SvmLabels& labels);
/// The cross-validation of it alone.
CrossValidation validate_svm(const TrainOptions& options, const Map& map, const RowsView<double>& X, const SvmLabels& labels);

/// The same model, to the tolerance of both, of raw rows that are gone through again for every step (models/svm_passes.hpp). The folds are
/// the same; the same bits for any blocks and threads.
TrainedModel fit_svm_in_passes(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets);

/// How whoever has the rows carries out the passes of a support vector machine; output_scale is called only where it was asked for.
struct SvmModelPasses {
  models::RunSvmPass sums;
  std::function<OutputScale(std::uint64_t n_rows, std::vector<LinearModel> models_of_folds)> output_scale;
};
/// The same of rows that lie anywhere.
TrainedModel solve_svm_model(const TrainOptions& options, const Map& map, const Targets& targets, const SvmModelPasses& passes);

/// A model of what was solved for one C; `report` has the validation, the sizes of classes and the accuracy.
TrainedModel svm_model(const TrainOptions& options, const Map& map, const std::vector<std::string>& classes, SvmFit fit, double c,
                       TrainingReport report);

/// A trainer for all rows or, by its part(), for some. Throws as check_folds.
RidgeTrainer ridge_trainer(const TrainOptions& options, const Map& map, const Targets& targets, std::size_t n_folds, bool all_products);
/// Adds raw rows whose labels have been read.
void add_to(RidgeTrainer& trainer, const RowsView<double>& X, const LabelCoder& labels);

/// What a ridge model needs of its rows once they are summed; called only where it was asked for.
struct RidgeModelPasses {
  std::function<OutputScale(std::uint64_t n_rows, std::vector<LinearModel> models_of_folds)> output_scale;
  std::function<void(const LeaveOneOut&, TrainingReport&)> leave_one_out;
};
/// By going through all rows again. All four must outlive it.
RidgeModelPasses passes_over(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets);
/// The model of sums over all rows.
TrainedModel solve_ridge_model(const TrainOptions& options, RidgeTrainer& trainer, const RidgeModelPasses& passes);

/// Goes through the raw rows once, and once more each for leave-one-out and for probabilities of classes. n_folds = 1: no cross-validation,
/// one C. kept: gets the trainer, unless it is null.
TrainedModel fit_ridge_model(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets, std::size_t n_folds,
                             bool all_products, std::optional<RidgeTrainer>* kept = nullptr);

/// Whether the number of features is found by comparing models.
inline bool finds_size(const TrainOptions& options) { return options.features.tolerance && !options.features.has_grid_tolerance(); }

/// Whether C is chosen, not given.
inline bool chooses_c(const TrainOptions& options) { return options.c.size() != 1; }

/// The map whose side models see: the classifier's features of Jordan parts, else the left ones.
Map model_side(Map map);

/// The map for the features of scaled rows like the survey's sample, and how its parameters were tuned and its size was found. Its scaler
/// is the survey's.
Map fitted_map(const TrainOptions& options, const Survey& survey, const Targets& targets, const RowStream& stream,
               std::optional<Tuning>& tuning, std::optional<SizeSearch>& sizes);

}  // namespace askrff::pipeline
