// Atoms of sums, products and scaled kernels: unbiased by every estimator that serves them, refused with a sentence otherwise.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "askrff/kernels.hpp"
#include "support/catalogue.hpp"
#include "support/random_inputs.hpp"
#include "support/statistics.hpp"

namespace askrff::test {
namespace {

const char* const texts[] = {
    "gaussian + 0.5*laplacian",                                       // positive: everything is known
    "gaussian(sigma=1) - 0.7*matern-3/2(sigma=2)",                    // real parts that overlap
    "gaussian + 0.3*shift-gaussian(sigma=1,shift=0.5)",               // one imaginary part
    "sinh-gaussian(sigma=1,beta=0.4) - 0.4*gabor(sigma=1,wave=1)",    // two
    "gaussian*cauchy",                                                // a positive product
    "gaussian*causal-gamma(shape=3)",                                 // smoothed by a factor
    "shift-gaussian(shift=0.4)*gabor(wave=0.5)*exponential-power",    // three factors, two with phases
    "(gaussian - 0.5*laplacian)*skew-normal(skew=0.5) + 0.2*cauchy",  // a product inside a sum
    "-2*shift-gaussian(sigma=1,shift=-0.3)",                          // one term of weight below 0
};

// Means over 200 draws of 64 frequencies in 3 dimensions at 6 differences within 4.5 standard errors of k, for 9 texts, with and without
// scales, and up to 5 ways each: a false alarm of 7e-6 for each of some 500, 0.35 % of all seeds.
template <class AtomsOf>
void expect_unbiased(const Kernel& kernel, const AtomsOf& atoms_of) {
  std::vector<Moments> errors(6);
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const SpectralAtoms atoms = atoms_of(derive_seed(515, trial));
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const auto delta = random_difference(3, 60 + i, 0.3 * static_cast<double>(i));
      errors[i].add(atoms(delta) - kernel(delta));
    }
  }
  for (std::size_t i = 0; i < errors.size(); ++i)
    EXPECT_LE(std::fabs(errors[i].mean), 4.5 * errors[i].standard_error() + 1e-12) << "difference " << i;
}

TEST(CompositionAtoms, PolarIsUnbiased) {
  for (const char* text : texts)
    for (const bool is_scaled : {false, true}) {
      const auto kernel = make_kernel(text, is_scaled ? ParameterValues{{"scales", {1.0, 2.0, 0.6}}} : ParameterValues{});
      for (const Sampler sampler : {Sampler::exact, Sampler::orthogonal, Sampler::sobol, Sampler::mub}) {
        SCOPED_TRACE(testing::Message() << text << ' ' << name_of(sampler) << (is_scaled ? " scaled" : ""));
        const bool has_normals = kernel->measure(3)->normal_vector_use().proposals;
        const auto atoms_of = [&](std::uint64_t seed) {
          return approximate(*kernel, 3, {.n_frequencies = 64, .estimator = Estimator::polar, .sampler = sampler, .seed = seed});
        };
        if (sampler == Sampler::exact || has_normals)
          expect_unbiased(*kernel, atoms_of);
        else
          EXPECT_THROW(atoms_of(1), InvalidArgument);
      }
      EXPECT_THROW(approximate(*kernel, 3, {.n_frequencies = 64, .estimator = Estimator::polar, .sampler = Sampler::structured}),
                   InvalidArgument);
    }
}

// Parts: by exact masses where they are known, by those of a fit where they can only be drawn, refused where they cannot.
TEST(CompositionAtoms, Jordan) {
  for (const char* text : {texts[0], texts[4], texts[8]}) {
    SCOPED_TRACE(text);
    const auto kernel = make_kernel(text);
    expect_unbiased(*kernel, [&](std::uint64_t seed) { return approximate(*kernel, 3, {.n_frequencies = 64, .seed = seed}); });
  }
  for (const char* text : {texts[1], texts[3], texts[5], texts[6], texts[7]})
    EXPECT_THROW(approximate(*make_kernel(text), 3, {.n_frequencies = 8, .estimator = Estimator::jordan}), InvalidArgument) << text;
}

