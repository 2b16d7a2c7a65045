// Products of causal operators against direct sums, their bits, and times that are hostile.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/causal.hpp"
#include "askrff/errors.hpp"
#include "causal/direct_sums.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

const ExponentialSum mixed{{2.0, -1.5, 0.3, 0.01}, {0.7, 12.0, 0.01, 0.0}};

/// The error of every product is at most `bound` times Σ |a_k| e^{-b_k(t-s)} |v|.
void expect_products(const ExponentialSum& kernel, const std::vector<double>& targets, const std::vector<double>& sources, double bound) {
  const CausalOperator op(kernel, targets, sources);
  ExponentialSum absolute = kernel;
  for (double& amplitude : absolute.amplitudes) amplitude = std::fabs(amplitude);
  const Matrix<double> V = random_matrix(sources.size(), 3, 5), U = random_matrix(targets.size(), 2, 6);
  const Matrix<double> KV = op.apply(V), KtU = op.apply_transposed(U);
  ASSERT_EQ(KV.rows(), targets.size());
  ASSERT_EQ(KtU.rows(), sources.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      long double sum = 0, size = 0;
      for (std::size_t j = 0; j < sources.size(); ++j) {
        const long double t = static_cast<long double>(targets[i]) - sources[j];
        sum += direct_value(kernel, t) * V(j, c);
        size += direct_value(absolute, t) * std::fabs(V(j, c));
      }
      ASSERT_NEAR(KV(i, c), static_cast<double>(sum), bound * static_cast<double>(size)) << i;
    }
  for (std::size_t j = 0; j < sources.size(); ++j)
    for (std::size_t c = 0; c < 2; ++c) {
      long double sum = 0, size = 0;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const long double t = static_cast<long double>(targets[i]) - sources[j];
        sum += direct_value(kernel, t) * U(i, c);
        size += direct_value(absolute, t) * std::fabs(U(i, c));
      }
      ASSERT_NEAR(KtU(j, c), static_cast<double>(sum), bound * static_cast<double>(size)) << j;
    }
}

TEST(CausalOperator, ProductsAreDirectSums) {
  expect_products(mixed, random_times(1500, -3, 9, 1), random_times(1900, -5, 8, 2), 1e-13);
  expect_products({{1.0}, {300.0}}, random_times(500, 0, 90, 3), random_times(700, 0, 90, 4), 1e-12);
}

TEST(CausalOperator, FewTimesAndTies) {
  for (const std::size_t n : {0, 1, 2})
    for (const std::size_t m : {0, 1, 2}) expect_products(mixed, random_times(n, 0, 1, 1), random_times(m, 0, 1, 2), 1e-14);
  expect_products(mixed, std::vector<double>(2000, 1.25), std::vector<double>(3000, 1.25), 0);
  expect_products(mixed, {1, 1, 1, 2}, {1, 1, 0, 2}, 1e-14);
}

TEST(CausalOperator, SeesStrictlyEarlierSourcesOnly) {
  const CausalOperator op({{1.0}, {0.0}}, std::vector<double>{0, 1, 1, 2}, std::vector<double>{1, 0});
  const Matrix<double> K = op.apply(Matrix<double>(2, 2, {1, 0, 0, 1}));
  expect_same(K, Matrix<double>(4, 2, {0, 0, 0, 1, 0, 1, 1, 1}));
}

TEST(CausalOperator, TransposedIsTheTranspose) {
  const CausalOperator op(mixed, random_times(40, 0, 3, 1), random_times(30, 0, 3, 2));
  Matrix<double> one(30, 30), other(40, 40);
  for (std::size_t i = 0; i < 30; ++i) one(i, i) = 1;
  for (std::size_t i = 0; i < 40; ++i) other(i, i) = 1;
  const Matrix<double> K = op.apply(one), Kt = op.apply_transposed(other);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 30; ++j) EXPECT_NEAR(K(i, j), Kt(j, i), 1e-14);
}

