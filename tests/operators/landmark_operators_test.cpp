// Every operator on a map of landmarks, against the same sums of stored features; the same bits for any threads, blocks and cuts.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "askrff/nystrom.hpp"
#include "oracle/oracle.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

using oracle::Real;

template <class T>
class LandmarkOperators : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, float> ? 2e-6 : 4e-15;  // of the sum of absolute values
  static constexpr std::size_t F = 40;
  const std::shared_ptr<const Kernel> kernel = shift_gaussian({.sigma = 1.5, .shift = 0.5});
  const FeatureMap map{nystrom(kernel, random_matrix(1500, 3, 1), {.n_features = F})};
  const Matrix<T> X = random_rows<T>(5000, 3, 2), Y = random_rows<T>(4700, 3, 3);
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(LandmarkOperators, Scalars);

TYPED_TEST(LandmarkOperators, FeaturesDependOnTheirRowOnly) {
  using T = TypeParam;
  const auto whole = this->map.right(this->Y, {.n_threads = 1});
  expect_same(whole, this->map.right(this->Y, {.n_threads = 3}));
  const auto some = this->map.right(this->Y.view().middle_rows(1001, 333));
  for (std::size_t i = 0; i < 333; ++i)
    for (std::size_t f = 0; f < this->F; ++f) ASSERT_EQ(some(i, f), whole(1001 + i, f));
  Matrix<T> reversed(this->Y.rows(), 3);
  for (std::size_t i = 0; i < this->Y.rows(); ++i) std::ranges::copy(this->Y.row(this->Y.rows() - 1 - i), reversed.row(i).begin());
  const auto backwards = this->map.right(reversed);
  for (std::size_t i = 0; i < this->Y.rows(); ++i)
    for (std::size_t f = 0; f < this->F; ++f) ASSERT_EQ(backwards(i, f), whole(this->Y.rows() - 1 - i, f));
}

TYPED_TEST(LandmarkOperators, MultiplyIsFeaturesTimesWeights) {
  using T = TypeParam;
  const auto features = this->map.left(this->X);
  for (const std::size_t k : {1, 2, 40}) {
    const auto W = random_rows<T>(this->F, k, 4);
    const auto out = multiply(this->map.left(), this->X, W, {.n_threads = 1});
    for (std::size_t i = 0; i < out.rows(); i += 37)
      for (std::size_t c = 0; c < k; ++c) {
        Real sum = 0, size = 0;
        for (std::size_t f = 0; f < this->F; ++f) {
          const Real term = static_cast<Real>(features(i, f)) * W(f, c);
          sum += term;
          size += std::fabs(term);
        }
        ASSERT_LE(std::fabs(out(i, c) - sum), this->tolerance * size);
      }
    expect_same(out, multiply(this->map.left(), this->X, W, {.n_threads = 3}));
    const auto some = multiply(this->map.left(), this->X.view().middle_rows(1234, 777), W);
    for (std::size_t i = 0; i < 777; ++i)
      for (std::size_t c = 0; c < k; ++c) ASSERT_EQ(some(i, c), out(1234 + i, c));
  }
}

