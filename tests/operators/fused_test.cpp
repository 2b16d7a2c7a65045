// Operators that never store features, against the same sums of stored ones and of the oracle; the same bits for any threads and cuts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/operators.hpp"
#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"
#include "oracle/oracle.hpp"

namespace askrff::test {
namespace {

using oracle::Real;

template <class T>
class Fused : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, float> ? 2e-6 : 4e-15;  // of the sum of absolute values
  const FeatureMap map{random_atoms(45, 3, 1)};
  const Matrix<T> X = random_rows<T>(5000, 3, 2), Y = random_rows<T>(4700, 3, 3);
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Fused, Scalars);

TYPED_TEST(Fused, MultiplyIsFeaturesTimesWeights) {
  using T = TypeParam;
  const auto features = this->map.left(this->X);
  for (const std::size_t k : {1, 2, 40}) {
    const auto W = random_rows<T>(90, k, 4);
    const auto out = multiply(this->map.left(), this->X, W);
    ASSERT_EQ(out.cols(), k);
    for (std::size_t i = 0; i < out.rows(); i += 37)
      for (std::size_t c = 0; c < k; ++c) {
        Real sum = 0, size = 0;
        for (std::size_t f = 0; f < 90; ++f) {
          const Real term = static_cast<Real>(features(i, f)) * W(f, c);
          sum += term;
          size += std::fabs(term);
        }
        ASSERT_LE(std::fabs(out(i, c) - sum), this->tolerance * size + this->tolerance);
      }
    expect_same(out, multiply(this->map.left(), this->X, W, {.n_threads = 3}));
    const auto some = multiply(this->map.left(), this->X.view().middle_rows(1234, 777), W, {.n_threads = 1});
    for (std::size_t i = 0; i < 777; ++i)
      for (std::size_t c = 0; c < k; ++c) ASSERT_EQ(some(i, c), out(1234 + i, c));
  }
}

TYPED_TEST(Fused, MultiplyTransposedIsTheSumOverRows) {
  using T = TypeParam;
  const auto features = this->map.right(this->Y);
  for (const std::size_t k : {1, 3}) {
    const auto V = random_rows<T>(this->Y.rows(), k, 5);
    const auto out = multiply_transposed(this->map.right(), this->Y, V, {.n_threads = 1});
    for (std::size_t f = 0; f < 90; ++f)
      for (std::size_t c = 0; c < k; ++c) {
        Real sum = 0, size = 0;
        for (std::size_t i = 0; i < this->Y.rows(); ++i) {
          const Real term = static_cast<Real>(features(i, f)) * V(i, c);
          sum += term;
          size += std::fabs(term);
        }
        ASSERT_LE(std::fabs(out(f, c) - sum), this->tolerance * size);
      }
    for (const std::size_t threads : {2, 5}) expect_same(out, multiply_transposed(this->map.right(), this->Y, V, {.n_threads = threads}));
  }
}

/// Features of 300 rows are kept by the operator, those of 3000 are made in every product.
TYPED_TEST(Fused, LowRankOperatorIsTheApproximateGramMatrix) {
  using T = TypeParam;
  const std::size_t n_columns = 200;
  for (const std::size_t n_rows : {300, 3000}) {
    const auto rows = random_rows<T>(n_rows, 3, 6), columns = random_rows<T>(n_columns, 3, 7);
    const auto K = approximate_gram(this->map, rows, columns);
    const LowRankOperator<T> op(this->map, rows, columns);
    EXPECT_EQ(op.rows(), n_rows);
    EXPECT_EQ(op.cols(), n_columns);
    for (const std::size_t k : {1, 4}) {
      const auto V = random_rows<T>(n_columns, k, 8), U = random_rows<T>(n_rows, k, 9);
      const auto KV = op.apply(V), KtU = op.apply_transposed(U);
      expect_same(KV, op.apply(V, {.n_threads = 3}));
      const double bound = this->tolerance * static_cast<double>(n_rows) * random_atoms(45, 3, 1).weight_sum();
      for (std::size_t c = 0; c < k; ++c) {
        for (std::size_t i = 0; i < n_rows; ++i) {
          Real sum = 0;
          for (std::size_t j = 0; j < n_columns; ++j) sum += static_cast<Real>(K(i, j)) * V(j, c);
          ASSERT_NEAR(KV(i, c), static_cast<double>(sum), bound);
        }
        for (std::size_t j = 0; j < n_columns; ++j) {
          Real sum = 0;
          for (std::size_t i = 0; i < n_rows; ++i) sum += static_cast<Real>(K(i, j)) * U(i, c);
          ASSERT_NEAR(KtU(j, c), static_cast<double>(sum), bound);
        }
      }
    }
  }
}

TYPED_TEST(Fused, NormalEquationsHoweverTheRowsAreCut) {
  using T = TypeParam;
  const ClassifierFeatures features(approximate(*shift_gaussian(), 3, {.n_frequencies = 11, .seed = 3}));
  const std::size_t n = 2500, F = features.n_features();
  const auto data = random_rows<T>(n, 3, 10), targets = random_rows<T>(n, 2, 11);
  std::vector<T> weights(n);
  for (std::size_t i = 0; i < n; ++i) weights[i] = static_cast<T>(0.5 + static_cast<double>(i % 5));
  NormalEquations<T> whole(features, 2, {.n_threads = 1});
  whole.add(data, targets, weights);
  const auto expected = whole.finish();
  EXPECT_EQ(expected.n_rows, n);
  const auto phi = features.transform(data);
  for (std::size_t f = 0; f < F; f += 3)
    for (std::size_t g = 0; g < F; g += 5) {
      Real sum = 0, size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const Real term = static_cast<Real>(weights[i]) * phi(i, f) * phi(i, g);
        sum += term;
        size += std::fabs(term);
      }
      ASSERT_LE(std::fabs(expected.gram(f, g) - sum), 20 * this->tolerance * size);
      ASSERT_EQ(expected.gram(f, g), expected.gram(g, f));
    }
  for (const std::size_t cut : {1, 100, 1024, 1500}) {
    NormalEquations<T> parts(features, 2, {.n_threads = 1 + cut % 3});
    for (std::size_t first = 0; first < n; first += cut) {
      const std::size_t count = std::min(cut, n - first);
      parts.add(data.view().middle_rows(first, count), targets.view().middle_rows(first, count),
                std::span<const T>(weights).subspan(first, count));
    }
    const auto sums = parts.finish();
    expect_same(sums.gram, expected.gram);
    expect_same(sums.moments, expected.moments);
    EXPECT_EQ(parts.finish().n_rows, 0u);  // begins anew
  }
}

