// Predictor: the long way (scale, features, product, bias) gives the same; what does not fit together is refused.
#include <gtest/gtest.h>

#include <functional>

#include "pipeline/sample_models.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

/// Outputs by the definition, in the order of the text books.
Matrix<double> by_hand(const Model& model, Matrix<double> X) {
  model.preparation.scaler.apply(X.view());
  const Matrix<double> features = model.preparation.features().transform(X);
  Matrix<double> out(X.rows(), model.linear.n_outputs());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t k = 0; k < out.cols(); ++k) {
      long double sum = model.linear.bias[k];
      for (std::size_t f = 0; f < features.cols(); ++f) sum += static_cast<long double>(features(i, f)) * model.linear.weights(f, k);
      out(i, k) = static_cast<double>(sum);
    }
  return out;
}

void expect_close(const Matrix<double>& a, const Matrix<double>& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (std::size_t i = 0; i < a.rows() * a.cols(); ++i) ASSERT_NEAR(a.data()[i], b.data()[i], tolerance) << i;
}

TEST(Predictor, IsScaleFeaturesProductBias) {
  for (const Model& model : {fourier_classifier(), nystrom_regression(), linear_regression()}) {
    const Matrix<double> X = uniform_matrix(40, model.preparation.dim, 1, -1, 1);
    expect_close(Predictor(model).outputs(X), by_hand(model, X), 1e-12);
  }
  const Model in_float = structured_classifier();
  const Matrix<double> X = uniform_matrix(40, in_float.preparation.dim, 1, -1, 1);
  expect_close(Predictor(in_float).outputs(X), by_hand(in_float, X), 1e-4);
}

TEST(Predictor, SameBitsForBlocksAndThreads) {
  for (const Model& model : {fourier_classifier(), structured_classifier(), nystrom_regression()}) {
    const Matrix<double> X = uniform_matrix(20'000, model.preparation.dim, 2);  // more than a block
    const Matrix<double> all = Predictor(model, {.n_threads = 1}).outputs(X);
    expect_same(Predictor(model, {.n_threads = 3}).outputs(X), all);
    const Matrix<double> some = Predictor(model).outputs(X.view().middle_rows(16'380, 10));
    for (std::size_t i = 0; i < some.rows(); ++i)
      for (std::size_t k = 0; k < some.cols(); ++k) ASSERT_EQ(some(i, k), all(16'380 + i, k));
  }
}

TEST(Predictor, ClassesFollowTheOutputs) {
  const Matrix<double> two(3, 1, {-1, 0, 1e-300});
  EXPECT_EQ(Predictor(structured_classifier()).classes_of(two), (std::vector<std::size_t>{0, 0, 1}));
  const Matrix<double> three(3, 3, {1, 2, 3, 5, 5, 4, -3, -2, -2});
  EXPECT_EQ(Predictor(fourier_classifier()).classes_of(three), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_THROW(Predictor(fourier_classifier()).classes_of(two), std::invalid_argument);
  EXPECT_THROW(Predictor(nystrom_regression()).classes_of(two), std::invalid_argument);
}

TEST(Predictor, RowsThatDoNotFitAreRefused) {
  const Predictor predictor(fourier_classifier());
  EXPECT_EQ(predictor.outputs(Matrix<double>(0, 3)).rows(), 0u);
  EXPECT_THROW(predictor.outputs(Matrix<double>(2, 4)), std::invalid_argument);
  Matrix<double> X(2, 3);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    X(1, 2) = bad;
    EXPECT_THROW(predictor.outputs(X), std::invalid_argument);
  }
  X(1, 2) = 1e300;
  EXPECT_THROW(Predictor(structured_classifier()).outputs(Matrix<double>(1, 5, {1e300, 0, 0, 0, 0})), std::invalid_argument);
}

TEST(Preparation, SidesAndColumns) {
  Preparation map = fourier_classifier().preparation;
  const Matrix<double> X = uniform_matrix(5, 3, 4);
  const FeatureMap both(*map.atoms);
  map.side = FeatureSide::left;
  expect_same(map.features().transform(X), both.left(X));
  map.side = FeatureSide::right;
  expect_same(map.features().transform(X), both.right(X));
  EXPECT_EQ(map.n_features(), both.n_features());
  map.atoms = random_atoms(4, 3, 1);
  map.side = FeatureSide::classifier;
  EXPECT_THROW(map.features(), std::invalid_argument);  // atoms without parts
  map.atoms.reset();
  EXPECT_THROW(map.features(), std::invalid_argument);
  map.side = FeatureSide::left;
  EXPECT_TRUE(map.is_linear());
  expect_same(map.features().transform(X), X);
  EXPECT_EQ(map.features().n_features(), 3u);
}

TEST(Preparation, RowsOutside) {
  const Preparation calibrated = calibrated_map(), landmarks = nystrom_regression().preparation, plain = fourier_classifier().preparation;
  const Matrix<double> X(3, 2, {0.5, 0.5, 9, 0.5, 0.5, -9});
  EXPECT_EQ(calibrated.rows_outside(X), 2u);
  EXPECT_EQ(landmarks.rows_outside(X), 2u);
  EXPECT_EQ(plain.rows_outside(Matrix<double>(3, 3, std::vector<double>(9, 1e9))), 0u);
}

TEST(ModelCheck, WhatDoesNotFitTogetherIsRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const Model& good, const std::function<void(Model&)>& spoil) {
    Model bad = good;
    spoil(bad);
    EXPECT_THROW(check(bad), std::invalid_argument);
    EXPECT_THROW(Predictor{bad}, std::invalid_argument);
  };
  const Model fourier = fourier_classifier(), landmarks = nystrom_regression(), structured = structured_classifier();
  for (const Model& good : {fourier, landmarks, structured, linear_regression()}) {
    EXPECT_NO_THROW(check(good));
    refused(good, [](Model& model) { model.preparation.dim += 1; });
    refused(good, [](Model& model) { model.preparation.dim = 0; });
    refused(good, [](Model& model) { model.linear.weights = Matrix<double>(3, 1); });
    refused(good, [](Model& model) { model.linear.weights(1, 0) = nan; });
    refused(good, [](Model& model) { model.linear.bias.push_back(0); });
    refused(good, [](Model& model) { model.linear.bias[0] = nan; });
    refused(good, [](Model& model) { model.classes.push_back("more"); });
    refused(good, [](Model& model) { model.training.cv_c.push_back(1); });
  }
  refused(fourier, [](Model& model) { model.classes[2] = model.classes[0]; });
  refused(fourier, [](Model& model) { model.task = Task::regression; });
  refused(fourier, [](Model& model) { model.preparation.scaler.width.pop_back(); });
  refused(fourier, [](Model& model) { model.preparation.scaler.width[0] = -1; });
  refused(fourier, [&](Model& model) { model.preparation.nystrom = landmarks.preparation.nystrom; });
  refused(landmarks, [](Model& model) { model.preparation.nystrom->left_factor(0, 0) = nan; });
  refused(landmarks, [](Model& model) { model.preparation.nystrom->kernel = nullptr; });
  refused(landmarks, [](Model& model) { model.preparation.range->lowest.pop_back(); });
  refused(structured, [](Model& model) { model.linear.weights(0, 0) = 1e39; });  // no float
}

}  // namespace
}  // namespace askrff::test
