// fit_svm and cross_validate_svm: problems out of classes and folds, in batches that fit into memory.
#include "askrff/linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "models/c_search.hpp"
#include "models/svm_batch.hpp"

namespace askrff {
namespace models {

void check_svm_limits(double tolerance, std::size_t max_iterations) {
  if (!(tolerance > 0) || tolerance >= 1)
    throw InvalidArgument("svm", fmt::format("a tolerance of {}, expected a number in (0,1)", tolerance));
  if (max_iterations == 0) throw InvalidArgument("svm", "0 iterations, expected at least one");
}

void check_largest_c(double c, bool is_float) {
  if (is_float && c > max_c_of<float>)
    throw InvalidArgument(
        "svm", fmt::format("C = {} is more than features in float32 can tell apart, expected at most {}, or float64", c, max_c_of<float>));
}

}  // namespace models

namespace {

using models::BinaryProblem;
using models::LabelledRows;
using models::max_c_of;
using models::Reach;

void check_weights(std::size_t n_rows, std::span<const double> weights) {
  if (weights.empty()) return;
  if (weights.size() != n_rows)
    throw InvalidArgument("svm", fmt::format("{} weights for {} rows, expected one per row", weights.size(), n_rows));
  for (std::size_t i = 0; i < n_rows; ++i)
    if (!(weights[i] >= 0 && std::isfinite(weights[i])))
      throw InvalidArgument("svm", fmt::format("row {} has the weight {}, expected a finite number of at least 0", i, weights[i]));
}

double weight_of(std::span<const double> weights, std::size_t row) { return weights.empty() ? 1 : weights[row]; }

void check_labels(std::size_t n_rows, const ClassLabels& labels, std::span<const double> weights = {}) {
  check_weights(n_rows, weights);
  if (labels.of_rows.size() != n_rows)
    throw InvalidArgument("svm", fmt::format("{} labels for {} rows, expected one per row", labels.of_rows.size(), n_rows));
  if (labels.n_classes() < 2)
    throw InvalidArgument("svm", fmt::format("{} class{} among the labels, expected at least two", labels.n_classes(),
                                             labels.n_classes() == 1 ? " (" + labels.names[0] + ")" : "es"));
  std::vector<std::size_t> counts(labels.n_classes());
  for (const std::uint32_t label : labels.of_rows) {
    if (label >= counts.size()) throw InvalidArgument("svm", fmt::format("label {} of {} classes", label, counts.size()));
    ++counts[label];
  }
  std::vector<double> sums(labels.n_classes());
  for (std::size_t i = 0; i < n_rows; ++i) sums[labels.of_rows[i]] += weight_of(weights, i);
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (!(sums[k] > 0))
      throw InvalidArgument("svm", fmt::format("class {} has no rows{}, expected at least one", labels.names[k],
                                               counts[k] > 0 ? " of a weight above 0" : ""));
}

/// The outputs of a model: the second class against the first, or every class against the rest.
std::vector<std::uint32_t> positives(const ClassLabels& labels) {
  if (labels.n_classes() == 2) return {1};
  std::vector<std::uint32_t> all(labels.n_classes());
  for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
  return all;
}

/// What solve tells whoever asked: for every C in increasing order, then for every problem.
struct Solved {
  std::size_t c = 0, problem = 0, n_steps = 0;
  double objective = 0;
  std::span<const double> weights, outputs;  ///< outputs of all rows
};

void report(const SvmOptions& options, std::span<const BinaryProblem> problems, double done) {
  const bool validates = problems.front().held_out != models::no_fold;
  if (options.execution.progress) options.execution.progress({validates ? "cross-validation" : "fit", done});
}

/// fail(i, error) hears of a value of C that cannot be solved for. weights: what to begin from, problems × columns, unless it is empty; at
/// the end what the largest C gave. May be null.
template <class T, class Tell, class Fail>
void solve(const Design<T>& design, const LabelledRows& rows, std::span<const BinaryProblem> problems, std::span<const double> c,
           const SvmOptions& options, Matrix<double>* weights, const Tell& tell, const Fail& fail) {
  models::check_svm_limits(options.tolerance, options.max_iterations);
  models::check_largest_c(c.back(), std::is_same_v<T, float>);
  const std::uint64_t bytes = models::SvmBatch<T>::bytes_per_problem(design, options);
  const std::size_t at_once = std::clamp<std::uint64_t>(options.max_memory / bytes, 1, problems.size());
  const bool goes_on = weights && !weights->empty();
  if (weights && !goes_on) *weights = Matrix<double>(problems.size(), design.n_columns());
  for (std::size_t first = 0; first < problems.size(); first += at_once) {
    const std::size_t count = std::min(at_once, problems.size() - first);
    models::SvmBatch<T> batch(design, rows, problems.subspan(first, count), options);
    if (goes_on) batch.start_from(weights->view().middle_rows(first, count));
    for (std::size_t i = 0; i < c.size(); ++i) {
      std::size_t n_steps = 0;
      try {
        n_steps = batch.solve(c[i]);
      } catch (const NumericalError& error) {
        fail(i, error);
        break;  // larger ones are harder
      }
      for (std::size_t p = 0; p < count; ++p) {
        tell(Solved{i, first + p, n_steps, batch.objective(p), batch.state().weights.row(p), batch.state().outputs.row(p)});
        if (weights) std::ranges::copy(batch.state().weights.row(p), weights->row(first + p).begin());
      }
      const double done =
          static_cast<double>(first) + static_cast<double>(count) * static_cast<double>(i + 1) / static_cast<double>(c.size());
      report(options, problems, done / static_cast<double>(problems.size()));
    }
  }
}

/// The class every held-out row is taken for, for each value of C; classes come in increasing order.
class Votes {
 public:
  Votes(std::size_t n_c, std::size_t n_rows, bool two_classes)
      : two_classes_(two_classes), best_(two_classes ? 0 : n_c, n_rows), taken_for_(n_c, std::vector<std::uint32_t>(n_rows)) {}

