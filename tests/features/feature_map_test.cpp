// The values of left and right features against the long double oracle.
#include "askrff/features.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "askrff/kernels.hpp"
#include "askrff/approximate.hpp"
#include "support/random_inputs.hpp"
#include "oracle/oracle.hpp"

namespace askrff::test {
namespace {

using oracle::Real;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Largest error of the features of X in units of the amplitude √|c| of each atom.
double largest_error(const SpectralAtoms& atoms, const Matrix<double>& X, bool left_side) {
  const FeatureMap map(atoms);
  const Matrix<double> features = left_side ? map.left(X) : map.right(X);
  double largest = 0;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const auto expected = left_side ? oracle::left(atoms, X.row(i)) : oracle::right(atoms, X.row(i));
    for (std::size_t f = 0; f < expected.size(); ++f) {
      const double amplitude = std::sqrt(std::abs(atoms.weights()[f % atoms.size()]));
      largest = std::max(largest, static_cast<double>(std::fabs(features(i, f) - expected[f])) / amplitude);
    }
  }
  return largest;
}

TEST(FeatureMap, MatchesTheOracleForModeratePhases) {
  for (const std::size_t dim : {1, 2, 5, 16}) {
    const auto atoms = random_atoms(33, dim, dim);
    const auto X = random_matrix(17, dim, 100 + dim, 1 / std::sqrt(static_cast<double>(dim)));
    EXPECT_LT(largest_error(atoms, X, true), 1e-14) << dim;
    EXPECT_LT(largest_error(atoms, X, false), 1e-14) << dim;
  }
}

/// The stated error: (dim + 3)/2 · 2^-52 · Σ|ω_k x_k| in the phase, and a few roundings in the wave and the rotation by arg c.
TEST(FeatureMap, LargePhasesKeepTheStatedError) {
  for (const double scale : {1e3, 1e6, 1e9})
    for (const std::size_t dim : {1, 3, 8}) {
      const auto atoms = random_atoms(21, dim, 7 * dim);
      const auto X = random_matrix(15, dim, 300 + dim, scale);
      const FeatureMap map(atoms);
      const auto left = map.left(X), right = map.right(X);
      for (std::size_t i = 0; i < X.rows(); ++i) {
        const auto expected_left = oracle::left(atoms, X.row(i)), expected_right = oracle::right(atoms, X.row(i));
        for (std::size_t f = 0; f < 2 * atoms.size(); ++f) {
          const std::size_t j = f % atoms.size();
          double size = 0;
          for (std::size_t c = 0; c < dim; ++c) size += std::fabs(atoms.frequencies()(j, c) * X(i, c));
          const double amplitude = std::sqrt(std::abs(atoms.weights()[j]));
          // 2^-64 size: the oracle's own phase.
          const double bound = amplitude * (static_cast<double>(dim + 3) / 2 * epsilon * size + 6 * epsilon);
          EXPECT_NEAR(left(i, f), static_cast<double>(expected_left[f]), bound);
          EXPECT_NEAR(right(i, f), static_cast<double>(expected_right[f]), bound);
        }
      }
    }
}

/// The reference's float: computed in double from the float inputs, rounded once.
TEST(FeatureMap, FloatOfTheReferenceIsTheRoundedDouble) {
  const auto atoms = random_atoms(19, 3, 5);
  const Matrix<float> X = to_float(random_matrix(13, 3, 6));
  Matrix<double> widened(X.rows(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t c = 0; c < X.cols(); ++c) widened(i, c) = X(i, c);
  const FeatureMap map(atoms, Backend::reference);
  const auto expect_rounded = [](const Matrix<float>& narrow, const Matrix<double>& wide) {
    ASSERT_EQ(narrow.cols(), wide.cols());
    for (std::size_t i = 0; i < wide.rows(); ++i)
      for (std::size_t f = 0; f < wide.cols(); ++f) {
        const float nearest = static_cast<float>(wide(i, f));
        const float ulp = std::nextafter(std::fabs(nearest), std::numeric_limits<float>::infinity()) - std::fabs(nearest);
        EXPECT_LE(std::fabs(static_cast<double>(narrow(i, f)) - wide(i, f)), ulp);
      }
  };
  expect_rounded(map.left(X), map.left(widened));
  expect_rounded(map.right(X), map.right(widened));
}

TEST(FeatureMap, ProductOfLeftAndRightIsTheApproximateKernel) {
  const auto atoms = random_atoms(64, 4, 12);
  const auto X = random_matrix(9, 4, 13), Y = random_matrix(11, 4, 14);
  const FeatureMap map(atoms);
  const auto left = map.left(X), right = map.right(Y);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < Y.rows(); ++j) {
      Real sum = 0;
      for (std::size_t f = 0; f < map.n_features(); ++f) sum += static_cast<Real>(left(i, f)) * right(j, f);
      EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(oracle::approximate_kernel(atoms, X.row(i), Y.row(j))),
                  1e-14 * atoms.weight_sum());
    }
}

