// The point sets: every point has exactly the normal law, sets have the structure they promise, rules integrate what they should.
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "core/vectors.hpp"
#include "sampling/gauss_hermite.hpp"
#include "sampling/normal_points.hpp"
#include "sampling/rotation.hpp"
#include "support/statistics.hpp"

namespace askrff::test {
namespace {

using sampling::NormalPoints;
using sampling::SetSeed;

struct Set {
  const char* name;
  NormalPoints (*draw)(std::size_t n, std::size_t dim, SetSeed seed);
};
constexpr Set random_sets[] = {
    {"orthogonal", [](std::size_t n, std::size_t dim, SetSeed seed) { return sampling::orthogonal_points(n, dim, seed); }},
    {"mub", [](std::size_t n, std::size_t dim, SetSeed seed) { return sampling::mub_points(n, dim, seed); }},
    {"sobol", [](std::size_t n, std::size_t dim, SetSeed seed) { return sampling::sobol_points(n, dim, {}, seed); }},
    {"sobol along a direction",
     [](std::size_t n, std::size_t dim, SetSeed seed) {
       const std::vector<double> direction(dim, 1 / std::sqrt(static_cast<double>(dim)));
       return sampling::sobol_points(n, dim, direction, seed);
     }},
};

// One point of each of 2000 sets (any one: here number 7 of 10): those are independent. Its first coordinate, its projection on the
// diagonal and its length against their laws; 4 sets, 4 dimensions, 3 tests at level 1e-4.
TEST(PointSets, EveryPointIsNormal) {
  for (const Set& set : random_sets)
    for (const std::size_t dim : {1u, 3u, 8u, 13u}) {
      SCOPED_TRACE(std::string(set.name) + " in dimension " + std::to_string(dim));
      std::vector<double> first, diagonal, length;
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const auto points = set.draw(10, dim, {77, i}).points;
        first.push_back(points(7, 0));
        double sum = 0;
        for (const double x : points.row(7)) sum += x;
        diagonal.push_back(sum / std::sqrt(static_cast<double>(dim)));
        length.push_back(squared_norm(points.row(7)));
      }
      EXPECT_GT(ks_p(first, normal_cdf), test_level);
      EXPECT_GT(ks_p(diagonal, normal_cdf), test_level);
      const boost::math::chi_squared law(static_cast<double>(dim));
      EXPECT_GT(ks_p(length, [&](double x) { return boost::math::cdf(law, x); }), test_level);
    }
}

TEST(PointSets, OrthogonalBlocksWithIndependentLengths) {
  const auto set = sampling::orthogonal_points(25, 10, {5, 0});
  for (std::size_t i = 0; i < 25; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double cosine =
          dot(set.points.row(i), set.points.row(j)) / std::sqrt(squared_norm(set.points.row(i)) * squared_norm(set.points.row(j)));
      if (i / 10 == j / 10)
        EXPECT_NEAR(cosine, 0, 1e-14);
      else
        EXPECT_GT(std::fabs(cosine), 1e-9);
    }
  EXPECT_NE(squared_norm(set.points.row(0)), squared_norm(set.points.row(1)));
}

TEST(PointSets, LongerOrthogonalSetBeginsWithTheShorter) {
  const auto shorter = sampling::orthogonal_points(7, 4, {5, 0}), longer = sampling::orthogonal_points(19, 4, {5, 0});
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(shorter.points(i, k), longer.points(i, k));
}

// A whole rotated design in all 2p coordinates integrates even polynomials of degree 4 over directions exactly: with directions u,
// mean (u·a)² = 1/(2p), mean (u·a)⁴ = 3/(2p(2p+2)).
TEST(PointSets, MubDirectionsAreADesign) {
  const std::size_t p = 5, dim = 2 * p, n = 3 * p * (p + 1);
  const auto set = sampling::mub_points(n, dim, {3, 1});
  std::vector<double> a(dim);
  RandomStream(1, Purpose::evaluation_rows, 0).normals(a);
  const double norm = std::sqrt(squared_norm(a));
  double second = 0, fourth = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double u = dot(set.points.row(j), a) / (norm * std::sqrt(squared_norm(set.points.row(j))));
    second += u * u / static_cast<double>(n);
    fourth += u * u * u * u / static_cast<double>(n);
  }
  EXPECT_NEAR(second, 1.0 / dim, 1e-14);
  EXPECT_NEAR(fourth, 3.0 / (dim * (dim + 2.0)), 1e-14);
}

