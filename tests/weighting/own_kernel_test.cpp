// A user's kernel outside the registry: what it gets with a proposal, with exact moments, and with nothing but its values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "askrff/approximate.hpp"
#include "askrff/operators.hpp"
#include "support/random_inputs.hpp"
#include "support/causal_gamma.hpp"
#include "support/plain_kernels.hpp"

namespace askrff::test {
namespace {

Matrix<double> times(std::size_t n, std::uint64_t seed) {
  Matrix<double> rows(n, 1);
  for (std::size_t i = 0; i < n; ++i) rows(i, 0) = 5 * RandomStream(seed, Purpose::builtin_data, i).uniform();
  return rows;
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Density, proposal and bound: the rejection sampler, with masses fitted on a subset. The error falls like M^-½ from about 0.1 here.
TEST(OwnKernel, WithAProposalRejectionAndSubsetFit) {
  const CausalGamma kernel(4.0);
  const auto data = times(300, 1), fresh = times(200, 2);
  const ApproximateOptions options{
      .n_frequencies = 2048, .sampler = Sampler::rejection, .weights = Weights::subset, .n_subset = 50, .seed = 1};
  const auto atoms = approximate(kernel, data, options);
  ASSERT_EQ(atoms.parts().size(), 3u);
  for (const PartRecord& part : atoms.parts()) {
    EXPECT_FALSE(part.dropped);
    EXPECT_GT(part.mass, 0.0);
    EXPECT_EQ(part.log_mass, std::log(part.mass));
  }
  EXPECT_LT(approximation_error(kernel, FeatureMap(atoms), fresh, fresh).frobenius, 0.1);
  EXPECT_THROW(approximate(kernel, 1, {.sampler = Sampler::rejection}), std::invalid_argument);  // exact masses are not known
  auto exact_sampler = options;
  exact_sampler.sampler = Sampler::exact;
  EXPECT_THROW(approximate(kernel, data, exact_sampler), std::invalid_argument);
  EXPECT_THROW(approximate(CausalGamma(4.0, Knows::density), data, options), std::invalid_argument);  // no proposal
}

/// With exact moments as well: exact weights, and no data are needed. a = 2: three masses 1/2π, k(δ) = δ e^{-δ}.
/// k̂ at five differences lies within 5 standard errors (variance at most (1/2π)²(1 + 1 + 4)/M): false-alarm rate below 3e-6.
TEST(OwnKernel, WithMomentsExactWeights) {
  const CausalGamma kernel(2.0, Knows::moments);
  constexpr double mass = 1 / (2 * std::numbers::pi);
  constexpr std::size_t M = 20000;
  const auto atoms = approximate(kernel, 1, {.n_frequencies = M, .sampler = Sampler::rejection, .seed = 3});
  ASSERT_EQ(atoms.parts().size(), 3u);
  for (const PartRecord& part : atoms.parts()) {
    EXPECT_EQ(part.mass, mass);
    EXPECT_EQ(atoms.weights()[part.first], traits(part.part).coefficient * (mass / M));
  }
  const double standard_error = mass * std::sqrt(6.0 / M);
  for (const double delta : {-2.0, -0.5, 0.5, 1.0, 3.0})
    EXPECT_NEAR(atoms(std::vector<double>{delta}), kernel(std::vector<double>{delta}), 5 * standard_error) << delta;
  EXPECT_NEAR(atoms(std::vector<double>{0.0}), 0.0, 1e-14);
  EXPECT_THROW(approximate(kernel, 1, {.n_frequencies = 8}), std::invalid_argument);  // no exact sampler
  EXPECT_THROW(approximate(kernel, 2, {.n_frequencies = 8, .sampler = Sampler::rejection}), std::invalid_argument);
}

/// Values alone: generic frequencies, every weight fitted on the subset.
TEST(OwnKernel, WithoutAMeasureEveryWeightIsFitted) {
  const SkewedGaussian kernel({0.8, -0.5});
  const auto data = random_matrix(300, 2, 11), fresh = random_matrix(200, 2, 12);
  const ApproximateOptions options{.n_frequencies = 256, .weights = Weights::subset, .n_subset = 100, .seed = 4};
  const auto atoms = approximate(kernel, data, options);
  EXPECT_EQ(atoms.size(), 256u);
  EXPECT_TRUE(atoms.parts().empty());
  EXPECT_LT(approximation_error(kernel, FeatureMap(atoms), fresh, fresh).frobenius, 1e-2);
  const auto again = approximate(kernel, data, options);
  EXPECT_TRUE(std::ranges::equal(atoms.weights(), again.weights()));
  for (std::size_t j = 0; j < atoms.size(); ++j) EXPECT_TRUE(std::ranges::equal(atoms.frequencies().row(j), again.frequencies().row(j)));
  auto other = options;
  other.seed = 5;
  EXPECT_FALSE(std::ranges::equal(atoms.weights(), approximate(kernel, data, other).weights()));
}

TEST(OwnKernel, WithoutAMeasureAndDataItIsRefusedWithASentence) {
  const SkewedGaussian kernel(0.5);
  const auto data = random_matrix(30, 2, 11);
  const std::string no_data = message_of([&] { approximate(kernel, 2); });
  EXPECT_NE(no_data.find("skewed-gaussian"), std::string::npos) << no_data;
  EXPECT_NE(no_data.find("no Fourier measure"), std::string::npos) << no_data;
  EXPECT_NE(no_data.find("data"), std::string::npos) << no_data;
  EXPECT_THROW(approximate(kernel, data), std::invalid_argument);  // exact weights were asked for
  EXPECT_THROW(draw_frequencies(CausalGammaMeasure(4.0, Knows::density), Part::real_positive, 0, 1, {.sampler = Sampler::rejection}),
               std::invalid_argument);
}

TEST(OwnKernel, DegenerateSubsetsOfAKernelWithoutAMeasureAreRefused) {
  const SkewedGaussian kernel(0.5);
  const ApproximateOptions options{.n_frequencies = 8, .weights = Weights::subset, .n_subset = 10};
  EXPECT_THROW(approximate(kernel, Matrix<double>(10, 2), options), std::invalid_argument);  // all rows equal
  auto two_rows = options;
  two_rows.n_subset = 2;
  EXPECT_THROW(approximate(kernel, random_matrix(10, 2, 1), two_rows), std::invalid_argument);
  auto too_many = options;
  too_many.n_frequencies = std::size_t{1} << 40;
  EXPECT_THROW(approximate(kernel, random_matrix(10, 2, 1), too_many), std::invalid_argument);
  EXPECT_THROW(approximate(ConstantKernel(std::nan("")), random_matrix(10, 2, 1), options), std::invalid_argument);
  EXPECT_THROW(approximate(ConstantKernel(0.0), random_matrix(10, 2, 1), options), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
