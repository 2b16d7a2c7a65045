// The reference values of shared/golden through the command line.
#include "cli/command.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/shared.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

/// Equal to 1e-13 relative or 1e-15 absolute.
void expect_close(double value, double reference, const std::string& what) {
  EXPECT_LE(std::abs(value - reference), std::max(1e-13 * std::abs(reference), 1e-15)) << what << ": " << value << " for " << reference;
}

std::string list_text(const json& values) {
  std::string text;
  for (const json& value : values) text += fmt::format("{}{:.17g}", text.empty() ? "" : ",", number(value));
  return text;
}

Arguments kernel_call(const std::string& command, const json& entry) {
  return {command, "--kernel", entry.at("kernel"), "--dim", fmt::format("{}", entry.at("d").get<int>())};
}

std::string parameter_option(const json& entry) { return entry.at("kernel") == "shift-gaussian" ? "--shift" : "--beta"; }

TEST(Golden, Masses) {
  ASKRFF_NEED_SHARED("golden/masses.json");
  for (const json& entry : read_json(shared_dir() / "golden/masses.json")) {
    const Arguments call = kernel_call("masses", entry) + Arguments{"--sigma", fmt::format("{:.17g}", number(entry.at("sigma"))),
                                                                    parameter_option(entry), list_text(entry.at("param"))};
    SCOPED_TRACE(call[2] + " " + call[4] + " " + call.back());
    const json masses = run_json(call);
    expect_close(masses.at("real_positive"), number(entry.at("mass_Rp")), "real_positive");
    expect_close(masses.at("real_negative"), number(entry.at("mass_Rm")), "real_negative");
    expect_close(masses.at("imaginary_positive"), number(entry.at("mass_Ip")), "imaginary_positive");
    expect_close(masses.at("total"), number(entry.at("norm_paper")), "total");
    expect_close(masses.at("total_variation"), number(entry.at("tv")), "total_variation");
    expect_close(masses.at("k0"), number(entry.at("k0")), "k0");
  }
}

TEST(Golden, Bound) {
  ASKRFF_NEED_SHARED("golden/bound.json");
  for (const json& entry : read_json(shared_dir() / "golden/bound.json")) {
    const auto text = [&](const char* field) { return fmt::format("{:.17g}", number(entry.at(field))); };
    const Arguments call = kernel_call("bound", entry) + Arguments{"--sigma", text("sigma"), "--epsilon",  text("eps"),
                                                                   "--delta", text("delta"), "--diameter", text("diameter_l")};
    SCOPED_TRACE(call[2] + " " + call[4]);
    const json bound = run_json(call);
    EXPECT_EQ(bound.at("n_frequencies").get<std::uint64_t>(), entry.at("M_ceil").get<std::uint64_t>());
    EXPECT_EQ(bound.at("n_frequencies_sharp").get<double>(), std::ceil(number(entry.at("M_sharp_hoeffding"))));
    expect_close(bound.at("beta_d"), number(entry.at("beta_d")), "beta_d");
    expect_close(bound.at("sigma_mu2"), number(entry.at("sigma_mu2")), "sigma_mu2");
    expect_close(bound.at("alpha_mu2"), number(entry.at("alpha_mu2")), "alpha_mu2");
    expect_close(bound.at("total"), number(entry.at("norm_mu")), "total");
  }
}

/// Acceptance of the paper's rejection is mass over the bound of the part: 1 for shift-gaussian and the real part of sinh-gaussian,
/// C = e^{s²/2} for the others. Defaults are the paper's parameters.
TEST(Golden, Acceptance) {
  ASKRFF_NEED_SHARED("golden/acceptance.json");
  for (const json& entry : read_json(shared_dir() / "golden/acceptance.json")) {
    const Arguments call = kernel_call("masses", entry);
    SCOPED_TRACE(call[2] + " " + call[4]);
    const json masses = run_json(call);
    const double s = number(entry.at("s")), C = std::exp(s * s / 2);
    const double real_bound = call[2] == "cosh-gaussian" ? C : 1.0, imaginary_bound = call[2] == "shift-gaussian" ? 1.0 : C;
    expect_close(masses.at("real_positive").get<double>() / real_bound, number(entry.at("acc_Rp")), "acc_Rp");
    expect_close(masses.at("imaginary_positive").get<double>() / imaginary_bound, number(entry.at("acc_Ip")), "acc_Ip");
    if (entry.at("acc_Rm").is_null()) {
      EXPECT_EQ(masses.at("real_negative"), 0.0);
      EXPECT_TRUE(masses.at("log_real_negative").is_null());
      continue;
    }
    expect_close(masses.at("real_negative").get<double>() / real_bound, number(entry.at("acc_Rm")), "acc_Rm");
    EXPECT_NEAR((masses.at("log_real_negative").get<double>() - std::log(real_bound)) / std::log(10.0), number(entry.at("log10_acc_Rm")),
                1e-11);
  }
}

}  // namespace
}  // namespace askrff::test
