// general_scalar.json: causal gamma kernels, which the library does not know: a user's measure through quadrature and rejection.
#include "golden/golden.hpp"

#include "askrff/approximate.hpp"
#include "askrff/measure.hpp"
#include "support/causal_gamma.hpp"

namespace askrff::test {
namespace {

TEST(GoldenGeneralScalar, TotalVariationByQuadrature) {
  ASKRFF_NEED_SHARED("golden/general_scalar.json");
  const json entries = golden("general_scalar.json");
  EXPECT_EQ(entries.size(), 4u);
  for (const json& entry : entries) {
    const double a = number(entry.at("a"));
    SCOPED_TRACE(a);
    const CausalGammaMeasure measure(a, Knows::proposal);
    expect_close(measure.total(), number(entry.at("tv")), 1e-14, 0, "tv in closed form");
    const Masses masses = quadrature_masses(measure);
    expect_close(masses.total_variation, number(entry.at("tv")), 1e-10, 0, "tv by quadrature");
    EXPECT_NEAR(masses.real_positive - masses.real_negative, 0.0, 1e-10 * masses.total) << "k(0) = 0";
    for (const json& pair : entry.at("k_at")) {
      const std::vector<double> delta{number(pair.at(0))};
      expect_close(CausalGamma(a)(delta), number(pair.at(1)), 1e-14, 0, "k");
    }
  }
}

/// k from the drawn frequencies and the masses by quadrature. 12 comparisons at 5 standard errors: false-alarm rate below 1e-5.
TEST(GoldenGeneralScalar, ValuesFromRejectionSampling) {
  ASKRFF_NEED_SHARED("golden/general_scalar.json");
  constexpr std::size_t n_draws = 10000;
  for (const json& entry : golden("general_scalar.json")) {
    const double a = number(entry.at("a"));
    const CausalGammaMeasure measure(a, Knows::proposal);
    const Masses masses = quadrature_masses(measure);
    std::vector<Matrix<double>> draws;
    for (const Part part : all_parts)
      draws.push_back(draw_frequencies(measure, part, 0, n_draws, {.sampler = Sampler::rejection, .seed = 20}));
    for (const json& pair : entry.at("k_at")) {
      const double delta = number(pair.at(0));
      double estimate = 0, variance = 0;
      for (const Part part : all_parts) {
        double sum = 0, squares = 0;
        for (std::size_t j = 0; j < n_draws; ++j) {
          const double omega = draws[static_cast<std::size_t>(part)](j, 0);
          const double value = (traits(part).coefficient * std::polar(masses.of(part), omega * delta)).real();
          sum += value;
          squares += value * value;
        }
        const double mean = sum / n_draws;
        estimate += mean;
        variance += (squares / n_draws - mean * mean) / n_draws;
      }
      EXPECT_NEAR(estimate, number(pair.at(1)), 5 * std::sqrt(variance)) << "a = " << a << ", delta = " << delta;
    }
  }
}

}  // namespace
}  // namespace askrff::test
