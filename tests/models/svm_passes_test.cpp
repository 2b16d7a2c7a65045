// The SVM by passes over parts of the rows: minima, scores and best C of the solver in memory, few passes, bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "models/problem.hpp"
#include "models/svm_passes.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

using models::PassedSvm;
using models::PassedSvmOptions;
using models::SvmPass;
using models::SvmPassSums;
using models::SvmPassTask;

/// Above 0, up to about 4.
std::vector<double> weights_above_zero(std::size_t n_rows) {
  std::vector<double> weights(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) weights[i] = 0.01 + 4 * RandomStream(8, Purpose::derived_seed, i).uniform();
  return weights;
}

/// Rows of a problem in parts that end where they end, with all that a pass wants.
template <class T>
struct CutRows {
  Features features;
  Matrix<T> X;
  std::vector<std::uint32_t> classes, folds;
  std::vector<double> weights;
  std::vector<std::size_t> ends;  // of the parts
  std::size_t rows_per_call = 1000;
  Execution execution = {};

  SvmPassSums sums_of(const SvmPassTask& task, std::size_t begin, std::size_t end) const {
    SvmPass<T> pass(features, task, execution);
    for (std::size_t first = begin; first < end; first += rows_per_call) {
      const std::size_t count = std::min(rows_per_call, end - first);
      const auto part = [&](const auto& of_rows) {
        return of_rows.empty() ? std::span(of_rows) : std::span(of_rows).subspan(first, count);
      };
      pass.add(X.view().middle_rows(first, count), part(classes), part(folds), part(weights));
    }
    return pass.finish();
  }
  SvmPassSums operator()(const SvmPassTask& task) const {
    SvmPassSums sums = sums_of(task, 0, ends[0]);
    for (std::size_t k = 1; k < ends.size(); ++k) sums.add(sums_of(task, ends[k - 1], ends[k]));
    return sums;
  }
};

std::vector<std::size_t> equal_parts(std::size_t n_rows, std::size_t n_parts) {
  std::vector<std::size_t> ends;
  for (std::size_t k = 1; k <= n_parts; ++k) ends.push_back(n_rows * k / n_parts);
  return ends;
}

template <class T>
CutRows<T> cut(const Problem& problem, const std::vector<std::uint32_t>& folds, std::size_t n_parts,
               const std::vector<double>& weights = {}) {
  return {problem.map.left(), rounded_to<T>(problem.X), problem.labels.of_rows, folds, weights, equal_parts(problem.X.rows(), n_parts)};
}

template <class T>
PassedSvmOptions options_for(const Problem& problem, std::size_t n_folds, bool bias = true) {
  return {.problems = {problem.labels.n_classes(), n_folds},
          .n_columns = problem.map.n_features() + (bias ? 1 : 0),
          .has_bias = bias,
          .is_float = std::is_same_v<T, float>};
}

double largest_difference(const LinearModel& a, const LinearModel& b) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < a.weights.rows() * a.weights.cols(); ++i) {
    largest = std::max(largest, std::abs(a.weights.data()[i] - b.weights.data()[i]));
    scale = std::max(scale, std::abs(b.weights.data()[i]));
  }
  for (std::size_t k = 0; k < a.bias.size(); ++k) largest = std::max(largest, std::abs(a.bias[k] - b.bias[k]));
  return largest / scale;
}

/// Everything PassedSvm says, against the solver in memory.
template <class T>
void expect_as_in_memory(const Problem& problem, std::size_t n_parts, bool bias, const std::vector<double>& weights,
                         PassedSvmOptions options) {
  const auto folds = stratified_folds(problem.labels, 4, 2);
  const CutRows<T> rows = cut<T>(problem, folds, n_parts, weights);
  const Design<T> design(problem.map.left(), rows.X, {.bias = bias});
  const SvmOptions in_memory{.row_weights = weights};
  const std::vector<double> c = {0.125, 1, 8};
  const CrossValidation expected = cross_validate_svm(design, problem.labels, folds, c, in_memory);
  PassedSvm svm(options, rows);
  const CrossValidation found = svm.validate(c);
  const double close = std::is_same_v<T, float> ? 1e-7 : 1e-8;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t fold = 0; fold < 4; ++fold) {
      EXPECT_NEAR(found.objectives(i, fold), expected.objectives(i, fold), close * expected.objectives(i, fold));
      EXPECT_NEAR(found.scores(i, fold), expected.scores(i, fold), 1e-12) << i << ", fold " << fold;
    }
  EXPECT_EQ(found.best(), expected.best());
  EXPECT_EQ(found.is_open, expected.is_open);
  const std::size_t before = svm.n_passes();
  for (const double each : c) {
    const SvmFit fit = svm.fit(each), other = fit_svm(design, problem.labels, each, in_memory);
    for (std::size_t k = 0; k < fit.objectives.size(); ++k) {
      EXPECT_NEAR(fit.objectives[k], other.objectives[k], close * other.objectives[k]);
      const std::size_t positive = fit.model.n_outputs() == 1 ? 1 : k;
      EXPECT_LT(relative_gradient(design, problem.labels, positive, fit.model, k, each, weights), 1e-4);
    }
    // When this was written: 1.9e-4 in float, 3.3e-5 in double.
    EXPECT_LT(largest_difference(fit.model, other.model), (std::is_same_v<T, float> ? 6e-4 : 1e-4)) << each;
  }
  EXPECT_EQ(svm.n_passes(), before);  // all of that was known
}

