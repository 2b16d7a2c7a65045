// Ridge regression: judged by normal equations in long double, and cross-validation and leave-one-out by refits.
#include "askrff/ridge.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "askrff/errors.hpp"
#include "models/problem.hpp"
#include "support/same_bits.hpp"
#include "support/linear_inputs.hpp"

namespace askrff::test {
namespace {

using RealMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using RealVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// A target with an offset far from 0, two of them.
Matrix<double> targets_of(const Matrix<double>& X, double offset = 1e5) {
  Matrix<double> Y(X.rows(), 2);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    RandomStream random(5, Purpose::evaluation_rows, i);
    Y(i, 0) = offset + std::sin(2 * X(i, 0)) * X(i, 1) + 0.1 * random.normal();
    Y(i, 1) = std::exp(-X(i, 2) * X(i, 2)) - 3;
  }
  return Y;
}

struct Solution {
  RealMatrix weights;  // bias in the last row
  /// Of row i.
  double output(const Matrix<double>& features, std::size_t i, std::size_t t) const {
    long double sum = weights(weights.rows() - 1, static_cast<long>(t));
    for (std::size_t f = 0; f < features.cols(); ++f) sum += weights(static_cast<long>(f), static_cast<long>(t)) * features(i, f);
    return static_cast<double>(sum);
  }
};

/// The minimum of ½‖w‖² + C Σ (y - w·φ - b)² over the given rows, by a dense solver in long double.
Solution direct(const Matrix<double>& features, const Matrix<double>& Y, const std::vector<bool>& rows, double c, bool bias) {
  const long n = static_cast<long>(features.cols()), m = n + 1;
  RealMatrix A = RealMatrix::Zero(m, m), B = RealMatrix::Zero(m, static_cast<long>(Y.cols()));
  for (long f = 0; f < n; ++f) A(f, f) = 0.5L / c;
  for (std::size_t i = 0; i < features.rows(); ++i) {
    if (!rows[i]) continue;
    RealVector phi(m);
    for (long f = 0; f < n; ++f) phi(f) = features(i, static_cast<std::size_t>(f));
    phi(n) = bias ? 1 : 0;
    A += phi * phi.transpose();
    for (std::size_t t = 0; t < Y.cols(); ++t) B.col(static_cast<long>(t)) += phi * static_cast<long double>(Y(i, t));
  }
  if (!bias) A(n, n) = 1;
  return {A.ldlt().solve(B)};
}

class Ridge : public testing::TestWithParam<bool> {
 protected:
  const Problem problem = Problem::with(400, 2, 20, 21);
  const Matrix<double> Y = targets_of(problem.X), features = problem.map.left(problem.X);

