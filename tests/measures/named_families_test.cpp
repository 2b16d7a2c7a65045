// Measures of the named families against brute-force transforms of their formulas, and their masses against quadrature.
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <numbers>

#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "kernels/formulas.hpp"
#include "support/catalogue.hpp"

namespace askrff::test {
namespace {

using std::numbers::pi;

std::complex<double> density_at(const ComplexMeasure& measure, double omega) { return measure.density(std::span(&omega, 1)); }

/// ∫ f over (0, end) in steps that grow with the place, ends of the waves of ω counted.
template <class Function>
auto integral(const Function& f, double end, double omega) {
  using Rule = boost::math::quadrature::gauss<double, 30>;
  decltype(f(0.5)) sum{};
  // From 1e-12 on, where powers of the distance begin.
  for (double from = 1e-12, step = 1e-12; from < end; from += step) {
    step = std::fmin(0.5 * from + 1e-12, 2 / (1 + omega));
    if constexpr (std::is_same_v<decltype(f(0.5)), double>) {
      sum += Rule::integrate(f, from, from + step);
    } else {
      sum += std::complex<double>(Rule::integrate([&](double x) { return f(x).real(); }, from, from + step),
                                  Rule::integrate([&](double x) { return f(x).imag(); }, from, from + step));
    }
  }
  return sum;
}

/// (1/2π) ∫ k(δ) e^{-iωδ} dδ of the formula.
std::complex<double> transform_of(const std::string& name, double omega, double end) {
  const Formula k = formula(name);
  return integral(
             [&](double x) {
               const Real there = x, back = -x;
               const auto ahead = static_cast<double>(k(std::span(&there, 1))), behind = static_cast<double>(k(std::span(&back, 1)));
               return ahead * std::polar(1.0, -omega * x) + behind * std::polar(1.0, omega * x);
             },
             end, omega) /
         (2 * pi);
}

struct Family {
  const char* name;
  double end;  // beyond it the formula is below 1e-12
};
constexpr Family families[] = {
    {"rational-quadratic", 150}, {"generalised-cauchy", 150}, {"exponential-power", 40}, {"periodic-gaussian", 12}, {"gabor", 12},
    {"skew-normal", 12},         {"causal-gamma", 70}};

TEST(NamedFamilies, DensityIsTheTransformOfTheFormula) {
  for (const Family& family : families) {
    const auto measure = kernel_with_values(family.name)->measure(1);
    const double largest = std::abs(density_at(*measure, 0.0));
    for (const double omega : {0.0, 1e-3, 0.3, 1.0, 2.5, 7.0, 20.0}) {
      const auto found = density_at(*measure, omega), exact = transform_of(family.name, omega, family.end);
      EXPECT_NEAR(found.real(), exact.real(), 1e-9 * largest) << family.name << " at " << omega;
      EXPECT_NEAR(found.imag(), exact.imag(), 1e-9 * largest) << family.name << " at " << omega;
    }
  }
}

// In two and three dimensions the radial families by their Hankel transforms: (1/2π) ∫ k(r) J₀(ωr) r dr, (1/2π²) ∫ k(r) sin(ωr)/(ωr) r² dr.
TEST(NamedFamilies, RadialDensitiesInTwoAndThreeDimensions) {
  for (const auto& [name, end] : {std::pair{"rational-quadratic", 4000.0}, {"generalised-cauchy", 4000.0}, {"exponential-power", 60.0}}) {
    const Formula k = formula(name);
    const auto value = [&](double r) {
      const Real there = r;
      return static_cast<double>(k(std::span(&there, 1)));
    };
    for (const double omega : {1e-3, 0.4, 1.7, 6.0}) {
      const double two = integral([&](double r) { return value(r) * boost::math::cyl_bessel_j(0, omega * r) * r; }, end, omega) / (2 * pi);
      const double three = integral([&](double r) { return value(r) * std::sin(omega * r) / omega * r; }, end, omega) / (2 * pi * pi);
      const std::vector<double> in_plane{0.6 * omega, -0.8 * omega}, in_space{0.48 * omega, 0.64 * omega, -0.6 * omega};
      const auto kernel = kernel_with_values(name);
      EXPECT_NEAR(kernel->measure(2)->density(in_plane).real(), two, 1e-9 * two + 1e-11) << name << " at " << omega;
      EXPECT_NEAR(kernel->measure(3)->density(in_space).real(), three, 1e-9 * three + 1e-11) << name << " at " << omega;
    }
  }
}

// At 0: E (4πV)^{-d/2}, by gamma functions; beside it the density is the same to many digits.
TEST(NamedFamilies, DensitiesAtTheOrigin) {
  for (const std::size_t dim : {1u, 2u, 3u})
    for (const double power : {0.3, 1.0, 1.5, 2.0}) {
      const double d = static_cast<double>(dim), decay = d + 1.5;
      const double stable = std::exp(std::lgamma(1 + d / power) - std::lgamma(1 + d / 2)) * std::pow(4 * pi, -d / 2);
      const double of_gamma = std::exp(std::lgamma((decay - d) / power) - std::lgamma(decay / power));
      const auto plain = exponential_power({.sigma = 1, .power = power})->measure(dim);
      const auto cauchy_like = generalised_cauchy({.sigma = 1, .power = power, .decay = decay})->measure(dim);
      for (const double omega : {0.0, 1e-200, 1e-20}) {
        std::vector<double> at(dim);
        at[0] = omega;
        EXPECT_NEAR(plain->density(at).real() / stable, 1, 1e-12) << power << ' ' << dim << ' ' << omega;
        EXPECT_NEAR(cauchy_like->density(at).real() / (stable * of_gamma), 1, 1e-11) << power << ' ' << dim << ' ' << omega;
      }
    }
}

// Powers and decays at their ends; where the law has a name, its density.
TEST(NamedFamilies, StableLawsWithNames) {
  const auto density = [](double power, double omega) {
    return density_at(*exponential_power({.sigma = 1, .power = power})->measure(1), omega).real();
  };
  const auto levy_smirnov_like = [](double omega) {  // index 1/2, by its own integral: (1/π) ∫ e^{-√t} cos(ωt) dt, turned by t = iy/ω
    return integral(
               [&](double y) {
                 const std::complex<double> root = std::sqrt(std::complex<double>(0, y / omega));
                 return (std::complex<double>(0, 1) * std::exp(-root) * std::exp(-y)).real();
               },
               60, 0) /
           (pi * omega);
  };
  for (const double omega : {1e-3, 0.1, 0.7, 1.0, 3.0, 50.0, 1e4}) {
    EXPECT_NEAR(density(1, omega) * pi * (1 + omega * omega), 1, 1e-11) << omega;
    EXPECT_NEAR(density(0.5, omega) / levy_smirnov_like(omega), 1, 1e-7) << omega;
    if (omega < 4) {
      EXPECT_NEAR(density(2, omega) * std::sqrt(4 * pi) * std::exp(omega * omega / 4), 1, 1e-11) << omega;
    }
    // (1 + δ²)^-1, the Cauchy kernel in one dimension: Laplace's law.
    if (omega < 30) {
      const auto cauchy_kernel = generalised_cauchy({.sigma = 1, .power = 2, .decay = 2})->measure(1);
      EXPECT_NEAR(density_at(*cauchy_kernel, omega).real() * 2 * std::exp(omega), 1, 1e-9) << omega;
      const auto rational = rational_quadratic({.sigma = std::sqrt(0.5), .alpha = 1})->measure(1);
      EXPECT_NEAR(density_at(*rational, omega).real() * 2 * std::exp(omega), 1, 1e-9) << omega;
    }
  }
}

TEST(NamedFamilies, TailsOfStableLaws) {
  const auto cauchy_law = exponential_power({.sigma = 2, .power = 1})->measure(3);
  const auto gaussian_law = exponential_power({.sigma = 2, .power = 2})->measure(3);
  for (const double cut : {1e-9, 1e-3, 0.1, 0.5, 1.0, 2.0, 30.0, 1e5}) {
    EXPECT_NEAR(*cauchy_law->mass_beyond(0, cut), 2 / pi * std::atan(0.5 / cut), 1e-12) << cut;
    EXPECT_NEAR(*gaussian_law->mass_beyond(0, cut), std::erfc(cut), 1e-12) << cut;
  }
}

// In one dimension for a range of parameters, in two for causal-gamma and gabor: exact masses and total variations against quadrature.
void expect_masses_of_quadrature(const Kernel& kernel, std::size_t dim, double tolerance) {
  const auto measure = kernel.measure(dim);
  const Masses exact = exact_masses(*measure), found = quadrature_masses(*measure, {.tolerance = tolerance});
  for (const Part part : measure->parts())
    EXPECT_NEAR(exact.of(part), found.of(part), 2 * tolerance * exact.total) << kernel.name() << ' ' << traits(part).name << " d=" << dim;
  EXPECT_NEAR(exact.total_variation, found.total_variation, 2 * tolerance * exact.total) << kernel.name() << " d=" << dim;
  EXPECT_NEAR(exact.real_positive - exact.real_negative, kernel.at_zero(dim), 1e-12 * exact.total) << kernel.name() << " d=" << dim;
}

TEST(NamedFamilies, MassesAreThoseOfQuadrature) {
  for (const double shape : {1.7, 2.0, 2.7, 5.0, 30.0}) {
    SCOPED_TRACE(shape);
    expect_masses_of_quadrature(*causal_gamma({.sigma = 0.8, .shape = shape}), 1, 1e-8);
  }
  for (const double skew : {-0.1, 0.5, 3.0, -20.0}) {
    SCOPED_TRACE(skew);
    expect_masses_of_quadrature(*skew_normal({.sigma = 0.8, .skew = skew}), 1, 1e-9);
  }
  for (const double wave : {1e-3, 0.5, 2.0, 9.0})
    for (const double phase : {0.0, 0.3, pi / 2, 2.5, -1.0}) {
      SCOPED_TRACE(testing::Message() << wave << ", " << phase);
      expect_masses_of_quadrature(*gabor({.sigma = 0.8, .wave = wave, .phase = phase}), 1, 1e-9);
    }
  // At 2.4 some mean cosines vanish among others that do not.
  for (const double shape : {2.4, 3.5}) expect_masses_of_quadrature(*causal_gamma({.sigma = 0.8, .shape = shape}), 2, 1e-6);
  expect_masses_of_quadrature(*gabor({.sigma = 0.8, .wave = {1.0, -0.7}, .phase = 0.9}), 2, 1e-7);
}

// Total variations in more dimensions are products, masses of three coordinates those of the phases' sum: a = 2 has them in closed form in
// one dimension, (1/2π)(1, 1, 1) over a maximum of 1/e.
TEST(NamedFamilies, CausalGammaInClosedForm) {
  const Masses masses = exact_masses(*causal_gamma({.sigma = 3, .shape = 2})->measure(1));
  for (const Part part : all_parts) EXPECT_NEAR(masses.of(part), std::numbers::e / (2 * pi), 1e-13);
  EXPECT_NEAR(masses.total_variation, std::numbers::e / 2, 1e-14);
  EXPECT_NEAR(*causal_gamma({.sigma = 3, .shape = 2})->measure(7)->exact_total_variation(), std::pow(std::numbers::e / 2, 7), 1e-12);
}

// The total variation of a skew normal product in two dimensions, whose masses quadrature knows.
TEST(NamedFamilies, SkewNormalInTwoDimensions) {
  const auto measure = skew_normal({.sigma = 0.8, .skew = {1.5, -0.6}})->measure(2);
  EXPECT_FALSE(measure->exact_moments(Part::real_positive));
  const Masses found = quadrature_masses(*measure, {.tolerance = 1e-7});
  EXPECT_NEAR(*measure->exact_total_variation(), found.total_variation, 1e-6);
  EXPECT_NEAR(found.real_positive - found.real_negative, 1, 1e-6);
  // With no skew in one of them, the other's masses are known again.
  const Masses one = exact_masses(*skew_normal({.sigma = 0.8, .skew = 1.5})->measure(1));
  const Masses both = exact_masses(*skew_normal({.sigma = 0.8, .skew = {0.0, 1.5}})->measure(2));
  for (const Part part : all_parts) EXPECT_DOUBLE_EQ(one.of(part), both.of(part));
}

TEST(NamedFamilies, RefusalsSayWhy) {
  const auto refusal = [](const auto& make) {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal([] { causal_gamma({.sigma = 1, .shape = 1}); }).find("no finite mass; use a larger shape"), std::string::npos);
  EXPECT_NE(refusal([] { causal_gamma({.sigma = 1, .shape = 1.05}); }).find("expected 1.1 to 1000"), std::string::npos);
  EXPECT_NE(refusal([] { exponential_power({.sigma = 1, .power = 2.1}); }).find("above 2 the kernel is not positive definite"),
            std::string::npos);
  EXPECT_NE(refusal([] { exponential_power({.sigma = 1, .power = 0.1}); }).find("expected 0.2 to 2"), std::string::npos);
  EXPECT_NE(refusal([] { skew_normal({.sigma = 1, .skew = {1.0, 2e3}})->measure(2); }).find("skew is 2000"), std::string::npos);
  EXPECT_NE(refusal([] { periodic_gaussian({.sigma = 1, .period = 1, .length = 1e-3}); }).find("length is 0.001"), std::string::npos);
  EXPECT_NE(refusal([] { gabor({.sigma = 1, .wave = 1e7})->measure(1); }).find("sigma·||wave||"), std::string::npos);
}

}  // namespace
}  // namespace askrff::test
