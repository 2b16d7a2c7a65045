// The paper's rejection sampler: what its acceptance rate says, where it refuses, and what a faulty measure of a user gets.
#include "measures/rejection.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "support/statistics.hpp"
#include "support/causal_gamma.hpp"

namespace askrff::test {
namespace {

template <class Error, class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no such error";
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Erratum 3: ‖f‖ = c‖g‖ Pr(accept), so the sampler measures the mass it is said nobody knows. 4.5 standard errors, 17 comparisons: fails
// for 0.01 % of seeds.
TEST(Rejection, AcceptanceRateTimesBoundIsTheMass) {
  for (const char* name :
       {"gaussian", "difference-of-gaussians", "shift-gaussian", "sinh-gaussian", "cosh-gaussian", "shifted:laplacian", "shifted:cauchy"}) {
    const auto measure =
        make_kernel(name, std::string(name).starts_with("sh") ? ParameterValues{{"sigma", 1.0}} : ParameterValues{})->measure(2);
    for (const Part part : measure->parts()) {
      double proposals = 0;
      constexpr std::uint64_t n_accepted = 2000;
      constexpr double accepted = n_accepted;
      std::vector<double> omega(2);
      for (std::uint64_t i = 0; i < n_accepted; ++i) {
        RandomStream random(61, traits(part).purpose, i);
        const auto n = measures::draw_by_rejection(*measure, part, random, omega, 1'000'000);
        ASSERT_TRUE(n);
        proposals += static_cast<double>(*n);
      }
      const double rate = accepted / proposals, mass = *measure->proposal_bound(part) * rate;
      EXPECT_NEAR(mass, measure->exact_moments(part)->mass, 4.5 * mass * std::sqrt((1 - rate) / accepted) + 1e-14)
          << name << ' ' << traits(part).name;
    }
  }
}

// Erratum 4: at the paper's own parameters μ_R^- of shift-gaussian is out of reach of rejection. It is refused at once, with the way out.
TEST(Rejection, RefusesThePapersOwnCase) {
  for (const auto& [dim, mass] : {std::pair{8, "6.45e-07"}, {16, "1.26e-11"}, {22, "4.85e-15"}, {57, "2.12e-34"}}) {
    const auto measure = shift_gaussian()->measure(static_cast<std::size_t>(dim));
    const std::string message =
        error_of<NumericalError>([&] { draw_frequencies(*measure, Part::real_negative, 0, 1, {.sampler = Sampler::rejection}); });
    EXPECT_TRUE(contains(message, "real_negative")) << message;
    EXPECT_TRUE(contains(message, mass)) << message;
    EXPECT_TRUE(contains(message, "exact")) << message;
    EXPECT_TRUE(contains(message, "dimension " + std::to_string(dim))) << message;
    EXPECT_NO_THROW(draw_frequencies(*measure, Part::real_positive, 0, 10, {.sampler = Sampler::rejection}));
    EXPECT_THROW(approximate(*shift_gaussian(), static_cast<std::size_t>(dim), {.n_frequencies = 4, .sampler = Sampler::rejection}),
                 NumericalError);
  }
}

// A mass that underflows is named by its logarithm.
TEST(Rejection, NamesAMassBelowTheDoubles) {
  const auto measure = shift_gaussian({.sigma = 1, .shift = 0.01})->measure(1);
  const std::string message =
      error_of<NumericalError>([&] { draw_frequencies(*measure, Part::real_negative, 0, 1, {.sampler = Sampler::rejection}); });
  EXPECT_TRUE(contains(message, "of mass e^-12352")) << message;
}

TEST(ExactSampler, WorksWhereRejectionRefuses) {
  for (const std::size_t dim : {8u, 16u, 22u, 57u}) {
    const auto atoms = approximate(*shift_gaussian(), dim, {.n_frequencies = 64, .drop_tolerance = 0.0});
    ASSERT_EQ(atoms.parts().size(), 3u);
    const PartRecord& negative = atoms.parts()[1];
    EXPECT_EQ(negative.part, Part::real_negative);
    EXPECT_FALSE(negative.dropped);
    ASSERT_EQ(negative.count, 64u);
    for (std::size_t j = negative.first; j < negative.first + negative.count; ++j) {
      double t = 0;
      for (const double w : atoms.frequencies().row(j)) t += 2.0 / static_cast<double>(dim) * w;
      EXPECT_LT(std::cos(t), 1e-14) << dim;
      EXPECT_EQ(atoms.weights()[j], std::complex<double>(-negative.mass / 64));
    }
  }
}

TEST(ExactSampler, DropsANegligiblePartAndSaysSo) {
  const auto atoms = approximate(*shift_gaussian(), 57, {.n_frequencies = 32});
  ASSERT_EQ(atoms.parts().size(), 3u);
  const PartRecord& negative = atoms.parts()[1];
  EXPECT_TRUE(negative.dropped);
  EXPECT_EQ(negative.count, 0u);
  EXPECT_NEAR(negative.mass, 2.12226935151954e-34, 1e-46);
  EXPECT_NEAR(negative.log_mass, std::log(2.12226935151954e-34), 1e-11);
  EXPECT_EQ(atoms.size(), 64u);
  EXPECT_FALSE(atoms.parts()[0].dropped || atoms.parts()[2].dropped);
  // Above the tolerance nothing is dropped.
  const auto kept = approximate(*shift_gaussian(), 8, {.n_frequencies = 8});
  for (const PartRecord& part : kept.parts()) EXPECT_FALSE(part.dropped);
  EXPECT_TRUE(approximate(*shift_gaussian(), 8, {.n_frequencies = 8, .drop_tolerance = 1e-6}).parts()[1].dropped);
}

// A shifted kernel without a better sampler refuses a part it would search for ever; leaving it out is the caller's choice.
TEST(ExactSampler, ShiftedKernelRefusesAVanishingPart) {
  const auto kernel = make_kernel("shifted:laplacian", {{"sigma", 2.0}, {"shift", 4e-6}});
  EXPECT_TRUE(
      contains(error_of<NumericalError>([&] { draw_frequencies(*kernel->measure(1), Part::real_negative, 0, 1); }), "drop_tolerance"));
  EXPECT_NO_THROW(approximate(*kernel, 1, {.n_frequencies = 8, .drop_tolerance = 1e-5}));
}

// A user's measure, faulty on demand: normal proposals in one dimension, ratio and bound as given, no masses known.
class UserMeasure final : public ComplexMeasure {
 public:
  UserMeasure(std::complex<double> ratio, std::optional<double> bound) : ratio_(ratio), bound_(bound) {}
  std::size_t dim() const override { return 1; }
  std::vector<Part> parts() const override { return {all_parts.begin(), all_parts.end()}; }
  std::complex<double> density(std::span<const double>) const override { return 0; }
  std::optional<double> proposal_bound(Part) const override { return bound_; }
  void propose(RandomStream& random, std::span<double> omega) const override { omega[0] = random.normal(); }
  std::complex<double> proposal_ratio(std::span<const double>) const override { return ratio_; }

