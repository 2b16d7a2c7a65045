// bound.json: the Proposition's ingredients and the numbers of frequencies it asks for.
#include "golden/golden.hpp"

#include "askrff/operators.hpp"

namespace askrff::test {
namespace {

TEST(GoldenBound, EveryEntry) {
  ASKRFF_NEED_SHARED("golden/bound.json");
  const json entries = golden("bound.json");
  EXPECT_EQ(entries.size(), 9u);
  for (const json& entry : entries) {
    SCOPED_TRACE(label_of(entry));
    const auto measure = kernel_of(entry)->measure(entry.at("d").get<std::size_t>());
    const auto bound = uniform_bound(
        *measure, {.epsilon = number(entry.at("eps")), .delta = number(entry.at("delta")), .diameter = number(entry.at("diameter_l"))});
    EXPECT_EQ(bound.n_frequencies, entry.at("M_ceil").get<std::uint64_t>());
    EXPECT_EQ(bound.n_frequencies, static_cast<std::uint64_t>(std::ceil(number(entry.at("M_bound")))));
    EXPECT_EQ(bound.n_frequencies_sharp, static_cast<std::uint64_t>(std::ceil(number(entry.at("M_sharp_hoeffding")))));
    expect_close(bound.beta_d, number(entry.at("beta_d")), 1e-13, 0, "beta_d");
    expect_close(bound.sigma_mu2, number(entry.at("sigma_mu2")), 1e-13, 0, "sigma_mu2");
    expect_close(bound.alpha_mu2, number(entry.at("alpha_mu2")), 1e-13, 0, "alpha_mu2");
    expect_close(bound.total, number(entry.at("norm_mu")), 1e-13, 0, "norm_mu");
    for (const auto& [part, field] :
         {std::pair{Part::real_positive, "E_omega2"}, {Part::real_negative, "E_zeta2"}, {Part::imaginary_positive, "E_nu2"}}) {
      const auto parts = measure->parts();
      const bool present = std::ranges::find(parts, part) != parts.end();  // an empty part counts as 0
      expect_close(present ? measure->exact_moments(part)->second_moment.value() : 0.0, number(entry.at(field)), 1e-13, 0, field);
    }
  }
}

}  // namespace
}  // namespace askrff::test
