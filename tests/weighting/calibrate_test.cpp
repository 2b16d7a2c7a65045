// Calibration: better on rows it has not seen, never worse where it cannot help, harmless or refused on every odd input.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "core/vectors.hpp"
#include "support/plain_kernels.hpp"
#include "support/random_inputs.hpp"
#include "weighting/pair_sample.hpp"
#include "weighting/wave_matrix.hpp"

namespace askrff::test {
namespace {

SpectralAtoms prior_atoms(const Kernel& kernel, std::size_t dim, std::size_t n, std::uint64_t seed = 3) {
  return approximate(kernel, dim, {.n_frequencies = n, .estimator = Estimator::polar, .sampler = Sampler::orthogonal, .seed = seed});
}

double error_on(const Kernel& kernel, const SpectralAtoms& atoms, const Matrix<double>& rows) {
  return approximation_error(kernel, FeatureMap(atoms), rows, rows).frobenius;
}

std::string refusal(const auto& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Calibrate, ManyTimesMoreExactOnUnseenRows) {
  const auto data = uniform_matrix(1500, 5, 1), fresh = uniform_matrix(300, 5, 2);
  for (const char* name : {"gaussian", "shift-gaussian", "sinh-gaussian", "cosh-gaussian"}) {
    SCOPED_TRACE(name);
    const auto kernel = make_kernel(name);
    const auto prior = prior_atoms(*kernel, 5, 100);
    const auto atoms = calibrate(*kernel, prior, data, {.unconstrained = true, .seed = 4});
    const double before = error_on(*kernel, prior, fresh), after = error_on(*kernel, atoms, fresh);
    EXPECT_LT(after, 0.1 * before);
    ASSERT_TRUE(atoms.provenance().calibration);
    const Calibration& record = *atoms.provenance().calibration;
    EXPECT_NEAR(record.error_before / before, 1, 0.3);
    EXPECT_NEAR(record.error_after / after, 1, 0.5);
    EXPECT_EQ(record.n_pairs, 2501u);  // 2000 of rows, some beyond them, and δ = 0
    EXPECT_GT(record.seconds, 0);
    EXPECT_LT(atoms.weight_sum(), 20 * prior.weight_sum());
    EXPECT_EQ(atoms.provenance().weights, "unconstrained");
  }
}

TEST(Calibrate, SameBitsForAnyNumberOfThreads) {
  const auto kernel = make_kernel("sinh-gaussian");
  const auto data = uniform_matrix(400, 4, 5);
  const auto prior = prior_atoms(*kernel, 4, 70);
  for (const std::size_t direct_limit : {1000u, 10u}) {
    const auto one = calibrate(*kernel, prior, data, {.execution = {1}, .direct_limit = direct_limit});
    const auto two = calibrate(*kernel, prior, data, {.execution = {2}, .direct_limit = direct_limit});
    for (std::size_t j = 0; j < one.size(); ++j) EXPECT_EQ(one.weights()[j], two.weights()[j]);
  }
}

TEST(Calibrate, ConjugateGradientsComeNearTheDirectSolution) {
  const auto kernel = make_kernel("shift-gaussian");
  const auto data = uniform_matrix(2000, 6, 6), fresh = uniform_matrix(300, 6, 7);
  const auto prior = prior_atoms(*kernel, 6, 150);
  const double direct = error_on(*kernel, calibrate(*kernel, prior, data), fresh);
  const double iterated = error_on(*kernel, calibrate(*kernel, prior, data, {.direct_limit = 1}), fresh);
  EXPECT_LT(iterated, 10 * direct);
  EXPECT_LT(iterated, 0.2 * error_on(*kernel, prior, fresh));
}

// Where the data fill many dimensions there is little to gain and nothing may be lost: 1 % covers the noise of choosing on 2000 pairs.
TEST(Calibrate, NotWorseWhereItCannotHelp) {
  for (const char* name : {"shift-gaussian", "sinh-gaussian"}) {
    const auto kernel = make_kernel(name, {{"sigma", 1.0}});
    const auto data = uniform_matrix(800, 40, 8), fresh = uniform_matrix(300, 40, 9);
    const auto prior = prior_atoms(*kernel, 40, 120);
    EXPECT_LE(error_on(*kernel, calibrate(*kernel, prior, data), fresh), 1.01 * error_on(*kernel, prior, fresh)) << name;
  }
}

TEST(Calibrate, PinsTheOrigin) {
  const auto kernel = make_kernel("cosh-gaussian");
  const auto data = uniform_matrix(500, 3, 10);
  const auto prior = prior_atoms(*kernel, 3, 60);
  const auto pinned = calibrate(*kernel, prior, data, {.pin_origin = true});
  EXPECT_NEAR(pinned(std::vector<double>(3, 0.0)), 1.0, 1e-10);
  EXPECT_LT(error_on(*kernel, pinned, data), 3 * error_on(*kernel, calibrate(*kernel, prior, data), data));
}

TEST(Calibrate, KeepsWeightsThatAreBestAlready) {
  // Tensor quadrature is exact to rounding: nothing a fit finds is better.
  const auto kernel = make_kernel("gaussian");
  const auto data = uniform_matrix(200, 1, 11);
  const auto prior = approximate(*kernel, data, {.n_frequencies = 24, .estimator = Estimator::polar, .sampler = Sampler::quadrature});
  const auto atoms = calibrate(*kernel, prior, data);
  EXPECT_LE(atoms.provenance().calibration->error_after, atoms.provenance().calibration->error_before);
  EXPECT_LT(error_on(*kernel, atoms, data), 1e-13);
}

// A skew part that is zero stays zero: odd waves have nothing to fit.
TEST(Calibrate, SymmetricKernelKeepsRealWeights) {
  const auto kernel = make_kernel("matern-5/2");
  const auto atoms = calibrate(*kernel, prior_atoms(*kernel, 3, 50), uniform_matrix(300, 3, 12));
  for (const auto& c : atoms.weights()) EXPECT_EQ(c.imag(), 0);
}

TEST(Calibrate, FittedToAnotherKernelBecomesThatKernel) {
  const auto own = make_kernel("gaussian"), other = make_kernel("sinh-gaussian");
  const auto data = uniform_matrix(800, 3, 13), fresh = uniform_matrix(200, 3, 14);
  const auto prior = prior_atoms(*own, 3, 80);
  EXPECT_LT(error_on(*other, calibrate(*other, prior, data), fresh), 0.05 * error_on(*other, prior, fresh));
}

// "All pairs" means those there are: the weight of δ = 0 does not grow with a number nobody can draw.
TEST(Calibrate, MorePairsThanThereAre) {
  const auto kernel = make_kernel("gaussian");
  const auto data = uniform_matrix(100, 3, 26), fresh = uniform_matrix(100, 3, 27);
  const auto prior = prior_atoms(*kernel, 3, 40);
  const double all = error_on(*kernel, calibrate(*kernel, prior, data, {.n_pairs = 4950}), fresh);
  for (const std::size_t n_pairs : {std::size_t{1} << 40, std::size_t{1} << 63, SIZE_MAX})
    EXPECT_EQ(error_on(*kernel, calibrate(*kernel, prior, data, {.n_pairs = n_pairs}), fresh), all);
}

TEST(Calibrate, ForgetsParts) {
  const auto kernel = make_kernel("sinh-gaussian");
  const auto atoms = approximate(*kernel, uniform_matrix(100, 3, 28), {.n_frequencies = 20, .weights = Weights::calibrated});
  EXPECT_TRUE(atoms.parts().empty());
  EXPECT_THROW(ClassifierFeatures{atoms}, std::invalid_argument);
}

TEST(Calibrate, RefusesWhatItCannotUse) {
  const auto kernel = make_kernel("gaussian");
  const auto prior = prior_atoms(*kernel, 3, 10);
  const auto data = uniform_matrix(50, 3, 15);
  EXPECT_NE(refusal([&] { calibrate(ConstantKernel(1e160), prior, data); }).find("constant returned 1e+160"), std::string::npos);
  EXPECT_NE(refusal([&] { calibrate(ConstantKernel(std::nan("")), prior, data); }).find("constant returned nan"), std::string::npos);
  EXPECT_NE(refusal([&] { calibrate(ConstantKernel(HUGE_VAL), prior, data); }).find("inf"), std::string::npos);
  EXPECT_NE(refusal([&] { calibrate(*kernel, prior, uniform_matrix(50, 2, 15)); }).find("2 columns"), std::string::npos);
  EXPECT_NE(refusal([&] { calibrate(*kernel, prior, uniform_matrix(3, 3, 15)); }).find("3 rows"), std::string::npos);
  auto holes = data;
  holes(7, 1) = std::numeric_limits<double>::infinity();
  EXPECT_NE(refusal([&] { calibrate(*kernel, prior, holes); }).find("row 7, column 1"), std::string::npos);
}

TEST(Calibrate, HarmlessOnOddData) {
  const auto kernel = make_kernel("shift-gaussian");
  const auto prior = prior_atoms(*kernel, 3, 40);
  auto duplicates = uniform_matrix(60, 3, 16);
  for (std::size_t i = 30; i < 60; ++i) std::ranges::copy(duplicates.row(i - 30), duplicates.row(i).begin());
  auto constant_column = uniform_matrix(60, 3, 17);
  for (std::size_t i = 0; i < 60; ++i) constant_column(i, 1) = 0.25;
  Matrix<double> equal(60, 3);
  for (const auto& data : {duplicates, constant_column, equal, uniform_matrix(4, 3, 18)}) {
    const auto atoms = calibrate(*kernel, prior, data, {.n_pairs = 5000});
    EXPECT_LE(atoms.provenance().calibration->error_after, atoms.provenance().calibration->error_before);
    EXPECT_TRUE(std::isfinite(atoms.weight_sum()));
  }
  // A kernel that is zero everywhere: the relative error has no meaning, the weights no size.
  EXPECT_TRUE(std::isfinite(calibrate(ConstantKernel(0), prior, duplicates).weight_sum()));
}

TEST(Calibration, TellsRowsOutsideItsRange) {
  const auto kernel = make_kernel("gaussian");
  const auto atoms = calibrate(*kernel, prior_atoms(*kernel, 2, 10), uniform_matrix(400, 2, 19));
  const Calibration& record = *atoms.provenance().calibration;
  EXPECT_EQ(record.range.rows_outside(uniform_matrix(100, 2, 20)), 0u);
  EXPECT_EQ(record.range.rows_outside(uniform_matrix(100, 2, 20, 3, 4)), 100u);
  EXPECT_THROW(record.range.rows_outside(uniform_matrix(5, 3, 1)), std::invalid_argument);
}

// --- the parts it is made of -------------------------------------------------------------------------------------------------

TEST(PairSample, EveryPairOnceAndRowsEquallyOften) {
  const auto kernel = make_kernel("sinh-gaussian");
  for (const std::size_t n : {2u, 3u, 6u, 7u}) {
    const auto rows = uniform_matrix(n, 2, 21);
    const auto pairs = weighting::sample_pairs(*kernel, rows, 1000, 0, false, 1, {});
    ASSERT_EQ(pairs.size(), n * (n - 1) / 2);
    std::size_t found = 0;  // every unordered pair is there, one way or the other
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t p = 0; p < pairs.size(); ++p) {
          const double forward = rows(i, 0) - rows(j, 0);
          found += std::fabs(std::fabs(pairs.differences.dense()(p, 0)) - std::fabs(forward)) < 1e-15;
        }
    EXPECT_EQ(found, pairs.size());
  }
  const auto pairs = weighting::sample_pairs(*kernel, uniform_matrix(30, 2, 22), 45, 0.5, false, 1, {});
  ASSERT_EQ(pairs.size(), 46u);
  EXPECT_EQ(pairs.weights.back(), 22.5);
  EXPECT_EQ(pairs.even.back(), kernel->at_zero(2));
  for (std::size_t p = 0; p < 45; ++p) EXPECT_NEAR(pairs.even[p] + pairs.odd[p], (*kernel)(pairs.differences.dense().row(p)), 1e-15);
}

TEST(WaveMatrix, ProductsAndNormalSystemsAgreeWithDirectSums) {
  const auto frequencies = random_matrix(37, 3, 23), differences = random_matrix(1100, 3, 24);
  const weighting::WaveMatrix waves(frequencies, {});
  std::vector<double> x(37), v(1100), weights(1100), even(1100), odd(1100);
  RandomStream random(25, Purpose::builtin_data, 0);
  for (auto* each : {&x, &v, &even, &odd}) random.normals(*each);
  for (double& w : weights) w = random.uniform();
  const std::span<const double> targets[] = {even, odd};
  const auto systems = waves.normal_systems(differences, weights, targets);
  for (const auto parity : weighting::both_parities) {
    const bool is_even = parity == weighting::Parity::even;
    const auto wave = [&](std::size_t p, std::size_t j) {
      const double phase = dot(frequencies.row(j), differences.row(p));
      return is_even ? std::cos(phase) : std::sin(phase);
    };
    const auto product = waves.times(parity, differences, x), transposed = waves.transposed_times(parity, differences, v);
    for (std::size_t p = 0; p < 1100; p += 111) {
      double sum = 0;
      for (std::size_t j = 0; j < 37; ++j) sum += wave(p, j) * x[j];
      EXPECT_NEAR(product[p], sum, 1e-12);
    }
    const auto& system = systems[is_even ? 0 : 1];
    for (std::size_t j = 0; j < 37; j += 5) {
      double sum = 0, right = 0, gram = 0;
      for (std::size_t p = 0; p < 1100; ++p) {
        sum += wave(p, j) * v[p];
        right += weights[p] * wave(p, j) * (is_even ? even : odd)[p];
        gram += weights[p] * wave(p, j) * wave(p, 11);
      }
      EXPECT_NEAR(transposed[j], sum, 1e-10);
      EXPECT_NEAR(system.right[j], right, 1e-10);
      EXPECT_NEAR(system.gram(j, 11), gram, 1e-10);
      EXPECT_EQ(system.gram(j, 11), system.gram(11, j));
    }
  }
}

}  // namespace
}  // namespace askrff::test
