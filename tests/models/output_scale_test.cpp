// Probabilities of outputs: the most likely scale, found again where it is known, bounded where outputs are all right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "askrff/errors.hpp"
#include "askrff/linear.hpp"
#include "askrff/random.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

/// Outputs and classes drawn from the probabilities that a scale gives them.
struct Drawn {
  Matrix<double> outputs;
  std::vector<std::uint32_t> classes;

  Drawn(std::size_t n_rows, std::size_t n_outputs, const OutputScale& scale) : outputs(random_matrix(n_rows, n_outputs, 3)) {
    std::vector<double> p(std::max<std::size_t>(2, n_outputs));
    for (std::size_t i = 0; i < n_rows; ++i) {
      scale.apply(outputs.row(i), p);
      double rest = RandomStream(4, Purpose::evaluation_rows, i).uniform();
      std::uint32_t k = 0;
      while (k + 1 < p.size() && rest >= p[k]) rest -= p[k++];
      classes.push_back(k);
    }
  }
};

double log_loss(const OutputScale& scale, const Drawn& rows, std::span<const double> weights = {}) {
  std::vector<double> p(std::max<std::size_t>(2, rows.outputs.cols()));
  double sum = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    scale.apply(rows.outputs.row(i), p);
    sum -= (weights.empty() ? 1 : weights[i]) * std::log(p[rows.classes[i]]);
  }
  return sum;
}

// 40 000 rows tell the scale to 0.02 and the offset to 0.015 (standard deviation): six of them, false alarm 2e-9.
TEST(OutputScale, IsFoundAgain) {
  const OutputScale sigmoid = fit_output_scale(Drawn(40'000, 1, {2, -0.7}).outputs, Drawn(40'000, 1, {2, -0.7}).classes);
  EXPECT_NEAR(sigmoid.scale, 2, 0.12);
  EXPECT_NEAR(sigmoid.offset, -0.7, 0.09);
  const Drawn several(40'000, 4, {1.5, 0});
  const OutputScale temperature = fit_output_scale(several.outputs, several.classes);
  EXPECT_NEAR(temperature.scale, 1.5, 0.09);
  EXPECT_EQ(temperature.offset, 0);
}

TEST(OutputScale, IsTheMostLikely) {
  for (const std::size_t n_outputs : {1, 3}) {
    const Drawn rows(20'000, n_outputs, {1.2, n_outputs == 1 ? 0.4 : 0});
    const OutputScale found = fit_output_scale(rows.outputs, rows.classes);
    const double least = log_loss(found, rows);
    for (const double step : {-0.02, 0.02}) {  // far beyond what the targets' smoothing moves
      EXPECT_GT(log_loss({found.scale + step, found.offset}, rows), least);
      if (n_outputs == 1) {
        EXPECT_GT(log_loss({found.scale, found.offset + step}, rows), least);
      }
    }
  }
}

TEST(OutputScale, WholeWeightsAreRepeatedRows) {
  for (const std::size_t n_outputs : {1, 3}) {
    const Drawn rows(500, n_outputs, {1, 0});
    std::vector<double> weights, values;
    std::vector<std::uint32_t> classes;
    for (std::size_t i = 0; i < 500; ++i) {
      weights.push_back(static_cast<double>(i % 4));
      for (std::size_t k = 0; k < i % 4; ++k) {
        values.insert(values.end(), rows.outputs.row(i).begin(), rows.outputs.row(i).end());
        classes.push_back(rows.classes[i]);
      }
    }
    const OutputScale a = fit_output_scale(rows.outputs, rows.classes, weights);
    const OutputScale b = fit_output_scale(Matrix<double>(classes.size(), n_outputs, values), classes);
    EXPECT_NEAR(a.scale, b.scale, 1e-7);
    EXPECT_NEAR(a.offset, b.offset, 1e-7);
  }
}

TEST(OutputScale, SumsToOneAndKeepsTheLargest) {
  const Matrix<double> outputs = random_matrix(200, 5, 8, 300);
  std::vector<double> p(5);
  for (const double scale : {0.0, 1e-3, 1.0, 1e6})
    for (std::size_t i = 0; i < outputs.rows(); ++i) {
      OutputScale{scale, 0}.apply(outputs.row(i), p);
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
      EXPECT_EQ(p[class_of_outputs(outputs.row(i))], *std::ranges::max_element(p));
    }
  std::vector<double> two(2);
  for (const double f : {-1e308, -800.0, 0.0, 800.0, 1e308}) {
    OutputScale{1, 0}.apply(std::vector{f}, two);
    EXPECT_EQ(two[0] + two[1], 1) << f;
    EXPECT_EQ(two[1] > 0.5, f > 0);
  }
}

TEST(OutputScale, OutputsThatAreAllRightAreNotCertain) {
  const Matrix<double> outputs(6, 1, {-2, -1, -1.5, 1, 2, 3});
  const OutputScale found = fit_output_scale(outputs, std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1});
  std::vector<double> p(2);
  found.apply(std::vector{3.0}, p);
  EXPECT_GT(p[1], 0.7);
  EXPECT_LT(p[1], 0.99);
  const Matrix<double> three(6, 3, {1, -1, -1, 1, -1, -1, -1, 1, -1, -1, 1, -1, -1, -1, 1, -1, -1, 1});
  const OutputScale of_three = fit_output_scale(three, std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2});
  EXPECT_GT(of_three.scale, 0.5);
  EXPECT_LT(of_three.scale, 10);
}

TEST(OutputScale, OutputsThatSayNothingGiveTheSharesOfTheClasses) {
  const Matrix<double> wrong(8, 1, {1, 2, 3, 4, 5, 6, -1, -2});
  const OutputScale found = fit_output_scale(wrong, std::vector<std::uint32_t>{0, 0, 0, 0, 0, 0, 1, 1});
  EXPECT_EQ(found.scale, 0);
  std::vector<double> p(2);
  found.apply(std::vector{1.0}, p);
  EXPECT_NEAR(p[1], 0.28, 0.05);
  const Matrix<double> same(4, 3);
  EXPECT_EQ(fit_output_scale(same, std::vector<std::uint32_t>{0, 1, 2, 0}).scale, 0);
}

TEST(OutputScale, RefusesSizesThatDiffer) {
  const Matrix<double> outputs(3, 1);
  const std::vector<std::uint32_t> classes{0, 1, 2}, two{0, 1};
  EXPECT_THROW(fit_output_scale(outputs, two), std::invalid_argument);
  EXPECT_THROW(fit_output_scale(outputs, classes), std::invalid_argument);  // class 2 of two
  EXPECT_THROW(fit_output_scale(Matrix<double>(0, 1), {}), std::invalid_argument);
  EXPECT_THROW(fit_output_scale(Matrix<double>(2, 1), two, std::vector<double>{1}), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