TYPED_TEST(Fused, NormalEquationsWithoutTargets) {
  NormalEquations<TypeParam> with(this->map.left(), 1), without(this->map.left());
  with.add(this->X, random_rows<TypeParam>(5000, 1, 12));
  with.add(Matrix<TypeParam>(0, 3));
  without.add(this->X);
  expect_same(with.finish().gram, without.finish().gram);
  EXPECT_EQ(without.finish().moments.cols(), 0u);
}

TYPED_TEST(Fused, Refusals) {
  using T = TypeParam;
  const auto W = random_rows<T>(89, 1, 1);
  EXPECT_THROW(multiply(this->map.left(), this->X, W), std::invalid_argument);
  EXPECT_THROW(multiply_transposed(this->map.left(), this->X, W), std::invalid_argument);
  EXPECT_THROW(multiply(this->map.left(), random_rows<T>(3, 2, 1), random_rows<T>(90, 1, 1)), std::invalid_argument);
  EXPECT_THROW(LowRankOperator<T>(this->map, random_rows<T>(3, 2, 1), this->Y), std::invalid_argument);
  const LowRankOperator<T> op(this->map, this->X, this->Y);
  EXPECT_THROW(op.apply(random_rows<T>(5, 1, 1)), std::invalid_argument);
  auto broken = random_rows<T>(90, 1, 1);
  broken(7, 0) = std::numeric_limits<T>::quiet_NaN();
  auto broken_rows = random_rows<T>(20, 3, 1);
  broken_rows(7, 0) = std::numeric_limits<T>::quiet_NaN();
  EXPECT_THROW(LowRankOperator<T>(this->map, this->X, broken_rows), std::invalid_argument);
  EXPECT_THROW(multiply(this->map.left(), this->X, broken), std::invalid_argument);
  NormalEquations<T> sums(this->map.left(), 1);
  EXPECT_THROW(sums.add(this->X), std::invalid_argument);
  EXPECT_THROW(sums.add(this->X, random_rows<T>(3, 1, 1)), std::invalid_argument);
  const std::vector<T> few(3);
  EXPECT_THROW(sums.add(this->X, random_rows<T>(5000, 1, 1), few), std::invalid_argument);
  EXPECT_EQ(sums.finish().n_rows, 0u);
  EXPECT_EQ(multiply(this->map.left(), Matrix<T>(0, 3), random_rows<T>(90, 2, 1)).rows(), 0u);
  EXPECT_EQ(multiply(this->map.left(), this->X, Matrix<T>(90, 0)).cols(), 0u);
  EXPECT_EQ(multiply_transposed(this->map.left(), Matrix<T>(0, 3), Matrix<T>(0, 1))(5, 0), 0.0);
}

/// The largest numbers there are do not overflow on the way where the result does not.
TYPED_TEST(Fused, HugeWeightsAndValues) {
  using T = TypeParam;
  const FeatureMap one(SpectralAtoms(Matrix<double>(1, 1, {1.0}), {0.01}));
  const T huge = std::numeric_limits<T>::max() / 2;
  const Matrix<T> zero(1, 1), value(1, 1, {huge}), weights(2, 1, {huge, huge});
  EXPECT_NEAR(multiply_transposed(one.right(), zero, value)(0, 0) / static_cast<double>(huge), 0.1, 1e-6);
  EXPECT_NEAR(static_cast<double>(multiply(one.right(), zero, weights)(0, 0)) / static_cast<double>(huge), 0.1, 1e-6);
}

TYPED_TEST(Fused, TransformHasTheSameBitsForAnyNumberOfThreads) {
  const auto one = this->map.left(this->X, {.n_threads = 1});
  for (const std::size_t threads : {2, 3, 7}) expect_same(one, this->map.left(this->X, {.n_threads = threads}));
}

TYPED_TEST(Fused, GramHasTheSameBitsForAnyNumberOfThreads) {
  const auto rows = random_rows<TypeParam>(700, 3, 6);
  expect_same(approximate_gram(this->map, rows, rows, {.n_threads = 1}), approximate_gram(this->map, rows, rows, {.n_threads = 3}));
}

}  // namespace
}  // namespace askrff::test
