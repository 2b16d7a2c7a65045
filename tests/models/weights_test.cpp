// Weights of rows: minima of the weighted objectives in long double, whole weights as repeated rows, refusals, bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "askrff/linear.hpp"
#include "askrff/ridge.hpp"
#include "models/problem.hpp"
#include "support/linear_inputs.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

using Real = long double;

/// From 0 (some) to about 4.
std::vector<double> some_weights(std::size_t n_rows) {
  std::vector<double> weights(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    RandomStream random(5, Purpose::derived_seed, i);
    weights[i] = random.below(10) == 0 ? 0 : 4 * random.uniform();
  }
  return weights;
}

std::vector<double> whole_weights(std::size_t n_rows) {
  std::vector<double> weights(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) weights[i] = static_cast<double>(RandomStream(6, Purpose::derived_seed, i).below(4));
  return weights;
}

/// Every row as often as its weight says.
struct Repeated {
  Matrix<double> X;
  ClassLabels labels;
  std::vector<std::uint32_t> folds;
  std::vector<std::size_t> rows;  // which they were

  Repeated(const Problem& problem, const std::vector<double>& weights, const std::vector<std::uint32_t>& of_rows)
      : labels{problem.labels.names, {}} {
    std::vector<double> values;
    for (std::size_t i = 0; i < weights.size(); ++i)
      for (double k = 0; k < weights[i]; ++k) {
        values.insert(values.end(), problem.X.row(i).begin(), problem.X.row(i).end());
        labels.of_rows.push_back(problem.labels.of_rows[i]);
        folds.push_back(of_rows[i]);
        rows.push_back(i);
      }
    X = Matrix<double>(rows.size(), problem.X.cols(), values);
  }
};

TEST(SvmWeights, GradientVanishesAtTheSolution) {
  for (const std::size_t n_classes : {2, 3})
    for (const double c : {0.01, 1.0, 1000.0})
      for (const std::size_t direct_limit : {1, 4096}) {
        if (direct_limit == 1 && c != 1) continue;  // conjugate gradients: once will do
        const Problem problem = Problem::with(1200, n_classes, 30);
        const std::vector<double> weights = some_weights(1200);
        const Design<double> design(problem.map.left(), problem.X);
        const SvmFit fit = fit_svm(design, problem.labels, c, {.direct_limit = direct_limit, .row_weights = weights});
        for (std::size_t output = 0; output < fit.model.n_outputs(); ++output)
          EXPECT_LT(relative_gradient(design, problem.labels, n_classes == 2 ? 1 : output, fit.model, output, c, weights),
                    direct_limit == 1 ? 1e-4 : 1e-6)
              << n_classes << ", C = " << c << ", " << direct_limit;
      }
}

TEST(SvmWeights, WholeWeightsAreRepeatedRows) {
  for (const std::size_t n_classes : {2, 3}) {
    const Problem problem = Problem::with(900, n_classes, 25, 3);
    const std::vector<double> weights = whole_weights(900);
    const auto folds = stratified_folds(problem.labels, 4, 1);
    const Repeated repeated(problem, weights, folds);
    const Design<double> once(problem.map.left(), problem.X), often(problem.map.left(), repeated.X);
    const SvmFit a = fit_svm(once, problem.labels, 8, {.row_weights = weights}), b = fit_svm(often, repeated.labels, 8);
    for (std::size_t k = 0; k < a.objectives.size(); ++k) {
      EXPECT_NEAR(a.objectives[k], b.objectives[k], 1e-9 * b.objectives[k]);
      for (std::size_t f = 0; f < a.model.n_features(); ++f) EXPECT_NEAR(a.model.weights(f, k), b.model.weights(f, k), 1e-5);
    }
    const std::vector<double> c = {0.5, 16};
    const CrossValidation one = cross_validate_svm(once, problem.labels, folds, c, {.row_weights = weights});
    const CrossValidation other = cross_validate_svm(often, repeated.labels, repeated.folds, c);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t fold = 0; fold < 4; ++fold) {
        EXPECT_NEAR(one.scores(i, fold), other.scores(i, fold), 1e-12);
        EXPECT_NEAR(one.objectives(i, fold), other.objectives(i, fold), 1e-8 * other.objectives(i, fold));
      }
    const Matrix<double> said = held_out_outputs(once, problem.labels, folds, 8, {.row_weights = weights});
    const Matrix<double> said_often = held_out_outputs(often, repeated.labels, repeated.folds, 8);
    for (std::size_t i = 0; i < repeated.rows.size(); ++i)
      for (std::size_t k = 0; k < said.cols(); ++k) EXPECT_NEAR(said(repeated.rows[i], k), said_often(i, k), 1e-4);
  }
}

