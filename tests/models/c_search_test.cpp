// The search for C: where it goes on, where it ends, and that what lies beyond the grid is scored as anything else.
#include "models/c_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "askrff/ridge.hpp"
#include "models/problem.hpp"
#include "support/linear_inputs.hpp"
#include "support/same_bits.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

using models::Reach;

/// A search over scores that are a function of log2(C).
struct Search {
  CrossValidation found;
  std::vector<Reach> reaches;

  template <class ScoreOf>
  Search(Score measure, const ScoreOf& score_of, std::vector<double> given = {}, double largest = max_c) {
    found = models::search_c(given, largest, [&](const std::vector<double>& c, Reach reach) {
      EXPECT_TRUE(std::ranges::is_sorted(c));
      reaches.push_back(reach);
      CrossValidation tried{c, Matrix<double>(c.size(), 2), measure, {}};
      for (std::size_t i = 0; i < c.size(); ++i)
        for (std::size_t fold = 0; fold < 2; ++fold) tried.scores(i, fold) = score_of(std::log2(c[i]));
      return tried;
    });
    EXPECT_TRUE(std::ranges::is_sorted(found.c));
  }
  double best() const { return std::log2(found.c[found.best()]); }
  double smallest() const { return std::log2(found.c.front()); }
  double largest() const { return std::log2(found.c.back()); }
};

TEST(SearchOfC, ABestInsideIsTheEnd) {
  const Search search(Score::accuracy, [](double x) { return 0.9 - 0.01 * std::abs(x - 1); });
  EXPECT_EQ(search.best(), 1);
  EXPECT_EQ(search.found.c, default_c_grid());
  EXPECT_FALSE(search.found.is_open);
}

TEST(SearchOfC, GoesOnToAPeakFarBeyond) {
  for (const double peak : {13.0, -21.0}) {
    const Search search(Score::squared_error, [&](double x) { return 1 + 0.01 * std::abs(x - peak); });
    EXPECT_EQ(search.best(), peak);
    EXPECT_FALSE(search.found.is_open);
    // Not further than two values that bring nothing, in the pair after the one that did.
    EXPECT_LE(std::abs(peak > 0 ? search.largest() - peak : search.smallest() - peak), 8);
  }
}

TEST(SearchOfC, OneValueThatGainsNothingIsNotTheEndTwoAre) {
  const Search noisy(Score::accuracy, [](double x) { return x == 7 ? 0.5 : 0.7 + 0.01 * std::min(x, 13.0); });
  EXPECT_EQ(noisy.best(), 13);
  const Search flat(Score::accuracy, [](double x) { return 0.7 + 0.01 * std::min(x, 5.0) + 1e-6 * x; });  // gains below 1e-4
  EXPECT_EQ(flat.largest(), 9);
  EXPECT_FALSE(flat.found.is_open);
}

TEST(SearchOfC, EqualScoresAreNoReasonToGoOn) {
  const Search search(Score::accuracy, [](double) { return 1.0; });
  EXPECT_EQ(search.best(), -5);
  EXPECT_EQ(search.found.c, default_c_grid());
  EXPECT_FALSE(search.found.is_open);
}

TEST(SearchOfC, ValuesThatAllDoTheSameAreTooSmall) {
  for (const double start : {6.0, 9.0, 11.0, 20.0}) {
    const Search late(Score::accuracy, [&](double x) { return x < start ? 0.517 : std::min(0.517 + 0.05 * (x - start + 1), 0.8); });
    EXPECT_GE(late.best(), start);
    EXPECT_GT(late.found.mean(late.found.best()), 0.6);
  }
  const Search first_worse(Score::accuracy, [](double x) { return x < 9 ? 0.5 : x < 10 ? 0.45 : std::min(0.4 + 0.05 * (x - 8), 0.7); });
  EXPECT_GT(first_worse.found.mean(first_worse.found.best()), 0.5);  // the last of a pair alone does not end it
  const Search never(Score::accuracy, [](double) { return 0.517; });
  EXPECT_EQ(never.best(), -5);
  EXPECT_EQ(never.largest(), 25);
  EXPECT_TRUE(never.found.is_open);
  const Search unsolved(Score::accuracy, [](double x) { return x > 10 ? nan : 0.517; });
  EXPECT_EQ(unsolved.largest(), 13);
  EXPECT_TRUE(unsolved.found.is_open);
  const Search differs(Score::accuracy, [](double x) { return x == 0 ? 0.516 : 0.517; });
  EXPECT_EQ(differs.found.c, default_c_grid());
  EXPECT_FALSE(differs.found.is_open);
}

TEST(SearchOfC, EndsOpenAtTheLimitsAndWhereNothingCanBeSolved) {
  const auto rising = [](double x) { return 0.5 + 0.01 * x; };
  const Search limited(Score::accuracy, rising);
  EXPECT_EQ(limited.best(), 25);  // 2^27 is above 1e8
  EXPECT_TRUE(limited.found.is_open);
  const Search in_float(Score::accuracy, rising, {}, 1e4);
  EXPECT_EQ(in_float.best(), 13);
  EXPECT_TRUE(in_float.found.is_open);
  const Search unsolved(Score::accuracy, [&](double x) { return x > 10 ? nan : rising(x); });
  EXPECT_EQ(unsolved.best(), 9);
  EXPECT_TRUE(unsolved.found.is_open);
  EXPECT_EQ(unsolved.largest(), 13);
  const Search falling(Score::accuracy, [](double x) { return 0.1 - 0.001 * x; });
  EXPECT_EQ(falling.smallest(), -99);  // 2^-101 is below 1e-30
  EXPECT_TRUE(falling.found.is_open);
}

