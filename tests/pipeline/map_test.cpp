// Map: sides and scaled rows by the definition, in every combination of types; copies share their plans; what does not fit is refused.
#include "askrff/map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <future>

#include "askrff/errors.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/sample_models.hpp"
#include "support/same_bits.hpp"
#include "support/linear_inputs.hpp"

namespace askrff::test {
namespace {

/// Rows scaled by the definition, in double.
Matrix<double> scaled_by_hand(const Map& map, Matrix<double> X) {
  map.content().scaler.apply(X.view());
  return X;
}

Map scaled_columns() {
  return column_map(3).with([](MapContent& content) { content.scaler = {Scaling::standard, {0.1, -2, 5}, {1.0 / 3, 3, 0}}; });
}

std::vector<Map> one_of_each() {
  return {fourier_classifier().map, nystrom_regression().map, calibrated_map(), scaled_columns(), column_map(4)};
}

template <class T, class U>
Matrix<T> transformed(const Map& map, FeatureSide side, const Matrix<U>& X, const Execution& execution = {}) {
  Matrix<T> out(X.rows(), map.n_features(side));
  map.transform<T, U>(side, X, out.view(), execution);
  return out;
}

TEST(Map, KnowsItsKindAndSizes) {
  const Map fourier = fourier_classifier().map, landmarks = nystrom_regression().map, columns = column_map(4);
  EXPECT_EQ(fourier.kind(), "fourier");
  EXPECT_EQ(fourier.dim(), 3u);
  EXPECT_EQ(fourier.n_frequencies(), 12u);
  EXPECT_EQ(fourier.n_landmarks(), 0u);
  EXPECT_EQ(fourier.n_features(FeatureSide::left), 24u);
  EXPECT_EQ(fourier.n_features(), fourier.features().n_features());
  EXPECT_TRUE(fourier.has_side(FeatureSide::classifier));
  EXPECT_EQ(landmarks.kind(), "nystrom");
  EXPECT_EQ(landmarks.n_frequencies(), 0u);
  EXPECT_EQ(landmarks.n_landmarks(), 9u);
  EXPECT_EQ(landmarks.n_features(), 5u);
  EXPECT_FALSE(landmarks.has_side(FeatureSide::classifier));
  EXPECT_EQ(columns.kind(), "columns");
  EXPECT_TRUE(columns.is_linear());
  EXPECT_EQ(columns.n_features(), 4u);
  EXPECT_FALSE(columns.is_linear() && (columns.atoms() || columns.nystrom()));
  for (const Map& map : one_of_each())
    for (const FeatureSide side : {FeatureSide::left, FeatureSide::right, FeatureSide::classifier})
      if (map.has_side(side)) {
        EXPECT_EQ(map.n_features(side), map.features(side).n_features());
      } else {
        EXPECT_THROW(map.n_features(side), InvalidArgument);
        EXPECT_THROW(map.features(side), InvalidArgument);
      }
}

TEST(Map, EverySideIsScaledRowsThroughTheFeatures) {
  for (const Map& map : one_of_each()) {
    SCOPED_TRACE(map.kind());
    const Matrix<double> X = uniform_matrix(30, map.dim(), 4, -1, 1), scaled = scaled_by_hand(map, X);
    const FeatureMap both(map.content().source);
    expect_same(map.left(X), both.left(scaled));
    expect_same(map.right(X), both.right(scaled));
    expect_same(map.feature_map().right(scaled), both.right(scaled));
    expect_same(transformed<double, double>(map, FeatureSide::left, X), map.left(X));
    if (map.has_side(FeatureSide::classifier))
      expect_same(transformed<double, double>(map, FeatureSide::classifier, X), ClassifierFeatures(*map.atoms()).transform(scaled));
  }
}

template <class T, class U>
void expect_scaled_and_rounded_once(const Map& map) {
  const Matrix<U> X = rounded_to<U>(uniform_matrix(5000, map.dim(), 6, -1, 1));  // more than are scaled at once
  Matrix<double> widened(X.rows(), X.cols());
  std::copy_n(X.data(), X.rows() * X.cols(), widened.data());
  const Matrix<double> scaled = scaled_by_hand(map, std::move(widened));
  Matrix<T> storage;
  const MatrixView<const T> rows = map.scaled<T, U>(X, storage);
  ASSERT_EQ(rows.rows(), X.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) ASSERT_EQ(rows(i, j), static_cast<T>(scaled(i, j)));
  const bool nothing_to_do = std::is_same_v<T, U> && map.content().scaler.kind == Scaling::none;
  EXPECT_EQ(static_cast<const void*>(rows.data()) == static_cast<const void*>(X.data()), nothing_to_do);
  expect_same(transformed<T, U>(map, map.content().side, X), map.features().transform(rounded_to<T>(scaled)));
}

TEST(Map, RowsAreScaledInDoubleAndRoundedOnceInAllTypes) {
  for (const Map& map : one_of_each()) {
    SCOPED_TRACE(map.kind());
    expect_scaled_and_rounded_once<double, double>(map);
    expect_scaled_and_rounded_once<double, float>(map);
    expect_scaled_and_rounded_once<float, double>(map);
    expect_scaled_and_rounded_once<float, float>(map);
  }
}

TEST(Map, ScaledRowsUseStorageThatIsLargeEnoughAgain) {
  const Map map = scaled_columns();
  Matrix<double> storage;
  const double* first = map.scaled<double, double>(uniform_matrix(10, 3, 1), storage).data();
  const auto fewer = map.scaled<double, double>(uniform_matrix(4, 3, 2), storage);
  EXPECT_EQ(fewer.data(), first);
  EXPECT_EQ(fewer.rows(), 4u);
}

TEST(Map, SameBitsForThreadsBlocksAndOrder) {
  for (const Map& map : one_of_each()) {
    SCOPED_TRACE(map.kind());
    const std::size_t n = map.kind() == "nystrom" ? 3000 : 70'000;  // more than are scaled and transformed at once
    const Matrix<double> X = uniform_matrix(n, map.dim(), 9, -1, 1);
    const Matrix<double> all = map.left(X, {.n_threads = 1});
    expect_same(map.left(X, {.n_threads = 3}), all);
    for (const std::size_t row : {std::size_t{0}, n / 3, n - 1}) {
      const Matrix<double> one = map.left(X.view().middle_rows(row, 1));
      for (std::size_t j = 0; j < one.cols(); ++j) ASSERT_EQ(one(0, j), all(row, j));
    }
  }
}

TEST(Map, CopiesShareTheirPlans) {
  const Map map = fourier_classifier().map, copy = map;
  const Map changed = map.with([](MapContent& content) {
    content.side = FeatureSide::right;
    content.scaler = {};
    content.reason = "changed";
  });
  EXPECT_EQ(&copy.features().plan(), &map.features().plan());
  for (const FeatureSide side : {FeatureSide::left, FeatureSide::right, FeatureSide::classifier})
    EXPECT_EQ(&changed.features(side).plan(), &map.features(side).plan());
  EXPECT_EQ(&changed.features().plan(), &map.feature_map().right().plan());
  EXPECT_NE(&map.features(FeatureSide::left).plan(), &map.features(FeatureSide::left, Backend::reference).plan());
  EXPECT_EQ(&map.features(FeatureSide::left, Backend::reference).plan(), &copy.features(FeatureSide::left, Backend::reference).plan());
  EXPECT_EQ(map.content().reason, "");
  EXPECT_EQ(map.content().side, FeatureSide::classifier);
  EXPECT_EQ(changed.content().reason, "changed");
  EXPECT_NE(&Map(map.content()).features().plan(), &map.features().plan());
}

TEST(Map, PlansAreMadeOnceByManyThreads) {
  const Map map = calibrated_map();
  const Matrix<double> X = uniform_matrix(20, 2, 3);
  std::vector<Matrix<double>> results(4);
  {
    std::vector<std::future<void>> threads;  // which are waited for when this ends
    for (Matrix<double>& result : results)
      threads.push_back(std::async(std::launch::async, [&, copy = map] { result = copy.left(X, {.n_threads = 1}); }));
  }
  for (const Matrix<double>& result : results) expect_same(result, map.left(X));
}

TEST(Map, RowsOutside) {
  const Matrix<double> X(3, 2, {0.5, 0.5, 9, 0.5, 0.5, -9});
  EXPECT_EQ(calibrated_map().rows_outside(X), 2u);
  // Scaled to (x - 0.5)/0.1 and (x + 0.001)/1000: the range is that of the scaled rows.
  const Map landmarks = nystrom_regression().map;
  EXPECT_EQ(landmarks.fitted_range(), &*landmarks.content().range);
  EXPECT_EQ(landmarks.rows_outside(Matrix<double>(3, 2, {0.55, 500, 0.9, 500, 0.55, -600})), 2u);
  const Map plain = fourier_classifier().map;
  EXPECT_EQ(plain.fitted_range(), nullptr);
  EXPECT_EQ(plain.rows_outside(Matrix<double>(3, 3, std::vector<double>(9, 1e9))), 0u);
  EXPECT_THROW(landmarks.rows_outside(Matrix<double>(1, 3)), InvalidArgument);
}

/// What is said of float32 features is what they are off by, within a factor of some: rows moved further and further from 0.
TEST(Map, Float32Error) {
  const Map map = calibrated_map();
  Matrix<double> X = uniform_matrix(200, 2, 3);
  double moved = 0;
  for (const double offset : {1e2, 1e4, 1e6}) {
    for (double& x : std::span(X.data(), X.rows() * X.cols())) x += offset - moved;
    moved = offset;
    Matrix<float> off(X.rows(), map.n_features(FeatureSide::left));
    map.transform<float, double>(FeatureSide::left, X, off);
    const Matrix<double> exact = map.left(X);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < off.rows(); ++i)
      for (std::size_t j = 0; j < off.cols(); ++j) {
        error += (off(i, j) - exact(i, j)) * (off(i, j) - exact(i, j));
        size += exact(i, j) * exact(i, j);
      }
    const double measured = std::sqrt(error / size), said = map.float32_error(X, false);
    EXPECT_LT(measured, 2 * said) << offset;
    EXPECT_GT(measured, said / 20) << offset;
  }
  // A scaler divides what was lost before it: the columns here are 0.1 and 1000 wide.
  const Map landmarks = nystrom_regression().map;
  const Matrix<double> far(1, 2, {1e6, 500});
  EXPECT_GT(landmarks.float32_error(far, true), 0.1);
  EXPECT_LT(landmarks.float32_error(Matrix<double>(1, 2, {0.55, 500}), true), 1e-5);
  EXPECT_THROW(landmarks.float32_error(Matrix<double>(1, 3), true), InvalidArgument);
}

TEST(Map, NumbersTooLargeForFloatAreRefused) {
  Matrix<float> storage;
  const auto refusal = [&](const Map& map, double value) {
    Matrix<double> X(2, map.dim());
    X(1, 0) = value;
    return message_of<InvalidArgument>([&] { map.scaled<float, double>(X, storage); });
  };
  EXPECT_TRUE(contains(refusal(column_map(3), -1e39), "Map: a row holds -1e+39, which is too large for float32"));
  EXPECT_EQ(refusal(column_map(3), std::numeric_limits<float>::max()), "accepted");
  EXPECT_TRUE(contains(refusal(scaled_columns(), 2e38), "too large for float32"));  // by its scaling: 6e38
  Matrix<float> out(2, 3);
  EXPECT_THROW((column_map(3).transform<float, double>(FeatureSide::left, Matrix<double>(2, 3, std::vector<double>(6, 1e300)), out.view())),
               InvalidArgument);
  // A column that was scaled away from such numbers is welcome.
  const Map narrow = column_map(1).with([](MapContent& content) { content.scaler = {Scaling::minmax, {1e300}, {1e299}}; });
  EXPECT_EQ((narrow.scaled<float, double>(Matrix<double>(1, 1, {1.05e300}), storage)(0, 0)), 0.5f);
}

TEST(Map, RowsThatAreNotFiniteAreNamed) {
  for (const Map& map : one_of_each()) {
    SCOPED_TRACE(map.kind());
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      Matrix<double> X(70'000, map.dim());
      X(66'000, 1) = bad;  // beyond the first block
      EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { map.left(X); }), "row 66000"));
      EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { transformed<float, double>(map, FeatureSide::right, X); }), "row 66000"));
    }
  }
}

TEST(Map, RowsOfWrongWidthAreRefused) {
  const Map map = scaled_columns();
  Matrix<double> storage, out(2, 4);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { map.left(Matrix<double>(2, 4)); }), "X has 4 columns, the map was made for 3"));
  EXPECT_THROW((map.scaled<double, double>(Matrix<double>(2, 2), storage)), InvalidArgument);
  EXPECT_THROW((map.transform<double, double>(FeatureSide::left, Matrix<double>(2, 3), out.view())), InvalidArgument);
  EXPECT_EQ(map.left(Matrix<double>(0, 3)).rows(), 0u);
}

}  // namespace
}  // namespace askrff::test
