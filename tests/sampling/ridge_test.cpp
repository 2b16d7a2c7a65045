// Ridge samplers: the scalar law, its lift to many dimensions, and d-dimensional rejection as the judge. 60 tests of the scalar, 80 of the
// lift and 24 across the ridge, at level 1e-4 each: a correct program would fail for 1.6 % of all seeds.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "support/statistics.hpp"
#include "core/vectors.hpp"
#include "measures/ridge_gaussian.hpp"
#include "sampling/laws.hpp"

namespace askrff::test {
namespace {

TEST(RidgeCoordinate, FollowsItsLaw) {
  constexpr std::size_t n_draws = 8000;
  for (const auto& profile : {measures::shift_profile, measures::cosh_profile})
    for (const double s : {0.01, 0.13, 0.5, 1.19, 1.21, 1.7, 1.8, 3.1, 30.0, 1000.0})
      for (const Part part : all_parts) {
        const RidgeLaw law(part, profile.sine_sign, s);
        std::vector<double> z(n_draws);
        for (std::size_t i = 0; i < n_draws; ++i) {
          RandomStream random(profile.growing ? 12 : 11, traits(part).purpose, i);
          z[i] = measures::draw_ridge_coordinate(part, profile, s, random);
        }
        EXPECT_GT(ks_p(z, [&](double x) { return law.cdf(x); }), test_level)
            << "s=" << s << ' ' << traits(part).name << " sign " << profile.sine_sign;
      }
}

// The law itself: total mass 1 and, for even parts, half of it on each side.
TEST(RidgeCoordinate, JudgeIsALaw) {
  for (const double s : {0.01, 0.5, 3.1, 1000.0}) {
    EXPECT_NEAR(RidgeLaw(Part::real_positive, 1, s).cdf(0), 0.5, 1e-12);
    EXPECT_NEAR(RidgeLaw(Part::real_negative, 1, s).cdf(0), 0.5, 1e-12);
    EXPECT_NEAR(RidgeLaw(Part::imaginary_positive, 1, s).cdf(0.7) + RidgeLaw(Part::imaginary_positive, -1, s).cdf(-0.7), 1.0, 1e-12);
  }
}

struct Case {
  const char* what;
  std::unique_ptr<Kernel> kernel;
  std::size_t dim;
};
std::vector<Case> cases_where_rejection_ends() {
  std::vector<Case> cases;
  for (const std::size_t dim : {1u, 3u, 8u}) cases.push_back({"cosh", cosh_gaussian(), dim});
  cases.push_back({"shift d=1", shift_gaussian(), 1});
  cases.push_back({"shift far", shift_gaussian({.sigma = 1, .shift = {2.0, -1.0, 0.5}}), 3});
  cases.push_back({"sinh", sinh_gaussian(), 3});
  cases.push_back({"shift d=8", shift_gaussian({.sigma = 0.5, .shift = 0.4}), 8});
  return cases;
}

TEST(RidgeLift, AgreesWithRejectionInAllDimensions) {
  for (const Case& each : cases_where_rejection_ends()) {
    const auto measure = each.kernel->measure(each.dim);
    const auto direction = [&] {
      std::vector<double> u(each.dim);
      RandomStream random(1, Purpose::evaluation_rows, 0);
      for (double& x : u) x = random.normal();
      return u;
    }();
    const auto sum = [](std::span<const double> w) {
      double total = 0;
      for (const double x : w) total += x;
      return total;
    };
    for (const Part part : measure->parts()) {
      const auto exact = draw_frequencies(*measure, part, 0, 4000, {.sampler = Sampler::exact, .seed = 21});
      const auto rejected = draw_frequencies(*measure, part, 0, 4000, {.sampler = Sampler::rejection, .seed = 22});
      const auto compare = [&](const char* what, const auto& f) {
        EXPECT_GT(ks_p_two(projected(exact, f), projected(rejected, f)), test_level)
            << each.what << ' ' << each.dim << ' ' << traits(part).name << ' ' << what;
      };
      // The ridge of the default kernels is the diagonal.
      compare("sum of coordinates", sum);
      compare("first coordinate", [](std::span<const double> w) { return w[0]; });
      compare("random direction", [&](std::span<const double> w) { return dot(direction, w); });
      compare("squared norm", [](std::span<const double> w) { return squared_norm(w); });
    }
  }
}

// What is orthogonal to the ridge is N(0, 1/σ²), whatever the part; what lies along it has the scalar law.
TEST(RidgeLift, NormalAcrossAndScalarLawAlong) {
  constexpr std::size_t dim = 5;
  const std::vector<double> ridge{0.9, -0.3, 0.4, 0.0, -1.2}, across{0.3, 0.9, 0.0, 2.0, 0.0};  // orthogonal
  const double length = std::sqrt(squared_norm(ridge)), width = std::sqrt(squared_norm(across));
  ASSERT_NEAR(dot(ridge, across), 0, 1e-15);
  std::vector<double> beta = ridge;
  for (double& b : beta) b /= 0.81;
  const std::unique_ptr<Kernel> kernels[] = {shift_gaussian({.sigma = 0.9, .shift = ridge}), sinh_gaussian({.sigma = 0.9, .beta = beta}),
                                             cosh_gaussian({.sigma = 0.9, .beta = beta})};
  for (const auto& kernel : kernels) {
    const auto measure = kernel->measure(dim);
    const double sign = kernel->name() == "shift-gaussian" ? 1 : -1;
    for (const Part part : measure->parts()) {
      const auto omega = draw_frequencies(*measure, part, 0, 10'000, {.seed = 23});
      const auto u = projected(omega, [&](std::span<const double> w) { return 0.9 * dot(across, w) / width; });
      EXPECT_GT(ks_p(u, normal_cdf), test_level) << kernel->name() << ' ' << traits(part).name;
      const auto z = projected(omega, [&](std::span<const double> w) { return 0.9 * dot(ridge, w) / length; });
      const bool plain = kernel->name() == "sinh-gaussian" && part == Part::real_positive;
      const RidgeLaw law(part, sign, length / 0.9);
      EXPECT_GT(plain ? ks_p(z, normal_cdf) : ks_p(z, [&](double x) { return law.cdf(x); }), test_level)
          << kernel->name() << ' ' << traits(part).name;
      // Along and across are independent: so is the sign of one from the other.
      std::vector<std::size_t> quadrants(2);
      const double middle = [&] {
        auto sorted = z;
        std::nth_element(sorted.begin(), sorted.begin() + 5000, sorted.end());
        return sorted[5000];
      }();
      for (std::size_t i = 0; i < z.size(); ++i) ++quadrants[(z[i] > middle) == (u[i] > 0)];
      EXPECT_GT(uniform_counts_p(quadrants), test_level) << kernel->name() << ' ' << traits(part).name;
    }
  }
}

// The sign each part promises holds for every single draw, also where rejection would take 10^34 proposals.
TEST(RidgeLift, EveryDrawLiesWhereItsPartLives) {
  for (const std::size_t dim : {8u, 16u, 22u, 57u}) {
    const auto measure = shift_gaussian()->measure(dim);
    const std::vector<double> r(dim, 2.0 / static_cast<double>(dim));
    for (const Part part : measure->parts()) {
      const auto omega = draw_frequencies(*measure, part, 0, 2000, {.seed = 24});
      for (std::size_t j = 0; j < omega.rows(); ++j) {
        const double t = dot(r, omega.row(j));
        // The lift rounds t by a few units of its last place.
        ASSERT_GT(part == Part::real_positive   ? std::cos(t)
                  : part == Part::real_negative ? -std::cos(t)
                                                : std::sin(t),
                  -1e-14)
            << dim << ' ' << j;
      }
    }
  }
}

}  // namespace
}  // namespace askrff::test