/// Real and purely imaginary weights turn the wave by a multiple of a quarter: the same numbers, permuted and with signs. Half turns to the
/// bit, and so quarter turns of the reference; simd adds them to the phase, which rounds once more.
TEST(FeatureMap, QuarterTurns) {
  for (const Backend backend : {Backend::reference, Backend::simd}) {
    const auto omega = random_matrix(6, 2, 3), X = random_matrix(8, 2, 4, 10.0);
    const auto with_weight = [&](std::complex<double> c) {
      return FeatureMap(SpectralAtoms(omega, std::vector<std::complex<double>>(6, c)), backend);
    };
    const double m = 0.37;
    const auto plain = with_weight(m).right(X);
    const auto plus = with_weight(m).left(X), minus = with_weight(-m).left(X), ahead = with_weight({0, m}).left(X),
               behind = with_weight({0, -m}).left(X);
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < 6; ++j) {
        // √m and m/√m may differ in the last place, the same one for cos and sin.
        const double cosine = plus(i, j), sine = plus(i, 6 + j);
        EXPECT_NEAR(cosine, plain(i, j), 2 * epsilon);
        EXPECT_NEAR(sine, plain(i, 6 + j), 2 * epsilon);
        EXPECT_EQ(minus(i, j), -cosine);
        EXPECT_EQ(minus(i, 6 + j), -sine);
        const double rounding = backend == Backend::reference ? 0.0 : 1e-14;
        EXPECT_NEAR(ahead(i, j), -sine, rounding);
        EXPECT_NEAR(ahead(i, 6 + j), cosine, rounding);
        EXPECT_NEAR(behind(i, j), sine, rounding);
        EXPECT_NEAR(behind(i, 6 + j), -cosine, rounding);
      }
  }
}

TEST(FeatureMap, ZeroWeightsGiveZeroFeatures) {
  const FeatureMap map(SpectralAtoms(random_matrix(3, 2, 1), {0.0, 1.0, 0.0}));
  const auto X = random_matrix(5, 2, 2);
  const auto left = map.left(X), right = map.right(X);
  for (std::size_t i = 0; i < 5; ++i)
    for (const std::size_t f : {0, 2, 3, 5}) {
      EXPECT_EQ(left(i, f), 0.0);
      EXPECT_EQ(right(i, f), 0.0);
    }
}

/// Weights far from 1: √|c| neither overflows nor underflows.
TEST(FeatureMap, ExtremeWeights) {
  for (const double size : {1e-300, 1e-200, 1e200, 1e300}) {
    const std::complex<double> c(0.6 * size, -0.8 * size);
    const SpectralAtoms atoms(Matrix<double>(1, 1, {0.5}), {c});
    const auto expected = oracle::left(atoms, std::vector<double>{2.0});
    const auto left = FeatureMap(atoms).left(Matrix<double>(1, 1, {2.0}));
    for (std::size_t f = 0; f < 2; ++f) EXPECT_NEAR(left(0, f), static_cast<double>(expected[f]), 1e-14 * std::sqrt(size)) << size;
  }
}

TEST(FeatureMap, CountsAndNames) {
  const FeatureMap map(random_atoms(5, 3, 1), Backend::reference);
  EXPECT_EQ(map.dim(), 3u);
  EXPECT_EQ(map.n_frequencies(), 5u);
  EXPECT_EQ(map.n_features(), 10u);
  EXPECT_EQ(map.backend_name(), "reference");
  const FeatureMap copy = map;  // shares the plan
  const auto X = random_matrix(2, 3, 2);
  EXPECT_EQ(copy.left(X)(1, 7), map.left(X)(1, 7));
}

TEST(FeatureMap, PhasesThatOverflowAreRefused) {
  const FeatureMap map(SpectralAtoms(Matrix<double>(1, 2, {10.0, 10.0}), {1.0}));
  EXPECT_THROW(map.left(Matrix<double>(1, 2, {1e308, -1e308})), std::invalid_argument);
  EXPECT_TRUE(std::isfinite(map.left(Matrix<double>(1, 2, {1e306, 1e306}))(0, 0)));
}

}  // namespace
}  // namespace askrff::test