TEST(SvmPasses, AgreeWithTheSolverInMemory) {
  for (const std::size_t n_classes : {2, 4})
    for (const std::size_t n_parts : {1, 2, 4, 7}) {
      const Problem problem = Problem::with(1500, n_classes, 25, 4);
      const bool bias = n_parts != 2;
      const auto weights = n_parts % 2 == 0 ? weights_above_zero(1500) : std::vector<double>();
      SCOPED_TRACE(testing::Message() << n_classes << " classes, " << n_parts << " parts");
      expect_as_in_memory<double>(problem, n_parts, bias, weights, options_for<double>(problem, 4, bias));
      expect_as_in_memory<float>(problem, n_parts, bias, weights, options_for<float>(problem, 4, bias));
    }
}

TEST(SvmPasses, AgreeWhereFoldsShareHessiansOrThereAreNone) {
  for (const std::size_t n_classes : {2, 4}) {
    const Problem problem = Problem::with(1500, n_classes, 25, 4);
    PassedSvmOptions options = options_for<double>(problem, 4);
    options.own_limit = 1;
    expect_as_in_memory<double>(problem, 2, true, {}, options);
    options.direct_limit = 10;
    expect_as_in_memory<double>(problem, 2, true, weights_above_zero(1500), options);
  }
}

/// A validation with the default grid, and how many passes it took.
template <class T>
CrossValidation validated(const PassedSvmOptions& options, const CutRows<T>& rows, std::size_t& n_passes) {
  PassedSvm svm(options, rows);
  CrossValidation found = svm.validate({});
  n_passes = svm.n_passes();
  return found;
}

TEST(SvmPasses, FewDoForTheUsualGrid) {
  const Problem problem = Problem::with(4000, 2, 40, 6);
  const auto folds = stratified_folds(problem.labels, 5, 0);
  const CutRows<double> rows = cut<double>(problem, folds, 3);
  const Design<double> design(problem.map.left(), problem.X);
  const CrossValidation expected = cross_validate_svm(design, problem.labels, folds, {});
  PassedSvmOptions options = options_for<double>(problem, 5);
  for (const bool own : {true, false}) {
    std::size_t n_passes = 0;
    options.own_limit = own ? options.own_limit : 1;
    const CrossValidation found = validated(options, rows, n_passes);
    ASSERT_EQ(found.c, expected.c);
    EXPECT_LT(n_passes, (own ? 6 : 15) * found.c.size()) << own;  // 4 and 13.4 when this was written
    for (std::size_t i = 0; i < expected.c.size(); ++i)
      for (std::size_t fold = 0; fold < 5; ++fold) {
        EXPECT_NEAR(found.objectives(i, fold), expected.objectives(i, fold), 1e-8 * expected.objectives(i, fold));
        EXPECT_EQ(found.scores(i, fold), expected.scores(i, fold));
      }
    EXPECT_EQ(found.best(), expected.best());
    EXPECT_EQ(found.is_open, expected.is_open);
  }
}

/// What every kind of sum is asked for, at weights that are neither 0 nor near a minimum.
SvmPassTask task_of_everything(const Problem& problem, std::size_t n_folds, bool bias) {
  SvmPassTask task{.problems = {problem.labels.n_classes(), n_folds}, .has_bias = bias};
  const std::size_t n = problem.map.n_features() + (bias ? 1 : 0), n_problems = task.problems.size();
  task.score = random_matrix(n_problems, n, 41);
  task.weights = random_matrix(n_problems + 1, n, 42);
  for (std::size_t p = 0; p <= n_problems; ++p) task.of.push_back(p % n_problems);
  task.full = {0, 2, n_problems};
  task.change = {n_problems};
  task.since = Matrix<double>(1, n);
  std::ranges::copy(task.weights.row(0), task.since.row(0).begin());  // the other point of the same problem
  task.n_grams = n_folds;
  return task;
}