TEST(PointSets, RotationsAreOrthogonal) {
  RandomStream random(9, Purpose::point_sets, 0);
  for (const std::size_t dim : {1u, 2u, 9u, 40u}) {
    const Matrix<double> rotation = sampling::random_rotation(dim, dim, random);
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j <= i; ++j) EXPECT_NEAR(dot(rotation.row(i), rotation.row(j)), i == j ? 1 : 0, 1e-14);
  }
}

// E z^2k = (2k-1)!! up to degree 2n-1, and the known rule of three nodes.
TEST(GaussHermite, IntegratesPolynomials) {
  for (const std::size_t n : {1u, 2u, 5u, 20u, 64u}) {
    const sampling::HermiteRule rule = sampling::HermiteLadder().rule(n);
    double moment = 1;
    for (std::size_t k = 0; 2 * k <= 2 * n - 1 && k <= 12; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += rule.weights[i] * std::pow(rule.nodes[i], 2 * static_cast<double>(k));
      EXPECT_NEAR(sum / moment, 1, 1e-12) << n << " nodes, degree " << 2 * k;
      moment *= 2 * static_cast<double>(k) + 1;
    }
  }
  sampling::HermiteLadder ladder;
  const auto& three = ladder.rule(3);
  EXPECT_NEAR(three.nodes[2], std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(three.weights[0], 1.0 / 6, 1e-15);
}

TEST(GaussHermite, ErrorReachesTheTolerance) {
  for (const double reach : {0.5, 2.0, 6.0})
    for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
      sampling::HermiteLadder ladder;
      const auto nodes = ladder.nodes_for(reach, tolerance);
      ASSERT_TRUE(nodes);
      EXPECT_LE(ladder.rule(*nodes).error(reach), tolerance);
      if (*nodes > 1) {
        EXPECT_GT(ladder.rule(*nodes - 1).error(reach), tolerance);
      }
    }
  EXPECT_FALSE(sampling::HermiteLadder().nodes_for(1000, 1e-3));
}

// Σ w cos(τ·z) = e^{-‖τ‖²/2} for both deterministic rules; the ridge rule up to what its random directions leave.
TEST(PointSets, RulesIntegrateWaves) {
  const std::vector<double> reach{1.0, 2.0, 0.5};
  const auto tensor = sampling::hermite_points(600, reach);
  EXPECT_LE(tensor.weights.size(), 600u);
  const std::vector<double> direction(6, 1 / std::sqrt(6.0));
  const auto ridge = sampling::ridge_points(500, direction, 3.0, {4, 0});
  EXPECT_LE(ridge.weights.size(), 500u);
  const auto error = [](const NormalPoints& set, const std::vector<double>& tau) {
    double sum = 0, total = 0;
    for (std::size_t j = 0; j < set.weights.size(); ++j) {
      sum += set.weights[j] * std::cos(dot(set.points.row(j), tau));
      total += set.weights[j];
    }
    EXPECT_NEAR(total, 1, 1e-13);
    return std::fabs(sum - std::exp(-0.5 * squared_norm(tau)));
  };
  EXPECT_LT(error(tensor, {0.9, -1.8, 0.4}), 1e-9);
  EXPECT_LT(error(ridge, std::vector<double>(6, 3 / std::sqrt(6.0))), 1e-6);  // along the ridge: the nodes' own error
  EXPECT_LT(error(ridge, {0.5, -0.5, 0.3, -0.3, 0.1, -0.1}), 5e-2);
}

TEST(PointSets, SmallAndRefused) {
  EXPECT_EQ(sampling::hermite_points(1, std::vector<double>{0.1, 0.1}).weights.size(), 1u);
  EXPECT_THROW(sampling::hermite_points(1, std::vector<double>{1.0, 1.0}), std::invalid_argument);  // one point is no approximation there
  EXPECT_EQ(sampling::mub_points(1, 1, {1, 0}).weights.size(), 1u);
  EXPECT_LE(sampling::ridge_points(3, std::vector<double>{1, 0, 0, 0}, 1, {1, 0}).weights.size(), 3u);
  EXPECT_THROW(sampling::hermite_points(10, std::vector<double>(6, 1.0)), std::invalid_argument);
  EXPECT_THROW(sampling::hermite_points(2048, std::vector<double>(5, 20.0)), std::invalid_argument);  // waves too short for so few points
  EXPECT_THROW(sampling::ridge_points(1000, std::vector<double>{1, 0, 0, 0}, 1e4, {1, 0}), std::invalid_argument);
  EXPECT_THROW(sampling::mub_points(1, 2001, {1, 0}), std::invalid_argument);
  EXPECT_EQ(sampling::orthogonal_points(1, 50'000, {1, 0}).points.cols(), 50'000u);  // no rotation of all dimensions for one point
  EXPECT_THROW(sampling::sobol_points(10, 1001, {}, {1, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