  void add(std::size_t c, std::size_t row, std::uint32_t positive, double output) {
    std::uint32_t& taken = taken_for_[c][row];
    if (two_classes_) {
      taken = output > 0 ? 1 : 0;
    } else if (positive == 0 || output > best_(c, row)) {
      best_(c, row) = output;
      taken = positive;
    }
  }
  bool is_right(std::size_t c, std::size_t row, std::uint32_t label) const { return taken_for_[c][row] == label; }

 private:
  bool two_classes_;
  Matrix<double> best_;
  std::vector<std::vector<std::uint32_t>> taken_for_;
};

/// Throws std::invalid_argument unless there are at least two folds, none of them empty.
std::vector<std::vector<std::uint32_t>> rows_of_folds(std::size_t n_rows, std::span<const std::uint32_t> folds,
                                                      std::span<const double> weights) {
  if (folds.size() != n_rows)
    throw InvalidArgument(fmt::format("cross-validation: {} folds for {} rows, expected one per row", folds.size(), n_rows));
  const std::uint64_t n_folds = std::uint64_t{*std::ranges::max_element(folds)} + 1;
  if (n_folds < 2 || n_folds > n_rows)
    throw InvalidArgument(fmt::format("cross-validation: {} folds of {} rows, expected 2 to as many as there are rows", n_folds, n_rows));
  std::vector<std::vector<std::uint32_t>> rows_of(n_folds);
  for (std::uint32_t i = 0; i < n_rows; ++i)
    if (weight_of(weights, i) > 0) rows_of[folds[i]].push_back(i);
  for (std::size_t fold = 0; fold < n_folds; ++fold)
    if (rows_of[fold].empty()) throw InvalidArgument(fmt::format("cross-validation: fold {} has no rows", fold));
  return rows_of;
}

/// The problems of a cross-validation and what they say of values of C.
template <class T>
class SvmFolds {
 public:
  SvmFolds(const Design<T>& design, const ClassLabels& labels, std::span<const std::uint32_t> folds, const SvmOptions& options)
      : design_(design), labels_(labels), rows_{labels.of_rows, folds, options.row_weights}, options_(options) {
    check_labels(design.rows(), labels, options.row_weights);
    rows_of_ = rows_of_folds(design.rows(), folds, options.row_weights);
    for (const std::uint32_t positive : positives(labels))
      for (std::uint32_t fold = 0; fold < rows_of_.size(); ++fold) problems_.push_back({positive, fold});
  }

