// Lattices of generic frequencies: the right points, none twice and none with its opposite, evenly spread.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "weighting/frequency_lattice.hpp"

namespace askrff::test {
namespace {

using weighting::lattice_points;

Matrix<double> diagonal(std::initializer_list<double> entries) {
  Matrix<double> L(entries.size(), entries.size());
  std::size_t a = 0;
  for (const double entry : entries) L(a, a) = entry, ++a;
  return L;
}

// With 0 among them, that is all of ±: 2n - 1 different points, all differences of which are points of the lattice.
TEST(FrequencyLattice, HasOneOfEachPair) {
  for (const auto& L : {diagonal({1}), diagonal({1, 2}), diagonal({1, 1, 1, 1}), diagonal({0.1, 1, 3, 1, 1})}) {
    const std::vector<double> cell(L.rows(), 1.0);
    const auto points = lattice_points(200, L, cell, 3.0, {});
    ASSERT_EQ(points.rows(), 200u);
    std::set<std::vector<double>> both;
    for (std::size_t j = 0; j < points.rows(); ++j) {
      std::vector<double> there(points.row(j).begin(), points.row(j).end()), back;
      for (double& value : there) back.push_back(0 - (value += 0.0));
      both.insert(there);
      both.insert(back);
    }
    EXPECT_EQ(both.size(), 399u);
  }
}

// The nearest, in the metric of L: in one dimension 0, h/2, h, … up to the reach.
TEST(FrequencyLattice, FillsTheReach) {
  const auto line = lattice_points(100, diagonal({2}), std::vector<double>{5.0}, 3.0, {});
  for (std::size_t j = 0; j < 100; ++j) EXPECT_NEAR(std::fabs(line(j, 0)), 0.06 * static_cast<double>(j), 1e-12);
  Matrix<double> L = diagonal({1, 0.5, 2});
  L(1, 0) = 0.4;
  L(2, 0) = -0.3;
  L(2, 1) = 0.2;
  const auto points = lattice_points(3000, L, std::vector<double>{1, 0.7, 1.5}, 4.0, {});
  double farthest = 0;
  for (std::size_t j = 0; j < points.rows(); ++j) {
    double z[3], square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      z[a] = points(j, a);
      for (std::size_t b = 0; b < a; ++b) z[a] -= L(a, b) * z[b];
      z[a] /= L(a, a);
      square += z[a] * z[a];
    }
    farthest = std::fmax(farthest, std::sqrt(square));
  }
  EXPECT_NEAR(farthest, 4.0, 0.1);
}

// In twelve dimensions thousands of points are equally near; shapes may be as flat as can be.
TEST(FrequencyLattice, EndsWithHardShapes) {
  Matrix<double> L(12, 12);
  for (std::size_t a = 0; a < 12; ++a) L(a, a) = 1;
  const std::vector<double> cell(12, 1.0);
  for (const std::size_t n : {1u, 7u, 256u}) {
    const auto points = lattice_points(n, L, cell, 3.0, {});
    EXPECT_TRUE(points.rows() == n || points.rows() == 0);
  }
  for (const double flat : {1e-8, 1e-150, 1e150, 1e300}) {
    L(3, 3) = flat;
    const auto points = lattice_points(64, L, cell, 3.0, {});
    EXPECT_TRUE(points.rows() == 64 || points.rows() == 0) << flat;
    for (std::size_t j = 0; j < points.rows(); ++j)
      for (const double value : points.row(j)) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace askrff::test
