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
    EXPECT_LT(largest_difference(fit.model, other.model), 3e-4) << each;
  }
  EXPECT_EQ(svm.n_passes(), before);  // all of that was known
  printf("%zu passes\n", before);
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

/// Of one validation with the default grid.
template <class T>
CrossValidation validated(PassedSvmOptions options, const CutRows<T>& rows, const char* name) {
  PassedSvm svm(options, rows);
  CrossValidation found = svm.validate({});
  printf("%s: %zu passes for %zu values of C\n", name, svm.n_passes(), found.c.size());
  return found;
}

TEST(SvmPasses, ArefewForTheUsualGrid) {
  const std::size_t n_rows = 20000, dim = 10;
  const Matrix<double> X = random_matrix(n_rows, dim, 21);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double noise = RandomStream(22, Purpose::evaluation_rows, i).normal();
    names.emplace_back(X(i, 0) * X(i, 1) + X(i, 2) + 0.5 * noise > 0.3 ? "yes" : "no");
  }
  const ClassLabels labels = ClassLabels::of(names);
  const auto folds = stratified_folds(labels, 5, 0);
  const auto kernel = shift_gaussian({.sigma = 3.0, .shift = 0.5});
  const FeatureMap map(approximate(*kernel, dim, {.n_frequencies = 128, .seed = 3}));
  const CutRows<double> rows{map.left(), X, labels.of_rows, folds, {}, equal_parts(n_rows, 3)};
  PassedSvmOptions options{.problems = {2, 5}, .n_columns = map.n_features() + 1};
  const Design<double> design(map.left(), X);
  const CrossValidation expected = cross_validate_svm(design, labels, folds, {});
  const CrossValidation own = validated(options, rows, "own");
  options.own_limit = 1;
  const CrossValidation shared = validated(options, rows, "shared");
  for (const CrossValidation* found : {&own, &shared}) {
    ASSERT_EQ(found->c, expected.c);
    for (std::size_t i = 0; i < expected.c.size(); ++i)
      for (std::size_t fold = 0; fold < 5; ++fold) {
        EXPECT_NEAR(found->objectives(i, fold), expected.objectives(i, fold), 1e-8 * expected.objectives(i, fold));
        EXPECT_EQ(found->scores(i, fold), expected.scores(i, fold));
      }
    EXPECT_EQ(found->best(), expected.best());
  }
}

}  // namespace
}  // namespace askrff::test
