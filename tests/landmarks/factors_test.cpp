// The truncated SVD against the whole one, pivots against the plain algorithm's promises, the core against the best there is.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>

#include "askrff/kernels.hpp"
#include "landmarks/choose.hpp"
#include "landmarks/core.hpp"
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

// Rows whose sizes fall to 1e-12 of the first: what is left of rows is reckoned from coefficients, and must hold over all of that.
TEST(Pivots, TriangleIsTheFactorOfTheChosenRows) {
  const auto A = decaying_matrix(200, 0.87);
  const auto pivots = landmarks::pivots_of(A, 150, Landmarks::pivoted, 1e-13, 5, {});
  ASSERT_EQ(pivots.rows.size(), 150u);
  Eigen::MatrixXd chosen(150, 200), triangle(150, 150);
  for (Eigen::Index i = 0; i < 150; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (Eigen::Index k = 0; k < 200; ++k) chosen(i, k) = A(pivots.rows[row], static_cast<std::size_t>(k));
    for (Eigen::Index k = 0; k < 150; ++k) triangle(i, k) = pivots.triangle(row, static_cast<std::size_t>(k));
  }
  // Sizes are those of rows scaled by a power of two. The vectors it leaves are orthonormal to as many digits as the last rows have.
  const Eigen::MatrixXd basis = triangle.triangularView<Eigen::Lower>().solve(chosen);
  const double size = basis.row(0).norm();
  const Eigen::MatrixXd gram = basis * basis.transpose() / (size * size);
  EXPECT_LE((gram.topLeftCorner(100, 100) - Eigen::MatrixXd::Identity(100, 100)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LE((gram - Eigen::MatrixXd::Identity(150, 150)).cwiseAbs().maxCoeff(), 1e-3);
}

/// ‖K - left·rightᵀ‖² over rows of the sample.
double squared_error(const Eigen::MatrixXd& K, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const landmarks::Factors& factors) {
  using Columns = Eigen::Map<const Eigen::MatrixXd>;
  const auto columns = [](const Matrix<double>& rows) {
    return Columns(rows.data(), static_cast<Eigen::Index>(rows.cols()), static_cast<Eigen::Index>(rows.rows()));
  };
  return (K - A * columns(factors.left) * (B * columns(factors.right)).transpose()).squaredNorm();
}

/// How far the singular values on the sample are from those of the best core, against the largest; the squared error against that of the
/// best, less 1.
struct Distance {
  double values = 0, squares = 0;
};
Distance from_best(const std::shared_ptr<const Kernel>& kernel) {
  const auto rows = random_matrix(300, 4, 3);
  const auto landmarks = rows.view().middle_rows(0, 40);
  const auto values = [&](MatrixView<const double> X, MatrixView<const double> Y) {
    Eigen::MatrixXd out(X.rows(), Y.rows());
    Matrix<double> block(X.rows(), Y.rows());
    kernel->evaluate_pairs(X, Y, block.view());
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < Y.rows(); ++j) out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = block(i, j);
    return out;
  };
  const Eigen::MatrixXd K = values(rows, rows), A = values(rows, landmarks), B = values(landmarks, rows).transpose();
  const auto orthonormal = [](const Eigen::MatrixXd& X) -> Eigen::MatrixXd {
    return Eigen::HouseholderQR<Eigen::MatrixXd>(X).householderQ() * Eigen::MatrixXd::Identity(X.rows(), X.cols());
  };
  const Eigen::MatrixXd core = orthonormal(A).transpose() * K * orthonormal(B);
  const Eigen::VectorXd singular = Eigen::BDCSVD<Eigen::MatrixXd>(core).singularValues();
  const auto factors = landmarks::best_on_sample(*kernel, landmarks, rows.view().middle_rows(40, 260), 25, 1e-13, 1, {});
  EXPECT_EQ(factors.values.size(), 25u);
  Distance distance;
  double explained = 0;
  for (std::size_t i = 0; i < factors.values.size(); ++i) {
    const double best = singular[static_cast<Eigen::Index>(i)];
    distance.values = std::max(distance.values, std::fabs(factors.values[i] - best) / singular[0]);
    explained += best * best;
  }
  distance.squares = squared_error(K, A, B, factors) / (K.squaredNorm() - explained) - 1;
  return distance;
}

TEST(Core, IsTheBestOnTheSample) {
  const Distance distance = from_best(gaussian({.sigma = 2.0}));
  EXPECT_LE(distance.values, 1e-9);
  EXPECT_NEAR(distance.squares, 0, 1e-5);  // sums of 20 000 less all but 5
}

// The ridge of a kernel that is not positive definite costs little of what is left anyway.
TEST(Core, IsNextToTheBestWithARidge) {
  const Distance distance = from_best(shift_gaussian({.sigma = 2.0, .shift = 0.4}));
  EXPECT_LE(distance.values, 1e-3);
  EXPECT_GE(distance.squares, -1e-5);
  EXPECT_LE(distance.squares, 0.1);
}

}  // namespace
}  // namespace askrff::test