  /// What is above goes on from the largest C so far; what is below begins anew.
  CrossValidation scored(const std::vector<double>& c, Reach reach) {
    CrossValidation result{c, Matrix<double>(c.size(), rows_of_.size()), Score::accuracy, Matrix<double>(c.size(), rows_of_.size())};
    Votes votes(c.size(), design_.rows(), labels_.n_classes() == 2);
    std::size_t n_solved = c.size();  // of the values of C
    const auto tell = [&](const Solved& solved) {
      const BinaryProblem& problem = problems_[solved.problem];
      result.objectives(solved.c, problem.held_out) += solved.objective;
      for (const std::uint32_t row : rows_of_[problem.held_out]) votes.add(solved.c, row, problem.positive, solved.outputs[row]);
    };
    const auto fail = [&](std::size_t i, const NumericalError& error) {
      if (i == 0 && reach == Reach::start) throw error;
      n_solved = std::min(n_solved, i);
    };
    solve(design_, rows_, problems_, c, options_, reach == Reach::below ? nullptr : &largest_, tell, fail);
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < c.size(); ++i)
      for (std::size_t fold = 0; fold < rows_of_.size(); ++fold) {
        result.scores(i, fold) = i < n_solved ? accuracy(votes, i, fold) : unknown;
        if (i >= n_solved) result.objectives(i, fold) = unknown;
      }
    return result;
  }

  Matrix<double> held_out_outputs(double c) {
    Matrix<double> outputs(design_.rows(), positives(labels_).size());
    const auto tell = [&](const Solved& solved) {
      const BinaryProblem& problem = problems_[solved.problem];
      const std::size_t output = outputs.cols() == 1 ? 0 : problem.positive;
      for (std::size_t i = 0; i < design_.rows(); ++i)
        if (rows_.folds[i] == problem.held_out) outputs(i, output) = solved.outputs[i];
    };
    const auto fail = [](std::size_t, const NumericalError& error) { throw error; };
    solve(design_, rows_, problems_, checked_c_grid({c}), options_, nullptr, tell, fail);
    return outputs;
  }

 private:
  double accuracy(const Votes& votes, std::size_t c, std::size_t fold) const {
    double right = 0, all = 0;
    for (const std::uint32_t row : rows_of_[fold]) {
      const double weight = weight_of(rows_.weights, row);
      right += votes.is_right(c, row, labels_.of_rows[row]) ? weight : 0;
      all += weight;
    }
    return right / all;
  }

  const Design<T>& design_;
  const ClassLabels& labels_;
  LabelledRows rows_;
  const SvmOptions& options_;
  std::vector<std::vector<std::uint32_t>> rows_of_;  // folds
  std::vector<BinaryProblem> problems_;
  Matrix<double> largest_;  // weights of every problem for the largest C so far; empty at first
};

}  // namespace