TYPED_TEST(LandmarkOperators, MultiplyTransposedIsTheSumOverRows) {
  using T = TypeParam;
  const auto features = this->map.right(this->Y);
  for (const std::size_t k : {1, 3}) {
    const auto V = random_rows<T>(this->Y.rows(), k, 5);
    const auto out = multiply_transposed(this->map.right(), this->Y, V, {.n_threads = 1});
    for (std::size_t f = 0; f < this->F; ++f)
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

TYPED_TEST(LandmarkOperators, GramAndLowRankOperatorAreLeftTimesRight) {
  using T = TypeParam;
  const auto rows = random_rows<T>(300, 3, 6), columns = random_rows<T>(200, 3, 7);
  const auto left = this->map.left(rows), right = this->map.right(columns);
  const auto K = approximate_gram(this->map, rows, columns);
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t j = 0; j < 200; ++j) {
      Real sum = 0, size = 0;
      for (std::size_t f = 0; f < this->F; ++f) {
        const Real term = static_cast<Real>(left(i, f)) * right(j, f);
        sum += term;
        size += std::fabs(term);
      }
      ASSERT_LE(std::fabs(K(i, j) - sum), this->tolerance * size);
    }
  const LowRankOperator<T> op(this->map, rows, columns);
  for (const std::size_t k : {1, 4}) {
    const auto V = random_rows<T>(200, k, 8), U = random_rows<T>(300, k, 9);
    const auto KV = op.apply(V), KtU = op.apply_transposed(U);
    for (std::size_t c = 0; c < k; ++c) {
      for (std::size_t i = 0; i < 300; i += 7) {
        Real sum = 0;
        for (std::size_t j = 0; j < 200; ++j) sum += static_cast<Real>(K(i, j)) * V(j, c);
        ASSERT_NEAR(KV(i, c), static_cast<double>(sum), 500 * this->tolerance);
      }
      for (std::size_t j = 0; j < 200; j += 7) {
        Real sum = 0;
        for (std::size_t i = 0; i < 300; ++i) sum += static_cast<Real>(K(i, j)) * U(i, c);
        ASSERT_NEAR(KtU(j, c), static_cast<double>(sum), 500 * this->tolerance);
      }
    }
  }
  const Matrix<T> narrow(4, 2);
  EXPECT_THROW(LowRankOperator<T>(this->map, narrow, columns), std::invalid_argument);
}

TYPED_TEST(LandmarkOperators, NormalEquationsHoweverTheRowsAreCut) {
  using T = TypeParam;
  const auto rows = random_rows<T>(2500, 3, 10), targets = random_rows<T>(2500, 2, 11);
  NormalEquations<T> whole(this->map.left(), 2, {.n_threads = 1}), pieces(this->map.left(), 2, {.n_threads = 3});
  whole.add(rows, targets);
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 700}, {700, 1}, {701, 1799}})
    pieces.add(rows.view().middle_rows(first, count), targets.view().middle_rows(first, count));
  const auto expected = whole.finish(), sums = pieces.finish();
  expect_same(expected.gram, sums.gram);
  expect_same(expected.moments, sums.moments);
  const auto phi = this->map.left(rows);
  for (std::size_t f = 0; f < this->F; f += 3)
    for (std::size_t g = 0; g < this->F; g += 5) {
      Real sum = 0, size = 0;
      for (std::size_t i = 0; i < 2500; ++i) {
        const Real term = static_cast<Real>(phi(i, f)) * phi(i, g);
        sum += term;
        size += std::fabs(term);
      }
      ASSERT_LE(std::fabs(expected.gram(f, g) - sum), this->tolerance * 10 * size);
    }
}

TEST(LandmarkMaps, FloatIsDoubleRounded) {
  const FeatureMap map(nystrom(sinh_gaussian(), random_matrix(1500, 3, 1), {.n_features = 100}));
  const auto X = random_rows<float>(500, 3, 2);
  Matrix<double> same(500, 3);
  std::copy_n(X.data(), 1500, same.data());
  const auto rough = map.left(X);
  const auto fine = map.left(same);
  for (std::size_t i = 0; i < 500; ++i)
    for (std::size_t f = 0; f < map.n_features(); ++f) ASSERT_EQ(rough(i, f), static_cast<float>(fine(i, f)));
  // Products of them: two roundings to float for the features, and one for each term of a sum of floats.
  const double bound = std::ldexp(static_cast<double>(map.n_features() + 3), -24);
  const auto K = approximate_gram(map, X, X), right = map.right(X);
  const auto near = approximate_gram(map, same, same);
  for (std::size_t i = 0; i < 500; i += 3)
    for (std::size_t j = 0; j < 500; j += 3) {
      double size = 0;
      for (std::size_t f = 0; f < map.n_features(); ++f) size += std::fabs(static_cast<double>(rough(i, f)) * right(j, f));
      ASSERT_LE(std::fabs(K(i, j) - near(i, j)), bound * size);
    }
}

TEST(LandmarkMaps, BackendsAgreeToRounding) {
  const auto factors = nystrom(shift_gaussian(), random_matrix(800, 4, 1), {.n_features = 30});
  const auto X = random_matrix(300, 4, 2);
  const FeatureMap plain(factors, Backend::reference), fast(factors, Backend::simd);
  EXPECT_EQ(plain.backend_name(), "reference");
  const auto a = approximate_gram(plain, X, X), b = approximate_gram(fast, X, X);
  for (std::size_t i = 0; i < 300 * 300; ++i) ASSERT_NEAR(a.data()[i], b.data()[i], 1e-11);
}

}  // namespace
}  // namespace askrff::test
