// Weights of positive definite kernels: none is negative, they are the best of those, and one side of the features is enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "core/vectors.hpp"
#include "support/random_inputs.hpp"
#include "weighting/non_negative.hpp"

namespace askrff::test {
namespace {

/// AᵀA and Aᵀy of random A and y, rows × n.
weighting::NormalSystem random_system(std::size_t rows, std::size_t n, std::uint64_t seed) {
  const auto A = random_matrix(rows, n, seed), y = random_matrix(rows, 1, seed + 1);
  weighting::NormalSystem system{Matrix<double>(n, n), std::vector<double>(n, 0.0)};
  for (std::size_t p = 0; p < rows; ++p)
    for (std::size_t i = 0; i < n; ++i) {
      system.right[i] += A(p, i) * y(p, 0);
      for (std::size_t j = 0; j < n; ++j) system.gram(i, j) += A(p, i) * A(p, j);
    }
  return system;
}

// The conditions of Karush, Kuhn and Tucker are sufficient: the problem is convex.
TEST(NonNegative, SolutionIsOptimal) {
  for (const std::size_t n : {1u, 2u, 7u, 40u, 150u})
    for (const double shift : {0.0, 0.1, 10.0}) {
      const auto system = random_system(2 * n + 5, n, n);
      std::vector<bool> is_positive(n, true);
      const auto x = weighting::solve_non_negative(system, shift, system.right, is_positive, {});
      ASSERT_EQ(x.size(), n);
      double size = 0;
      for (const double value : system.right) size = std::max(size, std::abs(value));
      for (std::size_t j = 0; j < n; ++j) {
        const double slope = dot(system.gram.row(j), x) + shift * x[j] - system.right[j];
        EXPECT_GE(x[j], 0);
        EXPECT_GE(slope, -1e-11 * static_cast<double>(n) * size);
        EXPECT_NEAR(slope * x[j], 0, 1e-10 * static_cast<double>(n) * size);
        EXPECT_EQ(is_positive[j] || x[j] == 0, true);
      }
    }
}

TEST(NonNegative, BeginsAnywhere) {
  const auto system = random_system(100, 30, 5);
  std::vector<bool> all(30, true), none(30, false);
  const auto from_all = weighting::solve_non_negative(system, 0.5, system.right, all, {});
  const auto from_none = weighting::solve_non_negative(system, 0.5, system.right, none, {});
  for (std::size_t j = 0; j < 30; ++j) EXPECT_NEAR(from_all[j], from_none[j], 1e-12);
  EXPECT_EQ(all, none);
}

TEST(NonNegative, ZeroWhereNothingHelps) {
  auto system = random_system(50, 6, 9);
  for (double& value : system.right) value = -std::abs(value);
  std::vector<bool> is_positive(6, true);
  for (const double value : weighting::solve_non_negative(system, 0, system.right, is_positive, {})) EXPECT_EQ(value, 0);
}

class PositiveDefinite : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Kernel> kernel = make_kernel(GetParam(), {{"sigma", 2.5}});
  Matrix<double> data = random_matrix(400, 4, 1), fresh = random_matrix(200, 4, 2);
};

// Wide kernels, where fitted weights of any sign are of both signs.
TEST_P(PositiveDefinite, CalibratedFeaturesAreOneSided) {
  for (const std::size_t direct_limit : {6144u, 8u}) {
    const auto prior = approximate(*kernel, 4, {.n_frequencies = 96, .estimator = Estimator::polar, .sampler = Sampler::exact, .seed = 3});
    const auto atoms = calibrate(*kernel, prior, data, {.seed = 4, .direct_limit = direct_limit});
    for (const auto& c : atoms.weights()) {
      EXPECT_GE(c.real(), 0);
      EXPECT_EQ(c.imag(), 0);
    }
    const FeatureMap map(atoms);
    EXPECT_TRUE(map.is_one_sided());
    const double after = approximation_error(*kernel, map, fresh, fresh).frobenius;
    EXPECT_LT(after, 0.8 * approximation_error(*kernel, FeatureMap(prior), fresh, fresh).frobenius);
    EXPECT_NEAR(atoms.provenance().calibration->error_after / after, 1, 0.5);
  }
}

TEST_P(PositiveDefinite, UnconstrainedRemainsAnOption) {
  const auto atoms = approximate(*kernel, data, {.n_frequencies = 96, .estimator = Estimator::polar, .weights = Weights::unconstrained});
  EXPECT_TRUE(std::ranges::any_of(atoms.weights(), [](const auto& c) { return c.real() < 0; }));
  EXPECT_FALSE(FeatureMap(atoms).is_one_sided());
  EXPECT_EQ(atoms.provenance().weights, "unconstrained");
}

TEST_P(PositiveDefinite, OriginIsPinnedWithoutNegativeWeights) {
  const auto atoms =
      approximate(*kernel, data, {.n_frequencies = 96, .estimator = Estimator::polar, .weights = Weights::calibrated, .pin_origin = true});
  EXPECT_NEAR(atoms(std::vector<double>(4, 0.0)), kernel->at_zero(4), 1e-12);
  for (const auto& c : atoms.weights()) EXPECT_GE(c.real(), 0);
}

TEST_P(PositiveDefinite, SameBitsForAnyNumberOfThreads) {
  for (const std::size_t direct_limit : {6144u, 8u}) {
    const auto prior = approximate(*kernel, 4, {.n_frequencies = 70, .estimator = Estimator::polar, .sampler = Sampler::exact, .seed = 3});
    const auto one = calibrate(*kernel, prior, data, {.execution = {1}, .direct_limit = direct_limit});
    const auto two = calibrate(*kernel, prior, data, {.execution = {2}, .direct_limit = direct_limit});
    EXPECT_TRUE(std::ranges::equal(one.weights(), two.weights()));
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, PositiveDefinite, ::testing::Values("gaussian", "matern-5/2", "cauchy"), [](const auto& of_kernel) {
  std::string name = of_kernel.param;
  std::erase_if(name, [](char c) { return !std::isalnum(c); });
  return name;
});

}  // namespace
}  // namespace askrff::test