template <class T>
SvmFit fit_svm(const Design<T>& design, const ClassLabels& labels, double c, const SvmOptions& options) {
  check_labels(design.rows(), labels, options.row_weights);
  const std::vector<double> only = checked_c_grid({c});
  std::vector<BinaryProblem> problems;
  for (const std::uint32_t positive : positives(labels)) problems.push_back({positive, models::no_fold});
  SvmFit fit;
  fit.model.weights = Matrix<double>(design.n_features(), problems.size());
  fit.model.bias.resize(problems.size());
  fit.objectives.resize(problems.size());
  const auto fail = [](std::size_t, const NumericalError& error) { throw error; };
  const auto tell = [&](const Solved& solved) {
    for (std::size_t f = 0; f < design.n_features(); ++f) fit.model.weights(f, solved.problem) = solved.weights[f];
    if (design.has_bias()) fit.model.bias[solved.problem] = solved.weights.back();
    fit.objectives[solved.problem] = solved.objective;
    fit.n_iterations = std::max(fit.n_iterations, solved.n_steps);
  };
  solve(design, LabelledRows{labels.of_rows, {}, options.row_weights}, problems, only, options, nullptr, tell, fail);
  return fit;
}

template <class T>
CrossValidation cross_validate_svm(const Design<T>& design, const ClassLabels& labels, std::span<const std::uint32_t> folds,
                                   std::vector<double> c, const SvmOptions& options) {
  SvmFolds<T> validation(design, labels, folds, options);
  return models::search_c(c, max_c_of<T>, [&](const std::vector<double>& values, Reach reach) { return validation.scored(values, reach); });
}

template <class T>
Matrix<double> held_out_outputs(const Design<T>& design, const ClassLabels& labels, std::span<const std::uint32_t> folds, double c,
                                const SvmOptions& options) {
  return SvmFolds<T>(design, labels, folds, options).held_out_outputs(c);
}

template <class T>
double svm_objective(const Design<T>& design, const ClassLabels& labels, std::size_t positive, const LinearModel& model, std::size_t output,
                     double c) {
  check_labels(design.rows(), labels);
  if (model.n_features() != design.n_features() || output >= model.n_outputs() || model.bias.size() != model.n_outputs())
    throw InvalidArgument("svm_objective", fmt::format("a model of {} features and {} outputs, expected {} features and output {}",
                                                       model.n_features(), model.n_outputs(), design.n_features(), output));
  std::vector<double> row(design.n_columns());
  double norm = 0, loss = 0;
  for (std::size_t f = 0; f < model.n_features(); ++f) norm += model.weights(f, output) * model.weights(f, output);
  norm += model.bias[output] * model.bias[output];
  for (std::size_t i = 0; i < design.rows(); ++i) {
    design.copy_row(i, row);
    double sum = model.bias[output];
    for (std::size_t f = 0; f < model.n_features(); ++f) sum += row[f] * model.weights(f, output);
    const double short_of = std::max(0.0, 1 - (labels.of_rows[i] == positive ? sum : -sum));
    loss += short_of * short_of;
  }
  return 0.5 * norm + c * loss;
}

template SvmFit fit_svm(const Design<float>&, const ClassLabels&, double, const SvmOptions&);
template SvmFit fit_svm(const Design<double>&, const ClassLabels&, double, const SvmOptions&);
template CrossValidation cross_validate_svm(const Design<float>&, const ClassLabels&, std::span<const std::uint32_t>, std::vector<double>,
                                            const SvmOptions&);
template CrossValidation cross_validate_svm(const Design<double>&, const ClassLabels&, std::span<const std::uint32_t>, std::vector<double>,
                                            const SvmOptions&);
template Matrix<double> held_out_outputs(const Design<float>&, const ClassLabels&, std::span<const std::uint32_t>, double,
                                         const SvmOptions&);
template Matrix<double> held_out_outputs(const Design<double>&, const ClassLabels&, std::span<const std::uint32_t>, double,
                                         const SvmOptions&);
template double svm_objective(const Design<float>&, const ClassLabels&, std::size_t, const LinearModel&, std::size_t, double);
template double svm_objective(const Design<double>&, const ClassLabels&, std::size_t, const LinearModel&, std::size_t, double);

}  // namespace askrff
