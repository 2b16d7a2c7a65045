// The laws of the random numbers and of chosen rows. 13 Kolmogorov-Smirnov and 10 chi-square tests at level 1e-4 each: a correct program
// would fail for 0.3 % of all seeds.
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <functional>
#include <set>
#include <string>

#include "askrff/random.hpp"
#include "support/statistics.hpp"

namespace askrff::test {
namespace {

constexpr std::size_t n_draws = 100'000;

template <class Draw>
std::vector<double> from_one_stream(const Draw& draw) {
  RandomStream random(31, Purpose::evaluation_rows, 5);
  std::vector<double> sample(n_draws);
  for (double& x : sample) x = draw(random);
  return sample;
}

// The way frequencies are drawn: the first number of many streams.
template <class Draw>
std::vector<double> from_many_streams(const Draw& draw) {
  std::vector<double> sample(n_draws);
  for (std::size_t i = 0; i < n_draws; ++i) {
    RandomStream random(32, Purpose::real_positive, i);
    sample[i] = draw(random);
  }
  return sample;
}

TEST(Distributions, Uniform) {
  const auto draw = [](RandomStream& random) { return random.uniform(); };
  const auto cdf = [](double x) { return x; };
  for (const auto& sample : {from_one_stream(draw), from_many_streams(draw)}) {
    EXPECT_GT(ks_p(sample, cdf), test_level);
    for (const double x : sample) ASSERT_TRUE(x > 0 && x < 1);
  }
}

TEST(Distributions, Normal) {
  const auto draw = [](RandomStream& random) { return random.normal(); };
  EXPECT_GT(ks_p(from_one_stream(draw), normal_cdf), test_level);
  EXPECT_GT(ks_p(from_many_streams(draw), normal_cdf), test_level);
  // The second of a Box-Muller pair, and the radius of both together: exponential in half the squares.
  EXPECT_GT(ks_p(from_many_streams([](RandomStream& random) { return random.normal(), random.normal(); }), normal_cdf), test_level);
  const auto half_squares = [](RandomStream& random) {
    const double x = random.normal(), y = random.normal();
    return 0.5 * (x * x + y * y);
  };
  EXPECT_GT(ks_p(from_many_streams(half_squares), [](double x) { return -std::expm1(-x); }), test_level);
}

TEST(Distributions, Exponential) {
  const auto draw = [](RandomStream& random) { return random.exponential(); };
  const auto cdf = [](double x) { return -std::expm1(-x); };
  EXPECT_GT(ks_p(from_one_stream(draw), cdf), test_level);
  EXPECT_GT(ks_p(from_many_streams(draw), cdf), test_level);
}

TEST(Distributions, Gamma) {
  for (const double shape : {0.5, 2.5, 30.0}) {
    const boost::math::gamma_distribution<double> law(shape);
    EXPECT_GT(ks_p(from_many_streams([&](RandomStream& random) { return random.gamma(shape); }),
                   [&](double x) { return boost::math::cdf(law, x); }),
              test_level)
        << shape;
  }
}

TEST(Distributions, ChiSquared) {
  for (const double degrees : {1.0, 3.0}) {
    const boost::math::chi_squared_distribution<double> law(degrees);
    EXPECT_GT(ks_p(from_one_stream([&](RandomStream& random) { return random.chi_squared(degrees); }),
                   [&](double x) { return boost::math::cdf(law, x); }),
              test_level)
        << degrees;
  }
}

// A small shape puts draws at e^{-1/shape}: still finite, not negative.
TEST(Distributions, GammaOfTinyShape) {
  RandomStream random(4, Purpose::evaluation_rows, 0);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.gamma(1e-3);
    ASSERT_TRUE(x >= 0 && std::isfinite(x));
  }
}

TEST(Below, EqualCountsAndBounds) {
  for (const std::uint64_t bound : {2u, 3u, 7u, 10u, 64u, 1000u}) {
    RandomStream random(17, Purpose::evaluation_rows, bound);
    std::vector<std::size_t> counts(bound);
    for (int i = 0; i < 200'000; ++i) {
      const std::uint64_t value = random.below(bound);
      ASSERT_LT(value, bound);
      ++counts[value];
    }
    EXPECT_GT(uniform_counts_p(counts), test_level) << bound;
  }
  RandomStream random(17, Purpose::evaluation_rows, 0);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0u);
  EXPECT_LT(random.below(UINT64_MAX), UINT64_MAX);
}

// With the bound 3·2^62 a remainder without rejection would give the lowest third twice the weight.
TEST(Below, LargeBoundsAreNotBiased) {
  RandomStream random(18, Purpose::evaluation_rows, 0);
  std::vector<std::size_t> thirds(3);
  for (int i = 0; i < 100'000; ++i) ++thirds[random.below(std::uint64_t{3} << 62) >> 62];
  EXPECT_GT(uniform_counts_p(thirds), test_level);
}

TEST(Coin, IsFair) {
  RandomStream random(19, Purpose::evaluation_rows, 0);
  std::vector<std::size_t> sides(2);
  for (int i = 0; i < 100'000; ++i) ++sides[random.coin()];
  EXPECT_GT(uniform_counts_p(sides), test_level);
}

TEST(ChooseRows, DistinctInRangeAndALongerChoiceStartsWithTheShorter) {
  for (const std::size_t n_rows : {1u, 2u, 17u, 1000u}) {
    const auto all = choose_rows(n_rows, n_rows, 3, Purpose::subset_rows);
    EXPECT_EQ(std::set<std::size_t>(all.begin(), all.end()).size(), n_rows);
    EXPECT_LT(*std::max_element(all.begin(), all.end()), n_rows);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, n_rows / 2}) {
      const auto some = choose_rows(n_rows, count, 3, Purpose::subset_rows);
      EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << n_rows << ' ' << count;
    }
  }
  EXPECT_TRUE(choose_rows(0, 0, 3, Purpose::subset_rows).empty());
  // Memory follows the choice, not the number of rows.
  EXPECT_EQ(choose_rows(std::size_t{1} << 60, 5, 3, Purpose::subset_rows).size(), 5u);
  EXPECT_NE(choose_rows(1000, 5, 3, Purpose::subset_rows), choose_rows(1000, 5, 3, Purpose::evaluation_rows));
  EXPECT_NE(choose_rows(1000, 5, 3, Purpose::subset_rows), choose_rows(1000, 5, 4, Purpose::subset_rows));
}

TEST(ChooseRows, RefusesMoreThanThereAre) {
  try {
    choose_rows(5, 6, 1, Purpose::subset_rows);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "choose_rows: 6 rows asked for, there are 5");
  }
}

// Every ordered pair of different rows out of 6 is equally likely, and so is every row in the last place of a full choice.
TEST(ChooseRows, IsUniform) {
  std::vector<std::size_t> pairs, last(6);
  std::vector<std::size_t> counts(36);
  for (std::uint64_t seed = 0; seed < 60'000; ++seed) {
    const auto rows = choose_rows(6, 6, seed, Purpose::subset_rows);
    ++counts[6 * rows[0] + rows[1]];
    ++last[rows[5]];
  }
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < 6; ++b)
      if (a != b) pairs.push_back(counts[6 * a + b]);
  EXPECT_GT(uniform_counts_p(pairs), test_level);
  EXPECT_GT(uniform_counts_p(last), test_level);
}

}  // namespace
}  // namespace askrff::test
