// Values of C one after another, each from the solution of the next smaller; a solution is scored by the first pass for the next.
#include "models/svm_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askrff/errors.hpp"

namespace askrff::models {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

const PassedSvmOptions& checked(const PassedSvmOptions& options) {
  if (options.problems.n_classes < 2)
    throw InvalidArgument("svm", fmt::format("{} classes, expected at least two", options.problems.n_classes));
  if (options.problems.n_folds == 1) throw InvalidArgument("cross-validation: 1 fold, expected none or at least 2");
  if (options.n_columns <= (options.has_bias ? 1U : 0U)) throw InvalidArgument("svm", "no features, expected at least one");
  check_svm_limits(options.tolerance, options.max_iterations);
  return options;
}

}  // namespace

PassedSvm::PassedSvm(const PassedSvmOptions& options, RunSvmPass run)
    : options_(checked(options)), run_(std::move(run)), descent_(options_, [this](const SvmPassTask& task) { return this->run(task); }) {}

/// Runs a pass; rows are scored on the way if a solution waits for that.
SvmPassSums PassedSvm::run(const SvmPassTask& task) {
  options_.execution.stop.check();
  SvmPassSums sums;
  if (to_score_) {
    SvmPassTask with_score = task;
    Solution& solution = solutions_.at(*to_score_);
    with_score.score = solution.stand.weights;
    sums = run_(with_score);
    solution.right = sums.right;
    to_score_.reset();
  } else {
    sums = run_(task);
  }
  ++n_passes_;
  ++passes_for_c_;
  if (options_.execution.progress) {
    // Nobody knows how many passes a value of C takes: some eight.
    const double part = 1 - std::exp(-static_cast<double>(passes_for_c_) / 4);
    options_.execution.progress({is_validating_ ? "cross-validation" : "fit",
                                 std::min(1.0, (static_cast<double>(c_done_) + part) / static_cast<double>(c_wanted_))});
  }
  return sums;
}

void PassedSvm::begin() {
  if (!row_weights_.empty()) return;
  Matrix<double> weights = descent_.begin();
  for (std::size_t k = 0; k < weights.cols(); ++k) {
    double sum = 0;
    for (std::size_t fold = 0; fold < weights.rows(); ++fold) sum += weights(fold, k);
    if (!(sum > 0)) throw InvalidArgument("svm", fmt::format("class {} has no rows, expected at least one", k));
  }
  zero_ = descent_.stand();
  row_weights_ = std::move(weights);
  stands_at_ = 0;
}

double PassedSvm::weight_of_fold(std::size_t fold) const {
  double sum = 0;
  for (const double weight : row_weights_.row(fold)) sum += weight;
  return sum;
}

/// Takes the descent to the solution of the next smaller C, or to 0.
void PassedSvm::start_for(double c, bool with_folds) {
  begin();
  double from = 0;
  for (const auto& [smaller, solution] : solutions_)
    if (smaller < c && (solution.has_folds || !with_folds)) from = smaller;
  if (stands_at_ == from) return;
  descent_.go_to(from == 0 ? zero_ : solutions_.at(from).stand);
}

PassedSvm::Solution& PassedSvm::solved(double c, bool with_folds) {
  const auto found = solutions_.find(c);
  if (found != solutions_.end() && (found->second.has_folds || !with_folds)) return found->second;
  check_largest_c(c, options_.is_float);
  passes_for_c_ = 0;
  start_for(c, with_folds);
  std::vector<std::size_t> problems;
  for (std::size_t p = 0; p < options_.problems.size(); ++p)
    if (with_folds || options_.problems.is_of_all_rows(p)) problems.push_back(p);
  stands_at_ = nowhere;
  const std::size_t n_steps = descent_.solve(c, problems);
  stands_at_ = c;
  return solutions_[c] = Solution{descent_.stand(), with_folds, n_steps, {}};
}

/// Has the solution for this C scored, by a pass of its own if none came by.
void PassedSvm::count_right(double c) {
  if (!solutions_.at(c).right.empty()) return;
  to_score_ = c;
  run({.problems = options_.problems, .has_bias = options_.has_bias, .weights = Matrix<double>(0, options_.n_columns)});
}