TEST(SvmWeights, AllOneChangeNoBitAndThreadsDoNot) {
  const Problem problem = Problem::with(2500, 3, 20, 17);
  const Design<double> design(problem.map.left(), problem.X);
  const std::vector<double> ones(2500, 1.0), weights = some_weights(2500);
  const auto folds = stratified_folds(problem.labels, 3, 0);
  expect_same(fit_svm(design, problem.labels, 2, {.row_weights = ones}).model.weights, fit_svm(design, problem.labels, 2).model.weights);
  const SvmOptions one{.row_weights = weights, .execution = {1}}, three{.max_memory = 1, .row_weights = weights, .execution = {3}};
  expect_same(fit_svm(design, problem.labels, 2, one).model.weights, fit_svm(design, problem.labels, 2, three).model.weights);
  expect_same(cross_validate_svm(design, problem.labels, folds, {}, one).scores,
              cross_validate_svm(design, problem.labels, folds, {}, three).scores);
}

TEST(SvmWeights, RefusesThoseThatAreNone) {
  const Problem problem = Problem::with(100, 2, 10);
  const Design<double> design(problem.map.left(), problem.X);
  std::vector<double> weights(100, 1.0);
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    weights[7] = bad;
    EXPECT_THROW(fit_svm(design, problem.labels, 1, {.row_weights = weights}), std::invalid_argument);
  }
  for (std::size_t i = 0; i < 100; ++i) weights[i] = problem.labels.of_rows[i] == 1 ? 0 : 1;
  EXPECT_THROW(fit_svm(design, problem.labels, 1, {.row_weights = weights}), std::invalid_argument);  // nothing left of a class
  weights.pop_back();
  EXPECT_THROW(fit_svm(design, problem.labels, 1, {.row_weights = weights}), std::invalid_argument);
}

/// Two targets, far from 0.
Matrix<double> ridge_targets(const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), 2);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    Y(i, 0) = 50 + std::sin(X(i, 0)) + 0.1 * RandomStream(2, Purpose::evaluation_rows, i).normal();
    Y(i, 1) = X(i, 1) * X(i, 2);
  }
  return Y;
}

RidgeSums sums_of(const FeatureMap& map, const Matrix<double>& X, const Matrix<double>& Y, const std::vector<std::uint32_t>& folds,
                  const std::vector<double>& weights, Execution execution = {}) {
  RidgeAccumulator<double> sums(map.left(), Y.cols(), 3, execution);
  sums.add(X, Y, folds, weights);
  return sums.moments();
}

TEST(RidgeWeights, GradientVanishesAtTheSolution) {
  const Problem problem = Problem::with(400, 2, 15, 4);
  const Matrix<double> Y = ridge_targets(problem.X), features = problem.map.left(problem.X);
  std::vector<double> weights = some_weights(400);
  for (double& weight : weights) weight += 0.1;
  const RidgeSums sums = sums_of(problem.map, problem.X, Y, random_folds(400, 3, 1), weights);
  for (const bool bias : {false, true}) {
    const RidgeFit fit = solve_ridge(sums, {.c = {3, 3.5}, .bias = bias});
    for (std::size_t t = 0; t < 2; ++t) {
      std::vector<Real> gradient(features.cols()), start(features.cols());
      Real by_bias = 0;
      for (std::size_t i = 0; i < 400; ++i) {
        Real rest = static_cast<Real>(Y(i, t)) - fit.model.bias[t];
        for (std::size_t f = 0; f < features.cols(); ++f) rest -= static_cast<Real>(fit.model.weights(f, t)) * features(i, f);
        by_bias += weights[i] * rest;
        for (std::size_t f = 0; f < features.cols(); ++f) {
          gradient[f] -= 2 * fit.c * weights[i] * rest * features(i, f);
          start[f] -= 2 * fit.c * weights[i] * static_cast<Real>(Y(i, t)) * features(i, f);
        }
      }
      for (std::size_t f = 0; f < features.cols(); ++f)
        EXPECT_LT(std::abs(gradient[f] + fit.model.weights(f, t)), 1e-9L * (1 + std::abs(start[f]))) << bias;
      if (bias) {
        EXPECT_LT(std::abs(by_bias), 1e-8L);
      }
    }
  }
}

