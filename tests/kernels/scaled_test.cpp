// Scales: values, measures and widths of every kernel are those of the kernel in other units.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "kernels/formulas.hpp"
#include "support/catalogue.hpp"
#include "support/random_inputs.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

const std::vector<double> three_scales{1, 2, 0.5};  // powers of two: dividing by them rounds nothing

std::vector<double> over(std::vector<double> delta, std::span<const double> scales) {
  for (std::size_t i = 0; i < delta.size(); ++i) delta[i] /= scales[i];
  return delta;
}

class EveryScaledKernel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryScaledKernel, testing::ValuesIn(every_kernel()),
                         [](const auto& each) { return test_name(each.param); });

TEST_P(EveryScaledKernel, HasTheValuesOfScaledDifferences) {
  const auto plain = make_kernel(GetParam()), kernel = make_kernel(GetParam(), {{"scales", three_scales}});
  EXPECT_EQ(kernel->symmetric(), plain->symmetric());
  EXPECT_EQ(kernel->positive_definite(), plain->positive_definite());
  const auto X = random_matrix(9, 3, 1), Y = random_matrix(6, 3, 2);
  Matrix<double> K(9, 6), sparse(9, 6), expected(9, 6), x = X, y = Y;
  for (auto* rows : {&x, &y})
    for (std::size_t i = 0; i < rows->rows(); ++i)
      for (std::size_t c = 0; c < 3; ++c) (*rows)(i, c) /= three_scales[c];
  plain->evaluate_pairs(x, y, expected.view());
  kernel->evaluate_pairs(X, Y, K.view());
  kernel->evaluate_any_pairs(SparseMatrix<double>::of(X).view(), SparseMatrix<double>::of(Y).view(), sparse.view());
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(K(i, j), expected(i, j));
      EXPECT_NEAR(sparse(i, j), expected(i, j), 1e-13);
    }
  const auto delta = random_difference(3, 5);
  EXPECT_EQ((*kernel)(delta), (*plain)(over(delta, three_scales)));
}

TEST_P(EveryScaledKernel, HasTheMeasureInOtherUnits) {
  const auto plain = make_kernel(GetParam())->measure(3), measure = make_kernel(GetParam(), {{"scales", three_scales}})->measure(3);
  EXPECT_EQ(measure->parts(), plain->parts());
  EXPECT_EQ(measure->exact_total_variation(), plain->exact_total_variation());
  for (const Part part : measure->parts()) {
    const auto moments = measure->exact_moments(part), of_plain = plain->exact_moments(part);
    ASSERT_EQ(moments.has_value(), of_plain.has_value());
    if (moments) {
      EXPECT_EQ(moments->mass, of_plain->mass);
    }
    std::vector<double> omega(3), base(3);
    for (std::uint64_t i = 0; i < 5; ++i) {
      RandomStream random(3, traits(part).purpose, i), again(3, traits(part).purpose, i);
      measure->draw(part, random, omega);
      plain->draw(part, again, base);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(omega[c], base[c] / three_scales[c]);
      EXPECT_NEAR(std::abs(measure->density(omega) - plain->density(base)), 0, 1e-14 * std::abs(plain->density(base)));  // Π s_i = 1
      EXPECT_NEAR(std::abs(measure->proposal_ratio(omega) - plain->proposal_ratio(base)), 0, 1e-12 * std::abs(plain->proposal_ratio(base)));
    }
    const auto delta = random_difference(3, 7);
    const auto transform = measure->exact_transform(part, delta), expected = plain->exact_transform(part, over(delta, three_scales));
    EXPECT_EQ(transform, expected);
  }
  EXPECT_EQ(measure->mass_beyond(1, 0.7), plain->mass_beyond(1, 1.4));
  EXPECT_EQ(measure->largest_beyond(std::vector<double>{0.1, 0.2, 0.3}), plain->largest_beyond(std::vector<double>{0.1, 0.1, 0.6}));
  EXPECT_FALSE(measure->gaussian_sigma());
  EXPECT_FALSE(measure->normal_vector_use().scaled_proposals);
}

// ∫ of the density in one dimension, where the factor Π s_i is not 1.
TEST(Scaled, DensityHasTheSameMass) {
  const auto measure = make_kernel("shift-gaussian", {{"scales", 3.0}})->measure(1);
  const Masses found = quadrature_masses(*measure), exact = exact_masses(*measure);
  for (const Part part : all_parts) EXPECT_NEAR(found.of(part), exact.of(part), 1e-10);
}

