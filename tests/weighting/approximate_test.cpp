// approximate(): options, the weight of every atom, the order of the parts, and what is recorded of them.
#include "askrff/approximate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "support/random_inputs.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

/// A user's measure that claims a given mass.
class ClaimedMass final : public ComplexMeasure {
 public:
  explicit ClaimedMass(double mass) : mass_(mass) {}
  std::size_t dim() const override { return 1; }
  std::vector<Part> parts() const override { return {Part::real_positive}; }
  std::complex<double> density(std::span<const double>) const override { return 1.0; }
  std::optional<PartMoments> exact_moments(Part) const override { return PartMoments{mass_, std::log(mass_), {}}; }
  bool draws_exactly() const override { return true; }
  void draw(Part, RandomStream& random, std::span<double> omega) const override { omega[0] = random.normal(); }

 private:
  double mass_;
};

class ClaimedMassKernel final : public Kernel {
 public:
  explicit ClaimedMassKernel(double mass) : mass_(mass) {}
  std::string name() const override { return "claimed-mass"; }
  void evaluate(MatrixView<const double>, std::span<double> out) const override { std::ranges::fill(out, 1.0); }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t) const override { return std::make_unique<ClaimedMass>(mass_); }

 private:
  double mass_;
};

TEST(Approximate, RefusesBadOptions) {
  const auto kernel = shift_gaussian();
  const auto X = random_matrix(20, 2, 1);
  const ApproximateOptions subset{.n_frequencies = 8, .weights = Weights::subset, .n_subset = 10};
  EXPECT_THROW(approximate(*kernel, 2, {.n_frequencies = 0}), std::invalid_argument);
  EXPECT_THROW(approximate(*kernel, 0), std::invalid_argument);
  EXPECT_THROW(approximate(*kernel, Matrix<double>(5, 0)), std::invalid_argument);
  for (const double tolerance : {-1e-3, 1.0, nan, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(approximate(*kernel, 2, {.n_frequencies = 8, .drop_tolerance = tolerance}), std::invalid_argument) << tolerance;
  EXPECT_THROW(approximate(*kernel, 2, subset), std::invalid_argument);  // no data to fit on
  auto options = subset;
  options.n_subset = 21;
  EXPECT_THROW(approximate(*kernel, X, options), std::invalid_argument);
  options.n_subset = 0;
  EXPECT_THROW(approximate(*kernel, X, options), std::invalid_argument);
  options = subset;
  options.n_frequencies = 0;
  EXPECT_THROW(approximate(*kernel, X, options), std::invalid_argument);
  auto with_nan = X;
  for (std::size_t i = 0; i < X.rows(); ++i) with_nan(i, 1) = nan;
  EXPECT_THROW(approximate(*kernel, with_nan, subset), std::invalid_argument);
  for (const double acceptance : {0.0, -1.0, 2.0, nan})
    EXPECT_THROW(approximate(*kernel, 2, {.n_frequencies = 8, .sampler = Sampler::rejection, .min_acceptance = acceptance}),
                 std::invalid_argument);
  EXPECT_THROW(approximate(*shift_gaussian({.sigma = 2, .shift = {1.0, 2.0, 3.0}}), 2), std::invalid_argument);
}

TEST(Approximate, RefusesAMassThatIsNotFinite) {
  const auto X = random_matrix(20, 1, 1);
  for (const double mass : {std::numeric_limits<double>::infinity(), nan}) {
    const ClaimedMassKernel kernel(mass);
    EXPECT_THROW(approximate(kernel, 1, {.n_frequencies = 8}), std::invalid_argument);
    EXPECT_THROW(approximate(kernel, X, {.n_frequencies = 8, .weights = Weights::subset, .n_subset = 10}), std::invalid_argument);
  }
  EXPECT_THROW(approximate(ClaimedMassKernel(0.0), 1, {.n_frequencies = 8}), std::invalid_argument);  // nothing is left to draw
  EXPECT_NO_THROW(approximate(ClaimedMassKernel(2.0), 1, {.n_frequencies = 8}));
}

/// c_j = coefficient · mass / M to the bit, in the order of the parts, and k̂(0) = k(0): the masses of the real parts differ by k(0).
TEST(Approximate, ExactWeights) {
  std::size_t n_kernels = 0;
  for (const KernelInfo& info : kernel_registry()) {
    if (info.wraps_another || info.name == "skew-normal") continue;  // which knows its masses in one dimension only
    const auto kernel = make_kernel(info.name);
    const auto measure = kernel->measure(3);
    const Masses masses = exact_masses(*measure);
    const auto atoms = approximate(*kernel, 3, {.n_frequencies = 7, .seed = 5});
    SCOPED_TRACE(info.name);
    ASSERT_EQ(atoms.parts().size(), measure->parts().size());
    std::size_t next = 0;
    for (std::size_t p = 0; p < atoms.parts().size(); ++p) {
      const PartRecord& record = atoms.parts()[p];
      EXPECT_EQ(record.part, measure->parts()[p]);
      EXPECT_EQ(record.first, next);
      EXPECT_EQ(record.count, record.dropped ? 0u : 7u);
      EXPECT_EQ(record.mass, masses.of(record.part));
      EXPECT_EQ(record.log_mass, measure->exact_moments(record.part)->log_mass);
      const auto drawn = draw_frequencies(*measure, record.part, 0, record.count, {.seed = 5});
      for (std::size_t j = 0; j < record.count; ++j) {
        EXPECT_EQ(atoms.weights()[record.first + j], traits(record.part).coefficient * (record.mass / 7.0));
        EXPECT_TRUE(std::ranges::equal(atoms.frequencies().row(record.first + j), drawn.row(j)));
      }
      next += record.count;
    }
    EXPECT_EQ(atoms.size(), next);
    EXPECT_NEAR(atoms(std::vector<double>(3, 0.0)), kernel->at_zero(3), 1e-14 * atoms.weight_sum());
    EXPECT_NEAR(atoms.weight_sum(), masses.total, 1e-13 * masses.total);
    ++n_kernels;
  }
  EXPECT_EQ(n_kernels, 16u);
}

TEST(Approximate, NumberOfPartsByKindOfKernel) {
  const auto n_parts = [](const Kernel& kernel) { return approximate(kernel, 2, {.n_frequencies = 3}).parts().size(); };
  EXPECT_EQ(n_parts(*gaussian()), 1u);
  EXPECT_EQ(n_parts(*difference_of_gaussians()), 2u);
  EXPECT_EQ(n_parts(*sinh_gaussian()), 2u);
  EXPECT_EQ(n_parts(*shift_gaussian()), 3u);
  EXPECT_EQ(n_parts(*cosh_gaussian()), 3u);
  EXPECT_EQ(n_parts(*shift_gaussian({.sigma = 1, .shift = 0.0})), 1u);  // no shift: the Gaussian kernel
}

/// μ_R^- of shift-gaussian at the paper's parameters: 2e-34 of the mass in 57 dimensions, a log mass of -77.5. Dropped, and said so.
TEST(Approximate, NegligiblePartIsDroppedAndReported) {
  const auto kernel = shift_gaussian();
  const auto atoms = approximate(*kernel, 57, {.n_frequencies = 4});
  ASSERT_EQ(atoms.parts().size(), 3u);
  const PartRecord& dropped = atoms.parts()[1];
  EXPECT_EQ(dropped.part, Part::real_negative);
  EXPECT_TRUE(dropped.dropped);
  EXPECT_EQ(dropped.count, 0u);
  EXPECT_GT(dropped.mass, 2.1e-34);
  EXPECT_LT(dropped.mass, 2.2e-34);
  EXPECT_NEAR(dropped.log_mass, -77.535, 0.001);
  EXPECT_EQ(atoms.size(), 8u);
  EXPECT_FALSE(atoms.parts()[0].dropped);
  EXPECT_FALSE(atoms.parts()[2].dropped);
  const auto kept = approximate(*kernel, 57, {.n_frequencies = 4, .drop_tolerance = 0.0});
  EXPECT_FALSE(kept.parts()[1].dropped);
  EXPECT_EQ(kept.size(), 12u);
  // The same with fitted weights: the record of a dropped part keeps its exact mass.
  const auto X = random_matrix(20, 57, 3);
  const auto fitted = approximate(*kernel, X, {.n_frequencies = 4, .weights = Weights::subset, .n_subset = 10});
  EXPECT_TRUE(fitted.parts()[1].dropped);
  EXPECT_EQ(fitted.parts()[1].mass, dropped.mass);
  EXPECT_EQ(fitted.size(), 8u);
  const auto coarse = approximate(*cosh_gaussian(), 16, {.n_frequencies = 4, .drop_tolerance = 0.1});
  EXPECT_TRUE(coarse.parts()[1].dropped);  // 1 % of the total
}

/// Erratum 4: plain rejection would not end there. It stops with a sentence instead, and drops nothing by itself.
TEST(Approximate, RejectionThatWouldNotEndIsRefused) {
  for (const std::size_t dim : {8, 16, 22, 57})
    EXPECT_THROW(approximate(*shift_gaussian(), dim, {.n_frequencies = 4, .sampler = Sampler::rejection}), NumericalError) << dim;
  EXPECT_NO_THROW(approximate(*shift_gaussian(), 57, {.n_frequencies = 4, .sampler = Sampler::rejection, .drop_tolerance = 1e-12}));
  EXPECT_NO_THROW(approximate(*shift_gaussian(), 1, {.n_frequencies = 4, .sampler = Sampler::rejection}));
}

/// A longer draw starts with the shorter one, part by part, for both samplers.
TEST(Approximate, TwiceTheFrequenciesStartWithTheSame) {
  for (const Sampler sampler : {Sampler::exact, Sampler::rejection}) {
    const auto kernel = cosh_gaussian({.sigma = 1.0, .beta = {0.9, 0.2}});
    const auto few = approximate(*kernel, 2, {.n_frequencies = 16, .sampler = sampler, .seed = 3});
    const auto many = approximate(*kernel, 2, {.n_frequencies = 32, .sampler = sampler, .seed = 3});
    ASSERT_EQ(few.parts().size(), many.parts().size());
    for (std::size_t p = 0; p < few.parts().size(); ++p)
      for (std::size_t j = 0; j < few.parts()[p].count; ++j)
        EXPECT_TRUE(std::ranges::equal(few.frequencies().row(few.parts()[p].first + j), many.frequencies().row(many.parts()[p].first + j)));
    const auto other_seed = approximate(*kernel, 2, {.n_frequencies = 16, .sampler = sampler, .seed = 4});
    EXPECT_NE(few.frequencies()(0, 0), other_seed.frequencies()(0, 0));
  }
}

/// With data the fitted masses are those of fit_masses on the rows choose_rows names; exact weights do not look at the data.
TEST(Approximate, SubsetWeightsAreThoseOfTheFit) {
  const auto kernel = cosh_gaussian({.sigma = 1.0, .beta = {0.9, 0.2}});
  const auto X = random_matrix(60, 2, 2);
  const ApproximateOptions options{.n_frequencies = 16, .weights = Weights::subset, .n_subset = 20, .seed = 9};
  const auto atoms = approximate(*kernel, X, options);
  const auto rows = choose_rows(X.rows(), 20, 9, Purpose::subset_rows);
  Matrix<double> subset(rows.size(), 2);
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(X.row(rows[i]), subset.row(i).begin());
  const auto exact = approximate(*kernel, 2, {.n_frequencies = 16, .seed = 9});
  const MassFit fit = fit_masses(*kernel, exact, subset);
  ASSERT_EQ(atoms.parts().size(), 3u);
  EXPECT_EQ(atoms.parts()[0].mass, fit.real_positive);
  EXPECT_EQ(atoms.parts()[1].mass, fit.real_negative);
  EXPECT_EQ(atoms.parts()[2].mass, fit.imaginary_positive);
  EXPECT_EQ(atoms.parts()[0].log_mass, std::log(fit.real_positive));
  for (const PartRecord& part : atoms.parts())
    for (std::size_t j = part.first; j < part.first + part.count; ++j) {
      EXPECT_EQ(atoms.weights()[j], traits(part.part).coefficient * (part.mass / 16.0));
      EXPECT_TRUE(std::ranges::equal(atoms.frequencies().row(j), exact.frequencies().row(j)));
    }
  EXPECT_NEAR(atoms(std::vector<double>(2, 0.0)), kernel->at_zero(2), 1e-14 * atoms.weight_sum());
  const auto exact_with_data = approximate(*kernel, X, {.n_frequencies = 16, .seed = 9});
  EXPECT_TRUE(std::ranges::equal(exact_with_data.weights(), exact.weights()));
}

}  // namespace
}  // namespace askrff::test