  RidgeSums moments(std::size_t n_folds, const std::vector<std::uint32_t>& folds, std::size_t block = 400, Execution execution = {}) const {
    RidgeAccumulator<double> sums(problem.map.left(), 2, n_folds, execution);
    for (std::size_t first = 0; first < 400; first += block) {
      const std::size_t count = std::min<std::size_t>(block, 400 - first);
      sums.add(problem.X.view().middle_rows(first, count), Y.view().middle_rows(first, count),
               folds.empty() ? std::span<const std::uint32_t>() : std::span(folds).subspan(first, count));
    }
    return sums.moments();
  }
};
INSTANTIATE_TEST_SUITE_P(WithAndWithoutBias, Ridge, testing::Bool());

TEST_P(Ridge, IsTheMinimum) {
  const bool bias = GetParam();
  for (const double c : {0.01, 1.0, 1e4}) {
    const RidgeFit fit = solve_ridge(moments(1, {}), {.c = {c}, .bias = bias});
    const Solution exact = direct(features, Y, std::vector<bool>(400, true), c, bias);
    double error = 0;
    for (std::size_t i = 0; i < 400; ++i)
      for (std::size_t t = 0; t < 2; ++t) {
        double output = fit.model.bias[t];
        for (std::size_t f = 0; f < features.cols(); ++f) output += features(i, f) * fit.model.weights(f, t);
        const double wanted = exact.output(features, i, t);
        ASSERT_NEAR(output, wanted, 1e-9 * (1 + std::abs(wanted))) << c;
        error += (Y(i, t) - wanted) * (Y(i, t) - wanted) / 800;
      }
    EXPECT_NEAR(fit.training_errors[0], error, 1e-7 * error + (bias ? 0 : 1e-3));  // sums of squares of 1e5 without a bias
    EXPECT_EQ(fit.c, c);
  }
}

TEST_P(Ridge, CrossValidationAndLeaveOneOutAreRefits) {
  const bool bias = GetParam();
  const std::vector<double> c = {0.1, 10};
  const auto folds = random_folds(400, 4, 3);
  const RidgeSums sums = moments(4, folds);
  const RidgeFit fit = solve_ridge(sums, {.c = c, .bias = bias});
  for (std::size_t k = 0; k < c.size(); ++k)
    for (std::uint32_t fold = 0; fold < 4; ++fold) {
      std::vector<bool> others(400);
      for (std::size_t i = 0; i < 400; ++i) others[i] = folds[i] != fold;
      const Solution exact = direct(features, Y, others, c[k], bias);
      double error = 0;
      for (std::size_t i = 0; i < 400; ++i)
        for (std::size_t t = 0; t < 2 && !others[i]; ++t) error += std::pow(Y(i, t) - exact.output(features, i, t), 2) / 200;
      EXPECT_NEAR(fit.validation.scores(k, fold), error, 1e-6 * error + (bias ? 0 : 1e-3));
    }
  const Matrix<double> left_out = LeaveOneOut(sums, fit).outputs(features, Y);
  for (const std::size_t i : {0, 57, 399}) {
    std::vector<bool> others(400, true);
    others[i] = false;
    const Solution exact = direct(features, Y, others, fit.c, bias);
    for (std::size_t t = 0; t < 2; ++t) EXPECT_NEAR(left_out(i, t), exact.output(features, i, t), 1e-7 * (1 + std::abs(left_out(i, t))));
  }
}

TEST_F(Ridge, SumsDoNotDependOnCutsAndThreads) {
  const auto folds = random_folds(400, 3, 1);
  const RidgeSums whole = moments(3, folds);
  for (const std::size_t block : {1, 7, 250}) {
    const RidgeSums cut = moments(3, folds, block, {2});
    for (std::size_t fold = 0; fold < 3; ++fold) {
      expect_same(whole.folds[fold].gram, cut.folds[fold].gram);
      expect_same(whole.folds[fold].moments, cut.folds[fold].moments);
      EXPECT_EQ(whole.folds[fold].target_norms, cut.folds[fold].target_norms);
    }
  }
}

TEST_F(Ridge, MomentsInBetweenChangeNothing) {
  const auto folds = random_folds(400, 3, 1);
  const RidgeSums whole = moments(3, folds);
  RidgeAccumulator<double> sums(problem.map.left(), 2, 3);
  RidgeSums last = sums.moments();
  EXPECT_EQ(last.n_rows(), 0u);
  for (std::size_t first = 0; first < 400; first += 80) {
    sums.add(problem.X.view().middle_rows(first, 80), Y.view().middle_rows(first, 80), std::span(folds).subspan(first, 80));
    last = sums.moments();
    EXPECT_EQ(last.n_rows(), first + 80);
  }
  for (std::size_t fold = 0; fold < 3; ++fold) {
    expect_same(whole.folds[fold].gram, last.folds[fold].gram);
    expect_same(whole.folds[fold].moments, last.folds[fold].moments);
    EXPECT_EQ(whole.folds[fold].feature_sums, last.folds[fold].feature_sums);
  }
}

TEST_F(Ridge, TellsItsProgressAndStopsWhenItThrows) {
  const RidgeSums some = moments(3, random_folds(400, 3, 1));
  std::vector<double> parts;
  const auto note = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "cross-validation");
    parts.push_back(progress.done);
  };
  solve_ridge(some, {.c = {1, 2}, .execution = {.progress = note}});
  EXPECT_EQ(parts.size(), 2u * (1 + 3) + 1);
  EXPECT_TRUE(std::ranges::is_sorted(parts));
  EXPECT_EQ(parts.front(), 0);
  EXPECT_EQ(parts.back(), 1);
  EXPECT_THROW(solve_ridge(some, {.c = {1, 2}, .execution = {.progress = [](const Progress&) { throw std::range_error("enough"); }}}),
               std::range_error);
}

TEST_F(Ridge, FloatFeaturesGiveNearlyTheSameModel) {
  RidgeAccumulator<float> sums(problem.map.left(), 2);
  sums.add(to_float(problem.X), Y);
  const RidgeFit rough = solve_ridge(sums.moments(), {.c = {1}}), exact = solve_ridge(moments(1, {}), {.c = {1}});
  EXPECT_NEAR(rough.training_errors[0], exact.training_errors[0], 1e-4 * exact.training_errors[0]);
  EXPECT_NEAR(rough.model.bias[0], exact.model.bias[0], 1e-3);
}

