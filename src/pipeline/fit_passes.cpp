// The support vector machine of rows that are not kept: every step is a pass over them, on features that are made anew.
#include <optional>
#include <utility>
#include <vector>

#include "models/svm_passes.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/scaled_rows.hpp"

namespace askrff::pipeline {
namespace {

/// With features of type T.
template <class T>
models::SvmPassSums svm_sums_of(const models::SvmPassTask& task, const TrainOptions& options, const Map& map, TrainingRows& rows,
                                const Targets& targets) {
  models::SvmPass<T> pass(map.features(options.execution.backend), task, options.execution);
  std::optional<FoldDealer> dealer;
  if (task.problems.n_folds > 0) dealer.emplace(task.problems.n_folds, options.seed);
  LabelCoder coder(rows.stream(), targets);
  RoundedRows<T> storage;
  std::vector<std::uint32_t> folds;
  rows.visit([&](const RowBlock& block) {
    coder.read(block);
    folds.clear();
    for (std::size_t i = 0; dealer && i < coder.classes().size(); ++i) folds.push_back(dealer->next(coder.classes()[i]));
    pass.add(storage.scaled(map, block.X), coder.classes(), folds, coder.weights());
  });
  return pass.finish();
}

/// Whether some row counts more than another.
bool has_weights(const Targets& targets) {
  if (!targets.class_weights.empty()) return true;
  for (std::size_t k = 0; k < targets.class_sizes.size(); ++k)
    if (targets.class_totals[k] != static_cast<double>(targets.class_sizes[k])) return true;
  return false;
}

}  // namespace

TrainedModel fit_svm_in_passes(const TrainOptions& options, const Map& map, TrainingRows& rows, const Targets& targets) {
  const auto sums = [&](const models::SvmPassTask& task) {
    return options.precision == Precision::float32 ? svm_sums_of<float>(task, options, map, rows, targets)
                                                   : svm_sums_of<double>(task, options, map, rows, targets);
  };
  return solve_svm_model(options, map, targets, {sums, passes_over(options, map, rows, targets).output_scale});
}

TrainedModel solve_svm_model(const TrainOptions& options, const Map& map, const Targets& targets, const SvmModelPasses& passes) {
  const bool chooses = chooses_c(options);
  const models::PassedSvmOptions how{.problems = {targets.classes.size(), chooses ? options.n_folds : 0},
                                     .n_columns = map.n_features() + (options.bias ? 1 : 0),
                                     .has_bias = options.bias,
                                     .is_float = options.precision == Precision::float32,
                                     .has_weights = has_weights(targets),
                                     .execution = options.execution};
  models::PassedSvm svm(how, passes.sums);
  TrainingReport report;
  if (chooses) report.validation = svm.validate(options.c);
  const double c = chooses ? report.validation.c[report.validation.best()] : options.c[0];
  SvmFit solved = svm.fit(c);
  report.accuracy = svm.training_accuracy(c);
  report.class_sizes = targets.class_sizes;
  report.n_passes = svm.n_passes();
  TrainedModel model = svm_model(options, map, targets.classes, std::move(solved), c, std::move(report));
  if (chooses && options.probabilities) model.output_scale = passes.output_scale(model.report.n_rows, svm.fold_models(c));
  return model;
}

}  // namespace askrff::pipeline
