// The spectral laws of the symmetric kernels. 6 laws with 2 to 4 marginals each (19 tests) and 24 tests of the difference of Gaussians,
// level 1e-4 each: a correct program would fail for 0.4 % of all seeds. Shifted kernels state their own rate below.
#include <gtest/gtest.h>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/laplace.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <functional>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "support/statistics.hpp"
#include "core/vectors.hpp"
#include "sampling/laws.hpp"

namespace askrff::test {
namespace {

using Cdf = std::function<double(double)>;

template <class Law>
Cdf cdf_of(const Law& law) {
  return [law](double x) { return boost::math::cdf(law, x); };
}

TEST(SpectralLaw, Marginals) {
  struct Expected {
    const char* name;
    Cdf marginal;     // of σω_i
    double student;   // degrees of freedom of a rotation invariant Student law, else 0
    bool rotational;  // any direction has the marginal of a coordinate
  };
  const std::vector<Expected> laws = {
      {"gaussian", normal_cdf, 0, true},
      {"laplacian", cdf_of(boost::math::cauchy_distribution<>()), 0, false},
      {"matern-1/2", cdf_of(boost::math::students_t_distribution<>(1)), 1, true},
      {"matern-3/2", cdf_of(boost::math::students_t_distribution<>(3)), 3, true},
      {"matern-5/2", cdf_of(boost::math::students_t_distribution<>(5)), 5, true},
      {"cauchy", cdf_of(boost::math::laplace_distribution<>()), 0, false},
  };
  const std::vector<double> direction{0.5, -0.5, 0.7, std::sqrt(0.01)};
  for (const Expected& law : laws) {
    const auto omega =
        draw_frequencies(*make_kernel(law.name, {{"sigma", law_sigma}})->measure(4), Part::real_positive, 0, draws_per_law, {.seed = 51});
    for (const std::size_t i : {0u, 3u})
      EXPECT_GT(ks_p(projected(omega, [&](std::span<const double> w) { return law_sigma * w[i]; }), law.marginal), test_level)
          << law.name << ' ' << i;
    if (law.rotational) {
      const auto along = projected(omega, [&](std::span<const double> w) { return law_sigma * dot(direction, w); });
      EXPECT_GT(ks_p(along, law.marginal), test_level) << law.name;
    }
    if (law.student > 0) {
      // ‖z‖²/d over χ²_n/n: Fisher's law, which sees whether the coordinates share one radius.
      const auto radii = projected(omega, [&](std::span<const double> w) { return law_sigma * law_sigma * squared_norm(w) / 4; });
      EXPECT_GT(ks_p(radii, cdf_of(boost::math::fisher_f_distribution<>(4, law.student))), test_level) << law.name;
    }
  }
}

// Share of ‖ω‖² ≤ x under N(0, I/σ²).
double gaussian_share(double s, std::size_t dim, double x) { return boost::math::gamma_p(static_cast<double>(dim) / 2, 0.5 * s * s * x); }

TEST(SpectralLaw, DifferenceOfGaussiansRadiusAndDirection) {
  for (const DifferenceParameters& p : {DifferenceParameters{2.0, 4.0, 0.8}, DifferenceParameters{4.0, 2.0, 0.8}})
    for (const std::size_t dim : {1u, 3u}) {
      const auto measure = difference_of_gaussians(p)->measure(dim);
      const double d = static_cast<double>(dim);
      // Where G₁ = wG₂.
      const double change = 2 * (std::log(p.weight) + d * std::log(p.sigma2 / p.sigma)) / (p.sigma2 * p.sigma2 - p.sigma * p.sigma);
      for (const Part part : measure->parts()) {
        const bool positive = part == Part::real_positive, outside = positive == (p.sigma2 > p.sigma);
        const double from = outside ? std::fmax(change, 0.0) : 0.0, to = outside || change <= 0 ? HUGE_VAL : change,
                     sign = positive ? 1 : -1;
        const auto primitive = [&](double x) {
          return sign * (gaussian_share(p.sigma, dim, x) - p.weight * gaussian_share(p.sigma2, dim, x));
        };
        const double mass = (std::isfinite(to) ? primitive(to) : sign * (1 - p.weight)) - primitive(from);
        EXPECT_NEAR(mass, measure->exact_moments(part)->mass, 1e-14);
        for (const Sampler sampler : {Sampler::exact, Sampler::rejection}) {
          const auto omega = draw_frequencies(*measure, part, 0, 5000, {.sampler = sampler, .seed = 52});
          const auto radii = projected(omega, [](std::span<const double> w) { return squared_norm(w); });
          EXPECT_GT(ks_p(radii, [&](double x) { return x <= from ? 0.0
                                                       : x >= to ? 1.0
                                                                 : (primitive(x) - primitive(from)) / mass; }),
                    test_level)
              << p.sigma << ' ' << dim << ' ' << traits(part).name;
          for (const double x : radii) ASSERT_TRUE(x >= from * (1 - 1e-12) && x <= to * (1 + 1e-12));
          if (dim == 1) continue;
          const auto share = projected(omega, [](std::span<const double> w) { return w[0] * w[0] / squared_norm(w); });
          EXPECT_GT(ks_p(share, cdf_of(boost::math::beta_distribution<>(0.5, (d - 1) / 2))), test_level);
        }
      }
    }
}

// A part that has next to nothing of its Gaussian is refused, not searched for.
TEST(SpectralLaw, DifferenceOfGaussiansRefusesAVanishingPart) {
  const auto measure = difference_of_gaussians({.sigma = 2, .sigma2 = 2.002, .weight = 0.99901})->measure(1);
  ASSERT_EQ(measure->parts().size(), 2u);
  EXPECT_LT(measure->exact_moments(Part::real_negative)->mass, 1e-6);
  EXPECT_THROW(draw_frequencies(*measure, Part::real_negative, 0, 1), NumericalError);
  EXPECT_NO_THROW(draw_frequencies(*measure, Part::real_positive, 0, 1));
}

// Whatever way a shifted kernel takes to draw a part, its law is that of rejection from the base. Short shifts make cos t < 0 a tail (0.3
// to 4 % of the base), long ones make it a third. 180 two-sample tests at level 1e-4: fails for 1.8 % of all seeds.
TEST(SpectralLaw, ShiftedDrawsAgreeWithRejection) {
  for (const char* name : {"shifted:laplacian", "shifted:matern-1/2", "shifted:matern-3/2", "shifted:matern-5/2", "shifted:cauchy"})
    for (const std::size_t dim : {1u, 3u})
      for (const bool far : {false, true}) {
        std::vector<double> shift{0.8, -0.4, 0.3};
        shift.resize(dim);
        for (double& r : shift) r *= far ? 4 : 0.6;
        const auto measure = make_kernel(name, {{"sigma", 1.0}, {"shift", shift}})->measure(dim);
        for (const Part part : measure->parts()) {
          const auto exact = draw_frequencies(*measure, part, 0, 2000, {.sampler = Sampler::exact, .seed = 54});
          const auto rejected = draw_frequencies(*measure, part, 0, 2000, {.sampler = Sampler::rejection, .seed = 55});
          const auto compare = [&](const char* what, const auto& f) {
            EXPECT_GT(ks_p_two(projected(exact, f), projected(rejected, f)), test_level)
                << name << " d=" << dim << (far ? " far " : " near ") << traits(part).name << ' ' << what;
          };
          compare("along the shift", [&](std::span<const double> w) { return dot(shift, w); });
          compare("last coordinate", [](std::span<const double> w) { return w.back(); });
          compare("squared norm", [](std::span<const double> w) { return squared_norm(w); });
        }
      }
}

// Shifted laws keep the sign of their part.
TEST(SpectralLaw, ShiftedDrawsLieWhereTheirPartLives) {
  for (const char* name : {"shifted:laplacian", "shifted:matern-3/2", "shifted:cauchy", "shifted:difference-of-gaussians"}) {
    const auto measure = make_kernel(name, {{"shift", 1.0}})->measure(3);
    for (const Part part : measure->parts()) {
      const auto omega = draw_frequencies(*measure, part, 0, 500, {.seed = 53});
      for (std::size_t j = 0; j < omega.rows(); ++j)
        ASSERT_GT(part_of(part, measure->density(omega.row(j))), 0) << name << ' ' << traits(part).name;
    }
  }
}

}  // namespace
}  // namespace askrff::test
