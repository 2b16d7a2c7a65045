// fit_svm and cross_validate_svm: problems out of classes and folds, in batches that fit into memory.
#include "askrff/linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "models/svm_batch.hpp"

namespace askrff {
namespace {

using models::BinaryProblem;
using models::LabelledRows;

void check_labels(std::size_t n_rows, const ClassLabels& labels) {
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
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] == 0) throw InvalidArgument("svm", fmt::format("class {} has no rows, expected at least one", labels.names[k]));
}

/// The outputs of a model: the second class against the first, or every class against the rest.
std::vector<std::uint32_t> positives(const ClassLabels& labels) {
  if (labels.n_classes() == 2) return {1};
  std::vector<std::uint32_t> all(labels.n_classes());
  for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
  return all;
}

void check_options(const SvmOptions& options) {
  if (!(options.tolerance > 0) || options.tolerance >= 1)
    throw InvalidArgument("svm", fmt::format("a tolerance of {}, expected a number in (0,1)", options.tolerance));
  if (options.max_iterations == 0) throw InvalidArgument("svm", "0 iterations, expected at least one");
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

/// fail(i, error) hears of a value of C that cannot be solved for.
template <class T, class Tell, class Fail>
void solve(const Design<T>& design, const LabelledRows& rows, std::span<const BinaryProblem> problems, std::span<const double> c,
           const SvmOptions& options, const Tell& tell, const Fail& fail) {
  check_options(options);
  constexpr double max_for_float = 1e4;
  if (std::is_same_v<T, float> && c.back() > max_for_float)
    throw InvalidArgument("svm", fmt::format("C = {} is more than features in float32 can tell apart, expected at most {}, or float64",
                                             c.back(), max_for_float));
  const std::uint64_t bytes = models::SvmBatch<T>::bytes_per_problem(design, options);
  const std::size_t at_once = std::clamp<std::uint64_t>(options.max_memory / bytes, 1, problems.size());
  for (std::size_t first = 0; first < problems.size(); first += at_once) {
    const std::size_t count = std::min(at_once, problems.size() - first);
    models::SvmBatch<T> batch(design, rows, problems.subspan(first, count), options);
    for (std::size_t i = 0; i < c.size(); ++i) {
      std::size_t n_steps = 0;
      try {
        n_steps = batch.solve(c[i]);
      } catch (const NumericalError& error) {
        fail(i, error);
        break;  // larger ones are harder
      }
      for (std::size_t p = 0; p < count; ++p)
        tell(Solved{i, first + p, n_steps, batch.objective(p), batch.state().weights.row(p), batch.state().outputs.row(p)});
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
std::vector<std::vector<std::uint32_t>> rows_of_folds(std::size_t n_rows, std::span<const std::uint32_t> folds) {
  if (folds.size() != n_rows)
    throw InvalidArgument(fmt::format("cross-validation: {} folds for {} rows, expected one per row", folds.size(), n_rows));
  const std::uint64_t n_folds = std::uint64_t{*std::ranges::max_element(folds)} + 1;
  if (n_folds < 2 || n_folds > n_rows)
    throw InvalidArgument(fmt::format("cross-validation: {} folds of {} rows, expected 2 to as many as there are rows", n_folds, n_rows));
  std::vector<std::vector<std::uint32_t>> rows_of(n_folds);
  for (std::uint32_t i = 0; i < n_rows; ++i) rows_of[folds[i]].push_back(i);
  for (std::size_t fold = 0; fold < n_folds; ++fold)
    if (rows_of[fold].empty()) throw InvalidArgument(fmt::format("cross-validation: fold {} has no rows", fold));
  return rows_of;
}

}  // namespace

template <class T>
SvmFit fit_svm(const Design<T>& design, const ClassLabels& labels, double c, const SvmOptions& options) {
  check_labels(design.rows(), labels);
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
  solve(design, LabelledRows{labels.of_rows, {}}, problems, only, options, tell, fail);
  return fit;
}

template <class T>
CrossValidation cross_validate_svm(const Design<T>& design, const ClassLabels& labels, std::span<const std::uint32_t> folds,
                                   std::vector<double> c, const SvmOptions& options) {
  check_labels(design.rows(), labels);
  const auto rows_of = rows_of_folds(design.rows(), folds);
  CrossValidation result;
  result.c = checked_c_grid(std::move(c));
  result.measure = Score::accuracy;
  std::vector<BinaryProblem> problems;
  for (const std::uint32_t positive : positives(labels))
    for (std::uint32_t fold = 0; fold < rows_of.size(); ++fold) problems.push_back({positive, fold});
  result.objectives = Matrix<double>(result.c.size(), rows_of.size());
  result.scores = Matrix<double>(result.c.size(), rows_of.size());
  Votes votes(result.c.size(), design.rows(), labels.n_classes() == 2);
  std::size_t n_solved = result.c.size();  // of the values of C
  const auto tell = [&](const Solved& solved) {
    const BinaryProblem& problem = problems[solved.problem];
    result.objectives(solved.c, problem.held_out) += solved.objective;
    for (const std::uint32_t row : rows_of[problem.held_out]) votes.add(solved.c, row, problem.positive, solved.outputs[row]);
  };
  const auto fail = [&](std::size_t i, const NumericalError& error) {
    if (i == 0) throw error;
    n_solved = std::min(n_solved, i);
  };
  solve(design, LabelledRows{labels.of_rows, folds}, problems, result.c, options, tell, fail);
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < result.c.size(); ++i)
    for (std::size_t fold = 0; fold < rows_of.size(); ++fold) {
      std::size_t n_right = 0;
      for (const std::uint32_t row : rows_of[fold]) n_right += votes.is_right(i, row, labels.of_rows[row]) ? 1 : 0;
      result.scores(i, fold) = i < n_solved ? static_cast<double>(n_right) / static_cast<double>(rows_of[fold].size()) : unknown;
      if (i >= n_solved) result.objectives(i, fold) = unknown;
    }
  return result;
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
template double svm_objective(const Design<float>&, const ClassLabels&, std::size_t, const LinearModel&, std::size_t, double);
template double svm_objective(const Design<double>&, const ClassLabels&, std::size_t, const LinearModel&, std::size_t, double);

}  // namespace askrff
