// Models that are stopped in the middle of their fits.
#include <gtest/gtest.h>

#include "askrff/linear.hpp"
#include "askrff/ridge.hpp"
#include "support/random_inputs.hpp"
#include "support/stopping.hpp"
#include "support/linear_inputs.hpp"

namespace askrff::test {
namespace {

ClassLabels labels_of(std::size_t n_rows, std::size_t n_classes) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < n_rows; ++i) labels.push_back(std::to_string(i * 7919 % 1009 % n_classes));
  return ClassLabels::of(labels);
}

TEST(Stop, SvmWithHessians) {
  const Matrix<double> X = uniform_matrix(12000, 2000, 1, -1, 1);
  const Design<double> design(ColumnFeatures(2000), X);
  const ClassLabels labels = labels_of(12000, 3);
  const auto folds = stratified_folds(labels, 5, 1);
  for (const int milliseconds : {300, 3000})
    expect_stops([&](const Execution& execution) { cross_validate_svm(design, labels, folds, default_c_grid(), {.execution = execution}); },
                 std::chrono::milliseconds(milliseconds));
}

TEST(Stop, SvmByConjugateGradients) {
  const Matrix<float> X = [] {
    const Matrix<double> wide = uniform_matrix(8000, 5000, 1, -1, 1);
    Matrix<float> narrow(wide.rows(), wide.cols());
    std::copy_n(wide.data(), wide.rows() * wide.cols(), narrow.data());
    return narrow;
  }();
  const Design<float> design(ColumnFeatures(5000), X);
  const ClassLabels labels = labels_of(8000, 2);
  expect_stops([&](const Execution& execution) {
    cross_validate_svm(design, labels, stratified_folds(labels, 5, 1), default_c_grid(), {.execution = execution});
  });
}

TEST(Stop, RidgeSumsAndSolve) {
  const Matrix<double> X = uniform_matrix(30000, 3000, 1, -1, 1), Y = uniform_matrix(30000, 1, 2);
  expect_stops([&](const Execution& execution) { RidgeAccumulator<double>(ColumnFeatures(3000), 1, 1, execution).add(X, Y); });
  RidgeAccumulator<double> sums(ColumnFeatures(3000), 1, 5);
  const auto folds = random_folds(4000, 5, 1);
  sums.add(X.view().middle_rows(0, 4000), Y.view().middle_rows(0, 4000), folds);
  const RidgeSums moments = sums.moments();
  for (const int milliseconds : {300, 1500})
    expect_stops([&](const Execution& execution) { solve_ridge(moments, {.execution = execution}); },
                 std::chrono::milliseconds(milliseconds));
  const RidgeFit fit = solve_ridge(moments, {.c = {1}});
  expect_stops([&](const Execution& execution) { LeaveOneOut(moments, fit, execution); });
}

}  // namespace
}  // namespace askrff::test
