// Ridge regression on rows that go by: one pass for the sums, one more for leave-one-out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/ridge.hpp"
#include "fitting.hpp"
#include "memory.hpp"
#include "plural.hpp"
#include "messages.hpp"
#include "progress_bar.hpp"
#include "rounding.hpp"

namespace askrff::cli {
namespace {

/// The labels of a block as targets: numbers, or +1 and -1.
class TargetBlock {
 public:
  TargetBlock(const TrainingRows& rows, const Targets& targets) : rows_(rows), targets_(targets), lookup_(targets.classes) {}

  void read(const RowBlock& block) {
    const BlockLabels labels(block);
    const std::size_t n_rows = block.X.rows(), n_outputs = targets_.n_outputs();
    if (values_.rows() < n_rows) values_ = Matrix<double>(n_rows, n_outputs);
    classes_.assign(n_rows, 0);
    for (std::size_t i = 0; i < n_rows; ++i) {
      if (targets_.task == Task::regression) {
        const auto number = labels.number(i);
        if (!number) fail();
        values_(i, 0) = *number;
        continue;
      }
      const auto found = lookup_.find(labels, i);
      if (!found) fail();
      classes_[i] = *found;
      for (std::size_t k = 0; k < n_outputs; ++k) values_(i, k) = *found == (n_outputs == 1 ? 1 : k) ? 1 : -1;
    }
    n_rows_ = n_rows;
  }
  MatrixView<const double> values() const { return values_.view().middle_rows(0, n_rows_); }
  std::uint32_t class_of(std::size_t row) const { return classes_[row]; }

 private:
  [[noreturn]] void fail() const { throw DataError(rows_.source() + ": the labels have changed while they were read"); }

  const TrainingRows& rows_;
  const Targets& targets_;
  ClassLookup lookup_;
  Matrix<double> values_;
  std::vector<std::uint32_t> classes_;
  std::size_t n_rows_ = 0;
};

/// The sums of every fold and, while they are solved, their total, what is left of it without a fold, and its factor.
void require_memory_for_sums(const TrainOptions& options, std::size_t n_features, std::size_t n_folds) {
  const double p = static_cast<double>(n_features), n_matrices = static_cast<double>(n_folds + 3);
  const std::string fewer = options.linear() ? "fewer columns" : options.stored_map() ? "a smaller map" : "fewer --frequencies";
  require_memory(n_matrices * p * p * sizeof(double),
                 fmt::format("--model ridge: the sums over {} for {}", counted(n_features, "feature"), counted(n_folds, "fold")),
                 n_folds > 2 ? "use " + fewer + " or --folds" : "use " + fewer);
}

template <class T>
RidgeMoments accumulate(const TrainOptions& options, const Preparation& preparation, TrainingRows& rows, const Targets& targets) {
  const std::size_t n_folds = options.c ? 1 : options.n_folds;
  require_memory_for_sums(options, preparation.n_features(), n_folds);
  RidgeSums<T> sums(preparation.features(), targets.n_outputs(), n_folds, options.execution);
  TargetBlock target(rows, targets);
  FoldDealer dealer(options.n_folds, options.draw.values.seed);
  std::vector<std::uint32_t> folds;
  Matrix<T> rounded;
  rows.visit([&](const RowBlock& block) {
    target.read(block);
    folds.resize(n_folds > 1 ? block.X.rows() : 0);
    for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = dealer.next(target.class_of(i));
    sums.add(round_rows<T>(block.X, rounded), target.values(), folds);
  });
  return sums.finish();
}

template <class T>
void leave_one_out(const TrainOptions& options, const Preparation& preparation, TrainingRows& rows, const Targets& targets,
                   const LeaveOneOut& leave, Fitted& fitted) {
  const Features features = preparation.features();
  TargetBlock target(rows, targets);
  Matrix<T> rounded;
  double squares = 0;
  std::size_t n_right = 0, n_rows = 0;
  rows.visit([&](const RowBlock& block) {
    target.read(block);
    const Matrix<T> values = features.transform(round_rows<T>(block.X, rounded), options.execution);
    Matrix<double> widened(values.rows(), values.cols());
    std::copy_n(values.data(), values.rows() * values.cols(), widened.data());
    const Matrix<double> outputs = leave.outputs(widened, target.values());
    for (std::size_t i = 0; i < outputs.rows(); ++i) {
      for (std::size_t t = 0; t < outputs.cols(); ++t) squares += std::pow(outputs(i, t) - target.values()(i, t), 2);
      n_right += class_of_outputs(outputs.row(i)) == target.class_of(i) ? 1 : 0;
    }
    n_rows += outputs.rows();
  });
  fitted.loo_rmse = std::sqrt(squares / static_cast<double>(n_rows * targets.n_outputs()));
  if (targets.task == Task::classification) fitted.loo_accuracy = static_cast<double>(n_right) / static_cast<double>(n_rows);
}

template <class T>
Fitted fit(const TrainOptions& options, const Preparation& preparation, TrainingRows& rows, const Targets& targets) {
  const RidgeMoments moments = accumulate<T>(options, preparation, rows, targets);
  RidgeOptions how;
  how.c = options.c ? std::vector<double>{*options.c} : options.c_grid;
  how.bias = options.bias();
  how.execution = options.execution;
  how.execution.progress = stages_on_a_bar();
  RidgeFit solved = solve_ridge(moments, how);
  Fitted fitted;
  fitted.c = solved.c;
  fitted.rmse = std::sqrt(solved.training_error);
  if (solved.training_error < solved.resolution)
    print_warning(
        fmt::format("root mean squared errors below {:.1g} are rounding here; askrff predict on the same rows shows the true one{}",
                    std::sqrt(solved.resolution), options.precision == Precision::float32 ? ", --precision float64 is finer" : ""));
  if (options.leave_one_out) leave_one_out<T>(options, preparation, rows, targets, LeaveOneOut(moments, solved, options.execution), fitted);
  fitted.validation = std::move(solved.validation);
  fitted.linear = std::move(solved.model);
  return fitted;
}

}  // namespace

Fitted fit_least_squares(const TrainOptions& options, const Preparation& preparation, TrainingRows& rows, const Targets& targets) {
  if (!options.c) check_folds(options.n_folds, targets.class_sizes, targets.classes);
  return options.precision == Precision::float64 ? fit<double>(options, preparation, rows, targets)
                                                 : fit<float>(options, preparation, rows, targets);
}

}  // namespace askrff::cli