TEST(Scaled, EqualScalesKeepTheRidge) {
  const auto measure = make_kernel("shift-gaussian", {{"sigma", 2.0}, {"shift", {1.0, 0.5}}, {"scales", 3.0}})->measure(2);
  EXPECT_DOUBLE_EQ(*measure->gaussian_sigma(), 6);
  ASSERT_EQ(measure->ridge().size(), 2u);
  EXPECT_DOUBLE_EQ(measure->ridge()[0], 3);
  EXPECT_DOUBLE_EQ(measure->ridge()[1], 1.5);
  EXPECT_TRUE(measure->normal_vector_use().scaled_proposals);
  const auto moments = measure->exact_moments(Part::real_positive),
             plain = shift_gaussian({.sigma = 2, .shift = {1.0, 0.5}})->measure(2)->exact_moments(Part::real_positive);
  EXPECT_DOUBLE_EQ(*moments->second_moment, *plain->second_moment / 9);
}

TEST(Scaled, SecondMoments) {
  EXPECT_DOUBLE_EQ(
      *make_kernel("gaussian", {{"sigma", 2.0}, {"scales", {1.0, 0.5}}})->measure(2)->exact_moments(Part::real_positive)->second_moment,
      0.25 * (1 + 4));
  EXPECT_FALSE(make_kernel("shift-gaussian", {{"scales", {1.0, 0.5}}})->measure(2)->exact_moments(Part::real_positive)->second_moment);
  EXPECT_EQ(*make_kernel("laplacian", {{"scales", {1.0, 0.5}}})->measure(2)->exact_moments(Part::real_positive)->second_moment, HUGE_VAL);
}

TEST(Scaled, RowsThatOverflowWhenScaled) {
  const auto kernel = make_kernel("gaussian", {{"sigma", 1e149}, {"scales", 1e-149}});
  Matrix<double> X(3, 1, {1e300, 2e300, 0}), K(3, 3);
  kernel->evaluate_pairs(X, X, K.view());
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(K(i, j), i == j ? 1.0 : 0.0);
}

TEST(Scaled, RefusesBadScales) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e200})
    for (const CoordinateParameter& scales : {CoordinateParameter(bad), CoordinateParameter({1.0, bad})})
      EXPECT_THROW(make_kernel("gaussian", {{"scales", scales}}), InvalidArgument) << bad;
  const auto kernel = make_kernel("gaussian", {{"scales", {1.0, 2.0}}});
  EXPECT_THROW(kernel->measure(3), InvalidArgument);
  Matrix<double> out(2, 2);
  EXPECT_THROW(kernel->evaluate_pairs(Matrix<double>(2, 3), Matrix<double>(2, 3), out.view()), InvalidArgument);
  EXPECT_THROW(kernel->evaluate_pairs(Matrix<double>(2, 2), Matrix<double>(2, 3), out.view()), InvalidArgument);
  EXPECT_THROW(scaled(nullptr, 1.0), InvalidArgument);
}

// A width that nobody gave is the median distance in units of the scales, and files without scales are as before.
TEST(Scaled, WidthsAreFittedToScaledRows) {
  const auto X = random_matrix(60, 2, 4);
  Matrix<double> x = X;
  for (std::size_t i = 0; i < x.rows(); ++i) x(i, 0) /= 100;
  const NamedKernel fitted = fitted_kernel({"gaussian", {{"scales", {100.0, 1.0}}}}, X, 3), expected = fitted_kernel("gaussian", x, 3);
  ASSERT_EQ(fitted.parameters.size(), 2u);
  EXPECT_EQ(fitted.parameters[0].second.scalar(), expected.parameters[0].second.scalar());
  EXPECT_EQ(fitted.parameters[1].first, "scales");
  ASSERT_EQ(expected.parameters.size(), 1u);
  const NamedKernel absolute = fitted_kernel({"laplacian", {{"scales", {100.0, 1.0}}}}, X, 3);
  EXPECT_EQ(absolute.parameters[0].second.scalar(), fitted_kernel("laplacian", x, 3).parameters[0].second.scalar());
}

}  // namespace
}  // namespace askrff::test
