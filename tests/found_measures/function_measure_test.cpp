// Which route a function takes, and that what it finds is the measure that is known.
#include <gtest/gtest.h>

#include <cmath>

#include "found_measures/function_measure.hpp"
#include "found_measures/line_profile.hpp"
#include "support/catalogue.hpp"
#include "support/functions.hpp"

namespace askrff::test {
namespace {

using found_measures::FoundMeasure;
using found_measures::measure_of_function;

struct Expected {
  const char* kernel;
  std::size_t dim;
  Route route;
};

std::vector<Expected> expected_routes() {
  std::vector<Expected> list;
  for (const std::size_t dim : {1u, 2u, 5u})
    for (const char* product : {"gaussian", "laplacian", "cauchy", "shift-gaussian", "cosh-gaussian"})
      list.push_back({product, dim, Route::product});
  for (const std::size_t dim : {2u, 9u}) {
    list.push_back({"sinh-gaussian", dim, Route::ridge});
    for (const char* radial : {"matern-1/2", "matern-3/2", "matern-5/2"}) list.push_back({radial, dim, Route::radial});
  }
  list.push_back({"difference-of-gaussians", 1, Route::product});
  list.push_back({"difference-of-gaussians", 3, Route::radial});
  list.push_back({"matern-3/2", 1, Route::product});
  list.push_back({"sinh-gaussian", 1, Route::product});
  return list;
}

/// Total variation, all masses, density and bounds of every named kernel that is given as a function.
TEST(FunctionMeasure, AgreesWithClosedForms) {
  for (const auto& [name, dim, route] : expected_routes()) {
    SCOPED_TRACE(std::string(name) + " in dimension " + std::to_string(dim));
    const std::shared_ptr<const Kernel> kernel = make_kernel(name);
    const FoundMeasure found = measure_of_function(values_of(kernel), dim, {.name = name});
    ASSERT_TRUE(found.measure) << found.reason;
    EXPECT_EQ(found.route, route) << found.reason;
    EXPECT_LT(found.error, 1e-5) << found.reason;
    EXPECT_EQ(found.measure->dim(), dim);
    const auto closed = kernel->measure(dim);
    const double tolerance = 2e-6 * std::fmax(1.0, closed->exact_total_variation().value_or(1.0));
    const auto total = found.measure->exact_total_variation(), known_total = closed->exact_total_variation();
    if (std::string(name) != "difference-of-gaussians") {
      ASSERT_TRUE(total && known_total);
    }
    EXPECT_NEAR(total.value_or(0), total ? known_total.value_or(NAN) : 0, tolerance);
    for (const Part part : all_parts) {
      const auto mine = found.measure->exact_moments(part), known = closed->exact_moments(part);
      if (mine && known) {
        EXPECT_NEAR(mine->mass, known->mass, tolerance) << traits(part).name;
      }
    }
    const auto beyond = found.measure->mass_beyond(0, 1.5), known_beyond = closed->mass_beyond(0, 1.5);
    ASSERT_TRUE(beyond && known_beyond);
    const bool is_exact = closed->parts().size() == 1;  // else both are bounds
    if (is_exact) {
      EXPECT_NEAR(*beyond, *known_beyond, 1e-3 * *known_beyond + tolerance);
    } else if (route == Route::product) {
      EXPECT_LE(*beyond, 1.001 * *known_beyond + tolerance);
    }
  }
}

TEST(FunctionMeasure, DifferentProfilesAndDirections) {
  const std::shared_ptr<const Kernel> shifted = shift_gaussian({.sigma = 0.7, .shift = {0.1, 0.5, -2}});
  const auto product = measure_of_function(values_of(shifted), 3, {});
  EXPECT_EQ(product.route, Route::product);
  EXPECT_NE(product.reason.find("3 different functions"), std::string::npos) << product.reason;
  const std::shared_ptr<const Kernel> skew = sinh_gaussian({.sigma = 0.5, .beta = {1.0, -2.0, 0.0, 0.5}});
  for (const std::vector<double>& direction : {std::vector<double>{}, std::vector<double>{2, -4, 0, 1}}) {
    const auto ridge = measure_of_function(values_of(skew), 4, {.direction = direction});
    ASSERT_EQ(ridge.route, Route::ridge) << ridge.reason;
    for (const Part part : all_parts)
      EXPECT_NEAR(ridge.measure->exact_moments(part)->mass, skew->measure(4)->exact_moments(part)->mass, 1e-6);
  }
  const auto wrong = measure_of_function(values_of(skew), 4, {.direction = {1, 1, 1, 1}});
  EXPECT_FALSE(wrong.measure);
}

TEST(FunctionMeasure, GridsInTwoAndThreeDimensions) {
  const auto turned = for_every_row([](std::span<const double> x) {
    const double a = x[0] + 0.5 * x[1], b = x[1] - 0.9 * x[0], c = x.size() > 2 ? x[2] + 0.3 * x[0] : 0.0;
    return std::exp(-a * a - 2 * b * b - c * c) * (1 + std::tanh(a * b + 0.4 * a + 0.5 * c + 0.5));
  });
  for (const std::size_t dim : {2u, 3u}) {
    const auto found = measure_of_function(turned, dim, {});
    ASSERT_EQ(found.route, Route::grid) << found.reason;
    EXPECT_LT(found.error, 1e-3);
    EXPECT_EQ(found.measure->parts().back(), Part::imaginary_positive);
  }
  const auto none = measure_of_function(turned, 5, {});
  EXPECT_FALSE(none.measure);
  EXPECT_NE(none.reason.find("neither a product, nor radial"), std::string::npos) << none.reason;
}

// Sums of Gaussians do not end where these do: where they come not near enough, a grid takes their place.
TEST(FunctionMeasure, RadialKernelsOfCompactSupport) {
  for (const double power : {1.0, 2.0, 4.0, 6.0}) {
    const auto wendland = for_every_row([power](std::span<const double> x) {
      double square = 0;
      for (const double value : x) square += value * value;
      const double r = std::sqrt(square), inside = std::pow(std::fmax(0.0, 1 - r), power);
      return power < 4 ? inside : inside * (power < 6 ? 4 * r + 1 : (35 * r * r + 18 * r + 3) / 3);
    });
    for (const std::size_t dim : {1u, 2u, 3u}) {
      SCOPED_TRACE("power " + std::to_string(power) + " in dimension " + std::to_string(dim));
      const auto found = measure_of_function(wendland, dim, {});
      if (power < 4 && dim > 1 && !found.measure) {  // too sharp for the frequencies there are along an axis
        EXPECT_EQ(found.reason.find("radial: no sum of Gaussians"), 0u) << found.reason;
        EXPECT_NE(found.reason.find("; grid: "), std::string::npos) << found.reason;
        continue;
      }
      ASSERT_TRUE(found.measure) << found.reason;
      EXPECT_LT(found.error, 1e-2) << found.reason;
    }
  }
}

TEST(FunctionMeasure, WideDifferencesTakeNotManyMoreValues) {
  constexpr std::size_t dim = 3000;
  std::size_t n_values = 0;
  const BlockFunction counted = [&](MatrixView<const double> differences, std::span<double> values) {
    n_values += values.size();
    for (std::size_t p = 0; p < values.size(); ++p) {
      double square = 0;
      for (std::size_t i = 0; i < dim; ++i) square += differences(p, i) * differences(p, i) * (i == dim - 1 ? 4 : 1);
      values[p] = std::exp(-std::sqrt(square));
    }
  };
  EXPECT_FALSE(measure_of_function(counted, dim, {}).measure);  // one coordinate differs, and is looked at
  EXPECT_LT(n_values, 80'000u);
}

TEST(FunctionMeasure, OddKernelsAndThoseThatAreNothingAtZero) {
  const auto odd = for_every_row([](std::span<const double> x) {
    double product = 1;
    for (const double value : x) product *= value * std::exp(-value * value / 2);
    return product;
  });
  for (const std::size_t dim : {1u, 2u, 3u}) {
    const auto found = measure_of_function(odd, dim, {});
    ASSERT_EQ(found.route, Route::product) << found.reason;
    EXPECT_LT(found.error, 1e-5);
    const double total = std::pow(2 / 3.14159265358979324, 0.5 * static_cast<double>(dim));
    EXPECT_NEAR(*found.measure->exact_total_variation(), total, 1e-5);
    EXPECT_EQ(found.measure->parts().front(), dim % 2 == 1 ? Part::imaginary_positive : Part::real_positive);
  }
  const auto far = for_every_row([](std::span<const double> x) {
    double sum = 0;
    for (const double value : x) sum += (value + 40) * (value + 40);
    return std::exp(-sum / 2);
  });
  const auto found = measure_of_function(far, 2, {});
  ASSERT_EQ(found.route, Route::product) << found.reason;
  EXPECT_NEAR(*found.measure->exact_total_variation(), 1, 1e-4);
}

TEST(FunctionMeasure, IsNotTakenWherePartsCancelTooFar) {
  const auto crater = for_every_row([](std::span<const double> x) {
    double product = 1;
    for (const double value : x) product *= std::exp(-value * value / 2) * (1 + 2 * value * value);
    return product;
  });
  EXPECT_TRUE(measure_of_function(crater, 4, {}).measure);
  const auto many = measure_of_function(crater, 40, {});
  EXPECT_FALSE(many.measure);
  EXPECT_NE(many.reason.find("too much to be drawn from"), std::string::npos) << many.reason;
  EXPECT_TRUE(measure_of_function(crater, 40, {.route = Route::product}).measure);
}

TEST(FunctionMeasure, RefusesOrSaysWhyThereIsNone) {
  const auto constant = for_every_row([](std::span<const double>) { return 1.0; });
  const auto jump = for_every_row([](std::span<const double> x) { return x[0] > 0 ? std::exp(-x[0]) : 0.0; });
  const auto nan = for_every_row([](std::span<const double>) { return std::nan(""); });
  for (const auto& [f, words] : {std::pair{constant, "not integrable"}, std::pair{jump, "infinite total mass"}, std::pair{nan, "nan"}}) {
    const auto found = measure_of_function(f, 1, {.name = "mine"});
    EXPECT_FALSE(found.measure);
    EXPECT_EQ(found.route, Route::calibrated);
    EXPECT_NE(found.reason.find(words), std::string::npos) << found.reason;
    const std::string refused = refusal_text([&] { measure_of_function(f, 1, {.route = Route::product, .name = "mine"}); });
    EXPECT_NE(refused.find(words), std::string::npos) << refused;
    EXPECT_EQ(refused.find("mine: "), 0u) << refused;
  }
  const std::shared_ptr<const Kernel> laplacian = make_kernel("laplacian");
  EXPECT_NE(refusal_text([&] { measure_of_function(values_of(laplacian), 2, {.route = Route::radial}); }).find("does not fit"),
            std::string::npos);
  EXPECT_NE(refusal_text([&] { measure_of_function(values_of(laplacian), 4, {.route = Route::grid}); }).find("does not fit"),
            std::string::npos);
  EXPECT_NE(refusal_text([&] { measure_of_function(values_of(laplacian), 0, {}); }).find("dimension is 0"), std::string::npos);
  EXPECT_NE(refusal_text([&] { measure_of_function(values_of(laplacian), 2, {.tolerance = 1e-12}); }).find("tolerance"), std::string::npos);
  EXPECT_NE(refusal_text([&] {
              measure_of_function(values_of(laplacian), 2, {.direction = {0, 0}});
            }).find("direction is 0"),
            std::string::npos);
  EXPECT_NE(
      refusal_text([&] { measure_of_function(values_of(laplacian), 2, {.route = Route::ridge, .direction = {1}}); }).find("1 numbers"),
      std::string::npos);
  const auto calibrated = measure_of_function(values_of(laplacian), 2, {.route = Route::calibrated});
  EXPECT_FALSE(calibrated.measure);
}

}  // namespace
}  // namespace askrff::test
