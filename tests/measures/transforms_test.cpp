// Transforms of the parts, total variations and half waves: the closed forms behind masses and variances, against quadrature and exact
// series.
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "support/statistics.hpp"
#include "support/catalogue.hpp"
#include "measures/half_waves.hpp"

namespace askrff::test {
namespace {

using std::numbers::pi;

// ∫ f over [-end, end] in steps that end on the zeros of cos(rω) and sin(rω).
template <class Function>
std::complex<double> on_the_line(const Function& f, double r, double end, double longest_step) {
  using Rule = boost::math::quadrature::gauss<double, 20>;
  const double quarter = pi / (2 * std::fabs(r)), h = quarter / std::ceil(quarter / longest_step);
  std::complex<double> sum = 0;
  for (double from = 0; from < end; from += h)
    for (const double a : {from, -from - h})
      sum += std::complex<double>(Rule::integrate([&](double w) { return f(w).real(); }, a, a + h),
                                  Rule::integrate([&](double w) { return f(w).imag(); }, a, a + h));
  return sum;
}

double part_density(const ComplexMeasure& measure, Part part, double omega) {
  return part_of(part, measure.density(std::span<const double>(&omega, 1)));
}

struct OneDimensional {
  const char* name;
  double ridge;  // t = ridge · ω
  double end;    // the density is negligible beyond
};
// With the default parameters: σ = 2, shift 2, σ²β = 2π.
constexpr OneDimensional one_dimensional[] = {{"shift-gaussian", 2, 7},   {"sinh-gaussian", 2 * pi, 7}, {"cosh-gaussian", 2 * pi, 7},
                                              {"shifted:gaussian", 2, 7}, {"shifted:cauchy", 2, 22},    {"cauchy", 2, 22},
                                              {"gaussian", 2, 7}};

TEST(ExactTransform, QuadratureInOneDimension) {
  for (const OneDimensional& law : one_dimensional) {
    const auto measure = make_kernel(law.name)->measure(1);
    for (const Part part : measure->parts())
      for (const double delta : {0.0, 0.3, -0.8, 2.0, -5.0, 9.0}) {
        const auto by_quadrature =
            on_the_line([&](double w) { return std::polar(part_density(*measure, part, w), w * delta); }, law.ridge, law.end, 0.05);
        const auto exact = *measure->exact_transform(part, std::span<const double>(&delta, 1));
        const double tolerance = 1e-13 * measure->exact_moments(part)->mass + 1e-14;
        EXPECT_NEAR(exact.real(), by_quadrature.real(), tolerance) << law.name << ' ' << traits(part).name << ' ' << delta;
        // The even parts have real transforms; that of μ_I^+ is complex, because μ_I^+ alone is neither even nor odd.
        EXPECT_NEAR(exact.imag(), by_quadrature.imag(), tolerance) << law.name << ' ' << traits(part).name << ' ' << delta;
      }
  }
}

// ∫ e^{iω·δ} μ²/|μ|.
TEST(ExactPolarTransform, QuadratureInOneDimension) {
  for (const OneDimensional& law : one_dimensional) {
    const auto measure = make_kernel(law.name)->measure(1);
    for (const double delta : {0.0, 0.3, -0.8, 2.0, -5.0}) {
      const auto polar = [&](double w) {
        const auto mu = measure->density(std::span<const double>(&w, 1));
        return std::abs(mu) > 0 ? mu / std::abs(mu) * mu * std::polar(1.0, w * delta) : 0.0;
      };
      // |μ| of sinh bends sharply next to the zeros of sin: short steps.
      const auto by_quadrature = on_the_line(polar, law.ridge, law.end, std::string(law.name) == "sinh-gaussian" ? 0.001 : 0.05);
      const auto exact = *measure->exact_polar_transform(std::span<const double>(&delta, 1));
      EXPECT_NEAR(exact.real(), by_quadrature.real(), 1e-12 * *measure->exact_total_variation()) << law.name << ' ' << delta;
      EXPECT_NEAR(exact.imag(), by_quadrature.imag(), 1e-12 * *measure->exact_total_variation()) << law.name << ' ' << delta;
    }
  }
}

// k = Re Σ coefficient · transform, in any dimension, near and far.
TEST(ExactTransform, PartsAddUpToTheKernel) {
  for (const std::string& name : every_kernel()) {
    if (!has_transforms(name)) continue;
    const auto kernel = make_kernel(name);
    for (const std::size_t dim : {1u, 3u, 8u, 57u}) {
      const auto measure = kernel->measure(dim);
      const double scale = exact_masses(*measure).total;
      for (std::uint64_t i = 0; i < 20; ++i) {
        const auto delta = random_difference(dim, i, i < 10 ? 0.7 : 4.0);
        double sum = 0;
        for (const Part part : measure->parts()) sum += (traits(part).coefficient * *measure->exact_transform(part, delta)).real();
        EXPECT_NEAR(sum, (*kernel)(delta), 1e-14 * scale) << name << " d=" << dim << " i=" << i;
      }
      const std::vector<double> zero(dim, 0.0);
      for (const Part part : measure->parts())
        EXPECT_NEAR(measure->exact_transform(part, zero)->real(), measure->exact_moments(part)->mass, 1e-14 * scale)
            << name << " d=" << dim;
    }
  }
}

TEST(ExactTransform, WhereThereIsNone) {
  const std::vector<double> delta{0.3};
  for (const std::string& name : every_kernel()) {
    if (has_transforms(name)) continue;
    const auto measure = make_kernel(name)->measure(1);
    EXPECT_FALSE(measure->exact_transform(measure->parts().back(), delta)) << name;
    EXPECT_FALSE(measure->exact_polar_transform(delta)) << name;
  }
}

// E √(1 + C² sin² t), computed with mpmath at 35 digits on graded panels; from s = 8 on it is 2CS to all digits.
TEST(SinhTotalVariation, ThirtyFiveDigits) {
  const std::pair<double, double> references[] = {
      {0.001, 1.000000499999625001521},    {0.01, 1.000049996251519961396},    {0.1, 1.004963940062540908524},
      {0.3, 1.042725816949132722857},      {0.5, 1.112687298464170212133},     {1.0, 1.439135865450063592694},
      {1.7, 2.944445529581978016891},      {2.5, 1.455943662438981320097e+1},  {3.0, 5.732926737352938940858e+1},
      {5.0, 1.708288222797190120348e+5},   {8.0, 5.026938173696857345935e+13}, {15.0, 4.592078854405008699093e+48},
      {36.0, 1.685405459065944573158e+281}};
  for (const auto& [s, variation] : references)
    for (const double sigma : {1.0, 2.0}) {
      const auto measure = sinh_gaussian({.sigma = sigma, .beta = s / sigma})->measure(1);
      // s = 36: C = e^{648} turns a rounding of s into 1300 roundings of C.
      EXPECT_NEAR(*measure->exact_total_variation(), variation, (1e-14 + 2e-16 * s * s) * variation) << s;
    }
  EXPECT_EQ(*sinh_gaussian({.sigma = 1, .beta = 0.0})->measure(2)->exact_total_variation(), 1.0);
}

// A ridge of length 0 leaves the Gaussian alone.
TEST(Ridge, WithoutDirectionIsTheGaussian) {
  const auto plain = gaussian()->measure(3);
  for (const auto& kernel : {shift_gaussian({.sigma = 2, .shift = 0.0}), sinh_gaussian({.sigma = 2, .beta = 0.0}),
                             cosh_gaussian({.sigma = 2, .beta = 0.0}), shifted(gaussian(), 0.0)}) {
    SCOPED_TRACE(kernel->name());
    const auto measure = kernel->measure(3);
    EXPECT_EQ(measure->parts(), std::vector<Part>{Part::real_positive});
    const Masses masses = exact_masses(*measure);
    EXPECT_EQ(masses.real_positive, 1.0);
    EXPECT_EQ(masses.total, 1.0);
    EXPECT_EQ(masses.total_variation, 1.0);
    const auto delta = random_difference(3, 1);
    EXPECT_NEAR(measure->exact_transform(Part::real_positive, delta)->real(), (*gaussian())(delta), 1e-15);
    EXPECT_NEAR(measure->exact_polar_transform(delta)->real(), (*gaussian())(delta), 1e-15);
    EXPECT_NEAR(*measure->exact_moments(Part::real_positive)->second_moment, 0.75, 1e-15);
  }
}

// t Cauchy with scale g: Σ x^{2k}/(4k²-1) = ½(1 + (x - 1/x) atanh x) and its alternating twin, x = e^{-g}.
measures::HalfWaves cauchy_half_waves(double g) {
  const long double x = std::exp(-static_cast<long double>(g)), one_minus = -std::expm1(-static_cast<long double>(g));
  const long double atanh = 0.5L * std::log((1 + x) / one_minus);
  const long double plain = 0.5L * (1 - one_minus * (1 + x) / x * atanh), alternating = 0.5L * (std::atan(x) * (x + 1 / x) - 1);
  const long double p = std::numbers::pi_v<long double>, even = 1 / p + 2 / p * alternating;
  return {static_cast<double>(even + x / 2), static_cast<double>(even - x / 2), static_cast<double>((1 - 2 * plain) / p)};
}

// What ShiftedMeasure takes for rounding and cuts to 0.
constexpr double half_wave_error = 2e-15;

TEST(HalfWaves, CauchyLaw) {
  // Down to g = 1e-9, where 10^5 terms are far from enough and the tail is an integral.
  for (const double g : {5.0, 1.0, 0.1, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9}) {
    const auto waves = measures::half_waves([g](double n) { return std::exp(-n * g); }), exact = cauchy_half_waves(g);
    EXPECT_NEAR(waves.cos_positive, exact.cos_positive, half_wave_error) << g;
    EXPECT_NEAR(waves.cos_negative, exact.cos_negative, half_wave_error) << g;
    EXPECT_NEAR(waves.half_abs_sin, exact.half_abs_sin, half_wave_error) << g;
  }
}

TEST(HalfWaves, NormalLaw) {
  for (const double s : {1e-3, 0.01, 0.2, 0.7, 1.5, 4.0, 50.0}) {
    const auto waves = measures::half_waves([s](double n) { return std::exp(-0.5 * n * n * s * s); });
    const RidgeExpectations exact = ridge_expectations(s);
    EXPECT_NEAR(waves.cos_positive, exact.cos_positive, half_wave_error) << s;
    EXPECT_NEAR(waves.cos_negative, exact.cos_negative, half_wave_error) << s;
    EXPECT_NEAR(waves.half_abs_sin, exact.sin_positive, half_wave_error) << s;
  }
}

TEST(HalfWaves, AllMassAtZero) {
  const auto waves = measures::half_waves([](double) { return 1.0; });
  EXPECT_NEAR(waves.cos_positive, 1.0, half_wave_error);
  EXPECT_NEAR(waves.cos_negative, 0.0, half_wave_error);
  EXPECT_NEAR(waves.half_abs_sin, 0.0, half_wave_error);
}

// r·ω is Cauchy for a shifted laplacian (scale ‖r‖₁/σ) and a shifted Matérn 1/2 (scale ‖r‖/σ), in any dimension.
TEST(ShiftedMasses, CauchyRidge) {
  for (const std::size_t dim : {1u, 3u, 20u}) {
    const std::vector<double> shift = random_difference(dim, 77);
    double l1 = 0, squares = 0;
    for (const double r : shift) {
      l1 += std::fabs(r);
      squares += r * r;
    }
    for (const auto& [name, scale] : {std::pair{"shifted:laplacian", l1}, {"shifted:matern-1/2", std::sqrt(squares)}}) {
      const Masses masses = exact_masses(*make_kernel(name, {{"sigma", 1.5}, {"shift", shift}})->measure(dim));
      const auto exact = cauchy_half_waves(scale / 1.5);
      EXPECT_NEAR(masses.real_positive, exact.cos_positive, 2e-15) << name << dim;
      EXPECT_NEAR(masses.real_negative, exact.cos_negative, 2e-15) << name << dim;
      EXPECT_NEAR(masses.imaginary_positive, exact.half_abs_sin, 2e-15) << name << dim;
      EXPECT_EQ(masses.total_variation, 1.0);
    }
  }
}

// Masses and second moments of every shifted positive kernel in one dimension. Beyond `end` a half wave counts with its mean 1/π; its
// Fourier coefficients at the frequency 2r and above leave an error of density(end)·end^{power}/r.
TEST(ShiftedMasses, QuadratureOfMassesAndSecondMoments) {
  struct Law {
    const char* name;
    double end, density_power;  // density ~ |ω|^-power far out
    bool moment;
  };
  for (const Law& law : {Law{"shifted:cauchy", 25, 0, true},
                         {"shifted:matern-5/2", 400, 6, true},
                         {"shifted:matern-3/2", 2000, 4, true},
                         {"shifted:matern-1/2", 4000, 2, false},
                         {"shifted:laplacian", 4000, 2, false}}) {
    SCOPED_TRACE(law.name);
    const auto measure = make_kernel(law.name)->measure(1), base = make_kernel(std::string(law.name).substr(8))->measure(1);
    const double quarter = pi / 4, end = std::ceil(law.end / (2 * pi)) * 2 * pi;
    const double at_end = base->density(std::span<const double>(&end, 1)).real();
    for (const Part part : all_parts) {
      const auto power_integral = [&](int power) {
        const double inside =
            on_the_line([&](double w) { return std::complex<double>(std::pow(w, power) * part_density(*measure, part, w)); }, 2, end - 0.1,
                        quarter / 4)
                .real();
        const double tail = law.density_power > 0 ? 2 * at_end * std::pow(end, power + 1) / (law.density_power - 1 - power) / pi : 0;
        return inside + tail;
      };
      const auto moments = *measure->exact_moments(part);
      EXPECT_NEAR(moments.mass, power_integral(0), 1e-11 + at_end) << traits(part).name;
      EXPECT_NEAR(moments.log_mass, std::log(moments.mass), 1e-15);
      if (law.moment) {
        EXPECT_NEAR(*moments.second_moment * moments.mass, power_integral(2), 1e-10 + at_end * end * end + 1e-3 * at_end * std::pow(end, 3))
            << traits(part).name;
      } else {
        EXPECT_EQ(*moments.second_moment, std::numeric_limits<double>::infinity());
      }
    }
  }
}

// Σ mass · E‖ω‖² over the parts is not free: R+ and R- give -Δk(0) of the shifted kernel, by central differences.
TEST(SecondMoments, RealPartsGiveTheLaplacianAtZero) {
  for (const char* name : {"gaussian", "matern-5/2", "cauchy", "difference-of-gaussians", "shift-gaussian", "sinh-gaussian",
                           "cosh-gaussian", "shifted:matern-5/2", "shifted:matern-3/2", "shifted:cauchy"})
    for (const std::size_t dim : {1u, 3u}) {
      const auto kernel = make_kernel(name);
      const auto measure = kernel->measure(dim);
      double sum = 0, laplacian = 0;
      for (const Part part : {Part::real_positive, Part::real_negative}) {
        const auto moments = *measure->exact_moments(part);
        sum += traits(part).coefficient.real() * moments.mass * *moments.second_moment;
      }
      const double h = 1e-3;
      for (std::size_t i = 0; i < dim; ++i) {
        std::vector<double> delta(dim, 0.0);
        double values[5];
        for (int k = -2; k <= 2; ++k) {
          delta[i] = k * h;
          values[k + 2] = (*kernel)(delta);
        }
        laplacian += (-values[0] + 16 * values[1] - 30 * values[2] + 16 * values[3] - values[4]) / (12 * h * h);
      }
      // Matérn 5/2 has a fifth derivative that jumps at 0, hence an error of order h.
      const double tolerance = std::string(name) == "matern-5/2" ? 2e-3 : 1e-8;
      EXPECT_NEAR(sum, -laplacian, tolerance * std::fmax(1.0, std::fabs(sum))) << name << " d=" << dim;
    }
}

}  // namespace
}  // namespace askrff::test