void expect_same_sums(const SvmPassSums& a, const SvmPassSums& b) {
  EXPECT_EQ(a.n_rows, b.n_rows);
  EXPECT_EQ(a.losses, b.losses);
  EXPECT_EQ(a.right, b.right);
  expect_same(a.row_weights, b.row_weights);
  expect_same(a.pulls, b.pulls);
  expect_same(a.full, b.full);
  expect_same(a.change, b.change);
  expect_same(a.grams, b.grams);
}

template <class T>
void expect_same_bits() {
  const Problem problem = Problem::with(40000, 3, 8, 5);  // more than two blocks
  const auto folds = stratified_folds(problem.labels, 3, 1);
  const SvmPassTask task = task_of_everything(problem, 3, true);
  CutRows<T> rows = cut<T>(problem, folds, 1, weights_above_zero(40000));
  rows.rows_per_call = 40000;
  rows.execution.n_threads = 1;
  const SvmPassSums whole = rows(task);
  for (const std::size_t rows_per_call : {1777, 16384, 20000}) {
    rows.rows_per_call = rows_per_call;
    rows.execution.n_threads = rows_per_call == 1777 ? 3 : 2;
    expect_same_sums(whole, rows(task));
  }
}

TEST(SvmPass, SameBitsForAnyCallsAndThreads) {
  expect_same_bits<double>();
  expect_same_bits<float>();
}

TEST(SvmPass, SumsAreThoseOfDirectSummation) {
  const Problem problem = Problem::with(700, 3, 6, 5);
  const auto folds = stratified_folds(problem.labels, 3, 1);
  const auto weights = weights_above_zero(700);
  const SvmPassTask task = task_of_everything(problem, 3, true);
  const SvmPassSums sums = cut<double>(problem, folds, 4, weights)(task);
  const Design<double> design(problem.map.left(), problem.X);
  const std::size_t n = design.n_columns();
  std::vector<long double> losses(task.of.size()), first_pull(task.of.size()), first_hessian(task.full.size()), grams(3);
  std::vector<double> row(n), right(4);
  for (std::size_t i = 0; i < 700; ++i) {
    design.copy_row(i, row);
    const auto output = [&](const Matrix<double>& w, std::size_t k) {
      long double sum = 0;
      for (std::size_t f = 0; f < n; ++f) sum += static_cast<long double>(w(k, f)) * row[f];
      return static_cast<double>(sum);
    };
    const auto short_of = [&](std::size_t k) {
      const std::size_t place = task.of[k] % 4, positive = task.of[k] / 4;
      const double y = problem.labels.of_rows[i] == positive ? 1 : -1;
      return place > 0 && folds[i] == place - 1 ? 0 : y * std::max(0.0, 1 - y * output(task.weights, k));
    };
    for (std::size_t k = 0; k < task.of.size(); ++k) {
      losses[k] += weights[i] * short_of(k) * short_of(k);
      first_pull[k] += weights[i] * short_of(k) * row[0];
    }
    for (std::size_t k = 0; k < task.full.size(); ++k)
      if (short_of(task.full[k]) != 0) first_hessian[k] += weights[i] * row[0] * row[1];
    grams[folds[i]] += weights[i] * row[0] * row[1];
    for (const std::size_t place : {std::size_t{0}, std::size_t{1} + folds[i]}) {
      const std::vector<double> outputs = {output(task.score, place), output(task.score, 4 + place), output(task.score, 8 + place)};
      if (class_of_outputs(outputs) == problem.labels.of_rows[i]) right[place == 0 ? 3 : folds[i]] += weights[i];
    }
  }
  EXPECT_EQ(sums.n_rows, 700U);
  for (std::size_t k = 0; k < task.of.size(); ++k) {
    EXPECT_NEAR(sums.losses[k], static_cast<double>(losses[k]), 1e-10 * sums.losses[k]);
    EXPECT_NEAR(sums.pulls(k, 0), static_cast<double>(first_pull[k]), 1e-10 * sums.losses[k]);
  }
  for (std::size_t k = 0; k < task.full.size(); ++k) EXPECT_NEAR(sums.full(k, 1), static_cast<double>(first_hessian[k]), 1e-10);
  for (std::size_t fold = 0; fold < 3; ++fold) EXPECT_NEAR(sums.grams(fold, 1), static_cast<double>(grams[fold]), 1e-10);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(sums.right[k], right[k], 1e-10);
  for (std::size_t k = 0; k < sums.change.cols(); ++k) EXPECT_NEAR(sums.change(0, k), sums.full(2, k) - sums.full(0, k), 1e-10);
}