TEST(SearchOfC, ValuesThatWereGivenAreAllOfThem) {
  const auto rising = [](double x) { return 0.5 + 0.01 * x; };
  const Search open(Score::accuracy, rising, {4, 1, 2});
  EXPECT_EQ(open.found.c, (std::vector<double>{1, 2, 4}));
  EXPECT_TRUE(open.found.is_open);
  EXPECT_TRUE(Search(Score::squared_error, rising, {1, 2}).found.is_open);
  EXPECT_FALSE(Search(Score::accuracy, [](double x) { return -std::abs(x - 1); }, {1, 2, 4}).found.is_open);
  EXPECT_FALSE(Search(Score::accuracy, [](double) { return 0.5; }, {1, 2, 4}).found.is_open);
  EXPECT_TRUE(Search(Score::accuracy, [&](double x) { return x > 1 ? nan : rising(x); }, {1, 2, 4}).found.is_open);
  EXPECT_FALSE(Search(Score::accuracy, rising, {4}).found.is_open);
}

TEST(SearchOfC, BeyondTheGridTheSvmSaysWhatItSaysOfAGivenGrid) {
  // Rows so close together that weights have to be large to tell them apart.
  const Problem problem = Problem::with(600, 2, 20, 23);
  Matrix<double> X = problem.X;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (double& x : X.row(i)) x *= 0.004;
  const auto folds = stratified_folds(problem.labels, 4, 1);
  const Design<double> design(problem.map.left(), X);
  const CrossValidation found = cross_validate_svm(design, problem.labels, folds, {});
  ASSERT_GT(found.c.back(), 32);
  const CrossValidation given = cross_validate_svm(design, problem.labels, folds, found.c);
  expect_same(found.scores, given.scores);
  for (std::size_t i = 0; i < found.c.size(); ++i)
    for (std::size_t fold = 0; fold < 4; ++fold)
      EXPECT_NEAR(found.objectives(i, fold), given.objectives(i, fold), 1e-8 * given.objectives(i, fold));
  EXPECT_GT(found.mean(found.best()), found.mean(10));  // 2^5
  for (const std::size_t n_threads : {2, 3})
    expect_same(found.objectives,
                cross_validate_svm(design, problem.labels, folds, {}, {.max_memory = 1, .execution = {n_threads}}).objectives);
  const Matrix<float> rounded = to_float(X);
  EXPECT_LE(cross_validate_svm(Design<float>(problem.map.left(), rounded), problem.labels, folds, {}).c.back(), 1e4);
}

TEST(SearchOfC, RidgeGoesOnFromItsSums) {
  const Problem problem = Problem::with(300, 2, 12, 9);
  const Matrix<double> features = problem.map.left(problem.X);
  Matrix<double> Y(300, 1);
  for (std::size_t i = 0; i < 300; ++i) Y(i, 0) = 100 * (features(i, 0) - features(i, 1));  // without noise: no ridge is best
  RidgeAccumulator<double> accumulator(problem.map.left(), 1, 4);
  accumulator.add(problem.X, Y, random_folds(300, 4, 2));
  const RidgeSums sums = accumulator.moments();
  const RidgeFit found = solve_ridge(sums);
  ASSERT_GT(found.c, 32);
  EXPECT_EQ(found.training_errors.size(), found.validation.c.size());
  const RidgeFit given = solve_ridge(sums, {.c = found.validation.c});
  expect_same(found.validation.scores, given.validation.scores);
  expect_same(found.model.weights, given.model.weights);
  EXPECT_EQ(found.training_errors, given.training_errors);
  // A large ridge is best for noise: the other end.
  for (std::size_t i = 0; i < 300; ++i) Y(i, 0) = RandomStream(3, Purpose::evaluation_rows, i).normal();
  RidgeAccumulator<double> noise(problem.map.left(), 1, 4);
  noise.add(problem.X, Y, random_folds(300, 4, 2));
  EXPECT_LT(solve_ridge(noise.moments()).validation.c.front(), default_c_grid().front());
}

TEST(SearchOfC, TheModelsOfFoldsAreThoseOfTheCrossValidation) {
  const Problem problem = Problem::with(200, 2, 8, 9);
  const Matrix<double> features = problem.map.left(problem.X);
  Matrix<double> Y(200, 1);
  for (std::size_t i = 0; i < 200; ++i) Y(i, 0) = 10 + std::sin(problem.X(i, 0)) * problem.X(i, 1);
  const auto folds = random_folds(200, 4, 2);
  for (const bool bias : {false, true}) {
    RidgeAccumulator<double> accumulator(problem.map.left(), 1, 4);
    accumulator.add(problem.X, Y, folds);
    const RidgeSums sums = accumulator.moments();
    const RidgeFit fit = solve_ridge(sums, {.c = {1, 4}, .bias = bias});
    const std::vector<LinearModel> models = solve_ridge_folds(sums, fit);
    ASSERT_EQ(models.size(), 4U);
    for (std::uint32_t fold = 0; fold < 4; ++fold) {
      double squares = 0, n = 0;
      for (std::size_t i = 0; i < 200; ++i) {
        if (folds[i] != fold) continue;
        double output = models[fold].bias[0];
        for (std::size_t f = 0; f < features.cols(); ++f) output += features(i, f) * models[fold].weights(f, 0);
        squares += std::pow(Y(i, 0) - output, 2);
        ++n;
      }
      EXPECT_NEAR(squares / n, fit.validation.scores(fit.validation.best(), fold), 1e-7);
    }
  }
}

}  // namespace
}  // namespace askrff::test
