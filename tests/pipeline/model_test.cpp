// Model::outputs and its classes: the long way (scale, features, product, bias) gives the same; what does not fit together is refused.
#include <gtest/gtest.h>

#include <functional>

#include "askrff/errors.hpp"
#include "pipeline/sample_models.hpp"
#include "support/same_bits.hpp"
#include "support/linear_inputs.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

/// Outputs by the definition, in the order of the text books.
Matrix<double> by_hand(const Model& model, Matrix<double> X) {
  model.map.content().scaler.apply(X.view());
  const Matrix<double> features = model.map.features().transform(X);
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

TEST(Model, IsScaleFeaturesProductBias) {
  for (const Model& model : {fourier_classifier(), nystrom_regression(), linear_regression()}) {
    const Matrix<double> X = uniform_matrix(40, model.map.dim(), 1, -1, 1);
    expect_close(model.outputs(X), by_hand(model, X), 1e-12);
  }
  const Model in_float = structured_classifier();
  const Matrix<double> X = uniform_matrix(40, in_float.map.dim(), 1, -1, 1);
  expect_close(in_float.outputs(X), by_hand(in_float, X), 1e-4);
}

TEST(Model, SameBitsForBlocksAndThreads) {
  for (const Model& model : {fourier_classifier(), structured_classifier(), nystrom_regression()}) {
    const Matrix<double> X = uniform_matrix(20'000, model.map.dim(), 2);  // more than a block
    const Matrix<double> all = model.outputs(X, {.n_threads = 1});
    expect_same(model.outputs(X, {.n_threads = 3}), all);
    const Matrix<double> some = model.outputs(X.view().middle_rows(16'380, 10));
    for (std::size_t i = 0; i < some.rows(); ++i)
      for (std::size_t k = 0; k < some.cols(); ++k) ASSERT_EQ(some(i, k), all(16'380 + i, k));
  }
}

TEST(Model, ClassesFollowTheOutputs) {
  const Matrix<double> two(3, 1, {-1, 0, 1e-300});
  EXPECT_EQ(structured_classifier().classes_of(two), (std::vector<std::size_t>{0, 0, 1}));
  const Matrix<double> three(3, 3, {1, 2, 3, 5, 5, 4, -3, -2, -2});
  EXPECT_EQ(fourier_classifier().classes_of(three), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_THROW(fourier_classifier().classes_of(two), std::invalid_argument);
  EXPECT_THROW(nystrom_regression().classes_of(two), std::invalid_argument);
}

TEST(Model, RowsThatDoNotFitAreRefused) {
  const Model model = fourier_classifier();
  EXPECT_EQ(model.outputs(Matrix<double>(0, 3)).rows(), 0u);
  EXPECT_THROW(model.outputs(Matrix<double>(2, 4)), std::invalid_argument);
  Matrix<double> X(2, 3);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    X(1, 2) = bad;
    EXPECT_THROW(model.outputs(X), std::invalid_argument);
  }
  Model linear = linear_regression();
  for (std::size_t f = 0; f < 4; ++f) linear.linear.weights(f, 0) = 10;
  EXPECT_THROW(linear.outputs(Matrix<double>(1, 4, {1e308, 0, 0, 0})), std::invalid_argument);  // not infinity
}

TEST(Model, PredictGivesTheLabelsAsTheyWereWritten) {
  const Model model = fourier_classifier();
  const Matrix<double> X = uniform_matrix(30, 3, 6, -1, 1);
  const auto classes = model.classes_of(model.outputs(X));
  const auto labels = model.predict(X);
  ASSERT_EQ(labels.size(), classes.size());
  for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(labels[i], odd_labels()[classes[i]]);
  EXPECT_TRUE(model.predict(Matrix<double>(0, 3)).empty());
  EXPECT_THROW(nystrom_regression().predict(Matrix<double>(1, 2)), InvalidArgument);
}

// Numbers that fit into double but not into the model's float are refused, not turned into infinity.
TEST(Model, NumbersTooLargeForItsPrecisionAreRefused) {
  try {
    structured_classifier().outputs(Matrix<double>(1, 5, {0, 4e38, 0, 0, 0}));
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("4e+38, which is too large for float32"), std::string::npos) << error.what();
  }
}

TEST(ModelCheck, WhatDoesNotFitTogetherIsRefused) {
  const auto refused = [](const Model& good, const std::function<void(Model&)>& spoil) {
    Model bad = good;
    spoil(bad);
    EXPECT_THROW(bad.outputs(Matrix<double>(1, bad.map.dim())), InvalidArgument);
    EXPECT_THROW(bad.to_bytes(), InvalidArgument);
  };
  const Model fourier = fourier_classifier(), structured = structured_classifier();
  for (const Model& good : {fourier, nystrom_regression(), structured, linear_regression()}) {
    EXPECT_NO_THROW(good.to_bytes());
    refused(good, [](Model& model) { model.map = column_map(7); });
    refused(good, [](Model& model) { model.linear.weights = Matrix<double>(3, 1); });
    refused(good, [](Model& model) { model.linear.weights(1, 0) = nan; });
    refused(good, [](Model& model) { model.linear.bias.push_back(0); });
    refused(good, [](Model& model) { model.linear.bias[0] = nan; });
    refused(good, [](Model& model) { model.classes.push_back("more"); });
    refused(good, [](Model& model) { model.training.cv_c.push_back(1); });
  }
  refused(fourier, [](Model& model) { model.classes[2] = model.classes[0]; });
  refused(fourier, [](Model& model) { model.task = Task::regression; });
  refused(structured, [](Model& model) { model.linear.weights(0, 0) = 1e39; });  // no float
}

TEST(MapCheck, WhatDoesNotFitTogetherIsRefused) {
  const auto refused = [](const Map& good, const std::function<void(MapContent&)>& spoil) {
    MapContent bad = good.content();
    spoil(bad);
    EXPECT_THROW(Map{bad}, InvalidArgument);
    EXPECT_THROW(good.with(spoil), InvalidArgument);
  };
  const Map fourier = fourier_classifier().map, landmarks = nystrom_regression().map;
  refused(fourier, [](MapContent& map) { map.scaler.width.pop_back(); });
  refused(fourier, [](MapContent& map) { map.scaler.width[0] = -1; });
  refused(fourier, [](MapContent& map) { map.scaler.offset[2] = nan; });
  refused(fourier, [](MapContent& map) { map.column_names = {"a", "b"}; });
  refused(fourier, [](MapContent& map) { map.certificate = Certificate{{nan, 0, 0, 2, 4}, 1, 2, true}; });
  refused(fourier, [](MapContent& map) { map.range = ColumnRange{{0, 0}, {1, 1}}; });
  refused(landmarks, [](MapContent& map) { map.side = FeatureSide::classifier; });
  refused(landmarks, [](MapContent& map) { map.range->lowest.pop_back(); });
  refused(landmarks, [](MapContent& map) { std::get<NystromFactors>(map.source).left_factor(0, 0) = nan; });
  refused(landmarks, [](MapContent& map) { std::get<NystromFactors>(map.source).kernel = nullptr; });
  refused(landmarks, [](MapContent& map) { std::get<NystromFactors>(map.source).landmarks = Matrix<double>(4, 2); });
  EXPECT_THROW(column_map(0), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