TEST(SvmPasses, PartsMayLackClassesOrBeEmpty) {
  Problem problem = Problem::with(1200, 3, 20, 9);
  std::vector<std::size_t> order(1200);  // by class
  for (std::size_t i = 0; i < 1200; ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return problem.labels.of_rows[i]; });
  problem.X = take_rows(problem.X, order);
  std::ranges::sort(problem.labels.of_rows);
  const auto folds = stratified_folds(problem.labels, 3, 1);
  CutRows<double> rows = cut<double>(problem, folds, 1);
  rows.ends = {0, 300, 300, 500, 1200};
  const CrossValidation expected = cross_validate_svm(Design<double>(problem.map.left(), problem.X), problem.labels, folds, {0.5, 4});
  const CrossValidation found = PassedSvm(options_for<double>(problem, 3), rows).validate({4, 0.5});
  EXPECT_EQ(found.c, expected.c);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t fold = 0; fold < 3; ++fold) {
      EXPECT_NEAR(found.objectives(i, fold), expected.objectives(i, fold), 1e-8 * expected.objectives(i, fold));
      EXPECT_EQ(found.scores(i, fold), expected.scores(i, fold));
    }
}

TEST(SvmPasses, FoldModelsAndTrainingAccuracyAreThoseOfFits) {
  const Problem problem = Problem::with(900, 3, 20, 10);
  const auto folds = stratified_folds(problem.labels, 3, 1);
  PassedSvm svm(options_for<double>(problem, 3), cut<double>(problem, folds, 2));
  svm.validate({0.25, 1});
  svm.fit(64);                                                 // above what is known: from there
  svm.fit(0.01);                                               // below: from 0
  const std::vector<LinearModel> models = svm.fold_models(2);  // the folds too
  ASSERT_EQ(models.size(), 3U);
  const Design<double> design(problem.map.left(), problem.X);
  for (const double c : {64.0, 0.01, 2.0}) {
    const SvmFit fit = svm.fit(c), expected = fit_svm(design, problem.labels, c);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(fit.objectives[k], expected.objectives[k], 1e-8 * expected.objectives[k]) << c;
    EXPECT_LT(largest_difference(fit.model, expected.model), 3e-4);
    Matrix<double> weights(3, design.n_columns()), outputs(3, 900);
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t f = 0; f < design.n_features(); ++f) weights(k, f) = fit.model.weights(f, k);
      weights(k, design.n_features()) = fit.model.bias[k];
    }
    design.times(weights, outputs);
    double right = 0;
    for (std::size_t i = 0; i < 900; ++i)
      right += class_of_outputs(std::vector<double>{outputs(0, i), outputs(1, i), outputs(2, i)}) == problem.labels.of_rows[i] ? 1 : 0;
    EXPECT_EQ(svm.training_accuracy(c), right / 900);
  }
  for (std::uint32_t fold = 0; fold < 3; ++fold) {
    std::vector<std::size_t> others;
    ClassLabels labels{problem.labels.names, {}};
    for (std::size_t i = 0; i < 900; ++i)
      if (folds[i] != fold) {
        others.push_back(i);
        labels.of_rows.push_back(problem.labels.of_rows[i]);
      }
    const Matrix<double> X = take_rows(problem.X, others);
    EXPECT_LT(largest_difference(models[fold], fit_svm(Design<double>(problem.map.left(), X), labels, 2).model), 3e-4);
  }
}

TEST(SvmPasses, SameBitsForCallsAndThreads) {
  const Problem problem = Problem::with(2000, 3, 20, 12);
  const auto folds = stratified_folds(problem.labels, 3, 1);
  CutRows<double> rows = cut<double>(problem, folds, 2);
  PassedSvmOptions options = options_for<double>(problem, 3);
  for (const std::size_t own_limit : {std::size_t{1}, options.own_limit}) {
    options.own_limit = own_limit;
    options.execution.n_threads = rows.execution.n_threads = 1;
    rows.rows_per_call = 1000;
    const CrossValidation first = PassedSvm(options, rows).validate({1, 8});
    options.execution.n_threads = rows.execution.n_threads = 3;
    rows.rows_per_call = 130;
    const CrossValidation again = PassedSvm(options, rows).validate({1, 8});
    expect_same(first.scores, again.scores);
    expect_same(first.objectives, again.objectives);
  }
}