TEST(CausalOperator, SameBitsForAnyThreadsAndColumns) {
  const std::vector<double> targets = random_times(300'000, 0, 1e4, 1), sources = random_times(400'000, 0, 1e4, 2);
  const CausalOperator op(mixed, targets, sources);
  const Matrix<double> V = random_matrix(400'000, 2, 3);
  const Matrix<double> one = op.apply(V, {.n_threads = 1});
  expect_same(one, op.apply(V, {.n_threads = 2}));
  expect_same(one, op.apply(V, {.n_threads = 7}));
  Matrix<double> second(V.rows(), 1);
  for (std::size_t i = 0; i < V.rows(); ++i) second(i, 0) = V(i, 1);
  const Matrix<double> alone = op.apply(second, {.n_threads = 3});
  for (std::size_t i = 0; i < alone.rows(); ++i) ASSERT_EQ(alone(i, 0), one(i, 1));
  const Matrix<double> U = random_matrix(300'000, 1, 4);
  expect_same(op.apply_transposed(U, {.n_threads = 1}), op.apply_transposed(U, {.n_threads = 5}));
}

TEST(CausalOperator, HostileTimesAndRates) {
  for (const double rate : {0.0, 5e-324, 1e-300, 1e300, 1.7e308})
    expect_products({{1.0}, {rate}}, {-1e300, 0, 1e-300, 1, 1e300}, {-1e300, -1e-300, 0, 5e-324, 1, 1e299}, 1e-13);
  const std::vector<double> good{0.0}, bad{std::numeric_limits<double>::quiet_NaN()}, huge{-1e301};
  EXPECT_THROW(CausalOperator(mixed, bad, good), std::invalid_argument);
  EXPECT_THROW(CausalOperator(mixed, good, bad), std::invalid_argument);
  EXPECT_THROW(CausalOperator(mixed, huge, good), std::invalid_argument);
  EXPECT_THROW(CausalOperator({{1.0}, {-1.0}}, good, good), std::invalid_argument);
  EXPECT_THROW(CausalOperator({{1.0}, {}}, good, good), std::invalid_argument);
  EXPECT_THROW(CausalOperator({}, good, good), std::invalid_argument);
  const CausalOperator op(mixed, good, good);
  EXPECT_THROW(op.apply(Matrix<double>(2, 1)), std::invalid_argument);
  EXPECT_THROW(op.apply(Matrix<double>(1, 1, bad)), std::invalid_argument);
  EXPECT_EQ(op.apply(Matrix<double>(1, 0)).cols(), 0u);
}

TEST(CausalOperator, ManyTimesAfterTheLastSourceAreQuick) {
  // States would be numbers too small to be normal for most of these.
  std::vector<double> targets(400'000);
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = 600 + 0.001 * static_cast<double>(i);
  const CausalOperator op({{1.0}, {1.0}}, targets, std::vector<double>{0});
  const Matrix<double> out = op.apply(Matrix<double>(1, 1, {3.0}));
  EXPECT_NEAR(out(0, 0) / (3 * std::exp(-600.0)), 1, 1e-12);
  EXPECT_EQ(out(399'999, 0), 0);
}

TEST(ExponentialSum, ValuesAndIntegrals) {
  EXPECT_EQ(mixed.value(0), 0);
  EXPECT_EQ(mixed.value(-1), 0);
  EXPECT_NEAR(mixed.value(2), static_cast<double>(direct_value(mixed, 2)), 1e-15);
  double simpson = 0;
  const int n = 20000;
  for (int i = 0; i <= n; ++i) {
    const double t = 3.0 * i / n;
    simpson += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * static_cast<double>(direct_value(mixed, std::max(t, 1e-300))) * 3.0 / n / 3;
  }
  EXPECT_NEAR(mixed.integral(3), simpson, 1e-10);
  EXPECT_EQ(mixed.integral(-1), 0);
  EXPECT_DOUBLE_EQ((ExponentialSum{{2.0}, {1e-300}}.integral(3)), 6);
  EXPECT_DOUBLE_EQ((ExponentialSum{{2.0}, {4.0}}.integral(1e9)), 0.5);
}

}  // namespace
}  // namespace askrff::test
