// Mutually unbiased bases as directions: orthonormal, unbiased, and a spherical design.
#include "askrff/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "askrff/random.hpp"
#include "core/vectors.hpp"

namespace askrff::test {
namespace {

TEST(MutuallyUnbiasedDirections, UnitVectors) {
  for (const std::size_t p : {3u, 5u, 7u, 31u}) {
    const auto x = mutually_unbiased_directions(p);
    ASSERT_EQ(x.rows(), 3 * p * (p + 1));
    ASSERT_EQ(x.cols(), 2 * p);
    for (std::size_t i = 0; i < x.rows(); ++i) ASSERT_NEAR(squared_norm(x.row(i)), 1.0, 1e-14) << p << ' ' << i;
  }
}

// |<u, v>|² of the complex vectors: 1 or 0 inside a basis, 1/p between two of them.
TEST(MutuallyUnbiasedDirections, BasesAreOrthonormalAndUnbiased) {
  for (const std::size_t p : {3u, 5u, 7u}) {
    const auto x = mutually_unbiased_directions(p);
    const auto inner = [&](std::size_t a, std::size_t b) {
      std::complex<double> sum = 0;
      for (std::size_t j = 0; j < p; ++j)
        sum += std::conj(std::complex<double>(x(a, j), x(a, p + j))) * std::complex<double>(x(b, j), x(b, p + j));
      return sum;
    };
    for (std::size_t a = 0; a < x.rows(); ++a)
      for (std::size_t b = 0; b < x.rows(); ++b) {
        const bool same_basis = a / (3 * p) == b / (3 * p), same_vector = same_basis && a % p == b % p;
        ASSERT_NEAR(std::norm(inner(a, b)),
                    same_vector  ? 1.0
                    : same_basis ? 0.0
                                 : 1.0 / static_cast<double>(p),
                    1e-14)
            << p << ' ' << a << ' ' << b;
      }
    // The phases of one vector are 0, π/3, 2π/3.
    for (std::size_t third = 0; third < 3; ++third) {
      const double angle = std::arg(inner(3 * p, 3 * p + third * p));
      EXPECT_NEAR(angle, static_cast<double>(third) * std::acos(-1.0) / 3, 1e-14);
    }
  }
}

// Averages over a sphere in n dimensions: x_i x_j → δ_ij/n and x_i x_j x_k x_l → (δδ + δδ + δδ)/n(n+2).
TEST(MutuallyUnbiasedDirections, MomentsOfDegreeTwoAndFour) {
  const auto x = mutually_unbiased_directions(3);
  const std::size_t n = 6;
  const auto average = [&](auto... index) {
    double sum = 0;
    for (std::size_t r = 0; r < x.rows(); ++r) sum += (x(r, index) * ...);
    return sum / static_cast<double>(x.rows());
  };
  const auto same = [](std::size_t a, std::size_t b) { return a == b ? 1.0 : 0.0; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(average(i, j), same(i, j) / n, 1e-15);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t l = 0; l < n; ++l)
          ASSERT_NEAR(average(i, j, k, l), (same(i, j) * same(k, l) + same(i, k) * same(j, l) + same(i, l) * same(j, k)) / (n * (n + 2)),
                      1e-15);
    }
}

// The same along random directions u, which by polarisation is the same statement, for larger p; degree 6 is where the design ends.
TEST(MutuallyUnbiasedDirections, RandomDirections) {
  for (const std::size_t p : {5u, 7u, 31u}) {
    const auto x = mutually_unbiased_directions(p);
    const double n = 2 * static_cast<double>(p), rows = static_cast<double>(x.rows());
    for (std::uint64_t i = 0; i < 10; ++i) {
      RandomStream random(3, Purpose::evaluation_rows, i);
      std::vector<double> u(2 * p);
      for (double& value : u) value = random.normal();
      const double length2 = squared_norm(u);
      double second = 0, fourth = 0;
      for (std::size_t r = 0; r < x.rows(); ++r) {
        const double square = dot(x.row(r), u) * dot(x.row(r), u) / length2;
        second += square / rows;
        fourth += square * square / rows;
      }
      EXPECT_NEAR(second * n, 1.0, 1e-13) << p;
      EXPECT_NEAR(fourth * n * (n + 2) / 3, 1.0, 1e-12) << p;
    }
  }
}

TEST(MutuallyUnbiasedDirections, RefusesWhatIsNoOddPrime) {
  for (const std::size_t p : {0u, 1u, 2u, 4u, 9u, 15u, 25u, 49u, 1001u, 1009u})
    EXPECT_THROW(mutually_unbiased_directions(p), std::invalid_argument) << p;
  EXPECT_THROW(mutually_unbiased_directions(18446744073709551557ull), std::invalid_argument);  // a prime, and at once
}

}  // namespace
}  // namespace askrff::test
