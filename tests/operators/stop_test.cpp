// Products and errors that are stopped in the middle, and what is left of sums that were.
#include <gtest/gtest.h>

#include "askrff/approximate.hpp"
#include "askrff/inversion.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "support/random_inputs.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

class Stop : public ::testing::Test {
 protected:
  std::shared_ptr<const Kernel> kernel_ = shift_gaussian({.sigma = 0.3});
  Matrix<double> X_ = uniform_matrix(240000, 100, 1);
  FeatureMap map_{approximate(*kernel_, 100, {.n_frequencies = 4096, .estimator = Estimator::polar})};
};

TEST_F(Stop, Products) {
  const Matrix<double> W = uniform_matrix(map_.n_features(), 3, 2), V = uniform_matrix(X_.rows(), 1, 3);
  expect_stops([&](const Execution& execution) { multiply(map_.left(), X_, W, execution); });
  expect_stops([&](const Execution& execution) { multiply_transposed(map_.left(), X_, V, execution); });
  expect_stops([&](const Execution& execution) { LowRankOperator<double>(map_, X_, X_).apply(V, execution); });
}

TEST_F(Stop, GramMatrixAndErrors) {
  const auto some = X_.view().middle_rows(0, 20000);
  expect_stops([&](const Execution& execution) { approximation_error(*kernel_, map_, some, some, execution); });
}

TEST_F(Stop, NormalEquationsThatWereStoppedSaySo) {
  expect_stops([&](const Execution& execution) {
    NormalEquations<double> sums(map_.left(), 0, execution);
    try {
      sums.add(X_);
    } catch (const Stopped&) {
      EXPECT_THROW(sums.add(X_), std::invalid_argument);
      EXPECT_THROW(sums.sums(), std::invalid_argument);
      EXPECT_THROW(sums.finish(), std::invalid_argument);
      throw;
    }
  });
}

TEST_F(Stop, GridsOfManyFrequencies) {
  const Matrix<double> X = uniform_matrix(100, 1, 1);
  const auto narrow = laplacian({.sigma = 0.3});
  expect_stops([&](const Execution& execution) { GridOperator<double>(*narrow, X.view(), X.view(), {.tolerance = 2e-6}, execution); },
               std::chrono::milliseconds(50));
}

TEST_F(Stop, SourceInversion) {
  const Matrix<double> X = uniform_matrix(100000, 2, 1), S = uniform_matrix(50000, 2, 2), y = uniform_matrix(100000, 1, 3);
  const GridOperator<double> K(*shift_gaussian({.sigma = 0.02, .shift = 0.1}), X.view(), S.view());
  for (const bool non_negative : {false, true})
    expect_stops([&](const Execution& execution) {
      (void)invert_sources(K, {y.data(), y.rows()},
                           {.lambda = 1e-9, .non_negative = non_negative, .tolerance = 1e-12, .execution = execution});
    });
}

}  // namespace
}  // namespace askrff::test
