// The experiments' shortcuts give what the library gives the long way.
#include "experiments/approximations.hpp"

#include <gtest/gtest.h>

#include "askrff/data.hpp"
#include "askrff/kernels.hpp"
#include "experiments/classify.hpp"

namespace askrff::experiments {
namespace {

constexpr std::uint64_t seed = 11;

class PaperKernel : public testing::TestWithParam<const char*> {
 protected:
  const std::shared_ptr<const Kernel> kernel = make_kernel(GetParam());
  const Matrix<double> data = read_data("builtin:uniform:3:200").X, points = read_data("builtin:uniform:3:60").X;

  double error_the_long_way(std::size_t n_frequencies, Weights weights) const {
    const SpectralAtoms atoms =
        approximate(*kernel, data, {.n_frequencies = n_frequencies, .weights = weights, .n_subset = 50, .seed = seed});
    return approximation_error(*kernel, FeatureMap(atoms), points, points).frobenius;
  }
};

TEST_P(PaperKernel, SumsOfPartsGrowIntoThePapersEstimator) {
  const Matrix<double> exact = exact_gram(*kernel, points, points);
  const Matrix<double> subset = subset_rows(data, 50, seed);
  const SpectralAtoms draws = approximate(*kernel, 3, {.n_frequencies = 3000, .seed = seed});
  PartSums sums(draws, points, {});
  for (const std::size_t n : {6, 100, 3000}) {
    sums.extend_to(n);
    const MassFit fit = fit_masses(*kernel, first_of_parts(draws, n), subset);
    const double fitted = relative_error(exact, sums.weighted({fit.real_positive, fit.real_negative, fit.imaginary_positive}));
    EXPECT_NEAR(fitted / error_the_long_way(n, Weights::subset), 1, 1e-4) << n;
    const double known = relative_error(exact, sums.weighted(masses_of(draws)));
    EXPECT_NEAR(known / error_the_long_way(n, Weights::exact), 1, 1e-4) << n;
  }
}

TEST_P(PaperKernel, AKernelMatrixInPiecesIsTheKernelMatrix) {
  const SpectralAtoms atoms = polar_atoms(*kernel, data, {2500, Sampler::mub, Weights::exact, seed, {}});
  const Matrix<double> pieces = approximate_sum(atoms, points, {}), whole = approximate_gram(FeatureMap(atoms), points, points);
  EXPECT_LT(relative_error(whole, pieces), 2e-6);
}

TEST_P(PaperKernel, WithoutItsImaginaryPartItIsSymmetric) {
  const SpectralAtoms atoms = without_imaginary_part(approximate(*kernel, 3, {.n_frequencies = 4, .seed = seed}));
  const std::vector<double> forward{0.3, -0.2, 0.5}, backward{-0.3, 0.2, -0.5};
  EXPECT_EQ(atoms(forward), atoms(backward));
  EXPECT_NEAR(atoms(std::vector<double>(3, 0.0)), kernel->at_zero(3), 1e-12);  // its masses are those of the real parts
}

INSTANTIATE_TEST_SUITE_P(Kernels, PaperKernel, testing::Values("shift-gaussian", "sinh-gaussian", "cosh-gaussian"),
                         [](const auto& tested) { return std::string(tested.param).substr(0, std::string(tested.param).find('-')); });

TEST(Classify, EveryViewLearnsTheMoonsAndSaysWhatItUsed) {
  const TrialRows rows = rows_of_trial(built_in_data(600), seed);
  const std::size_t n_parts = n_parts_of(*make_kernel("shift-gaussian"), 2);
  struct Expected {
    View view;
    std::size_t n_frequencies, n_features;
  };
  for (const Expected& e :
       {Expected{View::asy, 16 * n_parts, 32 * n_parts}, Expected{View::asy_exact, 16 * n_parts, 32 * n_parts},
        Expected{View::sym, 16 * (n_parts - 1), 32 * (n_parts - 1)}, Expected{View::polar, 16 * n_parts, 32 * n_parts},
        Expected{View::calibrated, 16 * n_parts, 32 * n_parts}, Expected{View::rbf, 16, 32}, Expected{View::linear, 0, 2}}) {
    const std::string kernel = e.view == View::rbf || e.view == View::linear ? "" : "shift-gaussian";
    const Classification result = classify(rows, {e.view, kernel, 16}, std::nullopt, seed, {});
    EXPECT_EQ(result.n_frequencies, e.n_frequencies);
    EXPECT_EQ(result.n_features, e.n_features);
    EXPECT_GT(result.accuracy, 80);
    EXPECT_LE(result.accuracy, 100);
    const Classification again = Classification::from(result.json());
    EXPECT_EQ(again.accuracy, result.accuracy);
    EXPECT_EQ(again.c, result.c);
    EXPECT_EQ(classify(rows, {e.view, kernel, 16}, result.c, seed, {.n_threads = 1}).accuracy, result.accuracy) << "C given, one thread";
  }
  const Classification landmarks = classify(rows, {View::nystrom, "shift-gaussian", 16}, std::nullopt, seed, {});
  EXPECT_EQ(landmarks.n_frequencies, 0u);
  EXPECT_LE(landmarks.n_features, 32 * n_parts);
  EXPECT_GT(landmarks.accuracy, 80);
}

}  // namespace
}  // namespace askrff::experiments
