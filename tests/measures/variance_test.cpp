// estimator_variance against the sample variance of real draws, and NaN where it is not known.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"

namespace askrff::test {
namespace {

double of(const EstimatorVariance& variance, Part part) {
  return part == Part::real_positive   ? variance.real_positive
         : part == Part::real_negative ? variance.real_negative
                                       : variance.imaginary_positive;
}

/// Variance of what one draw of a part contributes, from 40000 draws; its standard error comes from the fourth moment.
/// 16 comparisons at 5 standard errors: false-alarm rate below 1e-5.
TEST(EstimatorVariance, IsTheSpreadOfTheDraws) {
  constexpr std::size_t n = 40000;
  std::size_t n_checked = 0;
  for (const char* name : {"shift-gaussian", "sinh-gaussian", "cosh-gaussian"}) {
    const auto measure =
        make_kernel(name, {{"sigma", 1.0}, {std::string(name) == "shift-gaussian" ? "shift" : "beta", {0.9, 0.4}}})->measure(2);
    for (const std::vector<double>& delta : {std::vector<double>{0.4, -0.2}, {-1.0, 0.3}}) {
      const auto variance = estimator_variance(*measure, delta);
      for (const Part part : measure->parts()) {
        const double mass = measure->exact_moments(part)->mass;
        const auto omega = draw_frequencies(*measure, part, 0, n, {.seed = 77});
        std::vector<double> values;
        double mean = 0;
        for (std::size_t j = 0; j < n; ++j) {
          values.push_back((traits(part).coefficient * std::polar(mass, omega(j, 0) * delta[0] + omega(j, 1) * delta[1])).real());
          mean += values.back() / n;
        }
        double second = 0, fourth = 0;
        for (const double value : values) {
          const double square = (value - mean) * (value - mean);
          second += square / n;
          fourth += square * square / n;
        }
        EXPECT_NEAR(of(variance, part), second, 5 * std::sqrt((fourth - second * second) / n)) << name << " " << traits(part).name;
        ++n_checked;
      }
    }
  }
  EXPECT_EQ(n_checked, 16u);
}

/// At δ = 0 the real parts of Jordan are constant, and sin is 0: no variance at all.
TEST(EstimatorVariance, VanishesAtZero) {
  for (const char* name : {"shift-gaussian", "sinh-gaussian", "cosh-gaussian"}) {
    const auto variance = estimator_variance(*make_kernel(name)->measure(8), std::vector<double>(8, 0.0));
    for (const Part part : all_parts) EXPECT_NEAR(of(variance, part), 0.0, 1e-14) << name;
    EXPECT_GT(variance.polar, 0.0) << name;
  }
}

TEST(EstimatorVariance, IsNaNWhereItIsNotKnown) {
  const auto variance = estimator_variance(*difference_of_gaussians()->measure(2), std::vector<double>{0.3, 0.1});
  EXPECT_TRUE(std::isnan(variance.real_positive));
  EXPECT_TRUE(std::isnan(variance.real_negative));
  EXPECT_EQ(variance.imaginary_positive, 0.0);  // that part is known to be empty
  EXPECT_TRUE(std::isnan(variance.polar));
}

TEST(EstimatorVariance, RefusesAnotherDimension) {
  const auto measure = shift_gaussian()->measure(3);
  EXPECT_THROW(estimator_variance(*measure, std::vector<double>(2, 0.1)), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