// Parts drawn by rejection where they overlap, with masses of quadrature: the same kernel in one dimension.
TEST(CompositionAtoms, PartsThatOverlapAreDrawnByRejection) {
  for (const char* text : {texts[1], texts[3]}) {
    SCOPED_TRACE(text);
    const auto kernel = make_kernel(text);
    const auto measure = kernel->measure(1);
    const Masses masses = quadrature_masses(*measure, {.tolerance = 1e-8});
    for (const double delta : {0.3, -0.8, 2.0}) {
      double sum = 0, variance = 0;
      for (const Part part : measure->parts()) {
        if (masses.of(part) < 1e-3) continue;  // less than the error allowed
        Moments waves;
        const auto omega = draw_frequencies(*measure, part, 0, 20'000, {.seed = 17});
        for (std::size_t j = 0; j < omega.rows(); ++j)
          waves.add((traits(part).coefficient * std::polar(masses.of(part), omega(j, 0) * delta)).real());
        sum += waves.mean;
        variance += waves.standard_error() * waves.standard_error();
      }
      EXPECT_NEAR(sum, (*kernel)(std::span(&delta, 1)), 4.5 * std::sqrt(variance) + 2e-3) << delta;  // 6 of them: 4e-5 of all seeds
    }
  }
}

TEST(CompositionAtoms, FallLikeTheRoot) {
  for (const char* text : {texts[3], texts[6]}) {
    const auto kernel = make_kernel(text);
    std::vector<double> log_error;
    for (const std::size_t n : {64, 1024}) {
      double squares = 0;
      for (std::uint64_t trial = 0; trial < 150; ++trial) {
        const auto atoms = approximate(*kernel, 3, {.n_frequencies = n, .estimator = Estimator::polar, .seed = derive_seed(99 + n, trial)});
        for (std::uint64_t i = 0; i < 8; ++i) {
          const auto delta = random_difference(3, 300 + i, 0.5 * static_cast<double>(i + 1));
          const double error = atoms(delta) - (*kernel)(delta);
          squares += error * error;
        }
      }
      log_error.push_back(0.5 * std::log(squares));
    }
    // Errors at one set of atoms go together: each size counts as 450 independent squares at least, a deviation of 0.024 of the slope.
    EXPECT_NEAR((log_error[1] - log_error[0]) / std::log(16.0), -0.5, 0.1) << text;
  }
}

TEST(CompositionAtoms, AutomaticEstimatorAndCalibration) {
  const auto data = random_matrix(300, 3, 6);
  for (const char* text : texts) {
    SCOPED_TRACE(text);
    const auto kernel = make_kernel(text);
    const auto atoms = approximate(*kernel, data, {.n_frequencies = 64, .estimator = Estimator::automatic});
    EXPECT_FALSE(atoms.provenance().estimator.empty());
    const auto calibrated =
        approximate(*kernel, data, {.n_frequencies = 256, .estimator = Estimator::polar, .weights = Weights::calibrated});
    double error = 0, size = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
      const auto delta = random_difference(3, i, std::sqrt(2.0));
      error += std::pow(calibrated(delta) - (*kernel)(delta), 2);
      size += std::pow((*kernel)(delta), 2);
    }
    EXPECT_LT(error, 0.25 * size + 50 * 1e-6);  // or 1e-3: products of many factors are near 0 nearly everywhere
  }
}

// Grids need densities and bounds: sums of what has them, not products.
TEST(CompositionAtoms, GridsOfSums) {
  const std::vector<double> extent{1.0, 0.8};
  const auto kernel = make_kernel("gaussian(sigma=0.5) + 0.3*shift-gaussian(sigma=0.4, shift=[0.1,0.2])", {{"scales", {1.0, 1.5}}});
  const ChosenGrid chosen = choose_grid(*kernel, extent, {.tolerance = 1e-6});
  const SpectralAtoms atoms = grid_atoms(*kernel->measure(2), chosen.grid);
  for (std::uint64_t i = 0; i < 20; ++i) {
    auto delta = random_difference(2, i);
    for (std::size_t k = 0; k < 2; ++k) delta[k] = extent[k] * std::tanh(delta[k]);
    EXPECT_NEAR(atoms(delta), (*kernel)(delta), 1e-6 * chosen.largest);
  }
  try {
    choose_grid(*make_kernel("gaussian*laplacian"), extent, {.tolerance = 1e-3});
    FAIL() << "not refused";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("known bounds"), std::string::npos) << error.what();
  }
  for (const char* name :
       {"rational-quadratic", "generalised-cauchy", "exponential-power", "periodic-gaussian", "gabor", "skew-normal", "causal-gamma"}) {
    const auto family = make_kernel(name, {{"sigma", 0.4}});
    ChosenGrid grid;
    try {
      grid = choose_grid(*family, std::vector<double>{1.0}, {.tolerance = 1e-2, .max_bytes = std::size_t{64} << 20});
    } catch (const InvalidArgument& refused) {
      EXPECT_NE(std::string(refused.what()).find("GB"), std::string::npos) << name << ": " << refused.what();
      continue;
    }
    const SpectralAtoms of_family = grid_atoms(*family->measure(1), grid.grid);
    for (const double delta : {-0.9, -0.2, 0.0, 0.05, 0.6, 1.0})
      EXPECT_NEAR(of_family(std::span(&delta, 1)), (*family)(std::span(&delta, 1)), 1e-2 * grid.largest) << name;
  }
}

}  // namespace
}  // namespace askrff::test