/// Columns that are hard on a solver: of very different sizes, repeated, far from 0, or more than rows.
std::vector<std::pair<const char*, Matrix<double>>> hard_columns() {
  const Matrix<double> plain = random_matrix(300, 20, 31);
  Matrix<double> decaying = plain, twice(300, 24), far = random_matrix(300, 6, 32);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 20; ++j) decaying(i, j) *= std::pow(0.6, static_cast<double>(j));
    for (std::size_t j = 0; j < 24; ++j) twice(i, j) = plain(i, j % 12);
    for (std::size_t j = 0; j < 6; ++j) far(i, j) += 1000;
  }
  return {{"decaying", decaying}, {"twice", twice}, {"far", far}, {"wide", random_matrix(30, 120, 33)}};
}

template <class T>
void expect_minimum_of(const char* name, const Matrix<double>& X, double noise, double c, bool plain) {
  std::vector<std::string> names;
  const double cut_at = X(0, 0) > 500 ? 2000 : 0;
  for (std::size_t i = 0; i < X.rows(); ++i)
    names.emplace_back(X(i, 0) + X(i, 1) + noise * RandomStream(3, Purpose::evaluation_rows, i).normal() > cut_at ? "yes" : "no");
  const ClassLabels labels = ClassLabels::of(names);
  const CutRows<T> rows{ColumnFeatures(X.cols()), rounded_to<T>(X), labels.of_rows, {}, {}, equal_parts(X.rows(), 3)};
  PassedSvmOptions options{.problems = {2, 0}, .n_columns = X.cols() + 1, .is_float = std::is_same_v<T, float>};
  if (plain) options.direct_limit = 1;
  PassedSvm svm(options, rows);
  const Design<T> design(ColumnFeatures(X.cols()), rows.X);
  const double expected = fit_svm(design, labels, c).objectives[0], found = svm.fit(c).objectives[0];
  EXPECT_LT(found, (1 + (std::is_same_v<T, float> ? 1e-5 : 1e-8)) * expected) << name << ", C = " << c << (plain ? ", plain" : "");
}

TEST(SvmPasses, HardProblemsReachTheirMinimum) {
  for (const auto& [name, X] : hard_columns())
    for (const double noise : {0.0, 0.5})
      for (const double c : {1e-3, 1.0, 1e3}) {
        expect_minimum_of<double>(name, X, noise, c, false);
        expect_minimum_of<float>(name, X, noise, c, false);
        expect_minimum_of<double>(name, X, noise, c, true);
      }
}

TEST(SvmPasses, RefuseWhatCannotBeFitted) {
  const Problem problem = Problem::with(300, 2, 10);
  const auto folds = stratified_folds(problem.labels, 3, 1);
  const CutRows<double> rows = cut<double>(problem, folds, 1);
  const PassedSvmOptions options = options_for<double>(problem, 3);
  const auto with = [&](auto change) {
    PassedSvmOptions changed = options;
    change(changed);
    return changed;
  };
  EXPECT_THROW(PassedSvm(with([](auto& o) { o.problems.n_classes = 1; }), rows), InvalidArgument);
  EXPECT_THROW(PassedSvm(with([](auto& o) { o.problems.n_folds = 1; }), rows), InvalidArgument);
  EXPECT_THROW(PassedSvm(with([](auto& o) { o.tolerance = 0; }), rows), InvalidArgument);
  EXPECT_THROW(PassedSvm(with([](auto& o) { o.problems.n_classes = 3; }), rows).fit(1), InvalidArgument);       // one without rows
  EXPECT_THROW(PassedSvm(with([](auto& o) { o.problems.n_folds = 4; }), rows).validate({1}), InvalidArgument);  // likewise
  EXPECT_THROW(PassedSvm(with([](auto& o) { o.is_float = true; }), rows).fit(1e5), InvalidArgument);
  EXPECT_THROW(PassedSvm(options, rows).fit(0), InvalidArgument);
  EXPECT_THROW(PassedSvm(with([](auto& o) { o.max_iterations = 1; }), rows).fit(1000), NumericalError);
  SvmPassTask task = task_of_everything(problem, 3, true);
  SvmPass<double> pass(problem.map.left(), task);
  const std::vector<std::uint32_t> wrong(300, 7);
  EXPECT_THROW(pass.add(rows.X, wrong, rows.folds), InvalidArgument);
  EXPECT_THROW(pass.add(rows.X, rows.classes, wrong), InvalidArgument);
  EXPECT_THROW(pass.add(rows.X, rows.classes, {}), InvalidArgument);
  EXPECT_THROW(pass.add(rows.X, rows.classes, rows.folds, std::vector<double>(300)), InvalidArgument);
  EXPECT_EQ(pass.finish().n_rows, 0U);
  task.of.back() = 100;
  EXPECT_THROW(SvmPass<double>(problem.map.left(), task), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