TEST_F(Ridge, ColumnsFarFromZeroLoseNoDigits) {
  Matrix<double> X = random_matrix(500, 4, 41), targets(500, 1);
  for (std::size_t i = 0; i < 500; ++i) {
    targets(i, 0) = 3 * X(i, 0) - X(i, 1) + 0.1 * X(i, 3);
    for (std::size_t j = 0; j < 4; ++j) X(i, j) += 1e7;
  }
  RidgeAccumulator<double> sums(ColumnFeatures(4), 1);
  sums.add(X, targets);
  const RidgeSums moments = sums.moments();
  const RidgeFit fit = solve_ridge(moments, {.c = {1000}});
  EXPECT_NEAR(fit.model.weights(0, 0), 3, 1e-3);
  EXPECT_NEAR(fit.model.weights(1, 0), -1, 1e-3);
  double error = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    double output = fit.model.bias[0];
    for (std::size_t j = 0; j < 4; ++j) output += X(i, j) * fit.model.weights(j, 0);
    error += std::pow(output - targets(i, 0), 2) / 500;
  }
  EXPECT_NEAR(fit.training_error, error, 1e-3 * error + 1e-12);
  const Matrix<double> left_out = LeaveOneOut(moments, fit).outputs(X, targets);
  for (std::size_t i = 0; i < 500; ++i) ASSERT_NEAR(left_out(i, 0), targets(i, 0), 0.01);
}

TEST_F(Ridge, SaysWhatRoundingHides) {
  // More features than rows and next to no regularisation: every row decides its output alone.
  const Matrix<double> few = random_matrix(10, 3, 43), targets = random_matrix(10, 1, 44);
  RidgeAccumulator<double> sums(problem.map.left(), 1);
  sums.add(few, targets);
  const RidgeSums moments = sums.moments();
  const RidgeFit fit = solve_ridge(moments, {.c = {1e8}});
  EXPECT_THROW(LeaveOneOut(moments, fit).outputs(problem.map.left(few), targets), NumericalError);
  // Squares that overflow are no perfect score.
  Matrix<double> huge(10, 1);
  for (std::size_t i = 0; i < 10; ++i) huge(i, 0) = static_cast<double>(i) * 1e200;
  RidgeAccumulator<double> overflowing(problem.map.left(), 1);
  overflowing.add(few, huge);
  EXPECT_THROW(solve_ridge(overflowing.moments(), {.c = {1}}), NumericalError);
  // Errors below the resolution of float are not to be believed, and it says so.
  RidgeAccumulator<float> rough(problem.map.left(), 2);
  rough.add(to_float(problem.X), Y);
  EXPECT_GT(solve_ridge(rough.moments(), {.c = {1}}).resolution, 1e-7);
}

TEST_F(Ridge, AddsAllRowsOrNone) {
  RidgeAccumulator<float> sums(problem.map.left(), 1, 2);
  const Matrix<float> X = to_float(problem.X);
  const std::vector<std::uint32_t> folds = random_folds(400, 2, 0);
  Matrix<double> targets(400, 1);
  targets(399, 0) = 1e39;  // finite, but not as a float
  EXPECT_THROW(sums.add(X, targets, folds), std::invalid_argument);
  Matrix<float> far = X;
  far(399, 0) = 1e38F;
  targets(399, 0) = 0;
  EXPECT_ANY_THROW(sums.add(far, targets, std::vector<std::uint32_t>(400, 7)));
  EXPECT_EQ(sums.moments().n_rows(), 0U);
}

TEST_F(Ridge, RefusesNonsense) {
  EXPECT_THROW(RidgeAccumulator<double>(problem.map.left(), 0), std::invalid_argument);
  RidgeAccumulator<double> sums(problem.map.left(), 1, 2);
  EXPECT_THROW(sums.add(problem.X, Y, random_folds(400, 2, 0)), std::invalid_argument);                       // two targets
  EXPECT_THROW(sums.add(problem.X, Matrix<double>(400, 1)), std::invalid_argument);                           // no folds
  EXPECT_THROW(sums.add(problem.X, Matrix<double>(400, 1), random_folds(400, 3, 0)), std::invalid_argument);  // a third fold
  Matrix<double> bad(400, 1);
  bad(7, 0) = NAN;
  EXPECT_THROW(sums.add(problem.X, bad, random_folds(400, 2, 0)), std::invalid_argument);
  EXPECT_THROW(solve_ridge(sums.moments(), {}), std::invalid_argument);  // no rows
  EXPECT_THROW(solve_ridge(moments(1, {}), {}), std::invalid_argument);  // eleven values of C, nothing to choose by
  EXPECT_THROW(solve_ridge(moments(1, {}), {.c = {-1}}), std::invalid_argument);
  EXPECT_THROW(solve_ridge(moments(2, std::vector<std::uint32_t>(400)), {}), std::invalid_argument);  // an empty fold
}

}  // namespace
}  // namespace askrff::test
