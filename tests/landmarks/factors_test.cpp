// The truncated SVD against the whole one, and pivots against the plain algorithm's promises.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "askrff/kernels.hpp"
#include "landmarks/choose.hpp"
#include "landmarks/factors.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

/// Singular values `decay`^i between random orthogonal matrices.
Matrix<double> decaying_matrix(Eigen::Index n, double decay) {
  const auto a = random_matrix(static_cast<std::size_t>(n), static_cast<std::size_t>(n), 1), b = random_matrix(a.rows(), a.rows(), 2);
  const auto orthogonal = [&](const Matrix<double>& m) -> Eigen::MatrixXd {
    return Eigen::HouseholderQR<Eigen::MatrixXd>(Eigen::Map<const Eigen::MatrixXd>(m.data(), n, n)).householderQ();
  };
  Eigen::VectorXd values(n);
  for (Eigen::Index i = 0; i < n; ++i) values[i] = std::pow(decay, static_cast<double>(i));
  Matrix<double> out(a.rows(), a.rows());
  Eigen::Map<Eigen::MatrixXd>(out.data(), n, n) = orthogonal(a) * values.asDiagonal() * orthogonal(b).transpose();
  return out;
}

TEST(TruncatedSvd, ValuesToRoundingOfTheLargest) {
  for (const double decay : {0.9, 0.5}) {
    const auto A = decaying_matrix(400, decay);
    const auto svd = landmarks::truncated_svd(A, 100, 7, {});
    ASSERT_EQ(svd.values.size(), 100u);
    for (std::size_t i = 0; i < 100; ++i) {
      const double value = std::pow(decay, static_cast<double>(i)), lost = std::pow(decay, 10.0 * static_cast<double>(116 - i));
      EXPECT_NEAR(svd.values[i], value, 1e-13 + 10 * value * lost) << i;
    }
    for (std::size_t i = 0; i < 400; i += 13)
      for (std::size_t j = 0; j < 400; j += 17) {
        double sum = 0;
        for (std::size_t k = 0; k < 100; ++k) sum += svd.values[k] * svd.left(k, i) * svd.right(k, j);
        EXPECT_NEAR(sum, A(i, j), 2 * std::pow(decay, 100) + 1e-13);
      }
  }
}

TEST(Pivots, GreedyTakesNothingFarBelowTheLargestRest) {
  // Two far clusters of equal rows and one outlier: three landmarks say all there is.
  Matrix<double> pool(90, 1);
  for (std::size_t i = 0; i < 90; ++i) pool(i, 0) = i == 41 ? 50.0 : i % 2 == 0 ? 0.0 : 20.0;
  const auto kernel = gaussian();
  for (const Landmarks how : {Landmarks::pivoted, Landmarks::greedy}) {
    const auto chosen = landmarks::choose_pivots(*kernel, pool, 60, how, 1e-13, 5, {});
    ASSERT_EQ(chosen.size(), 3u);
    EXPECT_EQ(std::count(chosen.begin(), chosen.end(), 41u), 1);
  }
}

TEST(Pivots, AreDifferentRows) {
  const auto pool = random_matrix(500, 3, 3);
  const auto kernel = laplacian();
  for (const Landmarks how : {Landmarks::pivoted, Landmarks::greedy}) {
    auto chosen = landmarks::choose_pivots(*kernel, pool, 300, how, 1e-13, 5, {});
    EXPECT_EQ(chosen.size(), 300u);
    std::sort(chosen.begin(), chosen.end());
    EXPECT_EQ(std::adjacent_find(chosen.begin(), chosen.end()), chosen.end());
  }
}

}  // namespace
}  // namespace askrff::test
