// Functions of one variable and their tables: masses and values against closed forms, draws against the table's own law, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "askrff/random.hpp"
#include "found_measures/legendre.hpp"
#include "found_measures/tabulated_line.hpp"
#include "support/statistics.hpp"

namespace askrff::test {
namespace {

using found_measures::TabulatedLine;
using Scalar = std::function<double(double)>;
constexpr double pi = std::numbers::pi, inf = std::numeric_limits<double>::infinity();

std::shared_ptr<const TabulatedLine> tabulated(const Scalar& f, double tolerance = 1e-6) {
  const auto values_of = [&](std::span<const double> x, std::span<double> values) {
    for (std::size_t i = 0; i < x.size(); ++i) values[i] = f(x[i]);
  };
  return TabulatedLine::of({values_of}, tolerance, found_measures::Search("f"));
}

// Looks all over miss a spike; the form of f may tell where to look.
TEST(LineProfile, LooksNearTheLengthsOfItsFunction) {
  const auto spike = [](std::span<const double> x, std::span<double> values) {
    for (std::size_t i = 0; i < x.size(); ++i) values[i] = std::exp(-x[i] * x[i]) + std::fmax(0, 1 - std::fabs(x[i] + 0.3) * 1e4);
  };
  const found_measures::Search search("f");
  EXPECT_EQ(found_measures::LineProfile({spike}, 1e-6, search)(-0.3), found_measures::LineProfile({spike}, 1e-6, search)(0.3));
  const found_measures::LineProfile seen({spike, {}, {0.3}}, 1e-6, search);
  EXPECT_EQ(seen.parity(), found_measures::LineParity::none);
  for (const double x : {-0.3, -0.3 + 3e-5, -0.3 - 7e-5, -0.3002, 0.3, 1.2}) {
    double value = 0;
    spike(std::span(&x, 1), std::span(&value, 1));
    EXPECT_NEAR(seen(x / seen.x_unit()) * seen.f_unit(), value, 1e-6) << x;
  }
}

double gaussian_of(double x) { return std::exp(-x * x / 2); }

TEST(Legendre, TransformsOfPolynomialsByQuadrature) {
  const auto& rule = found_measures::gauss_rule();
  double weight = 0;
  for (const double w : rule.weights) weight += w;
  EXPECT_NEAR(weight, 2, 1e-14);
  found_measures::PanelValues values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::exp(0.7 * rule.nodes[i]);
  const auto coefficients = found_measures::legendre_coefficients(values);
  found_measures::PanelValues start, end;
  found_measures::end_derivatives(coefficients, start, end);
  EXPECT_NEAR(found_measures::legendre_sum(coefficients, 0.3), std::exp(0.21), 1e-14);
  // ∫ e^{0.7t} e^{-iκt} dt = (e^{0.7-iκ} - e^{-0.7+iκ})/(0.7 - iκ)
  for (const double kappa : {0.0, 0.3, 0.99, 1.01, 7.0, 15.9, 16.1, 100.0, 127.0, 129.0, 1000.0, 1e6}) {
    const std::complex<double> exponent(0.7, -kappa), exact = (std::exp(exponent) - std::exp(-exponent)) / exponent;
    const auto bessel = found_measures::spherical_bessel(kappa);
    std::complex<double> sum = 0, power = 2;
    for (std::size_t n = 0; n < coefficients.size(); ++n, power *= std::complex<double>(0, -1)) sum += power * coefficients[n] * bessel[n];
    EXPECT_NEAR(std::abs(sum - exact), 0, 2e-14) << kappa;
    if (kappa < found_measures::end_series_from) continue;
    const std::complex<double> turn = std::polar(1.0, kappa);
    const auto by_ends = turn * found_measures::end_series(start, kappa) - std::conj(turn) * found_measures::end_series(end, kappa);
    EXPECT_NEAR(std::abs(by_ends - exact), 0, 1e-12 / kappa) << kappa;
  }
}

struct Known {
  const char* name;
  Scalar f;
  double positive, negative, imaginary, total;
};

/// Smooth, with a kink, with an algebraic tail, of two widths, of compact support, odd, negative, with phases.
std::vector<Known> known_functions() {
  const double root = std::sqrt(2 / pi);
  return {
      {"gaussian", gaussian_of, 1, 0, 0, 1},
      {"laplacian", [](double x) { return std::exp(-std::fabs(x)); }, 1, 0, 0, 1},
      {"cauchy", [](double x) { return 1 / (1 + x * x); }, 1, 0, 0, 1},
      {"cusp", [](double x) { return std::exp(-std::sqrt(std::fabs(x))); }, 1, 0, 0, 1},
      {"slow", [](double x) { return 1 / (1 + std::fabs(x)); }, 1, 0, 0, 1},
      {"two widths", [](double x) { return 0.5 * gaussian_of(x) + 0.5 * gaussian_of(1000 * x); }, 1, 0, 0, 1},
      {"triangle", [](double x) { return std::fmax(0.0, 1 - std::fabs(x)); }, 1, 0, 0, 1},
      {"minus", [](double x) { return -gaussian_of(x); }, 0, 1, 0, 1},
      {"odd", [](double x) { return x * gaussian_of(x); }, 0, 0, root / 2, root},
      {"modulated", [](double x) { return gaussian_of(x) * std::cos(300 * x); }, 1, 0, 0, 1},
      {"gamma 2", [](double x) { return x > 0 ? x * std::exp(-x) : 0.0; }, 0.5 / pi, 0.5 / pi, 0.5 / pi, 0.5},
      {"not a number far out", [](double x) { return gaussian_of(x) * (1 + std::sinh(1e-3 * x) / 1e300 * 0); }, 1, 0, 0, 1},
  };
}

TEST(LineTable, MassesAgreeWithClosedForms) {
  for (const Known& known : known_functions()) {
    SCOPED_TRACE(known.name);
    const auto line = tabulated(known.f);
    const double h = line->height();
    EXPECT_NEAR(h * line->table.mass(Part::real_positive), known.positive, 2e-6);
    EXPECT_NEAR(h * line->table.mass(Part::real_negative), known.negative, 2e-6);
    EXPECT_NEAR(h * line->table.mass(Part::imaginary_positive), known.imaginary, 2e-6);
    EXPECT_NEAR(h * line->table.total(), known.total, 2e-6);
    EXPECT_LT(line->error(), 2e-6);
    for (int i = 0; i < 60; ++i) {
      const double x = (i % 2 == 0 ? 1 : -1) * 40 * std::pow(10, -0.1 * i);
      EXPECT_NEAR(line->value(x), known.f(x), 2e-6) << x;
    }
  }
}

TEST(LineTable, UnitsDoNotMatter) {
  for (const double unit : {1e-100, 1e-7, 1e9, 1e100})
    for (const double size : {1e-80, 1e60}) {
      const auto line = tabulated([&](double x) { return size * gaussian_of(x / unit); });
      EXPECT_NEAR(line->height() / size * line->table.total(), 1, 1e-6);
      EXPECT_NEAR(line->value(0.8 * unit) / size, gaussian_of(0.8), 1e-6);
      EXPECT_NEAR(line->table.density(0.5 / unit * line->length()).real() * line->length() * line->height() / size / unit,
                  gaussian_of(0.5) / std::sqrt(2 * pi), 1e-6);
    }
}

TEST(LineTable, FarFromTheOrigin) {
  const auto line = tabulated([](double x) { return gaussian_of(x - 50); });
  EXPECT_NEAR(line->height() * line->table.total(), 1, 1e-6);
  for (const double x : {48.5, 50.0, 51.0}) EXPECT_NEAR(line->value(x), gaussian_of(x - 50), 1e-6);
}

TEST(LineTable, WhatItStatesIsTrueOfItself) {
  const auto line = tabulated([](double x) { return gaussian_of(x + 1.3) - 0.3 * gaussian_of(2 * x); }, 1e-4);
  const auto& table = line->table;
  double positive = 0, negative = 0, imaginary = 0, total = 0;
  constexpr int n = 4'000'000;  // the midpoint rule, with kinks of the density between its points
  const double end = 12, width = end / n;
  for (int i = 0; i < n; ++i) {
    const auto mu = table.density((i + 0.5) * width);
    positive += 2 * width * std::fmax(mu.real(), 0.0);
    negative += 2 * width * std::fmax(-mu.real(), 0.0);
    imaginary += width * std::fabs(mu.imag());
    total += 2 * width * std::abs(mu);
    ASSERT_LE(std::abs(table.envelope_ratio((i + 0.5) * width)), 1 + 1e-12);
  }
  const double rest = 1e-8 + table.mass_beyond(end);
  EXPECT_LT(rest, 1e-5);
  EXPECT_NEAR(positive, table.mass(Part::real_positive), rest);
  EXPECT_NEAR(negative, table.mass(Part::real_negative), rest);
  EXPECT_NEAR(imaginary, table.mass(Part::imaginary_positive), rest);
  EXPECT_NEAR(total, table.total(), rest);
  EXPECT_GE(table.envelope_total(), table.total());
  EXPECT_LT(table.envelope_total(), 1.001 * table.total());
}

// Kolmogorov-Smirnov on 20 000 draws at 1e-4 each: false alarm 4e-4 in all.
TEST(LineTable, DrawsHaveTheirLaws) {
  const auto sample = [](const auto& quantile) {
    std::vector<double> values;
    RandomStream random(17, Purpose::polar, 0);
    for (int i = 0; i < 20'000; ++i) values.push_back(quantile(random.uniform()));
    return values;
  };
  const auto normal = tabulated(gaussian_of);
  const auto scaled = [](const TabulatedLine& line, double omega) { return omega / line.length(); };
  EXPECT_GT(ks_p(sample([&](double u) { return scaled(*normal, normal->table.envelope_quantile(u)); }), normal_cdf), test_level);
  const auto kinked = tabulated([](double x) { return std::exp(-std::fabs(x)); });
  const auto cauchy_cdf = [](double x) { return 0.5 + std::atan(x) / pi; };
  EXPECT_GT(ks_p(sample([&](double u) { return scaled(*kinked, kinked->table.envelope_quantile(u)); }), cauchy_cdf), test_level);
  // x e^{-x²/2}: -iω g(ω), so μ_I^+ has the density |ω| g on ω < 0, a Rayleigh law.
  const auto odd = tabulated([](double x) { return x * gaussian_of(x); });
  EXPECT_GT(ks_p(sample([&](double u) { return scaled(*odd, odd->table.part_quantile(Part::imaginary_positive, u)); }),
                 [](double x) { return x < 0 ? std::exp(-x * x / 2) : 1.0; }),
            test_level);
  const auto shift = tabulated([](double x) { return gaussian_of(x + 2); });
  const auto share = [&](double x) {  // ∫ max(cos 2ω, 0) g up to x by the midpoint rule
    double below = 0, all = 0;
    for (double omega = -8 + 5e-4; omega < 8; omega += 1e-3) {
      const double value = std::fmax(std::cos(2 * omega), 0.0) * gaussian_of(omega);
      all += value;
      below += omega < x ? value : 0;
    }
    return below / all;
  };
  auto drawn = sample([&](double u) { return scaled(*shift, shift->table.part_quantile(Part::real_positive, u)); });
  drawn.resize(400);
  EXPECT_GT(ks_p(drawn, share), test_level);
}

TEST(LineTable, BoundsHold) {
  const auto line = tabulated([](double x) { return std::exp(-std::fabs(x)); });
  double before = inf;
  for (const double x : {0.0, 0.5, 2.0, 10.0, 100.0, 1e4}) {
    const double bound = line->height() * line->largest_beyond(x);
    EXPECT_GE(bound, std::exp(-x) - 1e-6);
    EXPECT_LE(bound, before);
    for (const double further : {1.0, 1.01, 1.7, 30.0})
      EXPECT_LE(std::fabs(line->value(x * further)), bound * (1 + 1e-9) + line->height() * line->table.error());
    before = bound;
  }
  EXPECT_LT(before, 1e-6);
  EXPECT_NEAR(line->height() * line->table.mass_beyond(10 * line->length()), 2 / pi * std::atan(0.1), 1e-6);
}

TEST(LineTable, SecondMomentsOnlyWhereTheyExist) {
  const auto normal = tabulated(gaussian_of);
  ASSERT_TRUE(normal->table.second_moment(Part::real_positive));
  EXPECT_NEAR(
      *normal->table.second_moment(Part::real_positive) / normal->table.mass(Part::real_positive) / (normal->length() * normal->length()),
      1, 1e-5);
  EXPECT_FALSE(tabulated([](double x) { return std::exp(-std::fabs(x)); })->table.second_moment(Part::real_positive));
}

struct Refused {
  const char* name;
  Scalar f;
  const char* words;
};

TEST(LineProfile, RefusesWithAReason) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Refused> refused = {
      {"constant", [](double) { return 1.0; }, "not integrable"},
      {"polynomial", [](double x) { return 1 + x * x; }, "not integrable"},
      {"wave", [](double x) { return std::cos(x); }, "not integrable"},
      {"wave that is 0 at whole numbers", [](double x) { return std::sin(2 * pi * x); }, "not integrable"},
      {"slow wave", [](double x) { return x == 0 ? 1 : std::sin(x) / x; }, "oscillates"},
      {"one-sided", [](double x) { return x > 0 ? std::exp(-x) : 0.0; }, "jumps at 0"},
      {"nugget", [](double x) { return x == 0 ? 2 : gaussian_of(x); }, "jumps at 0"},
      {"box", [](double x) { return std::fabs(x) < 1 ? 1.0 : 0.0; }, "jumps at a difference of about"},
      {"box at no round number", [](double x) { return std::fabs(x) < 0.7 ? 1.0 : 0.0; }, "jumps at a difference of about 0.7"},
      {"zero", [](double) { return 0.0; }, "0 wherever it was looked at"},
      {"nan at 0", [](double x) { return std::sin(x) / x * gaussian_of(x); }, "nan at a difference of 0"},
      {"nan", [nan](double x) { return std::fabs(x) > 3 ? nan : gaussian_of(x); }, "has not fallen to 0"},
      {"infinite", [](double x) { return std::exp(x); }, "has not fallen to 0"},
  };
  for (const Refused& each : refused) {
    try {
      tabulated(each.f);
      ADD_FAILURE() << each.name << " is not refused";
    } catch (const found_measures::NoMeasure& error) {
      EXPECT_NE(std::string(error.what()).find(each.words), std::string::npos) << each.name << ": " << error.what();
    }
  }
}

TEST(LineProfile, MayBeNoNumberWhereItHasFallenToNothing) {
  const auto line = tabulated([](double x) { return gaussian_of(x) * (1 + std::sinh(x)); });  // 0·∞ from 710 on
  EXPECT_NEAR(line->value(1.0), gaussian_of(1) * (1 + std::sinh(1.0)), 2e-6);
}

}  // namespace
}  // namespace askrff::test
