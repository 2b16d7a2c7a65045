// masses.json, scalar_masses.json and acceptance.json: exact masses, their logarithms and the acceptance rates of plain rejection.
#include "golden/golden.hpp"

#include "askrff/measure.hpp"

namespace askrff::test {
namespace {

/// Acceptance of the paper's rejection: mass over the bound of the proposal; 0 for a part that is the zero measure.
double acceptance(const ComplexMeasure& measure, Part part) {
  const auto parts = measure.parts();
  if (std::ranges::find(parts, part) == parts.end()) return 0.0;
  return measure.exact_moments(part)->mass / measure.proposal_bound(part).value();
}

TEST(GoldenMasses, EveryEntry) {
  ASKRFF_NEED_SHARED("golden/masses.json");
  const json entries = golden("masses.json");
  EXPECT_EQ(entries.size(), 21u);
  for (const json& entry : entries) {
    SCOPED_TRACE(label_of(entry));
    const auto kernel = kernel_of(entry);
    const auto dim = entry.at("d").get<std::size_t>();
    const auto measure = kernel->measure(dim);
    const Masses masses = exact_masses(*measure);
    // Relative accuracy even where the mass is 2e-34: absolute slack only for what is exactly 0.
    expect_close(masses.real_positive, number(entry.at("mass_Rp")), 1e-13, 0, "mass_Rp");
    expect_close(masses.real_negative, number(entry.at("mass_Rm")), 1e-13, 0, "mass_Rm");
    expect_close(masses.imaginary_positive, number(entry.at("mass_Ip")), 1e-13, 0, "mass_Ip");
    expect_close(masses.total, number(entry.at("norm_paper")), 1e-13, 0, "norm_paper");
    expect_close(masses.total_variation, number(entry.at("tv")), 1e-13, 0, "tv");
    expect_close(kernel->at_zero(dim), number(entry.at("k0")), 1e-13, 0, "k0");
    expect_close(acceptance(*measure, Part::real_positive), number(entry.at("accept_Rp")), 1e-13, 0, "accept_Rp");
    expect_close(acceptance(*measure, Part::real_negative), number(entry.at("accept_Rm")), 1e-13, 0, "accept_Rm");
    expect_close(acceptance(*measure, Part::imaginary_positive), number(entry.at("accept_Ip")), 1e-13, 0, "accept_Ip");
  }
}

/// s and C of masses.json are not members of the library: they are what the masses are made of.
TEST(GoldenMasses, RidgeParametersGiveTheMasses) {
  ASKRFF_NEED_SHARED("golden/masses.json");
  for (const json& entry : golden("masses.json")) {
    SCOPED_TRACE(label_of(entry));
    const double s = number(entry.at("s")), C = number(entry.at("C"));
    const auto scalar = ridge_expectations(s);
    expect_close(C * scalar.sin_positive, number(entry.at("mass_Ip")), "C S");
    if (entry.at("kernel") == "sinh-gaussian") continue;
    expect_close(C * scalar.cos_positive, number(entry.at("mass_Rp")), "C P");
    expect_close(C * scalar.cos_negative, number(entry.at("mass_Rm")), 1e-13, 0, "C Q");
  }
}

TEST(GoldenScalarMasses, EveryEntry) {
  ASKRFF_NEED_SHARED("golden/scalar_masses.json");
  const json entries = golden("scalar_masses.json");
  EXPECT_EQ(entries.size(), 10u);
  for (const json& entry : entries) {
    SCOPED_TRACE("s = " + entry.at("s").get<std::string>());
    const auto scalar = ridge_expectations(number(entry.at("s")));
    expect_close(scalar.cos_positive, number(entry.at("Ecos_pos")), 1e-13, 0, "Ecos_pos");
    expect_close(scalar.cos_negative, number(entry.at("Ecos_neg")), 1e-13, 0, "Ecos_neg");  // 1.5e-535799 is 0 in double
    expect_close(scalar.sin_positive, number(entry.at("Esin_pos")), 1e-13, 0, "Esin_pos");
    const double log_reference = number(entry.at("log_Ecos_neg"));
    if (std::isinf(log_reference))
      EXPECT_EQ(scalar.log_cos_negative, log_reference);
    else
      expect_close(scalar.log_cos_negative, log_reference, 1e-13, 0, "log_Ecos_neg");
  }
}

/// The file holds doubles that were computed in double: 1e-13 of 4.85e-15 is more than they keep, hence 1e-15 absolute for the rate; its
/// logarithm carries the relative accuracy (an error of 1e-13 in the rate is 4e-14 in log10).
TEST(GoldenAcceptance, EveryEntry) {
  ASKRFF_NEED_SHARED("golden/acceptance.json");
  const json entries = golden("acceptance.json");
  EXPECT_EQ(entries.size(), 15u);
  for (const json& entry : entries) {
    SCOPED_TRACE(label_of(entry));
    const auto measure = kernel_of(entry)->measure(entry.at("d").get<std::size_t>());
    expect_close(acceptance(*measure, Part::real_positive), number(entry.at("acc_Rp")), "acc_Rp");
    expect_close(acceptance(*measure, Part::imaginary_positive), number(entry.at("acc_Ip")), "acc_Ip");
    const auto parts = measure->parts();
    const bool has_negative = std::ranges::find(parts, Part::real_negative) != parts.end();
    EXPECT_EQ(has_negative, !entry.at("acc_Rm").is_null());
    if (!has_negative) continue;
    expect_close(acceptance(*measure, Part::real_negative), number(entry.at("acc_Rm")), "acc_Rm");
    const double log_acceptance =
        measure->exact_moments(Part::real_negative)->log_mass - std::log(measure->proposal_bound(Part::real_negative).value());
    expect_close(log_acceptance / std::log(10.0), number(entry.at("log10_acc_Rm")), 0, 2e-13, "log10_acc_Rm");
    const double s = number(entry.at("s")), bound = measure->proposal_bound(Part::real_negative).value();
    expect_close(bound, entry.at("kernel") == "cosh-gaussian" ? std::exp(s * s / 2) : 1.0, "bound C from s");
  }
}

}  // namespace
}  // namespace askrff::test