TEST(RidgeWeights, WholeWeightsAreRepeatedRows) {
  const Problem problem = Problem::with(300, 2, 12, 9);
  std::vector<double> weights = whole_weights(300);
  for (double& weight : weights) weight += 1;
  const auto folds = random_folds(300, 3, 2);
  const Repeated repeated(problem, weights, folds);
  const Matrix<double> Y = ridge_targets(problem.X), features = problem.map.left(problem.X);
  Matrix<double> often(repeated.rows.size(), 2);
  for (std::size_t i = 0; i < often.rows(); ++i) std::ranges::copy(Y.row(repeated.rows[i]), often.row(i).begin());
  const RidgeSums a = sums_of(problem.map, problem.X, Y, folds, weights), b = sums_of(problem.map, repeated.X, often, repeated.folds, {});
  EXPECT_EQ(a.n_rows(), 300U);
  for (const bool bias : {false, true}) {
    const RidgeFit one = solve_ridge(a, {.c = {0.5, 20}, .bias = bias}), other = solve_ridge(b, {.c = {0.5, 20}, .bias = bias});
    EXPECT_EQ(one.c, other.c);
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_NEAR(one.model.bias[t], other.model.bias[t], 1e-8);
      for (std::size_t f = 0; f < features.cols(); ++f) EXPECT_NEAR(one.model.weights(f, t), other.model.weights(f, t), 1e-8);
    }
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t fold = 0; fold < 3; ++fold)
        EXPECT_NEAR(one.validation.scores(i, fold), other.validation.scores(i, fold), 1e-8 * (1 + other.validation.scores(i, fold)));
    // A row left out is left out with all its repetitions.
    const Matrix<double> left_out = LeaveOneOut(a, one).outputs(features, Y, weights);
    for (const std::size_t i : {0, 41, 299}) {
      RidgeAccumulator<double> others(problem.map.left(), 2);
      for (std::size_t j = 0; j < 300; ++j)
        if (j != i) others.add(problem.X.view().middle_rows(j, 1), Y.view().middle_rows(j, 1), {}, std::span(weights).subspan(j, 1));
      const RidgeFit refit = solve_ridge(others.moments(), {.c = {one.c}, .bias = bias});
      for (std::size_t t = 0; t < 2; ++t) {
        double output = refit.model.bias[t];
        for (std::size_t f = 0; f < features.cols(); ++f) output += features(i, f) * refit.model.weights(f, t);
        EXPECT_NEAR(left_out(i, t), output, 1e-7 * (1 + std::abs(output)));
      }
    }
  }
}

TEST(RidgeWeights, AllOneChangeNoBitAndThreadsDoNot) {
  const Problem problem = Problem::with(300, 2, 12, 9);
  const auto folds = random_folds(300, 3, 2);
  const Matrix<double> Y = ridge_targets(problem.X);
  std::vector<double> weights = some_weights(300);
  for (double& weight : weights) weight += 0.5;
  const auto solved = [&](const std::vector<double>& of_rows, Execution execution) {
    return solve_ridge(sums_of(problem.map, problem.X, Y, folds, of_rows, execution), {.execution = execution}).model.weights;
  };
  expect_same(solved(std::vector<double>(300, 1.0), {1}), solved({}, {1}));
  expect_same(solved(weights, {1}), solved(weights, {3}));
}

TEST(RidgeWeights, RefusesThoseThatAreNone) {
  const Problem problem = Problem::with(30, 2, 5);
  const Matrix<double> Y(30, 1);
  RidgeAccumulator<double> sums(problem.map.left(), 1);
  std::vector<double> weights(30, 1.0);
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    weights[7] = bad;
    EXPECT_THROW(sums.add(problem.X, Y, {}, weights), std::invalid_argument);
  }
  weights.pop_back();
  EXPECT_THROW(sums.add(problem.X, Y, {}, weights), std::invalid_argument);
  EXPECT_EQ(sums.moments().n_rows(), 0U);
}

}  // namespace
}  // namespace askrff::test
