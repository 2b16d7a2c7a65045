// Every kernel with every estimator and sampler: unbiased, or refused with a sentence that says why.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "support/catalogue.hpp"
#include "support/statistics.hpp"

namespace askrff::test {
namespace {

constexpr Sampler samplers[] = {Sampler::exact, Sampler::orthogonal, Sampler::mub, Sampler::structured, Sampler::sobol, Sampler::ridge};

struct Combination {
  std::string kernel;
  Estimator estimator;
  Sampler sampler;
};

std::vector<Combination> all_combinations() {
  std::vector<Combination> list;
  for (const std::string& kernel : every_kernel())
    for (const Estimator estimator : {Estimator::jordan, Estimator::polar})
      for (const Sampler sampler : samplers) list.push_back({kernel, estimator, sampler});
  return list;
}

class EveryCombination : public testing::TestWithParam<Combination> {};
INSTANTIATE_TEST_SUITE_P(All, EveryCombination, testing::ValuesIn(all_combinations()), [](const auto& each) {
  return test_name(each.param.kernel + "_" + std::string(name_of(each.param.estimator)) + "_" + std::string(name_of(each.param.sampler)));
});

/// Words of the sentence with which a combination is refused; empty if it has to work.
std::string refusal_of(const Combination& c) {
  const bool shifted = c.kernel.starts_with("shifted:"), phases = c.kernel == "skew-normal" || c.kernel == "causal-gamma";
  const bool product_law = c.kernel.ends_with("laplacian") || c.kernel == "cauchy" || c.kernel == "shifted:cauchy" ||
                           c.kernel.ends_with("periodic-gaussian") || c.kernel == "gabor" || phases;
  const bool has_ridge =
      c.kernel.ends_with("shift-gaussian") || c.kernel == "sinh-gaussian" || c.kernel == "cosh-gaussian" || c.kernel == "shifted:gaussian";
  if (c.estimator == Estimator::jordan) {
    if (c.sampler == Sampler::structured || c.sampler == Sampler::ridge) return "use the polar estimator";
    // Orthogonal gives way to exact.
    const bool is_exact = c.sampler == Sampler::exact || c.sampler == Sampler::orthogonal;
    if ((c.kernel == "shifted:difference-of-gaussians" || c.kernel == "skew-normal") && is_exact) return "not known exactly";
    if ((phases || (shifted && c.kernel != "shifted:gaussian")) && !is_exact) return "not made from normal vectors";
    return "";
  }
  if (c.sampler == Sampler::structured && product_law) return "not multiples of normal vectors";
  if (c.sampler == Sampler::ridge && !has_ridge) return c.kernel == "gaussian" ? "has no ridge" : "rule for Gaussian measures";
  return "";
}

// Means over 150 draws of 48 frequencies in 6 dimensions (structured: 24), at 6 differences, within 4.5 standard errors of k: a false alarm
// of 9e-6 each (Student's law), for some 270 combinations 1.5 % of all seeds. Heavy tails make no difference: every term is bounded by ‖μ‖
// but for the ridge rule's. The structured sampler's own bias (8/(3·32²) in the fourth moment) is far below what this can see.
TEST_P(EveryCombination, UnbiasedOrRefused) {
  const Combination& c = GetParam();
  const ParameterValues long_shift{{"sigma", 1.0}, {"shift", 1.0}};
  const auto kernel = make_kernel(c.kernel, c.kernel.starts_with("shifted:") ? long_shift : ParameterValues{});
  const std::size_t dim = c.sampler == Sampler::structured ? 24 : 6;
  const ApproximateOptions options{.n_frequencies = 48, .estimator = c.estimator, .sampler = c.sampler};
  const std::string refusal = refusal_of(c);
  if (!refusal.empty()) {
    try {
      approximate(*kernel, dim, options);
      FAIL() << "not refused";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(refusal), std::string::npos) << error.what();
    }
    return;
  }
  std::vector<Moments> errors(6);
  for (std::uint64_t trial = 0; trial < 150; ++trial) {
    ApproximateOptions seeded = options;
    seeded.seed = derive_seed(4711, trial);
    const SpectralAtoms atoms = approximate(*kernel, dim, seeded);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const auto delta = random_difference(dim, 40 + i, 0.2 * static_cast<double>(i + 1));
      errors[i].add(atoms(delta) - (*kernel)(delta));
    }
  }
  for (std::size_t i = 0; i < errors.size(); ++i)
    EXPECT_LE(std::fabs(errors[i].mean), 4.5 * errors[i].standard_error() + 1e-6) << "difference " << i;  // 1e-6: the ridge rule's nodes
}

// Tensor quadrature is not random: its error is what it is.
TEST(StructuredSampler, IsRefusedInFewDimensions) {
  EXPECT_THROW(approximate(*make_kernel("gaussian"), 15, {.estimator = Estimator::polar, .sampler = Sampler::structured}),
               std::invalid_argument);
}

TEST(PolarEstimator, LargeAmplitudesDoNotOverflow) {
  const auto atoms = approximate(*cosh_gaussian({.sigma = 1.0, .beta = 30.0}), 1, {.n_frequencies = 8, .estimator = Estimator::polar});
  EXPECT_NEAR(std::log(atoms.weight_sum()), 450, 1e-9);  // C = e^{900/2}
  EXPECT_GT(approximate(*sinh_gaussian({.sigma = 1.0, .beta = 30.0}), 1, {.n_frequencies = 8, .estimator = Estimator::polar}).weight_sum(),
            1e150);
}

TEST(QuadratureSampler, IsExactInFewDimensions) {
  for (const char* name : {"gaussian", "shift-gaussian", "sinh-gaussian", "cosh-gaussian"})
    for (const std::size_t dim : {1u, 2u, 3u}) {
      SCOPED_TRACE(std::string(name) + " in dimension " + std::to_string(dim));
      const auto kernel = make_kernel(name);
      const auto atoms = approximate(*kernel, dim, {.n_frequencies = 900, .estimator = Estimator::polar, .sampler = Sampler::quadrature});
      EXPECT_LE(atoms.size(), 900u);
      for (std::uint64_t i = 0; i < 5; ++i) {
        auto delta = random_difference(dim, i, 1);
        for (double& x : delta) x = std::tanh(x);  // inside the default extent of 1
        EXPECT_NEAR(atoms(delta), (*kernel)(delta), 1e-9 * atoms.weight_sum());
      }
    }
  for (const char* name : {"matern-3/2", "laplacian", "difference-of-gaussians", "shifted:cauchy"})
    EXPECT_THROW(approximate(*make_kernel(name), 2, {.n_frequencies = 50, .estimator = Estimator::polar, .sampler = Sampler::quadrature}),
                 std::invalid_argument)
        << name;
  EXPECT_THROW(approximate(*make_kernel("gaussian"), 6, {.estimator = Estimator::polar, .sampler = Sampler::quadrature}),
               std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
