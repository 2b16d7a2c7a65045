// Estimators and allocations: the automatic choice follows the variances, budgets are kept, records say what was done.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "support/random_inputs.hpp"
#include "weighting/estimator_choice.hpp"

namespace askrff::test {
namespace {

// By the closed forms polar loses to jordan for cosh in one dimension and wins in sixteen, at the paper's parameters.
TEST(AutomaticEstimator, TakesTheSmallerVariance) {
  const auto chosen = [](std::size_t dim) {
    const auto kernel = make_kernel("cosh-gaussian");
    return approximate(*kernel, uniform_matrix(100, dim, 1), {.n_frequencies = 8, .estimator = Estimator::automatic}).provenance();
  };
  EXPECT_EQ(chosen(1).estimator, "jordan");
  EXPECT_EQ(chosen(16).estimator, "polar");
  EXPECT_NE(chosen(16).reason.find("variance"), std::string::npos);
}

TEST(AutomaticEstimator, KnowsWhatSamplersNeed) {
  const auto data = uniform_matrix(50, 8, 2);
  const auto kernel = make_kernel("cosh-gaussian");
  const auto estimator_of = [&](Sampler sampler) {
    return approximate(*kernel, data, {.n_frequencies = 20, .estimator = Estimator::automatic, .sampler = sampler}).provenance().estimator;
  };
  EXPECT_EQ(estimator_of(Sampler::ridge), "polar");
  EXPECT_EQ(estimator_of(Sampler::rejection), "jordan");
  EXPECT_THROW(approximate(*kernel, 8, {.estimator = Estimator::automatic}), std::invalid_argument);  // no data to look at
  EXPECT_EQ(approximate(*make_kernel("gaussian"), 8, {.estimator = Estimator::automatic}).provenance().estimator, "polar");
}

std::vector<std::string> all_kernels() {
  std::vector<std::string> names;
  for (const KernelInfo& info : kernel_registry())
    if (!info.wraps_another) names.push_back(info.name);
  const std::size_t n_plain = names.size();
  for (std::size_t i = 0; i < n_plain; ++i)
    if (make_kernel(names[i])->symmetric()) names.push_back("shifted:" + names[i]);
  return names;
}

// A sampler may serve a measure as a whole but not its parts, and the other way round: the choice falls on what there is, and so it fails
// only where both would. Rows that are one, all the same, few or spread out lead to different variances.
TEST(AutomaticEstimator, NeverChoosesWhatTheSamplerCannotServe) {
  for (const std::string& name : all_kernels())
    for (const Sampler sampler : {Sampler::exact, Sampler::orthogonal, Sampler::mub, Sampler::sobol})
      for (const auto& data : {uniform_matrix(1, 3, 1), Matrix<double>(5, 2), uniform_matrix(60, 1, 2), uniform_matrix(60, 8, 3, -3, 3)}) {
        SCOPED_TRACE(testing::Message() << name << ", " << name_of(sampler) << ", " << data.rows() << " x " << data.cols());
        const auto kernel = make_kernel(name);
        const auto estimator_of = [&](Estimator estimator) -> std::string {
          try {
            return approximate(*kernel, data, {.n_frequencies = 8, .estimator = estimator, .sampler = sampler}).provenance().estimator;
          } catch (const std::invalid_argument&) {
            return "";
          }
        };
        const std::string jordan = estimator_of(Estimator::jordan), polar = estimator_of(Estimator::polar);
        for (const Estimator estimator : {Estimator::automatic, Estimator::fourier}) {
          const std::string chosen = estimator_of(estimator);
          EXPECT_EQ(chosen.empty(), jordan.empty() && polar.empty());
          EXPECT_TRUE(chosen.empty() || chosen == jordan || chosen == polar) << chosen;
        }
      }
}

TEST(AutomaticEstimator, OfASingleRowLooksAtTheZeroDifference) {
  const Matrix<double> differences = weighting::sample_differences(uniform_matrix(1, 3, 4), 5);
  ASSERT_EQ(differences.rows(), 1u);
  for (const double value : differences.row(0)) EXPECT_EQ(value, 0);
  const auto many = weighting::sample_differences(uniform_matrix(2, 3, 4), 5);
  ASSERT_EQ(many.rows(), 200u);
  for (std::size_t p = 0; p < many.rows(); ++p) EXPECT_EQ(std::abs(many(p, 0)), std::abs(many(0, 0)));  // there is one pair
  const auto kernel = make_kernel("cosh-gaussian");
  const auto atoms = approximate(*kernel, uniform_matrix(1, 1, 4), {.n_frequencies = 8, .estimator = Estimator::automatic});
  EXPECT_FALSE(atoms.provenance().reason.empty());
  EXPECT_NO_THROW(approximate(*kernel, uniform_matrix(1, 1, 4), {.n_frequencies = 8, .allocation = Allocation::variance}));
}

TEST(Estimators, OfOtherFunctionsAreRefused) {
  const auto kernel = make_kernel("gaussian");
  for (const Estimator estimator : {Estimator::nystrom, Estimator::best, Estimator::paper})
    EXPECT_THROW(approximate(*kernel, uniform_matrix(20, 2, 6), {.estimator = estimator}), std::invalid_argument);
}

TEST(Allocation, SharesTheWholeBudget) {
  const auto kernel = make_kernel("cosh-gaussian");
  const auto data = uniform_matrix(200, 8, 3);
  for (const Allocation allocation : {Allocation::mass, Allocation::variance}) {
    const auto atoms = approximate(*kernel, data, {.n_frequencies = 100, .allocation = allocation});
    EXPECT_EQ(atoms.size(), 300u);
    ASSERT_EQ(atoms.parts().size(), 3u);
    for (const PartRecord& part : atoms.parts()) EXPECT_GE(part.count, 1u);
    EXPECT_GT(atoms.parts()[0].count, atoms.parts()[1].count);  // μ_R^- is the smallest part by far
  }
  EXPECT_EQ(approximate(*kernel, data, {.n_frequencies = 1, .allocation = Allocation::variance}).size(), 3u);
  EXPECT_THROW(approximate(*cosh_gaussian({.sigma = 1.0, .beta = 30.0}), uniform_matrix(9, 1, 1), {.allocation = Allocation::variance}),
               std::invalid_argument);
  // Masses 1.123, 0.123 and, counted twice, 0.557 of 300 frequencies.
  const auto by_mass = approximate(*kernel, 8, {.n_frequencies = 100, .allocation = Allocation::mass});
  EXPECT_EQ(by_mass.parts()[0].count, 143u);
  EXPECT_EQ(by_mass.parts()[1].count, 16u);
  EXPECT_EQ(by_mass.parts()[2].count, 141u);
  EXPECT_THROW(approximate(*kernel, 8, {.allocation = Allocation::variance}), std::invalid_argument);  // no data
}

TEST(SubsetWeights, AreRefusedForPolarAtoms) {
  const auto kernel = make_kernel("shift-gaussian");
  EXPECT_THROW(approximate(*kernel, uniform_matrix(100, 3, 4), {.estimator = Estimator::polar, .weights = Weights::subset}),
               std::invalid_argument);
}

TEST(CalibratedWeights, ThroughApproximate) {
  const auto kernel = make_kernel("shifted:difference-of-gaussians", {{"shift", 0.5}});  // no exact masses: a subset fit is the prior
  const auto data = uniform_matrix(300, 3, 5);
  const auto atoms = approximate(*kernel, data, {.n_frequencies = 40, .weights = Weights::calibrated});
  ASSERT_TRUE(atoms.provenance().calibration);
  EXPECT_LT(atoms.provenance().calibration->error_after, atoms.provenance().calibration->error_before);
  EXPECT_THROW(approximate(*kernel, 3, {.weights = Weights::calibrated}), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