 private:
  std::complex<double> ratio_;
  std::optional<double> bound_;
};

TEST(Rejection, PartThatIsNeverAcceptedEndsInBoundedTime) {
  const UserMeasure measure(1.0, 1.0);  // nothing of it is negative or imaginary
  const auto start = std::chrono::steady_clock::now();
  for (const Part part : {Part::real_negative, Part::imaginary_positive}) {
    const std::string message =
        error_of<NumericalError>([&] { draw_frequencies(measure, part, 0, 1, {.sampler = Sampler::rejection, .min_acceptance = 1e-3}); });
    EXPECT_TRUE(contains(message, std::string(traits(part).name))) << message;
    EXPECT_TRUE(contains(message, "of unknown mass")) << message;
    EXPECT_TRUE(contains(message, "less often than once in 1000 proposals")) << message;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(draw_frequencies(measure, Part::real_positive, 0, 5, {.sampler = Sampler::rejection}).rows(), 5u);
}

TEST(Rejection, RefusesAFaultyProposal) {
  const auto draw = [](const ComplexMeasure& measure) {
    draw_frequencies(measure, Part::real_positive, 0, 1, {.sampler = Sampler::rejection});
  };
  EXPECT_TRUE(contains(error_of<std::invalid_argument>([&] { draw(UserMeasure(2.0, 1.5)); }),
                       "proposal_ratio gives 2 where proposal_bound promises at most 1.5"));
  for (const std::complex<double> ratio : {std::complex<double>(std::nan(""), 0), {0, std::nan("")}, {HUGE_VAL, 0}, {0.5, -HUGE_VAL}})
    EXPECT_TRUE(contains(error_of<std::invalid_argument>([&] { draw(UserMeasure(ratio, 1.0)); }), "proposal_ratio is not finite"));
  EXPECT_TRUE(
      contains(error_of<std::invalid_argument>([&] { draw(UserMeasure(1.0, std::nullopt)); }), "no proposal for its part real_positive"));
  for (const double bound : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(draw(UserMeasure(0.5, bound)), std::invalid_argument) << bound;
}

// A measure with a bound but neither propose() nor proposal_ratio().
class HalfMeasure final : public ComplexMeasure {
 public:
  std::size_t dim() const override { return 1; }
  std::vector<Part> parts() const override { return {Part::real_positive}; }
  std::complex<double> density(std::span<const double>) const override { return 1; }
  std::optional<double> proposal_bound(Part) const override { return 1.0; }
};

TEST(DrawFrequencies, RefusesWhatTheMeasureLacks) {
  EXPECT_TRUE(contains(
      error_of<std::invalid_argument>([] { draw_frequencies(HalfMeasure(), Part::real_positive, 0, 1, {.sampler = Sampler::rejection}); }),
      "no propose()"));
  EXPECT_TRUE(
      contains(error_of<std::invalid_argument>([] { draw_frequencies(HalfMeasure(), Part::real_positive, 0, 1); }), "no exact sampler"));
  EXPECT_TRUE(
      contains(error_of<std::invalid_argument>([] { draw_frequencies(*gaussian()->measure(2), Part::real_negative, 0, 1); }), "is empty"));
  EXPECT_TRUE(contains(error_of<std::invalid_argument>([] { draw_frequencies(*sinh_gaussian()->measure(2), Part::real_negative, 0, 1); }),
                       "is empty"));
  EXPECT_THROW(draw_frequencies(*gaussian()->measure(2), Part::real_positive, 0, std::size_t{1} << 60), std::invalid_argument);
  for (const double rate : {0.0, -1.0, 2.0, std::nan("")})
    EXPECT_THROW(
        draw_frequencies(*gaussian()->measure(2), Part::real_positive, 0, 1, {.sampler = Sampler::rejection, .min_acceptance = rate}),
        std::invalid_argument)
        << rate;
  EXPECT_EQ(draw_frequencies(*gaussian()->measure(2), Part::real_positive, 7, 0).rows(), 0u);
}

// A measure of a user with heavy tails and no exact sampler: every draw lies in its part.
TEST(Rejection, CausalGamma) {
  const CausalGammaMeasure measure(4.0);
  const auto omega = draw_frequencies(measure, Part::imaginary_positive, 0, 2000, {.sampler = Sampler::rejection, .seed = 3});
  for (std::size_t j = 0; j < omega.rows(); ++j) ASSERT_GT(measure.density(omega.row(j)).imag(), 0);
}

}  // namespace
}  // namespace askrff::test