CrossValidation PassedSvm::validate(const std::vector<double>& c) {
  const std::size_t n_folds = options_.problems.n_folds;
  if (n_folds == 0) throw InvalidArgument("cross-validation: 0 folds, expected at least 2");
  if (!c.empty()) check_largest_c(checked_c_grid(c).back(), options_.is_float);
  is_validating_ = true;
  begin();
  for (std::size_t fold = 0; fold < n_folds; ++fold)
    if (!(weight_of_fold(fold) > 0)) throw InvalidArgument(fmt::format("cross-validation: fold {} has no rows", fold));
  return search_c(c, options_.is_float ? max_c_of<float> : max_c_of<double>,
                  [this](const std::vector<double>& values, Reach reach) { return scored(values, reach); });
}

CrossValidation PassedSvm::scored(const std::vector<double>& c, Reach reach) {
  const SvmProblems& problems = options_.problems;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  CrossValidation result{c, Matrix<double>(c.size(), problems.n_folds), Score::accuracy, Matrix<double>(c.size(), problems.n_folds)};
  std::size_t n_solved = 0;
  c_wanted_ = c.size();
  for (c_done_ = 0; c_done_ < c.size(); ++c_done_, ++n_solved) {
    try {
      if (solved(c[c_done_], true).right.empty()) to_score_ = c[c_done_];
    } catch (const NumericalError&) {
      if (c_done_ == 0 && reach == Reach::start) throw;
      break;  // larger ones are harder
    }
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (i < n_solved) count_right(c[i]);
    for (std::size_t fold = 0; fold < problems.n_folds; ++fold) {
      result.scores(i, fold) = i < n_solved ? solutions_.at(c[i]).right[fold] / weight_of_fold(fold) : unknown;
      result.objectives(i, fold) = i < n_solved ? 0 : unknown;
      for (std::size_t k = 0; i < n_solved && k < problems.n_outputs(); ++k)
        result.objectives(i, fold) += solutions_.at(c[i]).stand.objective(problems.held_out(k, fold), c[i]);
    }
  }
  return result;
}

/// place: of the problems of every output; 0 is that of all rows.
LinearModel PassedSvm::model_of(const SvmStand& stand, std::size_t place) const {
  const std::size_t n_outputs = options_.problems.n_outputs(), n_features = options_.n_columns - (options_.has_bias ? 1 : 0);
  LinearModel model{Matrix<double>(n_features, n_outputs), std::vector<double>(n_outputs)};
  for (std::size_t k = 0; k < n_outputs; ++k) {
    const std::span<const double> weights = stand.weights.row(options_.problems.all_rows(k) + place);
    for (std::size_t f = 0; f < n_features; ++f) model.weights(f, k) = weights[f];
    if (options_.has_bias) model.bias[k] = weights.back();
  }
  return model;
}

SvmFit PassedSvm::fit(double c) {
  checked_c_grid({c});
  is_validating_ = false;
  c_done_ = 0;
  c_wanted_ = 1;
  const Solution& solution = solved(c, false);
  SvmFit fit{model_of(solution.stand, 0), {}, solution.n_steps};
  for (std::size_t k = 0; k < options_.problems.n_outputs(); ++k)
    fit.objectives.push_back(solution.stand.objective(options_.problems.all_rows(k), c));
  return fit;
}

double PassedSvm::training_accuracy(double c) {
  fit(c);
  count_right(c);
  double all = 0;
  for (std::size_t fold = 0; fold < row_weights_.rows(); ++fold) all += weight_of_fold(fold);
  return solutions_.at(c).right.back() / all;
}

std::vector<LinearModel> PassedSvm::fold_models(double c) {
  checked_c_grid({c});
  if (options_.problems.n_folds == 0) throw InvalidArgument("cross-validation: 0 folds, expected at least 2");
  const Solution& solution = solved(c, true);
  std::vector<LinearModel> models;
  for (std::size_t fold = 0; fold < options_.problems.n_folds; ++fold) models.push_back(model_of(solution.stand, 1 + fold));
  return models;
}

}  // namespace askrff::models
